/**
 * One bounded request to an address that a tenant entered. The name is resolved once, every address
 * is checked, and the connection goes to a checked address, so a later DNS answer cannot redirect
 * it (DNS rebinding). Redirects are not followed, no proxy is used, and only `KeptConnections`
 * keeps connections open.
 */
import http from "node:http";
import https from "node:https";
import { isIP, type Socket } from "node:net";
import { addressProblem, type GuardTerms, hostOf, isGlobal } from "./address-guard.ts";
import { type KeptConnections, systemResolve } from "./kept-connections.ts";

export interface RequestTerms extends GuardTerms {
  /** For everything together: name, connection, the last byte. */
  readonly timeoutMs: number;
  /** Addresses of a host name; default: the system's resolver. */
  readonly resolve?: (name: string) => Promise<readonly string[]>;
  /** Reused connections; default: a new one per request. */
  readonly connections?: KeptConnections;
  /** Aborts the request, which then ends as `timeout`. */
  readonly signal?: AbortSignal;
}

export interface Outgoing {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * `address`: not permitted. `dns`: the name does not resolve, or not to permitted addresses; one
 * reason for both, so that answers reveal nothing about a private network. `connect`: no
 * connection. `tls`: the server did not prove to be the host. `broken`: the answer is cut off or
 * not HTTP.
 */
export type RequestFailure = "address" | "dns" | "connect" | "tls" | "timeout" | "broken";

export type Requested<T> =
  | { readonly ok: true; readonly address: string; readonly answer: T }
  | { readonly ok: false; readonly address: string | null; readonly reason: RequestFailure };

/** Reads an answer; what it leaves unread is discarded. */
export type ReadAnswer<T> = (response: http.IncomingMessage) => Promise<T>;

/** Limit, because a name may have any number of addresses. */
const ADDRESSES_MAX = 4;
/** Limit of interim 1xx answers (RFC 9110 §15.2). */
const ANNOUNCED_MAX = 100;

/**
 * Sends to `address` if `addressProblem` finds nothing and its host has only global addresses (any
 * when `allowPrivate`). A redirect is returned like any answer. A failure of `read` is `broken`.
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
      // Once a server may have received the request, another address would receive it twice.
      if (outcome.ok || (outcome.reason !== "connect" && outcome.reason !== "tls")) break;
    }
    return outcome;
  }

  /**
   * A server may close a kept connection while a request is being sent, with or without having
   * received it. Then a new connection decides.
   */
  async #ask(address: string): Promise<Requested<T>> {
    const { connections } = this.#terms;
    if (!connections) return this.#exchange(address, null);
    return (await this.#exchange(address, connections)) ?? this.#exchange(address, null);
  }

  /**
   * Sends to the server at `address`, which must prove to be the URL's host. Null when a kept
   * connection broke before an answer.
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
      // The certificate must match the name, although the connection uses the address.
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
      // A fully read answer leaves a connection that can be reused.
      if (!response?.complete) request.destroy();
    };
    // After the answer has begun, its reader gets the errors.
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

/** Addresses to connect to; empty when any of them is not permitted. */
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
