/**
 * One bounded GET of an address that somebody else has chosen. The name is resolved once, every
 * answer is judged, and the connection goes to the judged address itself, so a name server that
 * answers differently the next time is never asked a next time (DNS rebinding). Redirects are not
 * followed, no proxy is used and nothing is kept open.
 */
import { lookup } from "node:dns/promises";
import http from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import { addressProblem, type GuardTerms, hostOf, isGlobal } from "./address-guard.ts";

export interface FetchTerms extends GuardTerms {
  /** For everything together: name, connection, the last byte. */
  readonly timeoutMs: number;
  readonly bytesMax: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Addresses of a host name; the system's resolver unless given. */
  readonly resolve?: (name: string) => Promise<readonly string[]>;
}

/**
 * `address`: not one to be called. `unreachable`: everything from the name to the end of the body,
 * and addresses that are refused only after resolving, so that nobody maps a network by asking.
 */
export type FetchFailure = "address" | "unreachable" | "timeout" | "too_large" | "encoded";

export type Fetched =
  | { readonly ok: true; readonly status: number; readonly text: string }
  | { readonly ok: false; readonly reason: FetchFailure };

/** A name may have any number of addresses; this many are tried. */
const ADDRESSES_MAX = 4;

function failed(reason: FetchFailure): Fetched {
  return { ok: false, reason };
}

/**
 * Fetches `address` if `addressProblem` finds nothing and its host has global addresses only (any
 * when `allowPrivate`). A redirect is an answer like any other. Never throws.
 */
export async function guardedFetch(address: string, terms: FetchTerms): Promise<Fetched> {
  if (addressProblem(address, terms) !== null) return failed("address");
  const controller = new AbortController();
  const late = Promise.withResolvers<Fetched>();
  const timer = setTimeout(() => {
    late.resolve(failed("timeout"));
    controller.abort();
  }, terms.timeoutMs);
  try {
    return await Promise.race([
      late.promise,
      fetchOnce(new URL(address), terms, controller.signal),
    ]);
  } finally {
    clearTimeout(timer);
  }
}

async function fetchOnce(url: URL, terms: FetchTerms, signal: AbortSignal): Promise<Fetched> {
  let outcome = failed("unreachable");
  for (const address of await addressesOf(url, terms)) {
    if (signal.aborted) break;
    outcome = await exchange(url, address, terms, signal);
    if (outcome.ok || outcome.reason !== "unreachable") break;
  }
  return outcome;
}

/** Where to connect to; nothing when a single address is not allowed. */
async function addressesOf(url: URL, terms: FetchTerms): Promise<readonly string[]> {
  const host = hostOf(url);
  const { allowPrivate, resolve = systemResolve } = terms;
  if (isIP(host) !== 0) return [host];
  try {
    const addresses = await resolve(host);
    return allowPrivate || addresses.every(isGlobal) ? addresses.slice(0, ADDRESSES_MAX) : [];
  } catch {
    return [];
  }
}

async function systemResolve(name: string): Promise<readonly string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}

/** Asks the server at `address`, which must prove to be the URL's host. */
function exchange(
  url: URL,
  address: string,
  terms: FetchTerms,
  signal: AbortSignal,
): Promise<Fetched> {
  const { promise, resolve } = Promise.withResolvers<Fetched>();
  const isTls = url.protocol === "https:";
  const host = hostOf(url);
  const request = (isTls ? https : http).request({
    host: address,
    port: url.port || (isTls ? 443 : 80),
    path: url.pathname + url.search,
    headers: { ...terms.headers, host: url.host, "accept-encoding": "identity" },
    // The certificate must be the name's, although the connection knows the address alone.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    rejectUnauthorized: true,
    agent: false,
    signal,
  });
  const end = (outcome: Fetched) => {
    resolve(outcome);
    request.destroy();
  };
  request.on("error", () => end(failed("unreachable")));
  request.on("upgrade", (_response, socket) => {
    socket.destroy();
    end(failed("unreachable"));
  });
  request.on("response", (response) => void read(response, terms.bytesMax).then(end));
  request.end();
  return promise;
}

async function read(response: http.IncomingMessage, bytesMax: number): Promise<Fetched> {
  // An encoded answer was not asked for, and a small one may stand for a very large text.
  const encoding = response.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") return failed("encoded");
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response) {
      bytes += chunk.length;
      if (bytes > bytesMax) return failed("too_large");
      chunks.push(chunk);
    }
  } catch {
    return failed("unreachable");
  }
  return { ok: true, status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() };
}
