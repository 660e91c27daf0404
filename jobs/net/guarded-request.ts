/**
 * One bounded request to an address that somebody else has chosen. The name is resolved once, every
 * answer is judged, and the connection goes to the judged address itself, so a name server that
 * answers differently the next time is never asked a next time (DNS rebinding). Redirects are not
 * followed, no proxy is used, and nothing is kept open but in `KeptConnections`.
 */
import http from "node:http";
import https from "node:https";
import { isIP, type Socket } from "node:net";
import { addressProblem, type GuardTerms, hostOf, isGlobal } from "./address-guard.ts";
import { type KeptConnections, systemResolve } from "./kept-connections.ts";

export interface RequestTerms extends GuardTerms {
  /** For everything together: name, connection, the last byte. */
  readonly timeoutMs: number;
  /** Addresses of a host name; the system's resolver unless given. */
  readonly resolve?: (name: string) => Promise<readonly string[]>;
  /** Where connections are taken from and put back; each request has its own unless given. */
  readonly connections?: KeptConnections;
  /** Cuts the request off, which then ends as `timeout`. */
  readonly signal?: AbortSignal;
}

export interface Outgoing {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * How far it came. `address`: not one to be called. `dns`: the name does not resolve, or not to
 * addresses that may be called, which look the same so that nobody maps a network by asking.
 * `connect`: nothing took the connection. `tls`: whoever did is not proven to be the host.
 * `broken`: the request went out, and what came back is cut off or no HTTP.
 */
export type RequestFailure = "address" | "dns" | "connect" | "tls" | "timeout" | "broken";

export type Requested<T> =
  | { readonly ok: true; readonly address: string; readonly answer: T }
  | { readonly ok: false; readonly address: string | null; readonly reason: RequestFailure };

/** Takes what it wants of an answer; what is left of it when it returns or throws is not read. */
export type ReadAnswer<T> = (response: http.IncomingMessage) => Promise<T>;

/** A name may have any number of addresses; this many are tried. */
const ADDRESSES_MAX = 4;
/** Of answers that are to come (RFC 9110 §15.2): each costs as much as one that has. */
const ANNOUNCED_MAX = 100;

/**
 * Sends to `address` if `addressProblem` finds nothing and its host has global addresses only (any
 * when `allowPrivate`). A redirect is an answer like any other. A failure of `read` is `broken`.
 * Never throws.
 */
export async function guardedRequest<T>(
  address: string,
  outgoing: Outgoing,
  terms: RequestTerms,
  read: ReadAnswer<T>,
): Promise<Requested<T>> {
  if (addressProblem(address, terms) !== null) return failed("address", null);
  const attempt = new Attempt(new URL(address), outgoing, terms, read);
  const late = Promise.withResolvers<Requested<T>>();
  const cut = () => {
    late.resolve(failed("timeout", attempt.connectingTo));
    attempt.abort();
  };
  const timer = setTimeout(cut, terms.timeoutMs);
  terms.signal?.addEventListener("abort", cut);
  try {
    if (terms.signal?.aborted) return failed("timeout", null);
    return await Promise.race([late.promise, attempt.run()]);
  } finally {
    clearTimeout(timer);
    terms.signal?.removeEventListener("abort", cut);
  }
}

function failed(reason: RequestFailure, address: string | null) {
  return { ok: false, reason, address } as const;
}

class Attempt<T> {
  readonly #url: URL;
  readonly #outgoing: Outgoing;
  readonly #terms: RequestTerms;
  readonly #read: ReadAnswer<T>;
  readonly #controller = new AbortController();
  connectingTo: string | null = null;

  constructor(url: URL, outgoing: Outgoing, terms: RequestTerms, read: ReadAnswer<T>) {
    this.#url = url;
    this.#outgoing = outgoing;
    this.#terms = terms;
    this.#read = read;
  }

  abort(): void {
    this.#controller.abort();
  }

