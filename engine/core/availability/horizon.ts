/**
 * Which dates can be sold: from today in the property's time zone to the horizon.
 * Search, quotes and alternatives share these functions.
 */

/** The last night that can be sold is this many days after today. */
export const HORIZON_DAYS = 730;

/** Day number of the latest check-out. */
export function latestCheckOut(todayDay: number): number {
  return todayDay + HORIZON_DAYS + 1;
}

/** True when a stay begins today at the earliest and ends within the horizon. */
export function isWithinHorizon(checkInDay: number, nights: number, todayDay: number): boolean {
  return checkInDay >= todayDay && checkInDay + nights <= latestCheckOut(todayDay);
}
