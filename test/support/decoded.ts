/** What a client makes of a body that came compressed. */
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";

const DECODERS = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
  identity: (bytes: Uint8Array) => bytes,
} as const;

/** The text of a body in this coding. Throws when it is none. */
export function decoded(bytes: Uint8Array, coding: string | null): string {
  const decode = DECODERS[(coding ?? "identity") as keyof typeof DECODERS];
  return new TextDecoder("utf-8", { fatal: true }).decode(decode(bytes));
}
