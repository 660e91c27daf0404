/** Sources of a feed document: a file, an address, or stdin. */
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { addAbortSignal, pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { CommandFailed } from "./failures.ts";

export interface FeedSource {
  /** For output: an address without its password. */
  readonly name: string;
  /** Number of bytes to read; null when unknown. */
  readonly size: number | null;
  /** The decompressed document; calls `onRead` with byte counts before decompression. Call once. */
  bytes(onRead: (count: number) => void): AsyncIterable<Uint8Array>;
}

export const SOURCE_HELP = "a file, gzipped or not, an http(s) address, or - for stdin";

const GZIP_MAGIC = "1f8b";

/** Opens a source of the command line. Throws a CommandFailed. */
export async function feedSource(word: string, signal: AbortSignal): Promise<FeedSource> {
  if (word === "-") return streamed("stdin", null, addAbortSignal(signal, process.stdin));
  return /^https?:\/\//i.test(word) ? await fetched(word, signal) : await filed(word, signal);
}

function streamed(name: string, size: number | null, stream: AsyncIterable<Uint8Array>) {
  return { name, size, bytes: (onRead: (count: number) => void) => counted(stream, onRead) };
}

async function* counted(stream: AsyncIterable<Uint8Array>, onRead: (count: number) => void) {
  for await (const chunk of stream) {
    onRead(chunk.length);
    yield chunk;
  }
}

async function filed(path: string, signal: AbortSignal): Promise<FeedSource> {
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) throw new CommandFailed(`no file ${path}`);
  const file = await open(path).catch((cause) => {
    throw new CommandFailed(`${path} cannot be read (${cause.code})`, { cause });
  });
  const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
  await file.close();
  const isGzip = bytesRead === 2 && buffer.toString("hex") === GZIP_MAGIC;
  const bytes = (onRead: (count: number) => void) => {
    const plain = counted(createReadStream(path, { signal }), onRead);
    return isGzip ? gunzipped(path, plain) : plain;
  };
  return { name: path, size: found.size, bytes };
}

async function* gunzipped(name: string, stream: AsyncIterable<Uint8Array>) {
  // An error of either stream ends both and is thrown here.
  const plain = pipeline(Readable.from(stream), createGunzip(), () => {});
  try {
    yield* plain as AsyncIterable<Uint8Array>;
  } catch (cause) {
    throw new CommandFailed(`${name}: the gzip data is damaged or incomplete`, { cause });
  }
}

async function fetched(address: string, signal: AbortSignal): Promise<FeedSource> {
  const url = URL.parse(address);
  if (url === null) throw new CommandFailed("invalid address");
  const authorization = basicOf(url);
  url.username = "";
  url.password = "";
  const headers = new Headers(authorization === null ? {} : { authorization });
  const leaving = new AbortController();
  const ending = AbortSignal.any([signal, leaving.signal]);
  let response: Response;
  try {
    // Like partners, without redirects.
    response = await fetch(url, { headers, signal: ending, redirect: "manual" });
  } catch (cause) {
    signal.throwIfAborted();
    throw new CommandFailed(`${url.href} cannot be reached`, { cause });
  }
  if (response.status !== 200 || response.body === null) {
    const why =
      response.status === 401 ? `: user:password ${authorization ? "refused" : "required"}` : "";
    throw new CommandFailed(`${url.href} answered ${response.status}, not 200${why}`);
  }
  const length = Number(response.headers.get("content-length") ?? Number.NaN);
  const isPlain = response.headers.get("content-encoding") === null && length > 0;
  return streamed(url.href, isPlain ? length : null, broughtIn(url.href, response.body, leaving));
}

/** `user:password@` of an address as a header; null without it. */
function basicOf({ username, password }: URL): string | null {
  if (username === "") return null;
  try {
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return `Basic ${Buffer.from(credentials).toString("base64")}`;
  } catch (cause) {
    const expected = "user and password of the address must be percent-encoded (% as %25)";
    throw new CommandFailed(expected, { cause });
  }
}

/** Aborts the request when the reader stops: otherwise the server would send the rest. */
async function* broughtIn(name: string, body: AsyncIterable<Uint8Array>, leaving: AbortController) {
  try {
    yield* body;
  } catch (cause) {
    throw new CommandFailed(`${name}: the answer is incomplete`, { cause });
  } finally {
    leaving.abort();
  }
}
