/** Whether what the clients were told is what happened, and happened once. */
import type { Event } from "../../engine/core/events/event.ts";
import { commandId, scopeOf } from "../../src/access/privacy/personal-data.ts";
import type { Folded } from "./fold.ts";
import type { Deed, DeedKind } from "./load.ts";

/** The one event that a successful write of a kind leaves behind under its key. */
const EFFECTS = {
  hold: "hold.created",
  release: "hold.released",
  book: "booking.confirmed",
  cancel: "booking.cancelled",
} as const satisfies Record<DeedKind, Event["type"]>;

export interface Promised {
  readonly deeds: readonly Deed[];
  /** The service's secret that command ids are made with. */
  readonly hmacKey: Uint8Array;
}

/** Names every deed that is lost, doubled or came to something else than was said. */
export function auditDeeds(folded: Folded, promised: Promised): string[] {
  const { deeds } = promised;
  return [
    ...auditEffects(folded, promised),
    ...auditMeaning(folded, deeds),
    ...auditReach(folded, deeds),
  ];
}

/** The id that a write's command has in the journal. */
export function commandIdOf({ call }: Pick<Deed, "call">, hmacKey: Uint8Array): string {
  const { by, path, key } = call;
  const scope = scopeOf({ mode: by.mode, agent_id: by.agentId, method: "POST", path });
  return commandId(hmacKey, by.tenantId, scope, key);
}

/** One effect per successful key, none per refused one, and no effect without a key. */
function auditEffects({ rows }: Folded, promised: Promised): string[] {
  const { deeds, hmacKey } = promised;
  const byKey = new Map<string, Event[]>();
  for (const { key, events } of rows) {
    if (key) byKey.set(key.key, [...(byKey.get(key.key) ?? []), ...events]);
  }
  const problems: string[] = [];
  for (const deed of deeds) {
    const events = byKey.get(commandIdOf(deed, hmacKey)) ?? [];
    const effects = events.filter((event) => event.type === EFFECTS[deed.kind]);
    const wanted = deed.answer.code === null ? 1 : 0;
    if (effects.length !== wanted) problems.push(`${nameOf(deed)}: ${effects.length} effects`);
  }
  for (const kind of Object.keys(EFFECTS) as DeedKind[]) {
    const done = deeds.filter((deed) => deed.kind === kind && deed.answer.code === null).length;
    const all = rows.flatMap(({ events }) => events.filter(({ type }) => type === EFFECTS[kind]));
    if (all.length !== done) problems.push(`${kind}: ${all.length} happened, ${done} were told`);
  }
  return problems;
}

/** Every id that was told exists and is what the last answer about it says. */
function auditMeaning({ state, records }: Folded, deeds: readonly Deed[]): string[] {
  const wanted = new Map<string, readonly string[]>();
  const problems: string[] = [];
  for (const deed of deeds) {
    const { kind, answer, holdId, bookingId } = deed;
    if (answer.code !== null || holdId === null) continue;
    if (kind === "hold") wanted.set(holdId, ["held", "expired"]);
    if (kind === "release") wanted.set(holdId, ["released"]);
    if (kind === "book") {
      wanted.set(holdId, ["consumed"]);
      wanted.set(bookingId!, ["confirmed"]);
      const { confirmation_code } = records.booking(bookingId!) ?? {};
      if (confirmation_code !== answer.data.confirmation_code) {
        problems.push(`${nameOf(deed)}: confirmation code ${confirmation_code}`);
      }
    }
    if (kind === "cancel") wanted.set(bookingId!, ["cancelled"]);
  }
  for (const [id, states] of wanted) {
    const found = records.bookings.get(id) ?? records.holds.get(id) ?? state.holds.get(id);
    const isAsTold = found !== undefined && states.includes(found.state);
    if (!isAsTold) problems.push(`${id} is ${found?.state}, told: ${states.join(" or ")}`);
  }
  return problems;
}

/** Whatever an agent holds lies in its own tenant, mode and hotels. */
function auditReach({ rows }: Folded, deeds: readonly Deed[]): string[] {
  const parties = new Map(deeds.map(({ call: { by } }) => [by.agentId, by]));
  return rows.flatMap(({ events, actor, tenant_id, mode }) => {
    const by = parties.get(actor.id);
    return events.flatMap((event) => {
      if (!by || event.type !== "hold.created") return [];
      const { property_id } = event.data.quote;
      const isWithin =
        tenant_id === by.tenantId && mode === by.mode && by.hotels.includes(property_id);
      return isWithin ? [] : [`${by.agentId} holds at ${property_id} of ${tenant_id} ${mode}`];
    });
  });
}

function nameOf({ kind, call, answer }: Deed): string {
  return `${kind} ${call.key} (${answer.status}, ${answer.sends} sends)`;
}
