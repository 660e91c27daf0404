/** Parameters of a booking's routes. */
import { pathId } from "../parameters.ts";

export const BOOKING_ID = pathId("Id of the booking.");
