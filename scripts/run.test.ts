/** Runs the commands under Node in a copy of the checkout whose Bun and npm are shell scripts. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { STAGES } from "../test/stages.ts";
import { sentence } from "../test/support/refused-sentence.ts";

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "innkeep-run-")));
  cpSync(import.meta.dir, join(root, "scripts"), { recursive: true });
  cpSync(join(import.meta.dir, "..", "package.json"), join(root, "package.json"));
  writeFileSync(join(root, "package-lock.json"), "{}");
});

afterEach(() => rmSync(root, { recursive: true }));

function writeProgram(path: string, script: string): void {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

/** A Bun that works and does `script` with its arguments. */
function bun(script: string): string {
  return `[ "$1" = --version ] && exit 0\n${script}`;
}

function install(script: string): void {
  writeProgram("node_modules/.bin/bun", bun(script));
  writeFileSync(join(root, "node_modules", ".package-lock.json"), "{}");
}

function spawn(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { DEMO: _, npm_lifecycle_event: __, ...inherited } = process.env;
  return Bun.spawn(["node", join(root, "scripts", "entry.cjs"), ...args], {
    env: { ...inherited, REDIS_URL: "redis://localhost", ...env },
    stderr: "pipe",
  });
}

/** What was read of a stream when the pattern was found; the rest is dropped. */
async function readUntil(stream: ReadableStream<Uint8Array>, pattern: RegExp): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    if (pattern.test(text)) break;
  }
  return text;
}

test("--help prints every command of package.json", async () => {
  const { scripts } = await Bun.file(join(import.meta.dir, "..", "package.json")).json();
  const child = spawn(["--help"]);
  const usage = await child.stdout.text();
  for (const name of Object.keys(scripts)) expect(usage).toContain(`\n  ${name} `);
  expect(await child.exited).toBe(0);
});

test("help prints the same, and start, test and check print their own help without packages", async () => {
  const [help, usage] = [spawn(["help"]), spawn(["--help"])];
  expect(await help.stdout.text()).toBe(await usage.stdout.text());
  for (const name of ["start", "test", "check"]) {
    const child = spawn([name, "--help"]);
    expect(await child.stdout.text()).toStartWith(
      `Usage: npm ${name === "check" ? "run " : ""}${name}`,
    );
    expect(await child.exited).toBe(0);
    expect(await spawn(["help", name]).stdout.text()).toBe(await spawn([name, "-h"]).stdout.text());
  }
});

test("the help of npm test lists the existing stages in their order", async () => {
  const help = await spawn(["test", "--help"]).stdout.text();
  const named = [...help.matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name!);
  expect(named).toEqual(STAGES.map(({ name }) => name));
});

test("an old Node can parse the entry script and is refused at once with 78", async () => {
  const entry = await Bun.file(join(import.meta.dir, "entry.cjs")).text();
  const { ModuleKind, ScriptTarget, transpile } = await import("typescript");
  const target = { target: ScriptTarget.ES2017, module: ModuleKind.ESNext };
  expect(transpile(entry, target)).toBe(
    transpile(entry, { ...target, target: ScriptTarget.ESNext }),
  );
  const old = `Object.defineProperty(process.versions, "node", { value: "12.22.12" });`;
  writeFileSync(join(root, "old.cjs"), old);
  const child = spawn(["start"], { NODE_OPTIONS: `--require ${join(root, "old.cjs")}` });
  const [told = ""] = (await child.stderr.text()).split("\n");
  expect(told).toMatch(sentence("old_node"));
  expect(told).toContain("Node 12.22.12 is too old, Innkeep needs Node 20 or later");
  expect(await child.exited).toBe(78);
});

test("an unreachable registry is reported within 15 s, with what to check", async () => {
  const startedMs = performance.now();
  const child = spawn(["test"], {
    // Nobody listens on the port of the discard service.
    npm_config_registry: "http://someone:secret@127.0.0.1:9/",
    npm_config_cache: join(root, "cache"),
  });
  const told = await child.stderr.text();
  expect(await child.exited).toBe(1);
  expect(performance.now() - startedMs).toBeLessThan(15_000);
  const trouble = "the package registry http://127.0.0.1:9/ cannot be reached (ECONNREFUSED)";
  expect(told).toStartWith(`set-up: ${trouble}`);
  expect(told.split("\n")[0]).toMatch(sentence("no_registry", "set-up: "));
  expect(told).toContain(`\npackages are missing, and ${trouble}. Check\n  - the network`);
  for (const what of ["HTTPS_PROXY", "npm config set registry URL", "npm's cache"]) {
    expect(told).toContain(what);
  }
  expect(told).not.toContain("secret");
});

test("an unknown command prints the usage to stderr and fails", async () => {
  const child = spawn(["toString"]);
  expect(await child.stderr.text()).toStartWith("Usage:");
  expect(await child.exited).toBe(2);
});

