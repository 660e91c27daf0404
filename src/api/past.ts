/**
 * What a property was at an earlier moment. Each answer is computed in a process of its own
 * (`past-main.ts`); a call waits for it for two seconds; what is late is kept for a minute for the
 * call's repetition.
 */
import { setPriority } from "node:os";
import { join } from "node:path";
import type { Realm } from "../../engine/core/supply.ts";
import { action, permitted } from "../actions/next-action.ts";
import { journalPath } from "../config.ts";
import { invalid, type Refusal, refuse, type Success } from "../http/answer.ts";
import type { Call } from "../http/call.ts";
import { named, Uuid } from "../http/schema/answer-parts.ts";
import { type Moment, MomentShown, momentOf, shownMoment } from "./as-of.ts";

const PROGRAM = join(import.meta.dir, "past-main.ts");
const WAIT_MS = 2_000;
const KEPT_MS = 60_000;
const LIMIT_MS = 600_000;
/** Processes at once, and with them answers that wait for their callers; others repeat the call. */
const RUNNING_MAX = 2;
const FOLDS_MAX = 8;
/** Low priority: holds go first. */
const NICENESS = 10;

/** What the process is asked for, as JSON. */
export interface PastOrder {
  readonly computes: "nights" | "explanation";
  readonly journal_path: string;
  /** The last row that counts. */
  readonly row: number;
  /** The moment, epoch milliseconds. */
  readonly at_ms: number;
  readonly realm: Realm;
  readonly property_id: string;
  /** The checked query. */
  readonly query: readonly (readonly [name: string, value: string])[];
}

/** What it finds, as JSON. */
export type PastFound<Data> = { readonly ok: true; readonly data: Data } | Refusal;

/** While a past moment is folded. */
export const PastFolding = named("PastFolding", "The past is not ready; repeat the call.", {
  property_id: Uuid,
  as_of: MomentShown,
});

interface Asked extends Pick<PastOrder, "computes" | "property_id"> {
  /** The checked parameter. */
  readonly as_of: string;
}

/**
 * The answer of a property as of an earlier moment, or 202 with `retry` when it is not ready in
 * time; refused for a moment that has not come yet. The caller must have access to the property.
 */
export async function answerPast<Data, Shown>(
  call: Call,
  { as_of: asked, ...of }: Asked,
  shown: (data: Data, as_of: ReturnType<typeof shownMoment>) => Shown,
): Promise<Shown | Success | Refusal> {
  const moment = await momentOf(call, asked);
  if ("code" in moment) return moment;
  if (moment.atMs > call.context.engineNow()) {
    const expected = "an instant that has passed";
    return invalid([{ path: "?as_of", message: "is in the future", expected }]);
  }
  const as_of = shownMoment(moment);
  const found = await inTime(orderOf(call, of, moment));
  if (found === null) {
    const retry = action("retry", "GET", `${call.path}?${new URLSearchParams([...call.query])}`);
    const data = { property_id: of.property_id, as_of };
    return { ok: true, status: 202, data, actions: permitted([retry], call.may) };
  }
  // The process computes what the order names.
  return found.ok ? shown(found.data as Data, as_of) : found;
}

function orderOf(
  { context, principal, query }: Call,
  of: Omit<Asked, "as_of">,
  { row, atMs }: Moment,
): string {
  const { tenant_id, mode } = principal;
  const order: PastOrder = {
    ...of,
    journal_path: journalPath(context.config.dataDir),
    ...{ row, at_ms: atMs, realm: { tenant_id, mode } },
    query: [...query].filter(([name]) => name !== "format" && name !== "as_of"),
  };
  return JSON.stringify(order);
}

interface Fold {
  readonly found: Promise<PastFound<unknown>>;
  isRunning: boolean;
}

/** By order. */
const folds = new Map<string, Fold>();

/** What an order finds; null when it is not ready in time. */
async function inTime(order: string): Promise<PastFound<unknown> | null> {
  const fold = foldOf(order);
  if (fold === null) return null;
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), WAIT_MS);
  const found = await Promise.race([fold.found, late.promise]);
  clearTimeout(timer);
  if (found !== null && folds.get(order) === fold) folds.delete(order);
  return found;
}

/** The running or kept fold of an order, or a new one; null when too many run. */
function foldOf(order: string): Fold | null {
  const known = folds.get(order);
  if (known) return known;
  const running = [...folds.values()].filter(({ isRunning }) => isRunning);
  if (running.length >= RUNNING_MAX || folds.size >= FOLDS_MAX) return null;
  const fold: Fold = { found: run(order), isRunning: true };
  folds.set(order, fold);
  void fold.found.finally(() => {
    fold.isRunning = false;
    setTimeout(() => folds.get(order) === fold && folds.delete(order), KEPT_MS).unref();
  });
  return fold;
}

/** Never rejects: a fold that ends without an answer is a refusal. */
async function run(order: string): Promise<PastFound<unknown>> {
  const child = Bun.spawn([process.execPath, PROGRAM, order], {
    // Empty, because our environment contains secrets.
    env: {},
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
    timeout: LIMIT_MS,
    killSignal: "SIGKILL",
  });
  try {
    setPriority(child.pid, NICENESS);
  } catch {
    // It has ended.
  }
  const text = await child.stdout.text();
  const isDone = (await child.exited) === 0;
  return isDone
    ? (JSON.parse(text) as PastFound<unknown>)
    : refuse("upstream_unavailable", { upstream: "journal" });
}
