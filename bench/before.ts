/** An earlier checkout of this project, which is run in turns with this one. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

/** The earlier one. */
export interface Before {
  readonly root: string;
  /** Short name of its commit; `unknown` outside a repository. */
  readonly commit: string;
}

/** What a checkout must have to be started: its program, and its packages. */
const NEEDED = ["src/main.ts", "package.json", "node_modules"] as const;

/** Reads the checkout in a directory; what it lacks, by name, when it cannot be started. */
export function readBefore(directory: string): Before | { readonly missing: readonly string[] } {
  const root = resolve(directory);
  const missing = NEEDED.filter((name) => !existsSync(join(root, name)));
  if (missing.length > 0) return { missing };
  const git = Bun.spawnSync(["git", "-C", root, "rev-parse", "--short", "HEAD"]);
  return { root, commit: git.success ? git.stdout.toString().trim() : "unknown" };
}
