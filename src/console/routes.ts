/** The pages of the operator console. */
import { bookingRoutes } from "./booking.tsx";
import { bookingListRoutes } from "./bookings.tsx";
import { calendarCheckRoutes } from "./calendar/check.tsx";
import { calendarPageRoutes } from "./calendar/page.tsx";
import { deedRoutes } from "./deeds.tsx";
import { eventPageRoutes } from "./events.tsx";
import { liveRoutes } from "./live.ts";
import { importPageRoutes } from "./properties/import.tsx";
import { propertyListRoutes } from "./properties/list.tsx";
import { propertyRoutes } from "./properties/property.tsx";
import { signInRoutes } from "./sign-in.tsx";
import { todayRoutes } from "./today.tsx";

export const consoleRoutes = [
  ...signInRoutes,
  ...todayRoutes,
  ...bookingListRoutes,
  ...bookingRoutes,
  ...deedRoutes,
  ...calendarPageRoutes,
  ...calendarCheckRoutes,
  ...importPageRoutes,
  ...propertyListRoutes,
  ...propertyRoutes,
  ...eventPageRoutes,
  ...liveRoutes,
];
