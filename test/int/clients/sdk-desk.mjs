import { readFile } from "node:fs/promises";
import { Innkeep, InnkeepError, mintDelegation } from "@innkeep/sdk";

const [baseUrl = "http://localhost:3000", demoFile = "data/demo.json"] = process.argv.slice(2);
const { agent, admin, delegation: issuer } = JSON.parse(await readFile(demoFile, "utf8"));
const inDays = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const stay = { check_in: inDays(40), check_out: inDays(41) };

const delegation = () => {
  const { private_jwk: privateKey, iss, aud } = issuer;
  return mintDelegation({ privateKey, issuer: iss, audience: aud, subject: "traveler-1" });
};
const traveling = new Innkeep({ baseUrl, key: agent.secret, delegation });
const { nextActions } = await traveling.search({ stay, guests: { adults: 2 } });
const quoted = await traveling.follow(nextActions.find(({ rel }) => rel === "quote"));
const held = await traveling.hold({ quote_id: quoted.data.quote_id });
const booked = await traveling.book({
  hold_id: held.data.hold_id,
  quote_id: quoted.data.quote_id,
  guest: { primary: { full_name: "Ada Lovelace", email: "ada@example.com" } },
  payment: { method: "card", provider_token: "tok_test_ok" },
});
const { booking_id } = booked.data;

// The property's own program has an operator's key and needs no traveler's consent.
const desk = new Innkeep({ baseUrl, key: admin.secret });

const { data: arriving } = await desk.call("admin_list_bookings", {
  query: { arrivals: stay.check_in, state: "confirmed" },
});
const found = arriving.items.find((booking) => booking.booking_id === booking_id);
console.log(`${found.guest.primary.full_name} arrives, ${found.state}`);

const { data: cancelled } = await desk.call("admin_cancel_booking", {
  params: { id: booking_id },
  body: { reason: "The boiler is broken", waive_fee: true },
});
console.log(`${cancelled.state}, fee ${cancelled.fee.amount}`);

// A list that goes on offers its next part.
const kinds = [];
let page = await desk.call("list_events", {
  query: { subject: `booking:${booking_id}`, limit: 1 },
});
while (page.data.items.length > 0) {
  kinds.push(...page.data.items.map(({ type }) => type));
  page = await desk.follow(page.nextActions.find(({ rel }) => rel === "get"));
}
console.log(kinds.join(", "));

// Tables are sent as they are, here on trial.
const { data: tried } = await desk.call("admin_import_ari", {
  query: { dry_run: "true" },
  contentType: "text/csv",
  body: `property,room_type,from,to,capacity\nunknown,DBL,${stay.check_in},${stay.check_out},9\n`,
});
const [line] = tried.items;
console.log(`line ${line.line}: ${line.errors[0].message}`);

// A change names the version that it expects.
const { data: listed } = await desk.call("list_agents");
const { agent_id, version } = listed.items.find((each) => each.agent_id === agent.agent_id);
const params = { id: agent_id };
const body = { name: "Travel assistant" };
await desk.call("update_agent", { params, body }, { ifMatch: version });
const late = await desk
  .call("update_agent", { params, body }, { ifMatch: version })
  .catch((e) => e);
console.log(late instanceof InnkeepError && late.code);
