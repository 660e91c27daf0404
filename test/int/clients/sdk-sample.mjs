import { readFile } from "node:fs/promises";
import { Innkeep, InnkeepError, mintDelegation } from "@innkeep/sdk";

// A demo installation keeps an agent's key and a key of an issuer in its data directory.
const [baseUrl = "http://localhost:3000", demoFile = "data/demo.json"] = process.argv.slice(2);
const { agent, delegation: issuer } = JSON.parse(await readFile(demoFile, "utf8"));
const innkeep = new Innkeep({ baseUrl, key: agent.secret });

const inDays = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const stay = { check_in: inDays(30), check_out: inDays(32) };
const guests = { adults: 2 };

const { data: found } = await innkeep.search({
  stay,
  guests,
  constraints: { meal_plan: "breakfast" },
});
const [{ hotel_id, best_offer }] = found.results;
const { room_type_id, rate_plan_id } = best_offer;
const { data: quote } = await innkeep.quote({ hotel_id, room_type_id, rate_plan_id, stay, guests });

// One idempotency key is made for each call and kept over its retries.
const held = await innkeep.hold({ quote_id: quote.quote_id });

// The traveler's consent, signed by who vouches for them.
const delegation = () =>
  mintDelegation({
    privateKey: issuer.private_jwk,
    issuer: issuer.iss,
    audience: issuer.aud,
    subject: "traveler-1",
  });

// Every answer says what can come next. Only what the traveler knows is left to fill in.
const confirm = held.nextActions.find(({ rel }) => rel === "confirm");
const booked = await innkeep.follow(
  confirm,
  {
    guest: { primary: { full_name: "Ada Lovelace", email: "ada@example.com" } },
    payment: { provider_token: "tok_test_ok" },
  },
  { delegation },
);
const { booking_id } = booked.data;
const { data: verified } = await innkeep.verifyReceipt(booked.receipt);
console.log(`booked ${booking_id}, receipt ${verified.valid ? "valid" : "forged"}`);

const reason = { reason_code: "changed_plans" };
const { data: cancelled } = await innkeep.cancel(booking_id, reason, { delegation });
const { data: audit } = await innkeep.audit(booking_id);
console.log(`${cancelled.state}, ${audit.events.length} events`);

try {
  await innkeep.getBooking("bkg_unknown");
} catch (error) {
  if (!(error instanceof InnkeepError)) throw error;
  console.log(`${error.code}: ${error.remediation}`);
}
