/** Holds: placed, shown, extended, released, refused. */
import type { World } from "../world.ts";

/** Everything about a hold but its expiry. */
export async function hold(world: World): Promise<void> {
  await holdAndRelease(world);
  await holdBadly(world);
  await holdAsOthers(world);
  await sellOut(world);
}

async function holdAndRelease(world: World): Promise<void> {
  const { hold_id } = await world.hold("hold");
  const path = `/v1/holds/${hold_id}`;
  await world.ask("hold: show", `GET ${path}`);
  await world.ask("hold: head", `HEAD ${path}`);
  for (let i = 0; i < 4; i += 1) {
    const headers = i === 1 ? world.session.keyed() : {};
    await world.ask("hold: extend", `POST ${path}/extend`, { headers });
    await world.ask("hold: show", `GET ${path}`);
  }
  for (let i = 0; i < 2; i += 1) {
    await world.ask("hold: release", `POST ${path}/release`);
    await world.ask("hold: show", `GET ${path}`);
  }
  await world.ask("hold: extend what is released", `POST ${path}/extend`);
  const key = world.session.keyed();
  const second = `/v1/holds/${(await world.hold("hold")).hold_id}`;
  for (let i = 0; i < 2; i += 1) {
    await world.ask("hold: release with key", `POST ${second}/release`, { headers: key, body: {} });
    await world.ask("hold: key of another call", `POST ${second}/extend`, { headers: key });
  }
}

async function holdBadly(world: World): Promise<void> {
  for (const quote_id of ["qt_unknown", "", 7, null, "x".repeat(65), `qt_${"0".repeat(38)}`]) {
    const ask = { headers: world.session.keyed(), body: { quote_id } };
    await world.ask("hold: bad quote", "POST /v1/holds", ask);
  }
  for (const id of ["hld_unknown", "%20", "qt_x", "a%2Fb"]) {
    await world.ask("hold: unknown", `GET /v1/holds/${id}`);
    await world.ask("hold: unknown", `POST /v1/holds/${id}/extend`);
    await world.ask("hold: unknown", `POST /v1/holds/${id}/release`, { body: {} });
  }
  const { quote_id } = await world.hold("hold");
  const ask = { headers: world.session.keyed(), body: { quote_id } };
  await world.ask("hold: the same quote again", "POST /v1/holds", ask);
}

async function holdAsOthers(world: World): Promise<void> {
  const { hold_id, quote_id } = await world.hold("hold: mine");
  for (const name of ["colleague", "service", "test", "other", "confined", "unscoped"]) {
    const as = world.agent(name);
    await world.ask("hold: of another", `GET /v1/holds/${hold_id}`, { as });
    await world.ask("hold: of another", `POST /v1/holds/${hold_id}/extend`, { as });
    await world.ask("hold: of another", `POST /v1/holds/${hold_id}/release`, { as });
    const ask = { as, headers: world.session.keyed(), body: { quote_id } };
    await world.ask("hold: quote of another", "POST /v1/holds", ask);
  }
  await world.ask("hold: as an operator", `GET /v1/holds/${hold_id}`, { as: world.operator });
  for (let i = 0; i < 2; i += 1) {
    await world.hold("hold: one only", world.quoteBody(), world.agent("one-hold"));
  }
  await world.hold("hold: as a service", world.quoteBody(3), world.agent("service"));
  await world.hold("hold: as an operator", world.quoteBody(3), world.operator);
}

/** The suite is one, a ceiling is three, two rooms in Tokyo. */
async function sellOut(world: World): Promise<void> {
  for (const [offer, days, times] of [
    [2, 33, 2],
    [0, 62, 5],
    [5, 33, 3],
    [2, 64, 1],
  ] as const) {
    for (let i = 0; i < times; i += 1) {
      await world.hold("hold: until sold out", world.quoteBody(offer, days, 3));
    }
  }
  const early = await Promise.all([world.quote("hold: priced before")]);
  const [first, second] = [
    await world.quote("hold: the last one", world.quoteBody(2, 43)),
    await world.quote("hold: the last one", world.quoteBody(2, 43)),
  ];
  for (const quote_id of [first, second, ...early]) {
    const ask = { headers: world.session.keyed(), body: { quote_id } };
    await world.ask("hold: raced", "POST /v1/holds", ask);
  }
}
