/** Bookings: paid, refused, read, cancelled; their receipts. */
import type { Reply } from "../session.ts";
import type { Held, World } from "../world.ts";

type Json = Readonly<Record<string, unknown>>;

/** Everything about a booking but what takes the provider long. */
export async function book(world: World): Promise<void> {
  await bookAndRead(world);
  await pay(world);
  await bookBadly(world);
  await consent(world);
  await bookAsOthers(world);
  await cancelEarlyAndLate(world);
}

async function bookAndRead(world: World): Promise<void> {
  const held = await world.hold("book");
  const body = {
    ...world.bookingBody(held),
    guest: {
      primary: { full_name: "Ada Lovelace", email: "ada@example.com", phone: "+4412345" },
      additional: [{ full_name: "Charles Babbage" }],
    },
    payment: { method: "card", provider_token: "tok_visa", billing_country: "GB" },
    special_requests: "A quiet room, please. ÄÖÜ 🏨",
  };
  const headers = await world.agreed({ hold_id: held.hold_id, max_amount: 9_999_999 });
  const booked = await world.ask("book", "POST /v1/bookings", { headers, body });
  await world.ask("book: again", "POST /v1/bookings", { headers, body });
  const more = await world.agreed();
  await world.ask("book: what is booked", "POST /v1/bookings", { headers: more, body });
  await world.ask("book: its hold", `GET /v1/holds/${held.hold_id}`);
  await world.ask("book: release its hold", `POST /v1/holds/${held.hold_id}/release`);
  const id = booked.data.booking_id ?? "missing";
  await readBooking(world, id);
  await verify(world, booked);
  const cancelled = await world.cancel("cancel", id, { reason_code: "changed", note: "Sorry. ß" });
  await verify(world, cancelled);
  await world.cancel("cancel: again", id);
  await readBooking(world, id);
  const refund = cancelled.data.refund?.refund_id ?? "missing";
  const refunded = await world.ask("refund", `GET /v1/bookings/${id}/refunds/${refund}`);
  await verify(world, refunded);
}

async function readBooking(world: World, id: string): Promise<void> {
  const path = `/v1/bookings/${id}`;
  const readers = ["main", "colleague", "service", "test", "other", "confined", "unscoped"];
  for (const name of readers) {
    const as = world.agent(name);
    await world.ask("booking: show", `GET ${path}`, { as });
    await world.ask("booking: audit", `GET ${path}/audit`, { as });
    const quote = `GET ${path}/cancellation-quote?at=${world.day(30)}T09:00:00Z`;
    await world.ask("booking: cancellation quote", quote, { as });
    await world.ask("booking: refund", `GET ${path}/refunds/rfd_unknown`, { as });
  }
  await world.ask("booking: show", `GET ${path}`, { as: world.operator });
  const instants = [
    ...["2027-01-01T00:00:00Z", `${world.day(28)}T15:00:00%2B02:00`, `${world.day(28)}T13:00:00Z`],
    ...[`${world.day(29)}T12:30:00.5Z`, `${world.day(99)}T00:00:00Z`, "tomorrow", ""],
    ...["2027-02-30T00:00:00Z", "2027-01-01", `${world.day(28)}T25:00:00Z`],
  ];
  for (const at of instants) {
    await world.ask("booking: cancellation quote", `GET ${path}/cancellation-quote?at=${at}`);
  }
  await world.ask("booking: cancellation quote", `GET ${path}/cancellation-quote?when=now`);
}

/** A receipt as it came, and with one thing changed each. */
async function verify(world: World, answer: Reply): Promise<void> {
  const receipt: Json = answer.json.receipt ?? {};
  const changes: readonly Json[] = [
    {},
    { kind: "refund_issued" },
    { kind: "other" },
    { issuer: "https://elsewhere.example" },
    { issued_at: "2026-01-01T00:00:00.000Z" },
    { signature: "AAAA" },
    { kid: "receipt-v0" },
    { algorithm: "none" },
    { payload_hash: "sha256:0" },
    { subject: { ...(receipt.subject as Json), amount: 1 } },
    { subject: { nested: {} } },
    { signature: undefined },
    { nonsense: "is ignored" },
  ];
  for (const change of changes) {
    const ask = { as: null, body: { ...receipt, ...change } };
    await world.ask("receipt", "POST /v1/receipts/verify", ask);
  }
}

const TOKENS = [
  ...["tok_test_ok", "tok_test_declined", "tok_test_insufficient_funds", "tok_test_unknown"],
  ...["tok_test_provider_error", "tok_visa", "tok_test_refund_fails"],
];

async function pay(world: World): Promise<void> {
  for (const token of TOKENS) {
    const held = await world.hold("pay", world.quoteBody(3, 40));
    const booked = await world.book(`pay: ${token}`, held, token);
    await world.ask(`pay: ${token}`, `GET /v1/holds/${held.hold_id}`);
    if (booked.status !== 201) {
      await world.book("pay: another token", held, "tok_visa");
      await world.ask("pay: another token", `GET /v1/holds/${held.hold_id}`);
      continue;
    }
    const id = booked.data.booking_id;
    await world.cancel(`pay: ${token} refunded`, id);
    await world.ask(`pay: ${token} refunded`, `GET /v1/bookings/${id}`);
    await world.ask(`pay: ${token} refunded`, `GET /v1/bookings/${id}/audit`);
  }
  const held = await world.hold("pay: declined twice");
  const ask = { headers: await world.agreed(), body: world.bookingBody(held, "tok_test_declined") };
  for (let i = 0; i < 2; i += 1) {
    await world.ask("pay: declined, same key", "POST /v1/bookings", ask);
  }
}

