/**
 * Goal: an engine that was stopped, replaced and woken again has no effect. Method: a real process,
 * SIGSTOP, a second engine on the same file, SIGCONT.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { stateHash } from "../../engine/log/snapshot.ts";
import { placeHold } from "./commands.ts";
import { Random } from "./random.ts";
import { recordsHash } from "./recording.ts";
import { Scratch, World } from "./world.ts";

const ROUNDS = 3;

test("a woken engine is fenced by its first commit: no row, no record, no answer", async () => {
  for (let seed = 1; seed <= ROUNDS; seed += 1) {
    using scratch = new Scratch();
    const child = Bun.spawn(
      [process.execPath, join(import.meta.dir, "zombie.ts"), scratch.path, String(seed)],
      {
        stdin: "pipe",
        stdout: "pipe",
        stderr: "inherit",
      },
    );
    const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    const next = async () => ((await lines.read()).value ?? "").trim();
    const work = () => {
      child.stdin.write("\n");
      child.stdin.flush();
    };
    expect(await next()).toBe("ready");
    work();
    expect(await next()).toStartWith("row ");
    child.kill("SIGSTOP");
    using successor = new World(scratch.path);
    const random = new Random(seed + 100);
    successor.ask(placeHold(random, successor.time.wallMs()));
    const before = {
      head: successor.journal.head,
      records: recordsHash(successor.journal.db, true),
    };
    work();
    child.kill("SIGCONT");
    expect(await next()).toMatch(/^fenced Fenced: .* 0$/);
    expect(await child.exited).toBe(76);
    expect(recordsHash(successor.journal.db, true)).toBe(before.records);
    expect(successor.ask(placeHold(random, successor.time.wallMs()))).toHaveLength(1);
    expect(successor.journal.head.row).toBe(before.head.row + 1);
    using restarted = new World(scratch.path);
    expect(stateHash(restarted.engine.state)).toBe(stateHash(successor.engine.state));
  }
});
