/** A2A: `POST /a2a`, and the card of `GET /.well-known/agent.json` (spec 4.2.3). */

import type { Call, ProtectedRoute, PublicCall, PublicRoute } from "../http/call.ts";
import { bare, published } from "../http/respond.ts";
import { discoveryCard } from "./cards.ts";
import { answerRpc, checkRpc } from "./rpc.ts";

/** Rules §2. */
const BODY_BYTES_MAX = 256 * 1024;

async function card(call: PublicCall): Promise<Response> {
  const { card, etagOf } = await discoveryCard(call.deps);
  return published(call, card, { etagOf });
}

/** What the checks of every route refuse is in the envelope; from here on it is JSON-RPC. */
async function rpc(call: Call): Promise<Response> {
  const headers = { "cache-control": "no-store", "x-trace-id": call.traceId };
  return bare(await answerRpc(call), headers);
}

export const a2aRoutes: readonly (PublicRoute | ProtectedRoute)[] = [
  { method: "GET", path: "/.well-known/agent.json", access: "public", handle: card },
  {
    method: "POST",
    path: "/a2a",
    access: { kinds: ["agent", "operator", "service"], scope: null },
    reads: "json",
    bodyBytesMax: BODY_BYTES_MAX,
    check: checkRpc,
    handle: rpc,
  },
];
