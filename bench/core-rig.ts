/** The engine alone: the real one on a real journal on disk, without Redis and without HTTP. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Command, CommandMeta, PlaceHold } from "../engine/core/commands.ts";
import type { Context } from "../engine/core/decision.ts";
import type { Outcome } from "../engine/core/outcomes.ts";
import type { FrozenQuote } from "../engine/core/price/quote.ts";
import { readQuote } from "../engine/core/price/quote-codec.ts";
import { EngineClock } from "../engine/log/clock.ts";
import { Journal } from "../engine/log/journal.ts";
import { recordStoreOf } from "../engine/log/record-store.ts";
import { type Recovered, recover } from "../engine/log/recover.ts";
import { SYSTEM_TIME } from "../engine/log/system-time.ts";
import { Engine } from "../engine/writer/engine.ts";
import type { Reply } from "../engine/writer/group.ts";
import { KeyVersions } from "../src/access/privacy/key-versions.ts";
import { freezeQuotes } from "./quotes.ts";
import { BENCH_PROPERTIES, openInventory, type Supply } from "./tenant.ts";

export const TENANT = "00000000-0000-4000-8000-000000000001";
const AGENT = "agt_benchmark";
const HOLD_TTL_MS = 900_000;

/** The members of every command; no two have the same key. */
export function freshMeta(): CommandMeta {
  return {
    tenant_id: TENANT,
    mode: "live",
    actor: { kind: "agent", id: AGENT },
    trace_id: randomBytes(16).toString("hex"),
    docs: "https://docs.example",
    random: randomBytes(16).toString("hex"),
    key: randomBytes(16).toString("hex"),
    body_hash: randomBytes(16).toString("hex"),
  };
}

/** The commands that put a property on sale, as an operator of the tenant sends them. */
export function sellingCommands({ tree, ari }: Supply, tenant_id = TENANT): Command[] {
  const meta = () => ({ ...freshMeta(), tenant_id });
  const property = { property_id: tree.id };
  return [
    { ...meta(), type: "CreateProperty", tree, payments_configured: true },
    { ...meta(), ...property, type: "UpdateAri", ari },
    { ...meta(), ...property, type: "PromoteProperty", dry_run: false, payments_configured: true },
  ];
}

/** `POST /v1/holds` as the engine gets it. */
export function placeHold(quote: FrozenQuote, meta = freshMeta()): PlaceHold {
  const limits = { max_open_holds: null, max_booking_amount: null };
  const { quote_id } = quote;
  return { ...meta, type: "PlaceHold", quote_id, quote, ttl_ms: HOLD_TTL_MS, limits };
}

/** A hold as it comes by its lane: the quote is a text, which the engine reads. */
export interface Arrival {
  readonly meta: CommandMeta;
  readonly quote: string;
}

/** The command that has arrived. */
export function commandOf({ meta, quote }: Arrival): PlaceHold {
  return placeHold(readQuote(quote, meta.tenant_id, meta.mode), meta);
}

/** Holds are not receipted, so no keys are needed. */
export const neverSign: Context["sign"] = () => {
  throw new Error("nothing here is receipted");
};

export class CoreRig {
  readonly path: string;
  readonly journal: Journal;
  readonly engine: Engine;
  readonly recovered: Recovered;

  /** Opens or creates the journal in `directory`, of an installation with `lanes` lanes. */
  constructor(directory: string, lanes = 1) {
    this.path = join(directory, "0.db");
    this.journal = new Journal(this.path, { lanes });
    this.journal.takeEpoch();
    const { id: journalId, keys } = this.journal;
    const options = { path: this.path, journalId, tracksExpiry: true, keys };
    const reload = () => recover(this.journal.db, options).state;
    this.recovered = recover(this.journal.db, options);
    const { state } = this.recovered;
    this.engine = new Engine({
      ...{ journal: this.journal, records: recordStoreOf(this.journal), state, reload },
      clock: new EngineClock(SYSTEM_TIME, { lastStampMs: state.stamp }),
      sign: neverSign,
      onCommitted: () => {},
      onFatal: (error) => {
        throw error;
      },
      log: (level, message, fields) => console.error(level, message, fields),
    });
    this.engine.tick();
    this.engine.runGroup();
  }

  /** Puts the benchmark's supply on sale and freezes `count` quotes on it. */
  seed(count: number): FrozenQuote[] {
    for (const tree of BENCH_PROPERTIES) {
      this.decide(sellingCommands({ tree, ari: openInventory(tree) }));
    }
    const making = { tenant_id: TENANT, mode: "live", agent_id: AGENT } as const;
    const keys = new KeyVersions([{ kid: "quote-v1", key: new Uint8Array(32), from_ms: 0 }]);
    return freezeQuotes(this.engine.state, making, { crowd: "spread", count, keys });
  }

  /** Decides the commands as one group, which is durable afterwards. Throws when one is refused. */
  decide(commands: readonly Command[]): Outcome[] {
    const outcomes: Outcome[] = [];
    const send = ({ rendered }: Reply) => outcomes.push(rendered!.outcome);
    this.submit(commands, send);
    const refused = outcomes.find((outcome) => !outcome.ok);
    if (refused) throw new Error(`refused: ${JSON.stringify(refused)}`);
    return outcomes;
  }

  /** The same without a check of the outcomes, which are not the engine's work. */
  submit(commands: readonly Command[], send: (reply: Reply) => void): void {
    for (const command of commands) this.engine.submit({ command, isLapsed: false, send });
    while (this.engine.queued > 0) this.engine.runGroup();
  }

  close(): void {
    this.engine.stop();
    this.journal.close();
  }
}
