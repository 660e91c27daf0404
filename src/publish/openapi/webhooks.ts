/**
 * Requests to webhook endpoints, by kind of event. OpenAPI 3.1 has `webhooks` for it, tools for 3.0
 * read them as `x-webhooks`.
 */
import { EVENT_EXAMPLES, KINDS, SCHEMAS } from "../../api/events/kinds.ts";
import type { Config } from "../../config.ts";
import type { Components, Json } from "./schema.ts";

const HEADERS = {
  "webhook-id": "The event's id; the same at every attempt and replay.",
  "webhook-timestamp": "Seconds since 1970 of this attempt.",
  "webhook-signature": "`v1,` and HMAC-SHA256 in base64, one per valid secret.",
};

/** The headers as members of `components.parameters`. */
export function webhookParameters(): Json {
  const entries = Object.entries(HEADERS).map(([name, description]) => {
    const schema = { type: "string" };
    return [name, { name, in: "header", required: true, description, schema }];
  });
  return Object.fromEntries(entries);
}

/** Members of `x-webhooks`. */
export function webhooksOf({ docsUrl }: Config, components: Components): Record<string, Json> {
  const parameters = Object.keys(HEADERS).map((name) => {
    return { $ref: `#/components/parameters/${name}` };
  });
  const webhooks = [...SCHEMAS].map(([kind, schema]) => {
    const content = {
      "application/json": { schema: components.convert(schema), example: EVENT_EXAMPLES[kind] },
    };
    const operation = {
      operationId: `${kind.replace(".", "_")}_webhook`,
      tags: ["Events"],
      summary: KINDS[kind].meaning,
      externalDocs: { url: `${docsUrl}/events/${kind}` },
      parameters,
      requestBody: { required: true, content },
      security: [],
      responses: { "2XX": { description: "Received. All other responses are retried." } },
    };
    return [kind, { post: operation }];
  });
  return Object.fromEntries(webhooks);
}
