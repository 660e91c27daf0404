/**
 * Open connections and recently resolved names, for frequent requests to the same receiver. Each
 * request still checks the addresses and uses a checked one: a connection is kept per address, port
 * and certified name, never per host name alone.
 */
import http from "node:http";
import https from "node:https";

/** Maximum of idle connections per address. */
const IDLE_MAX = 50;
/** Receivers close idle connections after some seconds. */
const IDLE_MS_MAX = 4_000;
const NAME_MS_MAX = 1_000;
const NAMES_MAX = 1_000;

interface Resolved {
  readonly addresses: Promise<readonly string[]>;
  readonly untilMs: number;
}

/**
 * Resolves a host name with the system's name servers and hosts file. c-ares uses sockets: the C
 * library blocks one of a few threads per query, and names with a silent server could block all.
 */
export async function systemResolve(name: string): Promise<readonly string[]> {
  return (await Bun.dns.lookup(name, { backend: "c-ares" })).map(({ address }) => address);
}

export class KeptConnections {
  readonly #terms = { keepAlive: true, maxFreeSockets: IDLE_MAX, timeout: IDLE_MS_MAX } as const;
  readonly http = new http.Agent(this.#terms);
  readonly https = new https.Agent(this.#terms);
  readonly #names = new Map<string, Resolved>();

  /** As `systemResolve`, at most once a second per name. */
  readonly resolve = (name: string): Promise<readonly string[]> => {
    const nowMs = performance.now();
    const known = this.#names.get(name);
    if (known && nowMs < known.untilMs) return known.addresses;
    if (this.#names.size >= NAMES_MAX) this.#names.clear();
    const addresses = systemResolve(name);
    this.#names.set(name, { addresses, untilMs: nowMs + NAME_MS_MAX });
    return addresses;
  };

  /** Closes all connections. */
  stop(): void {
    this.http.destroy();
    this.https.destroy();
  }
}
