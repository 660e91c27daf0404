/** Public documents: for every origin, for caches, and 304 for who has it already. */
import type { Document } from "./answer.ts";
import type { Asked } from "./call.ts";
import { JSON_TYPE, OPEN_TO_ALL, SECURITY_HEADERS } from "./headers.ts";

/** Spec part 8. */
export const MAX_AGE_S = 300;

/** The document with an `ETag`, or 304 (RFC 9110 §13.1.2); a 404 has no tag. */
export function renderDocument(call: Pick<Asked, "request">, document: Document): Response {
  const { content, type = JSON_TYPE, maxAgeS = MAX_AGE_S, etagOf, headers = {} } = document;
  const body = bodyOf(content);
  const common = {
    ...SECURITY_HEADERS,
    ...OPEN_TO_ALL,
    "cache-control": `public, max-age=${maxAgeS}`,
    ...headers,
  };
  const typed = { ...common, "content-type": type };
  if (document.status === 404) return new Response(body, { status: 404, headers: typed });
  const tag = `"${Bun.hash(etagOf ?? body).toString(36)}"`;
  const etag = etagOf === undefined ? tag : `W/${tag}`;
  const known = call.request.headers.get("if-none-match");
  if (known !== null && matches(known, etag)) {
    return new Response(null, { status: 304, headers: { ...common, etag } });
  }
  return new Response(body, { headers: { ...typed, etag } });
}

function bodyOf(content: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof content === "string") return content;
  if (content instanceof Uint8Array) return content as Uint8Array<ArrayBuffer>;
  return JSON.stringify(content);
}

/** `If-None-Match` by weak comparison. */
export function matches(header: string, etag: string): boolean {
  const opaque = (tag: string) => tag.replace(/^W\//, "");
  return header.split(",").some((each) => {
    const tag = each.trim();
    return tag === "*" || opaque(tag) === opaque(etag);
  });
}
