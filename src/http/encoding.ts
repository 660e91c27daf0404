/** Content codings of answers. */
import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants, gzip } from "node:zlib";

export type Coding = "br" | "gzip" | "zstd";

type Bytes = Uint8Array<ArrayBuffer>;

/** Maximum number of parsed codings. */
const CODINGS_MAX = 20;

/**
 * Our coding with the highest weight in `Accept-Encoding` (RFC 9110 §12.5.3); of equal weights the
 * first; identity only if its weight is higher.
 */
export function codingFor<C extends Coding>(
  header: string | null,
  ours: readonly C[],
): C | "identity" {
  if (header === null) return "identity";
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(",").slice(0, CODINGS_MAX)) {
    const [name = "", ...parameters] = part.split(";").map((each) => each.trim());
    const q = parameters.find((each) => each.startsWith("q="))?.slice(2);
    const weight = q === undefined ? 1 : Number.parseFloat(q);
    const known = name === "x-gzip" ? "gzip" : name;
    if (known !== "" && !weights.has(known)) weights.set(known, Number.isNaN(weight) ? 0 : weight);
  }
  const any = weights.get("*") ?? 0;
  const weightOf = (coding: C) => weights.get(coding) ?? any;
  const best = ours.reduce((a, b) => (weightOf(b) > weightOf(a) ? b : a));
  const isLiked = weightOf(best) > 0 && weightOf(best) >= (weights.get("identity") ?? 0);
  return isLiked ? best : "identity";
}

const inThread = { br: promisify(brotliCompress), gzip: promisify(gzip) };

function brotli(quality: number, text: string | Bytes) {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
  return { params: { [BROTLI_PARAM_QUALITY]: quality, [BROTLI_PARAM_SIZE_HINT]: text.length } };
}

/** Each at its quickest level; the smallest answers take microseconds. */
export function codedAtOnce(text: string, coding: Coding): Bytes {
  if (coding === "zstd") return Bun.zstdCompressSync(text, { level: 1 }) as Bytes;
  // zlib at this level leaves half as much again.
  if (coding === "gzip") return Bun.gzipSync(text, { level: 1, library: "libdeflate" });
  return brotliCompressSync(text, brotli(1, text)) as Bytes;
}

/** In another thread, while others have their turns. */
export async function codedInThread(
  text: string | Bytes,
  coding: Coding,
  level: 1 | 9,
): Promise<Bytes> {
  if (coding === "zstd") return (await Bun.zstdCompress(text, { level })) as Bytes;
  if (coding === "gzip") return (await inThread.gzip(text, { level })) as Bytes;
  return (await inThread.br(text, brotli(level, text))) as Bytes;
}
