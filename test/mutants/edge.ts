/** Bugs in how requests are taken and answered. */
import type { ByKiller } from "./mutant.ts";

export const AT_THE_EDGE: ByKiller = {
  "src/console/webhooks/endpoint-stats.test.ts": [
    {
      name: "every hour weighs the same, however few attempts it had",
      in: "src/console/webhooks/endpoint-stats.tsx dayOf",
      instead: ["hour.latency_ms_mean * hour.attempts", "hour.latency_ms_mean"],
      test: "a quiet hour weighs as little as it had attempts",
    },
  ],
  "src/publish/book/page.test.ts": [
    {
      name: "a hotel's name ends the data script of its page",
      in: "src/publish/book/json-ld.ts jsonLd",
      instead: ['.replaceAll("<", "\\\\u003c")', ""],
      test: "no text of a hotel or a visitor becomes markup",
    },
  ],
  "src/console/figures/range.test.ts": [
    {
      name: "figures are compared with the same days",
      in: "src/console/figures/range.ts rangeOf",
      instead: ["dayOf(days.from) - count", "dayOf(days.from)"],
      test: "dates go before a month, and are compared with as many days before them",
    },
  ],
  "src/console/figures/chart.test.ts": [
    {
      name: "a line runs through days without a value",
      in: "src/console/figures/chart.tsx Line",
      instead: ["(values[nth - 1] ?? null) === null", "nth === 0"],
      test: "a line is interrupted where there is nothing",
    },
  ],
  "src/page-parts/form.test.ts": [
    {
      name: "any token will do for a form",
      in: "src/page-parts/form.ts hasTokenOf",
      instead: ["timingSafeEqual(sent, expected)", "true"],
      test: "a token is good for its own kind, session and address",
    },
    {
      name: "a form of another site is taken",
      in: "src/page-parts/form.ts isOfOurPages",
      instead: ['site === "same-origin"', "true"],
      test: "the browser's word about the sending site counts before the origin",
    },
  ],
  "src/access/control/checkout-sessions.test.ts": [
    {
      name: "an agent sees the checkout sessions of others",
      in: "src/access/control/checkout-sessions.ts CheckoutSessions.find",
      instead: ["found.agent_id === agent_id", "true"],
      test: "a session is found by its link, and by its own agent, for a day",
    },
    {
      name: "a claim without outcome blocks its form for a day",
      in: "src/access/control/checkout-sessions.ts CheckoutSessions.claim",
      instead: ["nowMs - CLAIM_MS", "0"],
      test: "a claim without outcome is soon another's, and the first cannot settle it any more",
    },
    {
      name: "a payment that another replaces is forgotten, and may take money as well",
      in: "src/access/control/checkout-sessions.ts CheckoutSessions.beginPayment",
      instead: ["return former", "return null"],
      test: "the payment of a session that another replaces is given back, to be ended",
    },
  ],
  "src/lib/origins.test.ts": [
    {
      name: "a page leads back over plain http",
      in: "src/lib/origins.ts returnOriginOf",
      instead: ["isOpen || isLocal", "true"],
      test: "a page leads back over https, or to this machine, and never by a user name",
    },
  ],
  "src/publish/book/seller.test.ts": [
    {
      name: "an agent without the right to book sells on the hotel's page",
      in: "src/publish/book/seller.ts sellerOf",
      instead: ["CALLS.every(", "CALLS.some("],
      test: "only an agent that may quote, hold and book the hotel sells on its page",
    },
  ],
  "src/access/control/guest-sessions.test.ts": [
    {
      name: "the digits of a guest's mail can be guessed for ever",
      in: "src/access/control/guest-sessions.ts GuestSessions.takeCode",
      instead: ["wrong_codes >= WRONG_CODES_MAX", "false"],
      test: "a code is that of the newest link, and is refused after five wrong ones",
    },
    {
      name: "a guest is flooded with mails",
      in: "src/access/control/guest-sessions.ts GuestSessions.ask",
      instead: ["count < LINKS_MAX ? of : null", "of"],
      test: "a guest gets a few mails an hour, and a request that matches nothing gets none",
    },
  ],
  "src/api/checkout/state.test.ts": [
    {
      name: "a page leads back to any address",
      in: "src/api/checkout/state.ts isRegistered",
      instead: [".includes(origin)", ".includes(origin) || true"],
      test: "a page leads back to registered origins alone, with the session and its state",
    },
    {
      name: "a page that was taken back can book",
      in: "src/api/checkout/state.ts checkoutState",
      instead: ["cancelled_at !== null", "false"],
      test: "a page that was taken back is cancelled, and so is that of a released hold",
    },
  ],
  "src/http/admission.test.ts": [
    {
      name: "who reaches some properties changes what concerns all",
      in: "src/http/admission.ts allowed",
      instead: ['touches === "tenant"', "!touches"],
      test: "a caller restricted to properties is offered all but the calls that concern every property",
    },
    {
      name: "every kind may call everything",
      in: "src/http/admission.ts allowed",
      drop: "requireKind",
      test: "a partner is not offered search, an agent is; the method is part of the call",
    },
  ],
  "src/http/client-address.test.ts": [
    {
      name: "a client writes its own address",
      in: "src/http/client-address.ts clientAddress",
      instead: ["-proxies", "0"],
      test: "behind proxies the address is the one that the outermost proxy saw",
    },
    {
      name: "who has a network of IPv6 has 2^64 limits",
      in: "src/http/client-address.ts NETWORK_BITS",
      always: "128",
      test: "each form of an IPv4 address is one client, and so is an IPv6 network",
    },
  ],
  "src/http/head-checks.test.ts": [
    {
      name: "two hosts are one",
      in: "src/http/head-checks.ts headFault",
      instead: ["HOST.test(host)", 'HOST.test(host.split(",")[0]!)'],
      test: "an ambiguous head is refused by the name of its field",
    },
  ],
  "src/http/idempotency.test.ts": [
    {
      name: "two keys in one request are one",
      in: "src/http/idempotency.ts readKey",
      instead: ["fromHeader !== fromBody", "fromHeader === null"],
      test: "different keys in header and body are a fault of the header",
    },
    {
      name: "the hash of a body leaves out more than its key",
      in: "src/http/idempotency.ts bodyForHash",
      instead: ["return rest", "return Object.keys(rest)"],
      test: "the hash leaves out only the key at the top",
    },
  ],
  "src/http/if-match.test.ts": [
    {
      name: "a change of another version than was seen goes through",
      in: "src/http/if-match.ts versionMismatch",
      instead: ["seen === version", "seen <= version"],
      test: "a change of another version is refused with the current one",
    },
  ],
  "src/http/test-scenario.test.ts": [
    {
      name: "a credential of live mode is refused as it asks",
      in: "src/http/test-scenario.ts readScenario",
      instead: ['mode !== "test"', "mode === undefined"],
      test: "live mode refuses the header, and so do calls without a credential",
    },
    {
      name: "a call is refused with what it never answers",
      in: "src/http/test-scenario.ts scenariosOf",
      instead: ["declared.includes(code)", "declared.length > 0"],
      test: "a code that the route does not declare is refused with those that it does",
    },
  ],
  "src/refusals/simulated.test.ts": [
    {
      name: "a recovery leads to an invented id",
      in: "src/refusals/simulated.ts withoutIds",
      drop: "isSound(step.href)",
      test: "no recovery leads to an invented id",
    },
  ],
  "src/http/freshness.test.ts": [
    {
      name: "an answer does not wait for the row it is made of",
      in: "src/http/freshness.ts hasRow",
      instead: ["if (performance.now() >= endMs) return false", "return true"],
      test: "a row that takes many slices is waited for, and timers fire meanwhile",
    },
    {
      name: "an answer that waits for a stopped copy keeps the processor busy",
      in: "src/http/freshness.ts hasRow",
      instead: ["if (isLacking) await", "void"],
      test: "a row that a stopped copy lacks is looked for only now and then",
    },
  ],
  "src/http/body.test.ts": [
    {
      name: "the length that a body declares is believed to be small",
      in: "src/http/body.ts readBytes",
      drop: "Promise.resolve(null)",
      test: "a body over its limit is refused, with or without a declared length",
    },
    {
      name: "a body without a length is read whole",
      in: "src/http/body.ts readLimited",
      drop: "bytes > bytesMax",
      test: "a body over its limit is refused, with or without a declared length",
    },
    {
      name: "a body nests as deep as it likes",
      in: "src/http/body.ts parsed",
      drop: "depthExceeds",
      test: "a body may nest 32 levels deep, and is refused at 33",
    },
  ],
  "src/http/validate.test.ts": [
    {
      name: "a hostile body is told every fault it holds",
      in: "src/http/validate.ts explain",
      drop: "ERRORS_MAX",
      test: "a hostile body gives at most a thousand faults",
    },
    {
      name: "names that mean something to JavaScript pass",
      in: "src/http/validate.ts reservedKeys",
      instead: ["Object.hasOwn(value, key)", "false"],
      test: "keys that are special in JavaScript are refused, even where extra keys are allowed",
    },
  ],
  "src/sdk/client.test.ts": [
    {
      name: "an id leads to another path",
      in: "src/sdk/call.ts segment",
      instead: ["encodeURIComponent(id)", "id"],
      test: "an operation is called by its id, with what it takes in its place",
    },
    {
      name: "a body keeps a second key",
      in: "src/sdk/client.ts keyAside",
      instead: ["{ key, rest }", "{ key, rest: body }"],
      test: "an idempotency key in a body is sent as the header alone, and an own one goes before",
    },
  ],
  "src/console/frame/amounts.test.ts": [
    {
      name: "12.500 is taken as 12.50 of a currency with two decimals",
      in: "src/console/frame/amounts.ts minorTyped",
      instead: ["fraction.length > exponentOf(currency)", "fraction.length > 4"],
      test: "more decimals than the currency has are refused, and so is what is no plain number",
    },
  ],
  "test/int/checkout.int.test.ts": [
    {
      name: "a link that was taken back shows the booking of another link",
      in: "src/checkout/visit.ts stateFor",
      holds: "booking?.traveler.hash === own",
      test: "who has a link that was taken back learns nothing of a booking by another link",
    },
  ],
  "test/int/checkout-languages.int.test.ts": [
    {
      name: "a booking has no language",
      in: "src/checkout/book.ts bodyOf",
      drop: "...(language && { language })",
      test: "de is kept from the link through refused forms to the booking",
    },
    {
      name: "a chosen language is lost after a form",
      in: "src/checkout/routes.tsx toPage",
      instead: ["tongue.to(path)", "path"],
      test: "de is kept from the link through refused forms to the booking",
    },
  ],
  "test/int/checkout-stripe.int.test.ts": [
    {
      name: "a page at the provider is forgotten although it could not be ended",
      in: "src/checkout/page-payment.ts formerEnded",
      instead: [
        "if (!(await pages!.end(former.page_ref)).ok) return false;",
        "await pages!.end(former.page_ref);",
      ],
      test: "a page that cannot be ended now is not replaced, so that what is paid there is known",
    },
    {
      name: "a hold that is handed over again has the keys of the page before",
      in: "src/checkout/visit.ts keyOf",
      instead: ["session_id, hold.hold_id", "hold.hold_id"],
      test: "a hold that is handed over again has a page of its own",
    },
  ],
  "test/int/guest-page.int.test.ts": [
    {
      name: "an emptied number stays",
      in: "src/api/bookings/modification.ts withoutNulls",
      holds: "value !== null",
      test: "a saved page keeps the language with its region, and an emptied number is removed",
    },
    {
      name: "a language loses its region",
      in: "src/portal/change.tsx MailLanguage",
      instead: ["language === before ? stored : language", "language"],
      test: "a saved page keeps the language with its region, and an emptied number is removed",
    },
  ],
  "test/int/console-sessions.int.test.ts": [
    {
      name: "a link exchanges the operator of an open session",
      in: "src/console/sign-in.tsx enter",
      drop: "if (before !== callerId && !refusalFor(before)) return enterPage(call, SIGNED_IN);",
      test: "a link of another operator does not take the place of an open session",
    },
  ],
  "test/int/console-step-up.int.test.ts": [
    {
      name: "any operator's secret proves who is signed in",
      in: "src/console/frame/step-up.tsx isShown",
      drop: "&& known.principal.agent_id === agent_id",
      test: "a refund above the amount waits for the secret, and is made once",
    },
    {
      name: "an assistant is let in by who has only the cookie of an old session",
      in: "src/console/connect/consent.tsx allow",
      drop: "if (unproved) return unproved;",
      test: "an assistant is let in after the secret was shown",
    },
    {
      name: "the amount above which is asked again is ended by who has only the cookie",
      in: "src/console/agents/step-up-of-agent.tsx save",
      drop: "if (unproved) return unproved;",
      test: "the amount itself is not raised or ended before the secret was shown",
    },
  ],
  "test/int/console-change.int.test.ts": [
    {
      name: "a booking is changed at a price that nobody has seen",
      in: "src/console/desk/booking-change.tsx changeBooking",
      instead: ['seenOf(way) !== sent.get("seen")', "way === undefined"],
      test: "a price that changed since it was shown, and a change meanwhile, stop it",
    },
  ],
  "test/int/console-incidents.int.test.ts": [
    {
      name: "a guest is refunded another amount than the page has shown",
      in: "src/console/incidents/incident-deeds.tsx cancel",
      instead: ['String(refundOf(affected)) !== sent.get("shown_refund")', "!isRead"],
      test: "a cancellation shows its refund first; another refund meanwhile stops it",
    },
  ],
};
