/** `feeds diff`: the differences between two documents. */
import { type Compared, compareDocuments } from "../../../feeds/compare/compare.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import type { ExitCode, Session } from "./command.ts";
import { CommandFailed } from "./failures.ts";
import { comparedText } from "./feed-diff-views.ts";
import { readProgress } from "./feed-progress.ts";
import { feedSource } from "./feed-source.ts";

/** Number of changes shown in full. */
export const FIRST = 20;
const FIRST_MAX = 10_000;

/** Compares two documents; 1 when partners would reject the new one as shrunken. */
export async function runDiff(session: Session, args: Arguments): Promise<ExitCode> {
  const { terminal, signal } = session;
  const [oldWord, newWord] = args.operands();
  if (oldWord === undefined || newWord === undefined) {
    throw new UsageError("expected two documents: OLD NEW");
  }
  const first = args.count("first", FIRST_MAX) ?? FIRST;
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
  terminal.out(args.isSet("json") ? jsonOf(compared) : comparedText(names, compared));
  return compared.shrunken ? 1 : 0;
}

const jsonOf = (compared: Compared) => `${JSON.stringify(compared, null, 2)}\n`;
