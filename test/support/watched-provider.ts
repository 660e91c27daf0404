/**
 * A payment provider whose calls can be counted, awaited, held back and made to fail; everything
 * else is the provider behind it.
 */
import type {
  AtOnce,
  ChargePage,
  ChargeReport,
  ConfirmCharge,
  CreateCharge,
  PaymentProvider,
  ProviderFailure,
  ProviderReply,
  RefundCharge,
  RefundReport,
  Registration,
  TakeCharge,
} from "../../jobs/payments/provider.ts";

export type CallName =
  | ("create" | "confirm" | "take" | "read")
  | ("cancel" | "refund" | "readRefund" | "changedSince");

const FAILURE: ProviderFailure = { ok: false, error: "provider_error", code: "injected" };
const TIMEOUT: ProviderFailure = { ok: false, error: "timeout" };

interface Waiter {
  readonly name: CallName;
  left: number;
  readonly resolve: () => void;
}

export class WatchedProvider implements PaymentProvider {
  /** Every call in order, and the key or reference it came with. */
  readonly calls: CallName[] = [];
  readonly keys: string[] = [];
  readonly #behind: PaymentProvider;
  readonly #toFail: CallName[] = [];
  readonly #before = new Map<CallName, () => void>();
  readonly #waiters: Waiter[] = [];
  readonly #answered: Waiter[] = [];
  #gate: PromiseWithResolvers<void> | null = null;

  readonly atOnce?: AtOnce;

  /** With `atOnce` payments may be taken in one call, if the provider behind can do that. */
  constructor(behind: PaymentProvider, { atOnce = false } = {}) {
    this.#behind = behind;
    if (!atOnce || !behind.atOnce) return;
    const { refOf } = behind.atOnce;
    this.atOnce = { refOf, take: (input) => this.#take(input) };
  }

  /** Resolves when `times` further calls of this name have come in. */
  called(name: CallName, times = 1): Promise<void> {
    return waitIn(this.#waiters, name, times);
  }

  /** Resolves when one further call of this name has got its reply. */
  answered(name: CallName): Promise<void> {
    return waitIn(this.#answered, name, 1);
  }

  /** The next call of this name is answered with an error and does nothing. */
  failNext(name: CallName): void {
    this.#toFail.push(name);
  }

  /** Runs before every call of this name. */
  before(name: CallName, run: () => void): void {
    this.#before.set(name, run);
  }

  /**
   * From now on `confirm` waits, doing nothing, until `letGo` or until its caller gives up; `take`
   * waits likewise, but when it is done.
   */
  holdConfirms(): void {
    this.#gate = Promise.withResolvers();
  }

  letGo(): void {
    this.#gate?.resolve();
    this.#gate = null;
  }

  create(input: CreateCharge): Promise<ProviderReply<Registration | ChargeReport<"declined">>> {
    return this.#call("create", input.key, () => this.#behind.create(input));
  }

  confirm(input: ConfirmCharge): Promise<ProviderReply<ChargeReport<"captured" | "declined">>> {
    const gate = this.#gate?.promise;
    return this.#call("confirm", input.key, async () => {
      const aborted = new Promise((resolve) => input.signal.addEventListener("abort", resolve));
      if (gate) await Promise.race([gate, aborted]);
      return input.signal.aborted ? TIMEOUT : this.#behind.confirm(input);
    });
  }

  #take(input: TakeCharge): Promise<ProviderReply<ChargeReport<"captured" | "declined">>> {
    const gate = this.#gate?.promise;
    return this.#call("take", input.key, async () => {
      const reply = await this.#behind.atOnce!.take(input);
      const aborted = new Promise((resolve) => input.signal.addEventListener("abort", resolve));
      if (gate) await Promise.race([gate, aborted]);
      return input.signal.aborted ? TIMEOUT : reply;
    });
  }

  read(ref: string): Promise<ProviderReply<ChargeReport>> {
    return this.#call("read", ref, () => this.#behind.read(ref));
  }

  cancel(ref: string): Promise<ProviderReply<ChargeReport<"cancelled" | "captured" | "declined">>> {
    return this.#call("cancel", ref, () => this.#behind.cancel(ref));
  }

  refund(input: RefundCharge): Promise<ProviderReply<RefundReport>> {
    return this.#call("refund", input.key, () => this.#behind.refund(input));
  }

  readRefund(input: Pick<RefundCharge, "ref" | "key">): Promise<ProviderReply<RefundReport>> {
    return this.#call("readRefund", input.key, () => this.#behind.readRefund(input));
  }

  changedSince(sinceMs: number, page: string | null): Promise<ProviderReply<ChargePage>> {
    return this.#call("changedSince", String(sinceMs), () => {
      return this.#behind.changedSince(sinceMs, page);
    });
  }

  close(): void {
    this.#behind.close();
  }

  async #call<T>(
    name: CallName,
    key: string,
    call: () => Promise<ProviderReply<T>>,
  ): Promise<ProviderReply<T>> {
    this.#before.get(name)?.();
    this.calls.push(name);
    this.keys.push(key);
    tell(this.#waiters, name);
    const failing = this.#toFail.indexOf(name);
    if (failing >= 0) this.#toFail.splice(failing, 1);
    const reply = failing >= 0 ? FAILURE : await call();
    tell(this.#answered, name);
    return reply;
  }
}

function waitIn(waiters: Waiter[], name: CallName, times: number): Promise<void> {
  return new Promise((resolve) => {
    waiters.push({ name, left: times, resolve });
  });
}

function tell(waiters: readonly Waiter[], name: CallName): void {
  for (const waiter of waiters) {
    if (waiter.name !== name) continue;
    waiter.left -= 1;
    if (waiter.left === 0) waiter.resolve();
  }
}
