/** Public documents: for every origin, cacheable, with 304. */
import type { Config } from "../config.ts";
import type { Document } from "./answer.ts";
import type { Asked, PublicCall } from "./call.ts";
import { codedOnce, documentCoding, isLarge, varying } from "./compress.ts";
import type { Context } from "./context.ts";
import { type Coding, codedInThread } from "./encoding.ts";
import { JSON_TYPE, OPEN_TO_ALL, SECURITY_HEADERS } from "./headers.ts";

/** Cache lifetime of a document without one of its own. */
export const MAX_AGE_S = 300;

/**
 * The document with an `ETag`, or 304 (RFC 9110 §13.1.2); a 404 has no tag. Cacheable documents are
 * compressed once, others each time. A strong tag identifies one coding.
 */
export async function renderDocument(
  call: Pick<Asked, "request">,
  document: Document,
): Promise<Response> {
  const { content, type = JSON_TYPE, maxAgeS = MAX_AGE_S, etagOf, headers = {} } = document;
  const body = bodyOf(content);
  const common: Record<string, string> = {
    ...SECURITY_HEADERS,
    ...OPEN_TO_ALL,
    "cache-control": `public, max-age=${maxAgeS}`,
    ...headers,
  };
  const typed = { "content-type": type };
  if (document.status === 404) {
    return new Response(body, { status: 404, headers: { ...common, ...typed } });
  }
  const isOurs = document.isCoded !== true && isLarge(body);
  if (isOurs) common.vary = varying(headers.vary, "Accept-Encoding");
  const coding = isOurs ? documentCoding(call.request) : "identity";
  common.etag = tagOf(etagOf ?? body, etagOf !== undefined, coding);
  const known = call.request.headers.get("if-none-match");
  if (known !== null && matches(known, common.etag)) {
    return new Response(null, { status: 304, headers: common });
  }
  if (coding === "identity") return new Response(body, { headers: { ...common, ...typed } });
  const isKept = common["cache-control"]?.startsWith("public") === true;
  const sent = isKept ? await codedOnce(body, coding) : await codedInThread(body, coding, 1);
  return new Response(sent, { headers: { ...common, ...typed, "content-encoding": coding } });
}

/** A weak tag identifies the content, whatever the bytes. */
function tagOf(of: string | Uint8Array, isWeak: boolean, coding: Coding | "identity"): string {
  const hash = Bun.hash(of).toString(36);
  if (isWeak) return `W/"${hash}"`;
  return coding === "identity" ? `"${hash}"` : `"${hash}-${coding}"`;
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

/**
 * A handler for a document of configuration and routes: built once per process. Results of `build`
 * other than text are sent as JSON.
 */
export function fixed(
  build: (context: Context) => unknown,
  about: Omit<Document, "ok" | "content"> = {},
): (call: PublicCall) => Promise<Document> {
  const texts = new WeakMap<Config, string>();
  return async ({ context }) => {
    let content = texts.get(context.config);
    if (content === undefined) {
      const built = await build(context);
      content = typeof built === "string" ? built : JSON.stringify(built);
      texts.set(context.config, content);
    }
    return { ok: true, content, ...about };
  };
}
