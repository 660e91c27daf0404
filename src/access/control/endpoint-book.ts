/**
 * Endpoints in memory for the worker, decrypted and immutable. Like `ControlView` it polls
 * `control.db` twice a second, and reads endpoints only when one was changed.
 */
import type { Database } from "bun:sqlite";
import type { Endpoint, EndpointBook } from "../../../jobs/webhooks/endpoint.ts";
import { every, type Log, type Service } from "../../lib/service.ts";
import { newTrace } from "../../lib/trace.ts";
import type { KeyVersions } from "../privacy/key-versions.ts";
import type { DamagedRow } from "./checked-rows.ts";
import { disableEndpoint, noteRecovery } from "./endpoint-standing.ts";
import { openControlReader } from "./schema.ts";
import type { ControlStore } from "./store.ts";
import { REFRESH_INTERVAL_MS } from "./view.ts";
import {
  allEndpoints,
  endpointById,
  openEndpoint,
  type StoredEndpoint,
  unreadableEndpoint,
} from "./webhook-endpoints.ts";

interface Parts {
  readonly store: ControlStore;
  readonly masters: KeyVersions;
  readonly log: Log;
  /** Wall clock, by which secrets retire. */
  readonly now: () => number;
}

interface Entry {
  readonly stored: StoredEndpoint;
  readonly endpoint: Endpoint;
  /** Epoch milliseconds at which the next secret retires, or Infinity. */
  readonly until_ms: number;
}

const SELECT_CHANGES = "SELECT value FROM meta WHERE name = 'webhook_endpoint_changes'";

export class ControlEndpoints implements EndpointBook, Service {
  readonly id = "endpoint book";
  readonly #parts: Parts;
  readonly #reader: Database;
  readonly #timer = every(this.id, REFRESH_INTERVAL_MS, () => this.refresh());
  #dataVersion = -1;
  #changes = "";
  /** Ids whose damage was reported. */
  readonly #damaged = new Set<string>();
  /** Versions of endpoints whose pause or deletion could not be stored; see `denials.ts`. */
  readonly #denied = new Map<string, number>();
  #entries: ReadonlyMap<string, Entry> = new Map();
  #list: readonly Endpoint[] = [];
  #untilMs = Infinity;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#reader = openControlReader(parts.store.path);
    this.refresh();
  }

  /** Starts polling the file. */
  start(): void {
    this.#timer.start();
  }

  /** Stops polling and closes the file. */
  stop(): void {
    this.#timer.stop();
    this.#reader.close();
  }

  all(): readonly Endpoint[] {
    if (this.#parts.now() >= this.#untilMs) this.#keep([...this.#entries.values()].map(stored));
    return this.#list;
  }

  disable(endpoint_id: string, reason: "gone" | "failing" | "backlog"): void {
    const { store, log, now } = this.#parts;
    const isDone = store.write(() => {
      // It may have been paused, resumed or changed meanwhile.
      const state = reason === "backlog" ? "paused" : "active";
      if (endpointById(store, endpoint_id)?.state !== state) return false;
      return disableEndpoint(store, this.#by(), endpoint_id, { reason, nowMs: now() });
    });
    if (!isDone) return;
    log("warn", "webhook endpoint disabled", { endpoint_id, reason });
    this.refresh();
  }

  recovered(endpoint_id: string): void {
    const { store, log, now } = this.#parts;
    const known = this.#entries.get(endpoint_id)?.stored;
    if (known?.state !== "active" || known.disabled_at === null) return;
    if (!noteRecovery(store, this.#by(), endpoint_id, now())) return;
    log("info", "webhook endpoint recovered", { endpoint_id });
    this.refresh();
  }

  /** Blocks sends to it until a change of it is stored. */
  deny(endpoint_id: string): void {
    const entry = this.#entries.get(endpoint_id);
    if (!entry) return;
    this.#denied.set(endpoint_id, entry.stored.version);
    this.#keep([...this.#entries.values()].map(stored));
  }

  /** Reads the endpoints if the file has changed. */
  refresh(): void {
    const version = this.#reader.query<{ data_version: number }, []>("PRAGMA data_version").get();
    if (version === null || version.data_version === this.#dataVersion) return;
    this.#reader.transaction(() => this.#read())();
    this.#dataVersion = version.data_version;
  }

  #by() {
    return { actor: { kind: "system", id: "webhooks" }, trace_id: newTrace() } as const;
  }

  #read(): void {
    const changes = this.#reader.query<{ value: string }, []>(SELECT_CHANGES).get()?.value ?? "";
    if (changes === this.#changes) return;
    const known = (endpointId: string) => this.#entries.get(endpointId)?.stored;
    this.#keep(allEndpoints(this.#reader, known, (each) => this.#report(each)));
    this.#changes = changes;
  }

  #report({ id: endpoint_id, problem }: DamagedRow): void {
    const message = "the row of a webhook endpoint is damaged: its events wait";
    if (!this.#damaged.has(endpoint_id))
      this.#parts.log("error", message, { endpoint_id, problem });
    this.#damaged.add(endpoint_id);
  }

  /** An unchanged endpoint stays the same object. */
  #keep(all: readonly StoredEndpoint[]): void {
    const nowMs = this.#parts.now();
    const entries = all.map((each): readonly [string, Entry] => {
      const known = this.#entries.get(each.endpoint_id);
      const isDenied = this.#denied.get(each.endpoint_id) === each.version;
      const isSame = known?.stored === each && nowMs < known.until_ms && !isDenied;
      return [each.endpoint_id, isSame ? known : this.#opened(each, nowMs, isDenied)];
    });
    this.#entries = new Map(entries);
    this.#list = entries.map(([, { endpoint }]) => endpoint);
    this.#untilMs = Math.min(...entries.map(([, { until_ms }]) => until_ms));
  }

  #opened(each: StoredEndpoint, nowMs: number, isDenied: boolean): Entry {
    if (isDenied) return { stored: each, endpoint: unreadableEndpoint(each), until_ms: Infinity };
    const { masters, log } = this.#parts;
    const retiring = each.secrets.map(({ retire_at }) => retire_at ?? Infinity);
    const until_ms = Math.min(...retiring.filter((ms) => nowMs < ms));
    try {
      return { stored: each, endpoint: openEndpoint(masters, each, nowMs), until_ms };
    } catch {
      // No `error`: the only possible cause is another master key.
      log("error", "cannot decrypt the secrets of a webhook endpoint: its events wait", {
        endpoint_id: each.endpoint_id,
      });
      return { stored: each, endpoint: unreadableEndpoint(each), until_ms: Infinity };
    }
  }
}

function stored(entry: Entry): StoredEndpoint {
  return entry.stored;
}