  async run(): Promise<Requested<T>> {
    let outcome: Requested<T> = failed("dns", null);
    for (const address of await addressesOf(this.#url, this.#terms)) {
      if (this.#controller.signal.aborted) break;
      this.connectingTo = address;
      outcome = await this.#ask(address);
      // Once a server may have seen the request, another address would show it a second time.
      if (outcome.ok || (outcome.reason !== "connect" && outcome.reason !== "tls")) break;
    }
    return outcome;
  }

  /**
   * A server may close a connection while a request is on its way: then it has seen nothing of it,
   * or has been told twice, and a connection of its own decides.
   */
  async #ask(address: string): Promise<Requested<T>> {
    const { connections } = this.#terms;
    if (!connections) return this.#exchange(address, null);
    return (await this.#exchange(address, connections)) ?? this.#exchange(address, null);
  }

  /**
   * Asks the server at `address`, which must prove to be the URL's host. Null when a connection
   * that was kept broke before an answer.
   */
  #exchange(address: string, connections: null): Promise<Requested<T>>;
  #exchange(address: string, connections: KeptConnections | null): Promise<Requested<T> | null>;
  #exchange(address: string, connections: KeptConnections | null): Promise<Requested<T> | null> {
    const { promise, resolve } = Promise.withResolvers<Requested<T> | null>();
    const { method, headers, body } = this.#outgoing;
    const url = this.#url;
    const isTls = url.protocol === "https:";
    const host = hostOf(url);
    const request = (isTls ? https : http).request({
      method,
      host: address,
      port: url.port || (isTls ? 443 : 80),
      path: url.pathname + url.search,
      headers: { ...headers, host: url.host, "accept-encoding": "identity" },
      // The certificate must be the name's, although the connection knows the address alone.
      ...(isIP(host) === 0 ? { servername: host } : {}),
      rejectUnauthorized: true,
      agent: connections === null ? false : isTls ? connections.https : connections.http,
      signal: this.#controller.signal,
    });
    let reached: RequestFailure = "connect";
    request.on("socket", (socket: Socket) => {
      if (request.reusedSocket) return;
      socket.on("connect", () => {
        reached = isTls ? "tls" : "broken";
      });
      socket.on("secureConnect", () => {
        reached = "broken";
      });
    });
    let response: http.IncomingMessage | null = null;
    const end = (outcome: Requested<T> | null) => {
      resolve(outcome);
      // One that was read to its end leaves a connection that the next request may use.
      if (!response?.complete) request.destroy();
    };
    // Of what happens after the answer has begun, whoever reads it hears by himself.
    request.on("error", () => {
      if (response) return;
      const isStale = request.reusedSocket && !this.#controller.signal.aborted;
      end(isStale ? null : failed(request.reusedSocket ? "broken" : reached, address));
    });
    let announced = 0;
    request.on("information", () => {
      announced += 1;
      if (announced > ANNOUNCED_MAX) end(failed("broken", address));
    });
    request.on("upgrade", (_response, socket) => {
      socket.destroy();
      end(failed("broken", address));
    });
    request.on("response", (answer) => {
      if (announced > ANNOUNCED_MAX) return;
      response = answer;
      this.#read(answer).then(
        (read) => end({ ok: true, address, answer: read }),
        () => end(failed("broken", address)),
      );
    });
    request.end(body);
    return promise;
  }
}

/** Where to connect to; nothing when a single address is not allowed. */
async function addressesOf(url: URL, terms: RequestTerms): Promise<readonly string[]> {
  const host = hostOf(url);
  const { allowPrivate, connections, resolve = connections?.resolve ?? systemResolve } = terms;
  if (isIP(host) !== 0) return [host];
  try {
    const addresses = await resolve(host);
    return allowPrivate || addresses.every(isGlobal) ? addresses.slice(0, ADDRESSES_MAX) : [];
  } catch {
    return [];
  }
}
