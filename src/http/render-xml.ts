/**
 * XML documents, stored in a file in both encodings or made for one answer, with strong validators
 * and 304 (RFC 9110 §13); `HEAD` reads nothing.
 */
import type { Encoding, Kept, Xml } from "./answer.ts";
import type { Asked } from "./call.ts";
import { codingFor } from "./encoding.ts";
import { OPEN_TO_ALL, SECURITY_HEADERS } from "./headers.ts";
import { MAX_AGE_S, matches } from "./render-document.ts";

const XML_TYPE = "application/xml; charset=utf-8";
/** Whole bodies get a `Content-Length`; larger ones are sent in chunks. */
const WHOLE_BYTES_MAX = 4 * 1024 * 1024;

/** The document in the requested encoding, or 304. */
export async function renderXml(call: Pick<Asked, "request">, view: Xml): Promise<Response> {
  const { method, headers: asked } = call.request;
  const encoding = codingFor(asked.get("accept-encoding"), ["gzip"]);
  const kept = typeof view.xml === "string" ? made(view.xml, encoding) : view.xml(encoding);
  const common = commonHeaders(view, kept);
  if (isKnown(asked, kept.etag, view.modifiedMs)) {
    return new Response(null, { status: 304, headers: common });
  }
  const { bytes } = kept;
  const about = { ...common, "content-type": XML_TYPE, "content-length": String(bytes) };
  const coding = encoding === "identity" ? {} : { "content-encoding": encoding };
  const body = method === "HEAD" ? null : kept.body();
  const isSmall = body instanceof ReadableStream && bytes <= WHOLE_BYTES_MAX;
  const sent = isSmall ? await new Response(body).bytes() : body;
  return new Response(sent, { headers: { ...about, ...coding } });
}

function commonHeaders(view: Xml, { etag }: Kept): Record<string, string> {
  const { isPrivate = false, modifiedMs, headers } = view;
  const whose = isPrivate ? "private" : "public";
  const common: Record<string, string> = {
    ...SECURITY_HEADERS,
    ...(isPrivate ? {} : OPEN_TO_ALL),
    "cache-control": `${whose}, max-age=${MAX_AGE_S}, must-revalidate`,
    vary: isPrivate ? "Accept-Encoding, Authorization" : "Accept-Encoding",
    etag,
    ...headers,
  };
  if (modifiedMs !== undefined) common["last-modified"] = new Date(modifiedMs).toUTCString();
  return common;
}

function made(xml: string, encoding: Encoding): Kept {
  const text = Buffer.from(xml);
  const bytes = encoding === "gzip" ? Bun.gzipSync(text) : text;
  const etag = `"${Bun.hash(text).toString(36)}-${encoding}"`;
  return { bytes: bytes.length, etag, body: () => bytes };
}

/** The tag is more precise than the time, so it decides alone if given. */
function isKnown(asked: Headers, etag: string, modifiedMs: number | undefined): boolean {
  const tags = asked.get("if-none-match");
  if (tags !== null) return matches(tags, etag);
  const since = Date.parse(asked.get("if-modified-since") ?? "");
  // HTTP dates have whole seconds.
  return modifiedMs !== undefined && Math.floor(modifiedMs / 1000) * 1000 <= since;
}
