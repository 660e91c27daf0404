/**
 * Goal: the tests detect bugs. Method: each seeded bug is put into a copy of the tree, where its
 * test must fail by name: a file that does not load, or another failing test, proves nothing. First
 * all of these tests must pass in a copy without a bug.
 *
 * `MUTANT=TEXT` runs the bugs with this text in their name or in the path of their test.
 */
import { afterAll, expect, test } from "bun:test";
import { TreeCopy } from "../support/tree-copy.ts";
import { type Mutant, SEEDED } from "./all.ts";
import { fileOf, mutated } from "./mutate.ts";

/** More than cores: most killers wait for timers and other processes. */
const SLOTS = 4;
const RUN_MS_MAX = 300_000;
/** Some bugs make their killer hang; a test that its bug makes fail does so within a second. */
const KILLER_LIMIT_MS = 20_000;
/** Waiting for a place in a slot counts too. */
const WAIT_MS_MAX = 1_800_000;

const only = process.env.MUTANT ?? "";
const MUTANTS = SEEDED.filter(({ name, killer }) => `${name} ${killer}`.includes(only));
// Without a file Bun would run every test of the tree.
if (MUTANTS.length === 0) throw new Error(`MUTANT=${only}: no seeded bug has that text`);

interface Work {
  readonly run: (copy: TreeCopy) => Promise<void>;
}

/** Each slot has a copy of its own and takes the next piece of work when it is free. */
const waiting: Work[] = [];
const copies = Array.from({ length: SLOTS }, () => new TreeCopy());

function whenFree<T>(run: (copy: TreeCopy) => Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  waiting.push({ run: (copy) => run(copy).then(resolve, reject) });
  // It is awaited later; until then a rejection must not count as unhandled.
  promise.catch(() => {});
  return promise;
}

async function serve(copy: TreeCopy): Promise<void> {
  for (let work = waiting.shift(); work; work = waiting.shift()) await work.run(copy);
}

function asPattern(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function bunTest(
  copy: TreeCopy,
  files: readonly string[],
  names: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const paths = [...new Set(files)].map((file) => `./${file}`);
  const pattern = [...new Set(names)].map(asPattern).join("|");
  const command = [process.execPath, "test", ...paths, "-t", pattern];
  return copy.run(command, RUN_MS_MAX, env);
}

/** What the named test came to with the bug, and how the run ended. */
async function runMutant(copy: TreeCopy, mutant: Mutant) {
  const undo = copy.rewrite(fileOf(mutant), (source) => mutated(source, mutant));
  try {
    const env = { TEST_LIMIT_MS: String(KILLER_LIMIT_MS) };
    return await bunTest(copy, [mutant.killer], [mutant.test], env);
  } finally {
    undo();
  }
}

const sound = whenFree((copy) => {
  const files = MUTANTS.map(({ killer }) => killer);
  return bunTest(
    copy,
    files,
    MUTANTS.map((mutant) => mutant.test),
  );
});
const runs = MUTANTS.map((mutant) => whenFree((copy) => runMutant(copy, mutant)));
const served = Promise.all(copies.map(serve));

afterAll(async () => {
  await served;
  for (const copy of copies) copy.remove();
});

test(
  "without a bug every named test is there and passes",
  async () => {
    const { exitCode, output } = await sound;
    expect(`${exitCode}: ${exitCode === 0 ? "" : output.slice(-4_000)}`).toBe("0: ");
    const missing = MUTANTS.filter((mutant) => {
      const pattern = new RegExp(`^\\(pass\\) .*${asPattern(mutant.test)}`, "m");
      return !pattern.test(output);
    });
    expect(missing.map(({ name }) => name)).toEqual([]);
  },
  WAIT_MS_MAX,
);

for (const [i, mutant] of MUTANTS.entries()) {
  test(
    `caught: ${mutant.name}`,
    async () => {
      const { output } = await runs[i]!;
      const pattern = new RegExp(`^\\(fail\\) .*${asPattern(mutant.test)}`, "m");
      const isCaught = pattern.test(output);
      expect(isCaught ? "caught" : `missed by ${mutant.killer}:\n${output}`).toBe("caught");
    },
    WAIT_MS_MAX,
  );
}
