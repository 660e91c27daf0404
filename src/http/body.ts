/** Reads a request body within its limit, whatever `Content-Length` claims. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { parseJson } from "../lib/json.ts";
import { depthExceeds, type FieldError } from "./validate.ts";

/** 64 KiB unless a route says otherwise. */
export const BODY_BYTES_MAX = 65_536;
const DEPTH_MAX = 32;

/** The body ended early: the client disconnected or sent invalid HTTP. */
export class BrokenOff extends Error {
  override readonly name = "BrokenOff";
}

export type BodyReading =
  | { readonly ok: true; readonly body: unknown; readonly bytes: number }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

export type TextReading =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly fault: FieldError };

const NO_BODY: BodyReading = { ok: true, body: undefined, bytes: 0 };
const NO_TEXT: TextReading = { ok: true, text: "" };
const UTF8 = new TextDecoder("utf-8", { fatal: true });

function refused(message: string, expected: string, path = ""): BodyReading {
  return { ok: false, errors: [{ path, message, expected }] };
}

/** The error of an encoded body; null for an unencoded one. */
export function encodingFault({ headers }: Request): FieldError | null {
  const encoding = headers.get("content-encoding");
  if (encoding === null || encoding.trim().toLowerCase() === "identity") return null;
  return { path: "Content-Encoding", message: "is not supported", expected: "no encoding" };
}

/**
 * The body as text, empty when there is none.
 *
 * @throws BrokenOff when it is incomplete.
 */
export async function readText(request: Request, bytesMax: number): Promise<TextReading> {
  return toldByHead(request) ?? textOf(await readBytes(request, bytesMax), bytesMax);
}

/** The result known before reading: no body, or a refusal. */
function toldByHead(request: Request): TextReading | null {
  const declared = request.headers.get("content-length");
  if (declared === "0" || (declared === null && request.body === null)) return NO_TEXT;
  const fault = encodingFault(request);
  return fault && { ok: false, fault };
}

function textOf(bytes: Uint8Array | null, bytesMax: number): TextReading {
  if (bytes === null) {
    const expected = `≤ ${bytesMax} bytes`;
    return { ok: false, fault: { path: "", message: "is too large", expected } };
  }
  try {
    return { ok: true, text: UTF8.decode(bytes) };
  } catch {
    return { ok: false, fault: { path: "", message: "is not UTF-8", expected: "UTF-8" } };
  }
}

/**
 * The body as JSON; `undefined` without a body. Throws only `BrokenOff`. A large body takes
 * milliseconds to receive, parse and check, so it yields to other requests in between.
 */
export async function readBody(request: Request, bytesMax: number): Promise<BodyReading> {
  // Like `readText`, without an additional await on this hot path.
  const received = toldByHead(request) ?? textOf(await readBytes(request, bytesMax), bytesMax);
  if (!received.ok) return { ok: false, errors: [received.fault] };
  const { text } = received;
  if (text === "") return NO_BODY;
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(type)) {
    return refused("is not JSON", "application/json", "Content-Type");
  }
  const isLarge = text.length > BODY_BYTES_MAX;
  if (isLarge) await nextTurn();
  const reading = parsed(text);
  if (isLarge) await nextTurn();
  return reading;
}

function parsed(text: string): BodyReading {
  try {
    const body = parseJson(text);
    if (depthExceeds(body, DEPTH_MAX))
      return refused("is nested too deep", `≤ ${DEPTH_MAX} levels`);
    return { ok: true, body, bytes: text.length };
  } catch {
    return refused("is not well-formed JSON", "a JSON document");
  }
}

/** The body's bytes, or null when they are over the limit. */
function readBytes(request: Request, bytesMax: number): Promise<Uint8Array | null> {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > bytesMax) return Promise.resolve(null);
  const reading = declared === null ? readLimited(request, bytesMax) : request.bytes();
  return reading.catch(breakOff);
}

function breakOff(cause: unknown): never {
  throw new BrokenOff("the body broke off", { cause });
}

/** Bytes of a body without a declared length, or null once they are over the limit. */
async function readLimited(request: Request, bytesMax: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
