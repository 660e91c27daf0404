/** One bounded GET of an address that a tenant entered, with the rules of `guardedRequest`. */
import type { IncomingMessage } from "node:http";
import { guardedRequest, type RequestFailure, type RequestTerms } from "./guarded-request.ts";

export interface FetchTerms extends RequestTerms {
  readonly bytesMax: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * `address`: not permitted. `unreachable`: any failure from the name to the end of the body, and
 * addresses refused after resolving, so that answers reveal nothing about a private network.
 */
export type FetchFailure = "address" | "unreachable" | "timeout" | "too_large" | "encoded";

export type Fetched =
  | { readonly ok: true; readonly status: number; readonly text: string }
  | { readonly ok: false; readonly reason: FetchFailure };

function failed(reason: FetchFailure): Fetched {
  return { ok: false, reason };
}

/** Fetches `address`. A redirect is returned like any answer. Never throws. */
export async function guardedFetch(address: string, terms: FetchTerms): Promise<Fetched> {
  const { headers = {}, bytesMax } = terms;
  const outgoing = { method: "GET", headers } as const;
  const fetched = await guardedRequest(address, outgoing, terms, (response) =>
    read(response, bytesMax),
  );
  return fetched.ok ? fetched.answer : failed(asFetchFailure(fetched.reason));
}

function asFetchFailure(reason: RequestFailure): FetchFailure {
  return reason === "address" || reason === "timeout" ? reason : "unreachable";
}

async function read(response: IncomingMessage, bytesMax: number): Promise<Fetched> {
  // Compression was not requested, and a small body may expand to a very large one.
  const encoding = response.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") return failed("encoded");
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > bytesMax) return failed("too_large");
    chunks.push(chunk);
  }
  return { ok: true, status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() };
}
