/** Guides: Markdown files of a closed list. */
import { fileURLToPath } from "node:url";
import { servedPictures } from "./pictures.ts";

/** The guides, by the names of their files in `guides/`. */
export const GUIDE_NAMES = [
  "quick-start",
  "concepts",
  "agents",
  "advisor",
  "mcp",
  "delegation",
  "checkout",
  "guests",
  "simulating-errors",
  "integrators",
  "channel-managers",
  "desk",
  "console",
  "key-figures",
  "webhooks",
  "following-events",
  "partner-feeds",
  "operators",
  "stripe",
  "configuration",
  "backups",
  "several-machines",
  "from-an-empty-rack",
  "load-testing",
  "internals",
  "engine",
  "adding-things",
] as const;

export type GuideName = (typeof GUIDE_NAMES)[number];

export interface Guide {
  readonly name: GuideName;
  /** Its first heading. */
  readonly title: string;
  /** Its first paragraph. */
  readonly lead: string;
  readonly markdown: string;
}

/** Paths of guides outside `guides/`. */
const ELSEWHERE: Partial<Record<GuideName, string>> = { engine: "../../../engine/README.md" };

const loaded = new Map<GuideName, Guide>();

/** True for the names of the list. */
export function isGuide(name: string): name is GuideName {
  return (GUIDE_NAMES as readonly string[]).includes(name);
}

/** The file that a guide is made of. */
export function guidePath(name: GuideName): string {
  return fileURLToPath(import.meta.resolve(ELSEWHERE[name] ?? `./guides/${name}.md`));
}

/**
 * Guides link to files for readers of the repository; the service links to guides instead. Files
 * that are not served are named without a link.
 */
function served(markdown: string): string {
  return servedPictures(markdown).replace(
    /\[([^\]]+)\]\((?![a-z]+:|[/#])([^)#]+)(#[^)]*)?\)/g,
    (_, text: string, path: string, anchor = "") => {
      const name = path === "../../../../engine/README.md" ? "engine" : path.replace(/\.md$/, "");
      return isGuide(name) ? `[${text}](/docs/guides/${name}${anchor})` : text;
    },
  );
}

/** The address in guides, which fits a demo. */
const WRITTEN_FOR = "http://localhost:3000";

/** The guide with the address of this installation. */
export function addressed(found: Guide, baseUrl: string): Guide {
  return { ...found, markdown: found.markdown.replaceAll(WRITTEN_FOR, baseUrl) };
}

/** A guide of the list; read once. */
export async function guide(name: GuideName): Promise<Guide> {
  const known = loaded.get(name);
  if (known) return known;
  const markdown = served(await Bun.file(guidePath(name)).text());
  const [heading = "", first = ""] = markdown.split("\n\n");
  const title = heading.replace(/^# /, "");
  const found = { name, title, lead: first.trim().replaceAll("\n", " "), markdown };
  loaded.set(name, found);
  return found;
}
