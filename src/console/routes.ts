/** The pages of the operator console. */
import { agentRoutes } from "./agent.tsx";
import { agentListRoutes } from "./agents.tsx";
import { bookingRoutes } from "./booking.tsx";
import { bookingListRoutes } from "./bookings.tsx";
import { credentialPageRoutes } from "./credentials.tsx";
import { deadLetterRoutes } from "./dead-letters.tsx";
import { deedRoutes } from "./deeds.tsx";
import { deliveryPageRoutes } from "./deliveries.tsx";
import { endpointRoutes } from "./endpoint.tsx";
import { endpointDeedRoutes } from "./endpoint-deeds.tsx";
import { eventPageRoutes } from "./events.tsx";
import { feedPageRoutes } from "./feeds.tsx";
import { issuerPageRoutes } from "./issuers.tsx";
import { liveRoutes } from "./live.ts";
import { recoverRoutes } from "./recover.tsx";
import { signInRoutes } from "./sign-in.tsx";
import { todayRoutes } from "./today.tsx";
import { webhookPageRoutes } from "./webhooks.tsx";

export const consoleRoutes = [
  ...signInRoutes,
  ...todayRoutes,
  ...bookingListRoutes,
  ...bookingRoutes,
  ...deedRoutes,
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
