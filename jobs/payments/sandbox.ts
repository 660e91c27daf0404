/**
 * The simulated provider. It obeys every rule of the port, and a token selects the result of a
 * payment, so that all results can be tried. Its ledger has the state; this file has
 * its replies and delays.
 *
 * A charge is decided once. A repeated `confirm`, with any key, gets the first verdict.
 */
import { join } from "node:path";
import { setTimeout as timer } from "node:timers/promises";
import { SYSTEM_TIME } from "../../engine/log/system-time.ts";
import type {
  AtOnce,
  ChargePage,
  ChargeReport,
  ChargeState,
  ConfirmCharge,
  CreateCharge,
  ListedCharge,
  PaymentProvider,
  ProviderEntry,
  ProviderFailure,
  ProviderReply,
  RefundCharge,
  RefundReport,
  TakeCharge,
} from "./provider.ts";
import { type Charge, SandboxLedger } from "./sandbox-ledger.ts";
import { behaviourOf, scriptOf } from "./sandbox-tokens.ts";

export interface SandboxOptions {
  /** The SQLite file. */
  readonly path: string;
  /** Epoch milliseconds; default: the wall clock. */
  readonly now?: () => number;
  /** Resolves after `durationMs` or when `signal` aborts; default: a real timer. */
  readonly sleep?: (durationMs: number, signal: AbortSignal) => Promise<void>;
}

const REF_PREFIX = "sbx_";
const NOT_FOUND: ProviderFailure = { ok: false, error: "not_found" };
const TIMEOUT: ProviderFailure = { ok: false, error: "timeout" };

/** Always ready; its file is `DATA_DIR/sandbox-provider.db`. */
export const sandbox: ProviderEntry = {
  missing: () => null,
  open: ({ dataDir }) => new SandboxProvider({ path: join(dataDir, "sandbox-provider.db") }),
};

/** The sandbox as a payment provider. */
export class SandboxProvider implements PaymentProvider {
  readonly atOnce: AtOnce = { refOf, take: (input) => this.#take(input) };
  readonly #ledger: SandboxLedger;
  readonly #now: () => number;
  readonly #sleep: (durationMs: number, signal: AbortSignal) => Promise<void>;
  readonly #closing = new AbortController();

  /** Opens the provider, creating its file if missing; throws when the file cannot be used. */
  constructor(options: SandboxOptions) {
    this.#now = options.now ?? SYSTEM_TIME.wallMs;
    this.#sleep = options.sleep ?? sleepUnlessAborted;
    this.#ledger = new SandboxLedger(options.path, this.#now);
  }

  async create(input: CreateCharge): Promise<ProviderReply<{ readonly ref: string }>> {
    const same = await this.#ledger.inTransaction((ledger) => register(ledger, input));
    return same ? { ok: true, ref: refOf(input.key) } : failure("key_reused");
  }

  async confirm({
    ref,
    signal,
  }: ConfirmCharge): Promise<ProviderReply<ChargeReport<"captured" | "declined">>> {
    // After the caller has given up, its guest must not be charged.
    if (this.#isOver(signal)) return TIMEOUT;
    return this.#decided(await this.#ledger.inTransaction((ledger) => ledger.begin(ref)), signal);
  }

  async #take({
    signal,
    ...input
  }: TakeCharge): Promise<ProviderReply<ChargeReport<"captured" | "declined">>> {
    if (this.#isOver(signal)) return TIMEOUT;
    const begun = await this.#ledger.inTransaction((ledger) =>
      register(ledger, input) ? { charge: ledger.begin(refOf(input.key)) } : null,
    );
    return begun === null ? failure("key_reused") : this.#decided(begun.charge, signal);
  }

