/**
 * The files that pages load: a closed list, all served from here, nothing from elsewhere. Addresses
 * carry a hash of the content, so caches may keep them.
 */
import { fileURLToPath } from "node:url";

const JS = "text/javascript; charset=utf-8";
const CSS = "text/css; charset=utf-8";

const FILES = {
  "pages.css": { type: CSS, at: "./assets/pages.css" },
  "reference.css": { type: CSS, at: "./assets/reference.css" },
  "reference.js": { type: JS, at: "./assets/reference.js" },
  "swagger-ui.css": { type: CSS, at: "swagger-ui-dist/swagger-ui.css" },
  "swagger-ui-bundle.js": { type: JS, at: "swagger-ui-dist/swagger-ui-bundle.js" },
} as const;

export type AssetName = keyof typeof FILES;

/** Seconds. A changed file has another address. */
export const ASSET_MAX_AGE_S = 31_536_000;

export interface Asset {
  readonly content: string;
  readonly type: string;
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
  const { type, at } = FILES[name];
  const path = fileURLToPath(import.meta.resolve(at));
  const found = { content: await Bun.file(path).text(), type };
  loaded.set(name, found);
  return found;
}

/** Address of a file; `root` as `rootPath` gives it. */
export async function assetUrl(name: AssetName, root: string): Promise<string> {
  const { content } = await asset(name);
  return `${root}/docs/assets/${name}?v=${Bun.hash(content).toString(36)}`;
}
