/**
 * The end of every crash test: let the clients converge, start once more, ask for every promise
 * again, stop, and go through the books.
 */

import { isDeepStrictEqual } from "node:util";
import { RecordReaderOn } from "../../engine/log/record-reader.ts";
import { Replica } from "../../engine/log/replica.ts";
import { openForReading } from "../../engine/log/schema.ts";
import { writeSnapshot } from "../../engine/log/snapshot.ts";
import { loadSecrets } from "../../src/access/privacy/secrets.ts";
import type { Service } from "../support/service.ts";
import type { Answer } from "./agent.ts";
import { auditDeeds } from "./audit-deeds.ts";
import { auditJournal } from "./audit-journal.ts";
import { auditMoney } from "./audit-money.ts";
import { journalPathOf, kill } from "./faults.ts";
import { foldJournal } from "./fold.ts";
import type { Deed, Load } from "./load.ts";

const SETTLE_LIMIT_MS = 60_000;
const POLL_EVERY_MS = 100;
const REPLAYING_CLIENTS = 8;

interface Allowed {
  /** Copies lag: the first answer to a booking may lack what only a copy has. */
  readonly lag?: boolean;
}

/** Everything found wrong, empty when nothing was; the service is stopped then. */
export async function verdict(
  service: Service,
  load: Load,
  { lag = false }: Allowed = {},
): Promise<string[]> {
  const { dataDir } = service;
  const journalPath = journalPathOf(service);
  await load.stop();
  await untilSettled(journalPath);
  await kill(service, "supervisor");
  const changed = await replayAll(load, lag);
  await service.end("SIGTERM");
  const folded = foldJournal(journalPath);
  const hmacKey = Buffer.from(loadSecrets(dataDir, {}).hmac_key, "base64url");
  return [
    ...changed,
    ...auditJournal(journalPath, folded),
    ...auditDeeds(folded, { deeds: load.deeds, hmacKey }),
    ...auditMoney(dataDir, folded),
  ];
}

/** Whether the first answer is the second, or lacks only what is read from a copy. */
function isSameButLacking(first: Answer, second: Answer): boolean {
  const [was, is] = [first, second].map(({ text }) => JSON.parse(text) as Envelope);
  const { price_breakdown, policy_snapshot, traveler } = is!.data ?? {};
  const data = {
    ...{ price_breakdown, policy_snapshot },
    ...was!.data,
    traveler: { ...traveler, ...was!.data?.traveler },
  };
  return first.status === second.status && isDeepStrictEqual({ ...was, data }, is);
}

interface Envelope {
  readonly data?: Readonly<Record<string, unknown>> & { readonly traveler?: object };
}

/** Where two texts part: what stands around it in each. */
function differenceOf(first: string, second: string): string {
  const at = first.split("").findIndex((char, i) => char !== second[i]);
  const [was, became] = [first, second].map((text) => text.slice(Math.max(0, at - 80), at + 160));
  return `at ${at}: ${was} became ${became}`;
}

/** Writes a snapshot of the journal as it is now; the next start of the engine uses it. */
export function takeSnapshot(journalPath: string): void {
  const replica = new Replica(journalPath);
  writeSnapshot(journalPath, replica.journalId, replica.head, replica.state);
  replica.close();
}

/**
 * Resolves when no payment and no refund is open any more.
 *
 * @throws Error when some still are after a minute.
 */
async function untilSettled(journalPath: string): Promise<void> {
  const startMs = performance.now();
  const db = openForReading(journalPath);
  const records = new RecordReaderOn(db);
  try {
    for (;;) {
      const open = [...records.open("payment"), ...records.open("refund")];
      if (open.length === 0) return;
      if (performance.now() - startMs > SETTLE_LIMIT_MS)
        throw new Error(`not settled: ${JSON.stringify(open)}`);
      await Bun.sleep(POLL_EVERY_MS);
    }
  } finally {
    db.close();
  }
}

/** Sends every write again with its key; names those that are not answered byte for byte alike. */
async function replayAll({ deeds, agent }: Load, mayLack: boolean): Promise<string[]> {
  const changed: string[] = [];
  // An attempt that the provider broke off is not a final answer: its key may try again.
  const left = deeds.filter((deed) => deed.answer.status !== 502).values();
  const replay = async ({ call, answer }: Deed) => {
    const again = await agent.settle(call);
    if (again.status === answer.status && again.text === answer.text) return;
    if (mayLack && isSameButLacking(answer, again)) return;
    changed.push(`${call.key}: ${differenceOf(answer.text, again.text)}`);
  };
  const client = async () => {
    for (const deed of left) await replay(deed);
  };
  await Promise.all(Array.from({ length: REPLAYING_CLIENTS }, client));
  return changed;
}
