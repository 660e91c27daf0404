/**
 * Which answers are compressed, for who takes that (`Accept-Encoding`): documents, once; what only
 * reads, each time and quickly; the JSON of MCP and A2A. All others go out as they are:
 *
 * - refusals, 304 and whatever fits into a packet: nothing would be won;
 * - streams of events, which must not wait for a block to fill;
 * - OAuth's bodies and the answers of changes: some show a secret, once, beside text of the caller,
 *   and the length of both compressed together tells of the secret to who sees the line (BREACH);
 * - what has a strong tag that `If-Match` takes: its bytes are of one kind.
 */
import { type Coding, codedAtOnce, codedInThread, codingFor } from "./encoding.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** UTF-16 units. With its head, less than this is one packet either way. */
const LEAST = 1_024;
/** UTF-16 units. More would hold up others for more than a millisecond. */
const AT_ONCE_MAX = 256 * 1_024;
/** Of what zstd does to an answer in 7 µs, gzip takes 10 and br 16; the sizes differ by a tenth. */
const QUICKEST_FIRST: readonly Coding[] = ["zstd", "gzip", "br"];
/** At level 9 the OpenAPI document is 79 kB as br, 81 as zstd and 113 as gzip. */
const SMALLEST_FIRST: readonly Coding[] = ["br", "zstd", "gzip"];

/** True when it is worth the while. */
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

/** The response of a text that is made for one answer; `headers` are its own, to be added to. */
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

/** The coding of a document that caches may keep. */
export function documentCoding(request: Request): Coding | "identity" {
  return codingFor(request.headers.get("accept-encoding"), SMALLEST_FIRST);
}

/** Documents of the service, in all their forms; there are fewer. */
const KEPT_MAX = 256;
const kept = new Map<string | Bytes, Partial<Record<Coding, Promise<Bytes>>>>();

/** A document that does not change from one caller to the next: compressed once, and well. */
export function codedOnce(content: string | Bytes, coding: Coding): Promise<Bytes> {
  const forms = kept.get(content) ?? {};
  kept.delete(content);
  kept.set(content, forms);
  if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value!);
  forms[coding] ??= codedInThread(content, coding, 9);
  return forms[coding];
}
