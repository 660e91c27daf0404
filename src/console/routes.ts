/** The pages of the operator console. */
import { approvalRoutes } from "./approval.tsx";
import { approvalListRoutes } from "./approvals.tsx";
import { bookingRoutes } from "./booking.tsx";
import { bookingChangeRoutes } from "./booking-change.tsx";
import { bookingRefundRoutes } from "./booking-refund.tsx";
import { bookingListRoutes } from "./bookings.tsx";
import { calendarCheckRoutes } from "./calendar/check.tsx";
import { calendarPageRoutes } from "./calendar/page.tsx";
import { deedRoutes } from "./deeds.tsx";
import { eventPageRoutes } from "./events.tsx";
import { incidentRoutes } from "./incident.tsx";
import { incidentDeedRoutes } from "./incident-deeds.tsx";
import { incidentListRoutes } from "./incidents.tsx";
import { liveRoutes } from "./live.ts";
import { moneyRoutes } from "./money.tsx";
import { importPageRoutes } from "./properties/import.tsx";
import { propertyListRoutes } from "./properties/list.tsx";
import { propertyRoutes } from "./properties/property.tsx";
import { refundRoutes } from "./refund.tsx";
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
  ...approvalListRoutes,
  ...approvalRoutes,
  ...incidentListRoutes,
  ...incidentRoutes,
  ...incidentDeedRoutes,
  ...bookingChangeRoutes,
  ...bookingRefundRoutes,
  ...moneyRoutes,
  ...refundRoutes,
  ...eventPageRoutes,
  ...liveRoutes,
];
