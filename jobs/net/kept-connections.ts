/**
 * Connections that are kept open from one request to the next, and names that were resolved a
 * moment ago, for who sends often to the same place. Each request judges the addresses for itself
 * and goes to the one it has judged: a connection is kept for an address, a port and the name that
 * its certificate has proven, never for a host name alone.
 */
import http from "node:http";
import https from "node:https";

/** Idle connections to one address. */
const IDLE_MAX = 50;
/** Receivers close theirs after some seconds; who sends nothing for that long opens another. */
const IDLE_MS_MAX = 4_000;
const NAME_MS_MAX = 1_000;
const NAMES_MAX = 1_000;

interface Resolved {
  readonly addresses: Promise<readonly string[]>;
  readonly untilMs: number;
}

/**
 * The addresses of a host name, by the system's name servers and table of hosts. They are asked
 * over sockets: the C library waits for answers in one of a few threads, and some names whose
 * server never answers would take them all, so that nobody's name resolves any more.
 */
export async function systemResolve(name: string): Promise<readonly string[]> {
  return (await Bun.dns.lookup(name, { backend: "c-ares" })).map(({ address }) => address);
}

export class KeptConnections {
  readonly #terms = { keepAlive: true, maxFreeSockets: IDLE_MAX, timeout: IDLE_MS_MAX } as const;
  readonly http = new http.Agent(this.#terms);
  readonly https = new https.Agent(this.#terms);
  readonly #names = new Map<string, Resolved>();

  /** As `systemResolve`, not more than once a second for a name. */
  readonly resolve = (name: string): Promise<readonly string[]> => {
    const nowMs = performance.now();
    const known = this.#names.get(name);
    if (known && nowMs < known.untilMs) return known.addresses;
    if (this.#names.size >= NAMES_MAX) this.#names.clear();
    const addresses = systemResolve(name);
    this.#names.set(name, { addresses, untilMs: nowMs + NAME_MS_MAX });
    return addresses;
  };

  /** Closes them all. */
  stop(): void {
    this.http.destroy();
    this.https.destroy();
  }
}
