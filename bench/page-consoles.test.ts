/** Goal: what ends a console is thrown at the stop, and no stream is left open. */
import { afterEach, expect, test } from "bun:test";
import type { Installation } from "./installation.ts";
import { CONSOLES, openConsoles } from "./page-consoles.ts";

let end: (() => Promise<void>) | undefined;
afterEach(() => end?.());

/** An installation with consoles; `renewed` resolves when a page is asked for again. */
function installation({ streamsMax = CONSOLES, renewalStatus = 200 } = {}) {
  const renewed = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const asked = { open: 0, pages: 0 };
  const live = () => {
    if (asked.open === streamsMax) return new Response(null, { status: 204 });
    asked.open += 1;
    const body = new ReadableStream({
      start: (controller) => controller.enqueue("data: booking.confirmed\n\n"),
      cancel() {
        asked.open -= 1;
        if (asked.open === 0) closed.resolve();
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
  const page = () => {
    asked.pages += 1;
    const isRenewal = asked.pages > CONSOLES;
    // After the answer: within this call the server would not send it.
    if (isRenewal) setImmediate(renewed.resolve);
    const html = '<body data-seq="7"><main data-live="hold. booking."></main></body>';
    return new Response(html, { status: isRenewal ? renewalStatus : 200 });
  };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    routes: {
      "/v1/admin/agents": Response.json({ data: { credential: { secret: "of another" } } }),
      "/console/sign-in": () => new Response(null, { headers: { "set-cookie": "session=1" } }),
      "/console/live": live,
    },
    fetch: page,
  });
  end = () => server.stop(true);
  const demo = { admin: { secret: "of the demo" } };
  const copy = { baseUrl: server.url.origin, demo } as unknown as Installation;
  return { copy, asked, renewed: renewed.promise, closed: closed.promise };
}

test("pages are renewed after what they show has happened, and all streams end", async () => {
  const { copy, renewed, closed } = installation();
  const consoles = await openConsoles(copy);
  await renewed;
  expect(await consoles.stop()).toMatch(/^20 consoles renewed their pages \d+ times$/);
  await closed;
});

test("a failed renewal is thrown at the stop and not before", async () => {
  const { copy, renewed, closed } = installation({ renewalStatus: 500 });
  const consoles = await openConsoles(copy);
  await renewed;
  await expect(consoles.stop()).rejects.toThrow("was answered 500");
  await closed;
});

test("when a stream cannot be opened, the earlier ones are closed", async () => {
  const { copy, asked, closed } = installation({ streamsMax: 2 });
  await expect(openConsoles(copy)).rejects.toThrow("a stream was answered 204");
  await closed;
  expect(asked.open).toBe(0);
});
