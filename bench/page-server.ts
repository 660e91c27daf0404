/** What pages cost the server, and what a first visit of one transfers. */
import type { Installation } from "./installation.ts";
import type { Figures } from "./load.ts";
import { measure, type Run } from "./measure.ts";
import { nextAddress, type PageVisit } from "./page-visits.ts";

const WARMUP = 30;
const REQUESTS = 100;

/** The latency that a share of the answers did not exceed. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * share) / 100) - 1)]!;
}

/** Asks for a page again and again, one request after the other, each to its last byte. */
export async function measurePage(copy: Installation, visit: PageVisit): Promise<Run> {
  const one = () => readPage(copy, visit);
  for (let i = 0; i < WARMUP; i += 1) await one();
  return measure(copy, async (onMeasuring): Promise<Figures> => {
    onMeasuring();
    const before = process.cpuUsage();
    const startMs = performance.now();
    const tookMs: number[] = [];
    for (let i = 0; i < REQUESTS; i += 1) {
      const fromMs = performance.now();
      await one();
      tookMs.push(performance.now() - fromMs);
    }
    const seconds = (performance.now() - startMs) / 1000;
    const { user, system } = process.cpuUsage(before);
    const sorted = tookMs.toSorted((a, b) => a - b);
    return {
      ...{ answers: REQUESTS, requestsPerSecond: REQUESTS / seconds, errors: 0 },
      ...{ p50Ms: percentile(sorted, 50), p90Ms: percentile(sorted, 90) },
      ...{ p99Ms: percentile(sorted, 99), p999Ms: percentile(sorted, 99.9) },
      statusCounts: { "200": REQUESTS },
      generatorCpuMicros: (user + system) / REQUESTS,
    };
  });
}

/** Its bytes as they are sent. Throws for any status but 200. */
async function readPage({ baseUrl }: Installation, visit: PageVisit): Promise<Uint8Array> {
  return transferred(new URL(visit.path, baseUrl), visit.headers);
}

async function transferred(
  url: URL,
  headers: Readonly<Record<string, string>>,
): Promise<Uint8Array> {
  const response = await fetch(url, {
    headers: {
      ...headers,
      ...{ "accept-encoding": "gzip", accept: "text/html,*/*", "x-forwarded-for": nextAddress() },
    },
    decompress: false,
    redirect: "manual",
  });
  const bytes = await response.bytes();
  if (response.status !== 200) throw new Error(`${url} was answered ${response.status}`);
  return bytes;
}

export interface Weight {
  /** Compressed, of the page and everything that it loads from here. */
  readonly kilobytes: number;
  /** The stream of a live page is one of them. */
  readonly requests: number;
}

const ASSET = /<(?:link|script|img)\b[^>]*\b(?:href|src)="([^"]+)"[^>]*>/g;

/** Addresses that a browser loads with a page, each once: styles, scripts, pictures, icons. */
export function assetsOf(html: string): string[] {
  const found = [...html.matchAll(ASSET)].filter(([tag]) => {
    return !tag.startsWith("<link") || /\brel="(?:stylesheet|icon|preload)"/.test(tag);
  });
  return [...new Set(found.map(([, address]) => address!.replaceAll("&amp;", "&")))];
}

/** What a browser with an empty cache transfers. */
export async function weigh(copy: Installation, visit: PageVisit): Promise<Weight> {
  const page = await readPage(copy, visit);
  const html = new TextDecoder().decode(isGzip(page) ? Bun.gunzipSync(page.slice()) : page);
  const own = assetsOf(html)
    .map((address) => new URL(address, copy.baseUrl))
    .filter(({ origin, protocol }) => origin === copy.baseUrl && protocol === "http:");
  const sizes = await Promise.all(own.map(async (url) => (await transferred(url, {})).length));
  const bytes = sizes.reduce((sum, size) => sum + size, page.length);
  const isLive = html.includes("data-live=");
  return { kilobytes: bytes / 1000, requests: 1 + own.length + (isLive ? 1 : 0) };
}

function isGzip([first, second]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b;
}
