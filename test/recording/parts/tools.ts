/** Arguments of every tool, for MCP and A2A alike: the walk of a booking, and what fails. */
import { LISBOA, SEVILLA } from "../hotels.ts";
import type { World } from "../world.ts";

type Json = Readonly<Record<string, unknown>>;

/** Calls one tool, and answers its envelope however it was wrapped. */
export type CallTool = (label: string, tool: string, args: Json) => Promise<Json>;

/** Every tool by its name. */
export const TOOLS = [
  ...["search", "quote", "hold", "book", "get_booking", "cancel", "get_audit", "release_hold"],
  ...["verify_receipt", "list_properties", "get_property", "get_property_full"],
];

function field(envelope: Json, name: string): string {
  return String((envelope.data as Json | undefined)?.[name] ?? "missing");
}

/** From a search to a cancelled booking by tools alone, with every refusal on the way. */
export async function walkTools(world: World, call: CallTool): Promise<void> {
  const { session } = world;
  const stay = { stay: world.stay(30), guests: { adults: 2 } };
  await call("walk", "search", stay);
  await call("walk", "search", { ...stay, destination: { type: "area", value: "Lisboa" } });
  await call("walk", "list_properties", {});
  for (const property of [SEVILLA.id, SEVILLA.slug, "unknown", "a/b", ""]) {
    await call("walk", "get_property", { property, currency: "USD" });
    await call("walk", "get_property_full", { property });
  }
  const quoted = await call("walk", "quote", world.quoteBody(3));
  await call("walk", "quote", { ...world.quoteBody(3), currency: "USD" });
  const quote_id = field(quoted, "quote_id");
  const hold = { quote_id, idempotency_key: session.newKey() };
  await call("walk", "hold", { quote_id });
  const hold_id = field(await call("walk", "hold", hold), "hold_id");
  await call("walk: replay", "hold", hold);
  const body = world.bookingBody({ hold_id, quote_id }, "tok_test_declined");
  await call("walk: no consent", "book", { ...body, idempotency_key: session.newKey() });
  const agreed = { ...body, delegation_token: await world.tokens.sign() };
  await call("walk: no key", "book", agreed);
  await call("walk: declined", "book", { ...agreed, idempotency_key: session.newKey() });
  const payment = { method: "card", provider_token: "tok_visa" };
  const paid = { ...agreed, payment, idempotency_key: session.newKey() };
  const booked = await call("walk", "book", paid);
  await call("walk: replay", "book", paid);
  await call("walk", "verify_receipt", (booked.receipt as Json | undefined) ?? {});
  await endTools(world, call, field(booked, "booking_id"));
}

async function endTools(world: World, call: CallTool, booking_id: string): Promise<void> {
  for (const id of [booking_id, "bkg_unknown", "a/b", ""]) {
    await call("walk", "get_booking", { booking_id: id });
    await call("walk", "get_audit", { booking_id: id });
  }
  const delegation_token = await world.tokens.sign();
  await call("walk: no consent", "cancel", { booking_id });
  const reason = { reason_code: "changed", note: "By a tool." };
  const cancelled = await call("walk", "cancel", { booking_id, delegation_token, ...reason });
  const refund = (cancelled.data as { refund?: { refund_id?: string } } | undefined)?.refund;
  if (refund?.refund_id) await world.refunded(booking_id, refund.refund_id);
  await call("walk: again", "cancel", { booking_id, delegation_token });
  await call("walk", "get_booking", { booking_id });
  const { hold_id } = await world.hold("tools: a hold to release", world.quoteBody(3));
  for (const id of [hold_id, hold_id, "hld_unknown"]) {
    await call("walk", "release_hold", { hold_id: id });
  }
  const bad: readonly Json[] = [
    {},
    { nonsense: true },
    { quote_id: 7, hold_id: [], booking_id: null, property: {} },
    { property: LISBOA.slug, currency: "usd" },
    { booking_id: "x".repeat(65), idempotency_key: "a b" },
  ];
  for (const tool of TOOLS) {
    for (const args of bad) await call("bad arguments", tool, args);
  }
}
