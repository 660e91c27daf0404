/**
 * The assets of pages: a closed list, all served from here. Addresses have a content hash, so
 * caches may keep them.
 *
 * `scalar.js.gz` is `dist/browser/standalone.js` of the npm package `@scalar/api-reference` at
 * 1.72.1, byte for byte (MIT, `scalar.license.txt`), compressed by `gzip -9n`. It is committed
 * because the package would bring 271 others and 287 MB that this one file does not use.
 */
import { fileURLToPath } from "node:url";

const JS = "text/javascript; charset=utf-8";
const CSS = "text/css; charset=utf-8";

interface Source {
  readonly type: string;
  /** More than one are sent as one, in this order: a visit has fewer requests. */
  readonly at: string | readonly string[];
  readonly isGzip?: boolean;
}

/** Between two files: the last statement of a script may lack its semicolon. */
const JOINTS: Readonly<Record<string, string>> = { [JS]: "\n;\n", [CSS]: "\n" };

const FILES = {
  "console.css": { type: CSS, at: ["./assets/pages.css", "./assets/console.css"] },
  "console.js": {
    type: JS,
    at: ["idiomorph/dist/idiomorph.min.js", "./assets/console.js", "./assets/calendar.js"],
  },
  "copy.js": { type: JS, at: "./assets/copy.js" },
  "enter.js": { type: JS, at: "./assets/enter.js" },
  "passkey.js": { type: JS, at: "./assets/passkey.js" },
  "pages.css": { type: CSS, at: "./assets/pages.css" },
  "reference.css": { type: CSS, at: "./assets/reference.css" },
  "reference.js": { type: JS, at: "./assets/reference.js" },
  "scalar.js": { type: JS, at: "./assets/scalar.js.gz", isGzip: true },
} as const satisfies Record<string, Source>;

export type AssetName = keyof typeof FILES;

/** Seconds; changed files get new addresses. */
export const ASSET_MAX_AGE_S = 31_536_000;

export interface Asset {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
  /** The bytes are compressed. */
  readonly isGzip: boolean;
}

const loaded = new Map<AssetName, Asset>();

/** True for the names of the list. */
export function isAsset(name: string): name is AssetName {
  return Object.hasOwn(FILES, name);
}

/** A file of the list; read once. */
export async function asset(name: AssetName): Promise<Asset> {
  const known = loaded.get(name);
  if (known) return known;
  const { type, at, isGzip = false }: Source = FILES[name];
  const found = { bytes: await bytesOf([at].flat(), JOINTS[type]), type, isGzip };
  loaded.set(name, found);
  return found;
}

async function bytesOf(sources: readonly string[], joint = ""): Promise<Asset["bytes"]> {
  const files = sources.map((at) => Bun.file(fileURLToPath(import.meta.resolve(at))));
  const [first, ...others] = files;
  if (others.length === 0) return first!.bytes();
  const texts = await Promise.all(files.map((file) => file.text()));
  return new TextEncoder().encode(texts.join(joint));
}

/** Address of a file; `root` is from `rootPath`. */
export async function assetUrl(name: AssetName, root: string): Promise<string> {
  const { bytes } = await asset(name);
  return `${root}/docs/assets/${name}?v=${Bun.hash(bytes).toString(36)}`;
}

export const COPY_POLICY = "script-src 'self'";
