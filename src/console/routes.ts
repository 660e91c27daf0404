/** The pages of the operator console. */

import { agentRoutes } from "./agents/agent.tsx";
import { agentListRoutes } from "./agents/agents.tsx";
import { credentialPageRoutes } from "./agents/credentials.tsx";
import { issuerPageRoutes } from "./agents/issuers.tsx";
import { approvalRoutes } from "./approvals/approval.tsx";
import { approvalListRoutes } from "./approvals/approvals.tsx";
import { calendarCheckRoutes } from "./calendar/check.tsx";
import { calendarPageRoutes } from "./calendar/page.tsx";
import { authorizeRoutes } from "./connect/authorize.tsx";
import { consentRoutes } from "./connect/consent.tsx";
import { bookingRoutes } from "./desk/booking.tsx";
import { bookingChangeRoutes } from "./desk/booking-change.tsx";
import { bookingRefundRoutes } from "./desk/booking-refund.tsx";
import { bookingListRoutes } from "./desk/bookings.tsx";
import { deedRoutes } from "./desk/deeds.tsx";
import { newBookingRoutes } from "./desk/new-booking.tsx";
import { newBookingGuestRoutes } from "./desk/new-booking-guest.tsx";
import { noteRoutes } from "./desk/notes.tsx";
import { todayRoutes } from "./desk/today.tsx";
import { eventPageRoutes } from "./events.tsx";
import { feedPageRoutes } from "./feeds/feeds.tsx";
import { hotelFiguresRoutes } from "./figures/hotels.tsx";
import { figuresRoutes } from "./figures/page.tsx";
import { liveRoutes } from "./frame/live.ts";
import { incidentRoutes } from "./incidents/incident.tsx";
import { incidentDeedRoutes } from "./incidents/incident-deeds.tsx";
import { incidentListRoutes } from "./incidents/incidents.tsx";
import { moneyRoutes } from "./money/money.tsx";
import { refundRoutes } from "./money/refund.tsx";
import { peoplePageRoutes } from "./people/people.tsx";
import { personRoutes } from "./people/person.tsx";
import { importPageRoutes } from "./properties/import.tsx";
import { propertyListRoutes } from "./properties/list.tsx";
import { propertyRoutes } from "./properties/property.tsx";
import { signInRoutes } from "./sign-in.tsx";
import { deadLetterRoutes } from "./webhooks/dead-letters.tsx";
import { deliveryPageRoutes } from "./webhooks/deliveries.tsx";
import { endpointRoutes } from "./webhooks/endpoint.tsx";
import { endpointDeedRoutes } from "./webhooks/endpoint-deeds.tsx";
import { recoverRoutes } from "./webhooks/recover.tsx";
import { webhookPageRoutes } from "./webhooks/webhooks.tsx";
import { youRoutes } from "./you.tsx";

export const consoleRoutes = [
  ...signInRoutes,
  ...todayRoutes,
  ...bookingListRoutes,
  ...newBookingRoutes,
  ...newBookingGuestRoutes,
  ...noteRoutes,
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
  ...authorizeRoutes,
  ...consentRoutes,
  ...credentialPageRoutes,
  ...issuerPageRoutes,
  ...peoplePageRoutes,
  ...personRoutes,
  ...youRoutes,
  ...eventPageRoutes,
  ...figuresRoutes,
  ...hotelFiguresRoutes,
  ...liveRoutes,
];