async function bookBadly(world: World): Promise<void> {
  const held = await world.hold("book badly");
  const other = await world.hold("book badly", world.quoteBody(1));
  const good = world.bookingBody(held);
  const { primary } = good.guest;
  const variants: readonly Json[] = [
    { hold_id: "hld_unknown" },
    { quote_id: "qt_unknown" },
    { quote_id: other.quote_id },
    { hold_id: "" },
    { guest: {} },
    { guest: { primary: { ...primary, email: "no-address" } } },
    { guest: { primary: { ...primary, full_name: "" } } },
    { guest: { primary, additional: [{}] } },
    { payment: { method: "card" } },
    { payment: { ...good.payment, billing_country: "GBR" } },
    { payment: { ...good.payment, provider_token: "t".repeat(513) } },
    { special_requests: "x".repeat(2001) },
    { authorization_id: "baz_unknown" },
    { authorization_id: "" },
    { nonsense: 1 },
  ];
  for (const change of variants) {
    const ask = { headers: await world.agreed(), body: { ...good, ...change } };
    await world.ask("book: bad", "POST /v1/bookings", ask);
  }
  await world.ask("book: release", `POST /v1/holds/${held.hold_id}/release`);
  await world.book("book: what is released", held);
  for (const id of ["bkg_unknown", "%20", held.hold_id]) {
    await readUnknown(world, id);
  }
}

async function readUnknown(world: World, id: string): Promise<void> {
  const path = `/v1/bookings/${id}`;
  for (const more of ["", "/audit", "/cancellation-quote", "/refunds/rfd_unknown"]) {
    await world.ask("booking: unknown", `GET ${path}${more}`);
  }
  await world.cancel("cancel: unknown", id);
}

async function consent(world: World): Promise<void> {
  const held = await world.hold("consent");
  const booked = await world.booked("consent");
  const cancel = `POST /v1/bookings/${booked.data.booking_id}/cancel`;
  const [bookings, body] = ["POST /v1/bookings", world.bookingBody(held)];
  await world.ask("consent: none", bookings, { headers: world.session.keyed(), body });
  await world.ask("consent: none", cancel);
  for (const [name, token] of Object.entries(await world.tokens.bad())) {
    const headers = { ...world.session.keyed(), "x-delegated-user": token };
    await world.ask(`consent: ${name}`, bookings, { headers, body });
    // Bound claims are a booking's business, and this one must go on for the next.
    if (name.startsWith("other hold") || name === "too little") continue;
    await world.ask(`consent: ${name}`, cancel, { headers });
  }
  await world.cancel("consent: of another traveler", booked.data.booking_id);
  const key = world.session.newKey();
  const expired = (await world.tokens.bad()).expired!;
  const headers = { "idempotency-key": key, "x-delegated-user": await world.tokens.sign() };
  await world.ask("consent: in time", bookings, { headers, body });
  const late = { ...headers, "x-delegated-user": expired };
  await world.ask("consent: expired, key known", bookings, { headers: late, body });
  const rs = await world.tokens.sign({ sub: "traveler-2" }, { alg: "RS256" });
  await bookWith(world, "consent: RS256", rs);
  await bookWith(
    world,
    "consent: two audiences",
    await world.tokens.sign({
      aud: ["https://elsewhere.example", "https://innkeep.test"],
    }),
  );
}

async function bookWith(world: World, label: string, token: string): Promise<void> {
  const held: Held = await world.hold(label);
  const headers = { ...world.session.keyed(), "x-delegated-user": token };
  const body = world.bookingBody(held);
  const booked = await world.ask(label, "POST /v1/bookings", { headers, body });
  const other = { "x-delegated-user": await world.tokens.sign({ sub: "traveler-9" }) };
  const path = `POST /v1/bookings/${booked.data.booking_id}/cancel`;
  await world.ask("consent: of another traveler", path, { headers: other });
}

async function bookAsOthers(world: World): Promise<void> {
  const held = await world.hold("book as others");
  for (const name of ["colleague", "service", "test", "other", "partner", "unscoped"]) {
    await world.book("book: hold of another", held, undefined, world.agent(name));
  }
  const thrifty = world.agent("thrifty");
  const dear = await world.hold("book: too dear", world.quoteBody(), thrifty);
  await world.book("book: too dear", dear, undefined, thrifty);
  const test = world.agent("test");
  const body = { ...world.quoteBody(), hotel_id: "test-hotel" };
  await world.hold("book: in test mode", body, test);
  const service = world.agent("service");
  const theirs = await world.hold("book: as a service", world.quoteBody(), service);
  await world.book("book: as a service", theirs, undefined, service);
}

async function cancelEarlyAndLate(world: World): Promise<void> {
  const soon = { check_in: world.today(1), check_out: world.today(3) };
  const bodies = [
    world.quoteBody(1, 50),
    world.quoteBody(3, 50),
    world.quoteBody(4, 50),
    world.quoteBody(5, 50),
    { ...world.quoteBody(0), stay: soon },
  ];
  for (const body of bodies) {
    const booked = await world.booked("cancel: terms", body);
    const id = booked.data.booking_id ?? "missing";
    await world.cancel("cancel: bad", id, { reason_code: "" });
    await world.cancel("cancel: bad", id, { note: "x".repeat(2001), nonsense: 1 });
    await world.cancel("cancel: of another", id, undefined, world.agent("colleague"));
    await world.cancel("cancel: terms", id, {});
    await world.ask("cancel: terms", `GET /v1/bookings/${id}`);
  }
}
