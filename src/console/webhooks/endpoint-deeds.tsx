/** Deeds at an endpoint that have an answer of their own: a test, and a new secret. */
import type { Static } from "@sinclair/typebox";
import { pathId } from "../../api/parameters.ts";
import type { WebhookEndpointWithSecret, WebhookTest } from "../../api/webhooks/responses.ts";
import { ask } from "../frame/api.ts";
import { askedPage } from "../frame/asked.tsx";
import { form, page } from "../frame/console-route.ts";
import { type Form, keyHeader } from "../frame/form.ts";
import { notDone } from "../frame/not-done.tsx";
import { OverlapField, overlapOf } from "../frame/overlap.tsx";
import { Crumbs, Fact } from "../frame/parts.tsx";
import { secretPage } from "../frame/secret.tsx";
import type { Shown } from "../frame/shown.ts";
import type { Visit } from "../frame/visit.ts";
import { endpointOf, endpointOrigin } from "./endpoint.tsx";

type AtEndpoint = Visit<"id">;

const PATH = "/console/webhooks";

/** Nothing of a test is stored, so its result is the answer to the form. */
async function test(visit: AtEndpoint): Promise<Shown> {
  const { id } = visit.call.params;
  const answer = await ask<Static<typeof WebhookTest>>(visit, {
    ...{ id: "test_webhook", params: { id }, body: {} },
  });
  const origin = endpointOrigin(visit);
  if (!answer.ok) return notDone(visit, origin, "Test: not done", answer.error);
  const { status, latency_ms, address, event_id, excerpt } = answer.data;
  const main = (
    <>
      <Crumbs to={visit.root + origin.back}>{origin.backName}</Crumbs>
      <h1>The test was taken</h1>
      <dl>
        <Fact name="Answer">{status}</Fact>
        <Fact name="Response time">{latency_ms} ms</Fact>
        <Fact name="Receiver">
          <code>{address}</code>
        </Fact>
        <Fact name="Event">
          <code>{event_id}</code>
        </Fact>
      </dl>
      {excerpt !== "" && (
        <pre>
          <code>{excerpt}</code>
        </pre>
      )}
    </>
  );
  return { title: "Test", place: "webhooks", main };
}

async function askRotation(visit: AtEndpoint): Promise<Shown> {
  const origin = endpointOrigin(visit);
  const found = await endpointOf(visit);
  if (!found.ok) return notDone(visit, origin, "Replace the secret", found.error);
  return askedPage(visit, {
    ...origin,
    ...{ title: "Replace the secret?", about: found.data.url },
    ...{ to: `${origin.back}/rotate-secret`, button: "Replace the secret" },
    children: (
      <>
        <p>
          The new secret is shown once, on the next page. Meanwhile deliveries carry a signature of
          each, so that the receiver can change over without a gap.
        </p>
        <OverlapField label="The replaced secret signs on for" />
      </>
    ),
  });
}

async function rotate(visit: AtEndpoint, sent: Form): Promise<Shown> {
  const { id } = visit.call.params;
  const origin = endpointOrigin(visit);
  const body = { overlap_s: overlapOf(sent) };
  const answer = await ask<Static<typeof WebhookEndpointWithSecret>>(visit, {
    ...{ id: "rotate_webhook_secret", params: { id }, body, headers: keyHeader(sent) },
  });
  if (!answer.ok) return notDone(visit, origin, "Replace the secret: not done", answer.error);
  const { url, secret } = answer.data;
  return secretPage({
    ...{ title: "Secret replaced", place: "webhooks", of: url, secret },
    use: "The receiver verifies the signature of each delivery with it.",
    ...{ back: visit.root + origin.back, backName: "To the endpoint" },
  });
}

const AT = { params: { id: pathId("Id of the endpoint.") } } as const;
const ROTATION = `${PATH}/:id/rotate-secret` as const;

export const endpointDeedRoutes = [
  form(
    { ...AT, id: "console_test_webhook", path: `${PATH}/:id/test`, summary: "Send a test" },
    test,
  ),
  page(
    { ...AT, id: "console_ask_rotation", path: ROTATION, summary: "Replace a secret?" },
    askRotation,
  ),
  form({ ...AT, id: "console_rotation", path: ROTATION, summary: "Replace a secret" }, rotate),
];