  /** The verdict of a charge that was confirmed. */
  async #decided(
    begun: Charge | null,
    signal: AbortSignal,
  ): Promise<ProviderReply<ChargeReport<"captured" | "declined">>> {
    let charge = begun;
    while (charge?.state === "processing") {
      const stop = AbortSignal.any([signal, this.#closing.signal]);
      if (!stop.aborted) await this.#wait(charge, stop);
      if (stop.aborted) return TIMEOUT;
      charge = await this.#charge(charge.ref);
    }
    if (charge === null) return NOT_FOUND;
    const { state } = charge;
    if (state === "captured" || state === "declined") return report(charge, state);
    if (this.#isOver(signal)) return TIMEOUT;
    const undecided = charge;
    const isBlocked = await this.#ledger.inTransaction((ledger) => ledger.isBlocked(undecided));
    if (isBlocked) return failure("earlier_charge_stands");
    return failure(state === "cancelled" ? "charge_cancelled" : "internal_error");
  }

  async read(ref: string): Promise<ProviderReply<ChargeReport>> {
    const charge = await this.#charge(ref);
    return charge === null ? NOT_FOUND : report(charge, charge.state);
  }

  async cancel(
    ref: string,
  ): Promise<ProviderReply<ChargeReport<"cancelled" | "captured" | "declined">>> {
    const charge = await this.#ledger.inTransaction((ledger) => ledger.cancel(ref));
    if (charge === null) return NOT_FOUND;
    const { state } = charge;
    if (state === "created" || state === "processing") return failure("processing");
    return report(charge, state);
  }

  async refund(input: RefundCharge): Promise<ProviderReply<RefundReport>> {
    const judged = await this.#ledger.inTransaction((ledger) => ledger.refund(input));
    if (judged === "not_found") return NOT_FOUND;
    return typeof judged === "string" ? failure(judged) : { ok: true, ...judged };
  }

  async readRefund({
    key,
  }: Pick<RefundCharge, "ref" | "key">): Promise<ProviderReply<RefundReport>> {
    const report = await this.#ledger.inTransaction((ledger) => ledger.refundOf(key));
    return report === null ? NOT_FOUND : { ok: true, ...report };
  }

  async changedSince(sinceMs: number, page: string | null): Promise<ProviderReply<ChargePage>> {
    const changed = await this.#ledger.inTransaction((it) => it.changedSince(sinceMs, page ?? ""));
    const charges = changed.map(listed);
    return { ok: true, charges, next: charges.at(-1)?.ref ?? null };
  }

  close(): void {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.#ledger.close();
  }

  #isOver(signal: AbortSignal): boolean {
    return signal.aborted || this.#closing.signal.aborted;
  }

  #charge(ref: string): Promise<Charge | null> {
    return this.#ledger.inTransaction((ledger) => ledger.charge(ref));
  }

  #wait(charge: Charge, stop: AbortSignal): Promise<void> {
    if (scriptOf(charge.behaviour).silent) return aborted(stop);
    return this.#sleep(charge.decides_at! - this.#now(), stop);
  }
}

/** The charge of a key; each key has one. */
function refOf(key: string): string {
  return `${REF_PREFIX}${key}`;
}

/** False when the key was used for another charge. */
function register(
  ledger: SandboxLedger,
  { key, amount, currency, token, about }: CreateCharge,
): boolean {
  return ledger.register(
    { ref: refOf(key), amount, currency, behaviour: behaviourOf(token) },
    about,
  );
}

function listed(charge: Charge): ListedCharge {
  const { ref, amount, currency, state, refunded, tenant_id, mode, booking_key } = charge;
  const isSaid = tenant_id !== null && mode !== null && booking_key !== null;
  const about = isSaid ? { tenant_id, mode, booking_key } : null;
  return { ref, key: ref.slice(REF_PREFIX.length), about, amount, currency, state, refunded };
}

function report<State extends ChargeState>(
  charge: Charge,
  state: State,
): { ok: true } & ChargeReport<State> {
  if (state !== "declined") return { ok: true, state };
  const { code, message } = scriptOf(charge.behaviour);
  return { ok: true, state, ...(code && { code }), ...(message && { message }) };
}

function failure(code: string): ProviderFailure {
  return { ok: false, error: "provider_error", code };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

async function sleepUnlessAborted(durationMs: number, signal: AbortSignal): Promise<void> {
  try {
    await timer(durationMs, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
