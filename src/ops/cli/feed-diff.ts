/** `feeds diff`: the differences between two documents. */
import { compareDocuments } from "../../../feeds/compare/compare.ts";
import { type ExitCode, UsageError } from "../../lib/command-line.ts";
import type { Session } from "./command.ts";
import { CommandFailed } from "./failures.ts";
import { comparedText } from "./feed-diff-views.ts";
import { readProgress } from "./feed-progress.ts";
import { feedSource } from "./feed-source.ts";
import { asJson } from "./terminal.ts";

/** Compares two documents; 1 when partners would reject the new one as shrunken. */
export async function runDiff(
  { terminal, signal }: Session,
  { first, json }: { readonly first: number; readonly json: boolean },
  [oldWord, newWord]: readonly string[],
): Promise<ExitCode> {
  if (oldWord === undefined || newWord === undefined) {
    throw new UsageError("expected two documents: OLD NEW");
  }
  // Both are opened first, so that an unreadable one fails before the other is read.
  const sources = await Promise.all([oldWord, newWord].map((word) => feedSource(word, signal)));
  const [old, now] = sources.map((source) => source.bytes(readProgress(terminal, source)));
  const compared = await compareDocuments(old!, now!, first);
  signal.throwIfAborted();
  if ("which" in compared) {
    const source = sources[compared.which === "old" ? 0 : 1]!;
    throw new CommandFailed(`${source.name}: ${compared.what}`);
  }
  const names = sources.map(({ name }) => name);
  terminal.out(json ? asJson(compared) : comparedText(names, compared));
  return compared.shrunken ? 1 : 0;
}
