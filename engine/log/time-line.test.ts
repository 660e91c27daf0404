/** Goal: every process reads the engine's time, and never a time before a stamp it has seen. */
import { afterAll, expect, test } from "bun:test";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EngineClock } from "./clock.ts";
import { SYSTEM_TIME } from "./system-time.ts";
import { EngineTime, TimeLineFile, timePath } from "./time-line.ts";

const START_MS = 1_768_478_400_000;
const folder = mkdtempSync(join(tmpdir(), "time-line-"));
afterAll(() => rmSync(folder, { recursive: true }));

let made = 0;
/** A new journal path, and clocks that the test moves. */
function place() {
  made += 1;
  const path = join(folder, `${made}.db`);
  const at = { wall: START_MS, monotonic: 1_000.25 };
  const source = { wallMs: () => at.wall, monotonicMs: () => at.monotonic };
  return { path, at, source };
}

test("a reader agrees with the engine to the millisecond, however the wall clock jumps", async () => {
  const { path, at, source } = place();
  const file = new TimeLineFile(path);
  const clock = new EngineClock(source, { lastStampMs: 0, publish: file.publish });
  const time = new EngineTime(path, source);
  await time.start();
  for (let i = 1; i < 3_000; i += 1) {
    at.wall += i % 500 === 0 ? ((i * 7_919) % 9_999_991) * 1_000 - 5e9 : 0;
    const passedMs = ((i * 31) % 97) / 7;
    at.wall += passedMs;
    at.monotonic += passedMs;
    if (i % 5 === 0) clock.steer();
    const stamp = clock.now();
    expect(time.now()).toBe(stamp);
  }
  time.stop();
  file.stop();
});

test("a reader never sees a time before a stamp, while another process adjusts the engine's clock", async () => {
  const { path } = place();
  const program = `
    import { EngineClock } from "${import.meta.dir}/clock.ts";
    import { SYSTEM_TIME } from "${import.meta.dir}/system-time.ts";
    import { TimeLineFile } from "${import.meta.dir}/time-line.ts";
    const file = new TimeLineFile("${path}");
    let shift = 0;
    const source = { ...SYSTEM_TIME, wallMs: () => SYSTEM_TIME.wallMs() + shift };
    const clock = new EngineClock(source, { lastStampMs: 0, publish: file.publish });
    for (let i = 0; i < 2_000; i += 1) {
      shift = ((i * 7919) % 20_011) - 10_000;
      clock.steer();
      process.stdout.write(clock.now() + "\\n");
      if (i % 20 === 0) await Bun.sleep(1);
    }`;
  const engine = Bun.spawn([process.execPath, "-e", program], { stdout: "pipe" });
  const time = new EngineTime(path);
  await time.start();
  let rest = "";
  let stamps = 0;
  for await (const chunk of engine.stdout) {
    const lines = (rest + Buffer.from(chunk).toString()).split("\n");
    rest = lines.pop()!;
    const now = time.now();
    for (const line of lines) expect(Number(line)).toBeLessThanOrEqual(now);
    stamps += lines.length;
  }
  expect([stamps, await engine.exited]).toEqual([2_000, 0]);
  time.stop();
});

test("a crashed engine's line is continued, an orderly ended one's is not", () => {
  const { path } = place();
  const crashed = new TimeLineFile(path);
  expect(crashed.former).toBeNull();
  crashed.publish({ monotonicMs: 7, engineMs: 1_234.5, slewMs: -3 });
  const next = new TimeLineFile(path);
  expect(next.former).toMatchObject({ monotonicMs: 7, engineMs: 1_234.5, slewMs: -3 });
  next.publish({ monotonicMs: 8, engineMs: 1_235.5, slewMs: 0 });
  next.stop();
  expect(new TimeLineFile(path).former).toBeNull();
});

test("a line of another boot is ignored", async () => {
  const { path, source } = place();
  new TimeLineFile(path).publish({ monotonicMs: 1, engineMs: 2, slewMs: 0 });
  const [boot = ""] = readFileSync(timePath(path), "utf8").split(" ");
  const text = readFileSync(timePath(path), "utf8")
    .trimEnd()
    .replace(/ \w{8}$/, "");
  const other = text.replace(boot, "0".repeat(boot.length));
  const crc = Bun.hash.crc32(other).toString(16).padStart(8, "0");
  const fd = openSync(timePath(path), "r+");
  writeSync(fd, `${other} ${crc}`.padEnd(191), 0);
  closeSync(fd);
  expect(new TimeLineFile(path).former).toBeNull();
  expect(() => new EngineTime(path, source).now()).toThrow("not known yet");
});

test("an overtaken engine publishes no more and does not end its successor's line", () => {
  const { path } = place();
  const zombie = new TimeLineFile(path);
  zombie.publish({ monotonicMs: 1, engineMs: 100, slewMs: 0 });
  const next = new TimeLineFile(path);
  next.publish({ monotonicMs: 1, engineMs: 5_000, slewMs: 0 });
  zombie.publish({ monotonicMs: 2, engineMs: 101, slewMs: 0 });
  zombie.stop();
  expect(new TimeLineFile(path).former).toMatchObject({ engineMs: 5_000 });
});

test("a torn line is ignored, and the last one continues", async () => {
  const { path, at, source } = place();
  const file = new TimeLineFile(path);
  file.publish({ monotonicMs: at.monotonic, engineMs: START_MS, slewMs: 0 });
  const time = new EngineTime(path, source);
  await time.start();
  const fd = openSync(timePath(path), "r+");
  writeSync(fd, "half", 40);
  closeSync(fd);
  at.monotonic += 1_500;
  expect(time.now()).toBe(START_MS + 1_500);
});

test("the monotonic clock is the same for all processes", async () => {
  const program = `
    import { SYSTEM_TIME } from "${import.meta.dir}/system-time.ts";
    console.log(SYSTEM_TIME.monotonicMs());`;
  const before = SYSTEM_TIME.monotonicMs();
  const other = Bun.spawn([process.execPath, "-e", program], { stdout: "pipe" });
  const between = Number(await other.stdout.text());
  expect(between).toBeWithin(before, SYSTEM_TIME.monotonicMs() + 1e-6);
});
