/** Test events: the example of a kind, sent to an endpoint at once, with its result. */
import { type Static, Type } from "@sinclair/typebox";
import { PUBLIC_KINDS } from "../../../engine/core/public-events.ts";
import { invalid, type Refusal, refuse, type Success } from "../../http/answer.ts";
import { closed, oneOf } from "../../http/schema/request-parts.ts";
import { EVENT_EXAMPLES } from "../events/kinds.ts";
import { ofItself, sendMessage, sendUnlisted, type Telling } from "./ping.ts";
import { type AtEndpoint, endpointToChange } from "./records.ts";

/** The kind that exists only for tests. */
const TEST_KIND = "webhook.test";

/** A partner would act on an example message. */
const NO_EXAMPLE = {
  path: "/kind",
  message: "cannot be sent to an endpoint of this format",
  expected: `${TEST_KIND}, or nothing`,
};

export const TestBody = closed({
  kind: Type.Optional(oneOf([TEST_KIND, ...PUBLIC_KINDS])),
});
type TestRequest = Static<typeof TestBody>;

/**
 * Handler that sends a test regardless of the endpoint's state and filters; 502 if the receiver did
 * not accept it (rules §11). Nothing is stored, so every call sends it again.
 */
export async function test(call: AtEndpoint<TestRequest>): Promise<Success | Refusal> {
  const found = endpointToChange(call, call.context.store);
  if (!found.ok) return found;
  const { endpoint } = found;
  const { kind = TEST_KIND } = call.body;
  if (endpoint.format !== "json" && kind !== TEST_KIND) return invalid([NO_EXAMPLE]);
  const about = kind === TEST_KIND ? ofItself(endpoint) : EVENT_EXAMPLES[kind];
  const telling: Telling = { type: kind, subject: about.subject, data: about.data, test: true };
  const { event_id, attempt } =
    endpoint.format === "json"
      ? await sendUnlisted(call, endpoint, telling)
      : await sendMessage(call, endpoint);
  const { retry_after_s: _later, ...shown } = attempt;
  const { endpoint_id } = endpoint;
  if (attempt.ok) return { ok: true, data: { endpoint_id, event_id, kind, ...shown } };
  const { ok: _failed, reason, status, ...sent } = shown;
  const detail = { endpoint_id, reason, status, attempt: { event_id, kind, ...sent } };
  return refuse("notification_delivery_failed", detail);
}
