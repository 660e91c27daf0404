/** The pages of the operator console. */

import { agentRoutes } from "./agent.tsx";
import { agentListRoutes } from "./agents.tsx";
import { approvalRoutes } from "./approval.tsx";
import { approvalListRoutes } from "./approvals.tsx";
import { bookingRoutes } from "./booking.tsx";
import { bookingChangeRoutes } from "./booking-change.tsx";
import { bookingRefundRoutes } from "./booking-refund.tsx";
import { bookingListRoutes } from "./bookings.tsx";
import { calendarCheckRoutes } from "./calendar/check.tsx";
import { calendarPageRoutes } from "./calendar/page.tsx";
import { credentialPageRoutes } from "./credentials.tsx";
import { deadLetterRoutes } from "./dead-letters.tsx";
import { deedRoutes } from "./deeds.tsx";
import { deliveryPageRoutes } from "./deliveries.tsx";
import { endpointRoutes } from "./endpoint.tsx";
import { endpointDeedRoutes } from "./endpoint-deeds.tsx";
import { eventPageRoutes } from "./events.tsx";
import { feedPageRoutes } from "./feeds.tsx";
import { incidentRoutes } from "./incident.tsx";
import { incidentDeedRoutes } from "./incident-deeds.tsx";
import { incidentListRoutes } from "./incidents.tsx";
import { issuerPageRoutes } from "./issuers.tsx";
import { liveRoutes } from "./live.ts";
import { moneyRoutes } from "./money.tsx";
import { importPageRoutes } from "./properties/import.tsx";
import { propertyListRoutes } from "./properties/list.tsx";
import { propertyRoutes } from "./properties/property.tsx";
import { recoverRoutes } from "./recover.tsx";
import { refundRoutes } from "./refund.tsx";
import { signInRoutes } from "./sign-in.tsx";
import { todayRoutes } from "./today.tsx";
import { webhookPageRoutes } from "./webhooks.tsx";

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
  ...webhookPageRoutes,
  ...deadLetterRoutes,
  ...endpointRoutes,
  ...endpointDeedRoutes,
  ...recoverRoutes,
  ...deliveryPageRoutes,
  ...feedPageRoutes,
  ...agentListRoutes,
  ...agentRoutes,
  ...credentialPageRoutes,
  ...issuerPageRoutes,
  ...eventPageRoutes,
  ...liveRoutes,
];
