/**
 * Compressed answers, by `Accept-Encoding`: documents, once;
 * reads, each time and quickly; the JSON of MCP and A2A. All others are not compressed:
 *
 * - refusals, 304 and answers of one packet: no gain;
 * - streams of events, which must not be buffered;
 * - OAuth's bodies, the answers of changes, and pages that say so: some show a secret, once, beside
 *   text of the caller, and the length of both compressed together tells of the secret to who sees
 *   the line (BREACH);
 * - answers with a strong tag for `If-Match`: it identifies one coding.
 */
import { type Coding, codedAtOnce, codedInThread, codingFor } from "./encoding.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** UTF-16 units. Smaller answers fit into one packet with their headers. */
const LEAST = 1_024;
/** UTF-16 units. More would block other requests for over a millisecond. */
const AT_ONCE_MAX = 256 * 1_024;
/** For one answer zstd takes 7 µs, gzip 10 and br 16; sizes differ by a tenth. */
const QUICKEST_FIRST: readonly Coding[] = ["zstd", "gzip", "br"];
/** At level 9 the OpenAPI document is 79 kB as br, 81 as zstd and 113 as gzip. */
const SMALLEST_FIRST: readonly Coding[] = ["br", "zstd", "gzip"];

/** Whether compression pays. */
export function isLarge(body: string | Bytes): boolean {
  return body.length >= LEAST;
}

/** `Vary` with one more name. */
export function varying(vary: string | undefined, name: string): string {
  if (vary === undefined) return name;
  return vary.split(", ").includes(name) ? vary : `${vary}, ${name}`;
}

interface Init {
  readonly status: number;
  readonly headers: Headers;
}

/** The response of a text made for one answer; adds to `headers`. */
export function coded(request: Request, text: string, init: Init): Response | Promise<Response> {
  if (!isLarge(text)) return new Response(text, init);
  const { headers } = init;
  headers.set("vary", varying(headers.get("vary") ?? undefined, "Accept-Encoding"));
  const coding = codingFor(request.headers.get("accept-encoding"), QUICKEST_FIRST);
  if (coding === "identity") return new Response(text, init);
  headers.set("content-encoding", coding);
  const sent = (body: Bytes) => new Response(body, init);
  if (text.length <= AT_ONCE_MAX) return sent(codedAtOnce(text, coding));
  return codedInThread(text, coding, 1).then(sent);
}

/** The coding of a cacheable document. */
export function documentCoding(request: Request): Coding | "identity" {
  return codingFor(request.headers.get("accept-encoding"), SMALLEST_FIRST);
}

/** More than the service's documents in all forms. */
const KEPT_MAX = 256;
const kept = new Map<string | Bytes, Partial<Record<Coding, Promise<Bytes>>>>();

/** A document independent of the caller: compressed once, at a high level. */
export function codedOnce(content: string | Bytes, coding: Coding): Promise<Bytes> {
  const forms = kept.get(content) ?? {};
  kept.delete(content);
  kept.set(content, forms);
  if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value!);
  forms[coding] ??= codedInThread(content, coding, 9);
  return forms[coding];
}
