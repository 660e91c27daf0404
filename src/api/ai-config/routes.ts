/** `/v1/admin/ai-config`: the advisor's model. */
import { addressProblem } from "../../../jobs/net/address-guard.ts";
import { type AiConfig, aiConfigOf, setAiConfig } from "../../access/control/ai-config.ts";
import { invalid, type Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { type ControlOutcome, controlWrite } from "../../http/control-write.ts";
import { versionMismatch } from "../../http/if-match.ts";
import { route } from "../../http/route.ts";
import { json } from "../../http/validate.ts";
import { AiConfigBody, type AiConfigRequest } from "./requests.ts";
import { AiConfig as AiConfigAnswer } from "./responses.ts";

const PATH = "/v1/admin/ai-config";

function shown({ secret, ...config }: AiConfig): Success {
  const { version, ...terms } = config;
  return { ok: true, data: { ...terms, has_secret: secret !== null, version } };
}

function show({ context, principal }: Call): Success {
  return shown(aiConfigOf(context.store, context.keys.encryption, principal));
}

function replace(call: Call<AiConfigRequest>): Promise<ControlOutcome> {
  const { context, principal, body, seenVersion } = call;
  const { encryption } = context.keys;
  return controlWrite(call, (store) => {
    const before = aiConfigOf(store, encryption, principal);
    const mismatch = versionMismatch(seenVersion ?? body.version ?? null, before.version, {});
    if (mismatch) return mismatch;
    const { endpoint = null } = body;
    const guard = { allowPrivate: context.config.webhooksAllowPrivate };
    const problem = endpoint === null ? null : addressProblem(endpoint, guard);
    if (problem !== null) {
      return invalid([{ path: "/endpoint", message: problem, expected: "a public https address" }]);
    }
    const terms = {
      ...{ enabled: body.enabled, provider: body.provider, model: body.model ?? null, endpoint },
      temperature: body.temperature ?? 0.2,
      max_turns: body.max_turns ?? 10,
      allowed_topics: body.allowed_topics ?? [],
      ...{ tone: body.tone ?? null, disclosure: body.disclosure ?? null },
      max_calls_per_day: body.max_calls_per_day ?? 1_000,
      // A key belongs to the endpoint it was set with.
      secret:
        body.secret ??
        (endpoint === before.endpoint && body.secret !== null ? before.secret : null),
    };
    return shown(setAiConfig(store, encryption, principal, terms));
  });
}

const CONFIG = {
  tag: "Supply administration",
  path: PATH,
  access: { kinds: ["operator"], scope: "admin:ai-config", touches: "tenant" },
} as const;

export const aiConfigRoutes = [
  route({
    ...CONFIG,
    id: "get_ai_config",
    method: "GET",
    summary: "Get the advisor's configuration",
    description: "For the tenant and mode of the credential. The endpoint's key is never shown.",
    etag: "version",
    success: { status: 200, description: "The configuration.", data: AiConfigAnswer },
    errors: [],
    handle: show,
  }),
  route({
    ...CONFIG,
    id: "set_ai_config",
    method: "PUT",
    summary: "Set the advisor's configuration",
    description:
      "Replaces the configuration; omitted members get their defaults. Only `secret` stays if it " +
      "is omitted and the endpoint is the same; null removes it. With `enabled` and the provider " +
      "`http` the model receives facts, live offers and the conversation, and its answer is used " +
      "only if every amount, date, time and claim is grounded in them: else the rules answer, " +
      "and `fallback_reason` says why. While endpoint, model or secret is missing, questions are " +
      "refused with `service_not_configured`.",
    key: "accepted",
    takesIfMatch: true,
    body: json(AiConfigBody),
    success: { status: 200, description: "As it is now.", data: AiConfigAnswer },
    errors: ["conflict", "upstream_unavailable"],
    handle: replace,
  }),
];
