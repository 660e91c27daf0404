/** The OAuth client that acts as an agent. */
import { instantIso } from "../../../engine/core/calendar.ts";
import { placeOf } from "../../access/auth/redirect-uris.ts";
import type { Credential } from "../../access/control/credentials.ts";
import type { Context } from "../../http/context.ts";

/** The newest connection whose credential is in use, or null. */
export function connectionOf(
  { oauth }: Context,
  agentId: string,
  credentials: readonly Credential[],
) {
  const inUse = new Map(
    credentials.filter(({ state }) => state === "active").map((each) => [each.credential_id, each]),
  );
  const grant = oauth.grants
    .ofAgent(agentId)
    .find(({ credential_id, redeemed_at }) => redeemed_at !== null && inUse.has(credential_id));
  if (grant === undefined) return null;
  const { client_id, credential_id, redirect_uri, created_at } = grant;
  return {
    ...{ client_id, client_name: oauth.clients.find(client_id)?.name ?? null },
    ...{ redirects_to: placeOf(redirect_uri), credential_id },
    connected_at: instantIso(created_at),
  };
}
