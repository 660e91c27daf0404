/** What the routes of properties have in common. */
import { pathId } from "../parameters.ts";

export const PROPERTY_ID = pathId("Id or slug of the property.");
/** Commands name the property by its id. */
export const ADMIN_PROPERTY_ID = pathId("Id of the property.");

/** One tree or ARI batch is one command and must fit an envelope (rules §2). */
export const SUPPLY_BYTES_MAX = 512 * 1024;

export const PROPERTY_ADMIN = {
  tag: "Supply administration",
  access: { kinds: ["operator"], scope: "admin:properties" },
} as const;
