/** Reads a request body within its limit, whatever `Content-Length` claims. */
import { parseJson } from "../base/json.ts";
import { depthExceeds, type FieldError } from "./validate.ts";

/** 64 KiB unless a route says otherwise (rules §2). */
export const BODY_BYTES_MAX = 65_536;
const DEPTH_MAX = 32;

export type BodyReading =
  | { readonly ok: true; readonly body: unknown; readonly bytes: number }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

const NO_BODY: BodyReading = { ok: true, body: undefined, bytes: 0 };

function refused(message: string, expected: string, path = ""): BodyReading {
  return { ok: false, errors: [{ path, message, expected }] };
}

/** The body as text, empty when there is none; null when it is over the limit. */
export async function readText(request: Request, bytesMax: number): Promise<string | null> {
  const declared = request.headers.get("content-length");
  if (declared === "0" || (declared === null && request.body === null)) return "";
  if (declared === null) return readLimited(request, bytesMax);
  return Number(declared) > bytesMax ? null : request.text();
}

/** The body as JSON; no body at all is `undefined`. Never throws for what a client sends. */
export async function readBody(request: Request, bytesMax: number): Promise<BodyReading> {
  const text = await readText(request, bytesMax);
  if (text === null) return refused("is too large", `≤ ${bytesMax} bytes`);
  if (text === "") return NO_BODY;
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(type)) {
    return refused("is not JSON", "application/json", "Content-Type");
  }
  try {
    const body = parseJson(text);
    if (depthExceeds(body, DEPTH_MAX))
      return refused("is nested too deep", `≤ ${DEPTH_MAX} levels`);
    return { ok: true, body, bytes: text.length };
  } catch {
    return refused("is not well-formed JSON", "a JSON document");
  }
}

/** Text of a body without a declared length, or null once it is over the limit. */
async function readLimited(request: Request, bytesMax: number): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
