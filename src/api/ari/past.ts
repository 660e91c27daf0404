/**
 * The nights of a property as of an earlier moment. Each is folded in a process of its own; a call
 * waits for it for two seconds; what is late is kept for a minute for the call's repetition.
 */
import { setPriority } from "node:os";
import { join } from "node:path";
import { journalPath } from "../../config.ts";
import { invalid, type Refusal, refuse } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { type Moment, momentOf } from "../as-of.ts";
import type { PastFound, PastOrder } from "./past-order.ts";

const PROGRAM = join(import.meta.dir, "past-main.ts");
const WAIT_MS = 2_000;
const KEPT_MS = 60_000;
const LIMIT_MS = 600_000;
/** Processes at once, and with them answers that wait for their callers; others repeat the call. */
const RUNNING_MAX = 2;
const FOLDS_MAX = 8;
/** Low priority: holds go first. */
const NICENESS = 10;

/** The moment of a checked `as_of`, or the refusal of one that has not come yet. */
export async function pastMoment(call: Call, asked: string): Promise<Moment | Refusal> {
  const moment = await momentOf(call, asked);
  if ("code" in moment || moment.atMs <= call.context.engineNow()) return moment;
  const expected = "an instant that has passed";
  return invalid([{ path: "?as_of", message: "is in the future", expected }]);
}

interface Fold {
  readonly found: Promise<PastFound>;
  isRunning: boolean;
}

/** By order. */
const folds = new Map<string, Fold>();

/** The nights as of the moment; null when they are not ready in time. */
export async function pastNights(
  { context, principal, query }: Call,
  property_id: string,
  { row, atMs }: Moment,
): Promise<PastFound | null> {
  const { tenant_id, mode } = principal;
  const order: PastOrder = {
    journal_path: journalPath(context.config.dataDir),
    ...{ row, at_ms: atMs, realm: { tenant_id, mode }, property_id },
    query: [...query].filter(([name]) => name !== "format" && name !== "as_of"),
  };
  const key = JSON.stringify(order);
  const fold = foldOf(key);
  if (fold === null) return null;
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), WAIT_MS);
  const found = await Promise.race([fold.found, late.promise]);
  clearTimeout(timer);
  if (found !== null && folds.get(key) === fold) folds.delete(key);
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
async function run(order: string): Promise<PastFound> {
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
    ? (JSON.parse(text) as PastFound)
    : refuse("upstream_unavailable", { upstream: "journal" });
}
