/**
 * `POST /v1/admin/console-links`: a one-time link that signs a browser in to the operator console,
 * so that no secret is typed or pasted. The session has the rights of the credential that asked.
 */
import { Type } from "@sinclair/typebox";
import { instantIso } from "../../../engine/core/calendar.ts";
import { CODE_TTL_MS, SESSION_TTL_MS } from "../../access/control/console-sessions.ts";
import { type Refusal, refuse, type Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { route } from "../../http/route.ts";
import { Instant, named } from "../../http/schema/answer-parts.ts";
import { EmptyBody } from "../../http/schema/request-parts.ts";
import { json } from "../../http/validate.ts";

const MINUTE_MS = 60_000;

const ConsoleLink = named("ConsoleLink", "A link that signs in once.", {
  url: Type.String({
    format: "uri",
    description: "Open it in a browser. The part after `#` is the secret of the link.",
  }),
  expires_at: Instant,
});

/** A session outlives access tokens, so only a secret may start one. */
function isBySecret({ context, request }: Call): boolean {
  const authorization = request.headers.get("authorization") ?? "";
  return context.control.credential(authorization.replace(/^bearer +/i, "")) !== undefined;
}

function create(call: Call): Success | Refusal {
  const { context, principal } = call;
  if (!isBySecret(call)) return refuse("forbidden", { reason: "secret_required" });
  const { code, expiresAtMs } = context.consoleSessions.newCode(
    principal.credential_id,
    context.now(),
  );
  const url = `${context.config.baseUrl}/console/enter#${code}`;
  return { ok: true, status: 201, data: { url, expires_at: instantIso(expiresAtMs) } };
}

export const consoleLinkRoutes = [
  route({
    id: "admin_create_console_link",
    tag: "Access administration",
    method: "POST",
    path: "/v1/admin/console-links",
    summary: "Get a link that signs in to the console",
    description:
      `The link works once, for ${CODE_TTL_MS / MINUTE_MS} minutes. The session has the rights of ` +
      "the credential that asked and ends with it, after half an hour without use, and after " +
      `${SESSION_TTL_MS / (60 * MINUTE_MS)} hours. Access tokens are refused (\`forbidden\`, reason ` +
      "`secret_required`): a session would outlive them.",
    access: { kinds: ["operator"], scope: null, touches: "nothing" },
    body: json(EmptyBody),
    isBodyOptional: true,
    success: { status: 201, description: "The link.", data: ConsoleLink },
    errors: ["forbidden", "upstream_unavailable"],
    handle: create,
  }),
];
