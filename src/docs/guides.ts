/** Guides: Markdown files of a closed list. */
import { fileURLToPath } from "node:url";

/** The guides, by the names of their files in `guides/`. */
export const GUIDE_NAMES = [
  "webhooks",
  "following-events",
  "partner-feeds",
  "simulating-errors",
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

const loaded = new Map<GuideName, Guide>();

/** True for the names of the list. */
export function isGuide(name: string): name is GuideName {
  return (GUIDE_NAMES as readonly string[]).includes(name);
}

/** A guide of the list; read once. */
export async function guide(name: GuideName): Promise<Guide> {
  const known = loaded.get(name);
  if (known) return known;
  const path = fileURLToPath(import.meta.resolve(`./guides/${name}.md`));
  const markdown = await Bun.file(path).text();
  const [heading = "", first = ""] = markdown.split("\n\n");
  const title = heading.replace(/^# /, "");
  const found = { name, title, lead: first.trim().replaceAll("\n", " "), markdown };
  loaded.set(name, found);
  return found;
}