test("a command runs in the repository with its arguments and exits with its code", async () => {
  install('echo "$PWD $*"; exit 7');
  const child = spawn(["mint-delegation", "--sub", "a traveler"]);
  expect(await child.stdout.text()).toBe(
    `${root} src/ops/main.ts mint-delegation --sub a traveler\n`,
  );
  expect(await child.exited).toBe(7);
});

test("start loads demo data unless it is turned off", async () => {
  install('echo "$* $DEMO"');
  expect(await spawn(["start"]).stdout.text()).toBe("src/main.ts all 1\n");
  expect(await spawn(["start"], { DEMO: "0" }).stdout.text()).toBe("src/main.ts all 0\n");
});

test("a signal reaches the command, whose own exit code counts", async () => {
  install("trap 'exit 5' TERM; echo ready; while :; do sleep 0.01; done");
  const child = spawn(["start"]);
  await child.stdout.getReader().read();
  child.kill("SIGTERM");
  expect(await child.exited).toBe(5);
});

test("the command ends when the npm that started it is gone", async () => {
  install("trap 'exit 0' TERM; echo ready; while :; do sleep 0.01; done");
  const run = `node ${join(root, "scripts", "entry.cjs")} start`;
  const shell = Bun.spawn(["sh", "-c", `${run}; exit 0`], {
    env: { ...process.env, REDIS_URL: "redis://localhost", npm_lifecycle_event: "start" },
  });
  const output = shell.stdout.getReader();
  await output.read();
  shell.kill("SIGKILL");
  // The pipe closes when the last process that can write to it has ended.
  expect((await output.read()).done).toBe(true);
});

/** An npm that installs a Bun which prints "started", after `first`. */
function fakeNpm(first = ":"): Readonly<Record<string, string>> {
  const program = bun("echo started").replaceAll('"', '\\"').replaceAll("$", "\\$");
  writeProgram(
    "fake/npm",
    `echo "npm $*"; [ "$1" = ci ] || exit 0
     ${first}
     mkdir -p node_modules/.bin; touch node_modules/.package-lock.json
     printf "#!/bin/sh\\n${program}\\n" > node_modules/.bin/bun; chmod +x node_modules/.bin/bun`,
  );
  return { PATH: `${join(root, "fake")}:${process.env.PATH}` };
}

/** The same, which installs when the gate opens. */
function gatedNpm(): Readonly<Record<string, string>> {
  expect(Bun.spawnSync(["mkfifo", join(root, "gate")]).exitCode).toBe(0);
  return fakeNpm("read line < gate");
}

/** Waits until an installation stands at the gate. */
async function openGate(): Promise<void> {
  expect(await Bun.spawn(["sh", "-c", "echo go > gate"], { cwd: root }).exited).toBe(0);
}

test("missing packages are installed first, with their output on stderr", async () => {
  const child = spawn(["start"], fakeNpm());
  expect(await child.stdout.text()).toBe("started\n");
  expect(await child.stderr.text()).toContain("npm ci --include=dev");
});

test("of commands started at once one installs, and the others wait for it", async () => {
  const env = gatedNpm();
  const children = [spawn(["start"], env), spawn(["start"], env)];
  const errors = children.map((child) =>
    readUntil(child.stderr, /waiting: another command|npm ci --include/),
  );
  await Promise.all(errors);
  await openGate();
  for (const child of children) expect(await child.stdout.text()).toBe("started\n");
  expect((await Promise.all(errors)).join("").match(/npm ci --include/g)).toHaveLength(1);
});

test("the lock of a killed installation is taken over", async () => {
  const env = gatedNpm();
  const killed = spawn(["start"], env);
  await readUntil(killed.stderr, /npm ci --include/);
  killed.kill("SIGKILL");
  await killed.exited;
  await openGate(); // ends the installation that it started
  expect(await spawn(["start"], fakeNpm()).stdout.text()).toBe("started\n");
});

test("a Bun left packed by its package manager is unpacked", async () => {
  writeProgram("node_modules/.bin/bun", "exit 1");
  writeFileSync(join(root, "node_modules", ".package-lock.json"), "{}");
  mkdirSync(join(root, "node_modules", "bun"));
  const unpack = `require("fs").writeFileSync("node_modules/.bin/bun", "#!/bin/sh\\necho started")`;
  writeFileSync(join(root, "node_modules", "bun", "install.js"), unpack);
  const child = spawn(["start"]);
  expect(await child.stdout.text()).toBe("started\n");
  expect(await child.stderr.text()).toContain("installing the Bun binary");
});

test("a failed installation ends the command", async () => {
  writeProgram("fake/npm", "exit 1");
  const child = spawn(["start"], { PATH: `${join(root, "fake")}:${process.env.PATH}` });
  expect(await child.stderr.text()).toContain("npm ci failed");
  expect(await child.exited).toBe(1);
});
