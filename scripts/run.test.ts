/** Runs the commands under Node in a copy of the checkout whose Bun and npm are shell scripts. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "innkeep-run-")));
  cpSync(import.meta.dir, join(root, "scripts"), { recursive: true });
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
  return Bun.spawn(["node", join(root, "scripts", "run.mjs"), ...args], {
    env: { ...inherited, REDIS_URL: "redis://localhost", ...env },
    stderr: "pipe",
  });
}

test("--help prints every command of package.json", async () => {
  const { scripts } = await Bun.file(join(import.meta.dir, "..", "package.json")).json();
  const child = spawn(["--help"]);
  const usage = await child.stdout.text();
  for (const name of Object.keys(scripts)) expect(usage).toContain(`\n  ${name} `);
  expect(await child.exited).toBe(0);
});

test("an unknown command prints the usage to stderr and fails", async () => {
  const child = spawn(["toString"]);
  expect(await child.stderr.text()).toStartWith("usage:");
  expect(await child.exited).toBe(2);
});

test("a command runs in the repository with its arguments and ends with its code", async () => {
  install('echo "$PWD $*"; exit 7');
  const child = spawn(["mint-delegation", "--sub", "a traveler"]);
  expect(await child.stdout.text()).toBe(`${root} src/demo/mint-delegation.ts --sub a traveler\n`);
  expect(await child.exited).toBe(7);
});

test("start brings demo data unless told otherwise", async () => {
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
  const run = `node ${join(root, "scripts", "run.mjs")} start`;
  const shell = Bun.spawn(["sh", "-c", `${run}; exit 0`], {
    env: { ...process.env, REDIS_URL: "redis://localhost", npm_lifecycle_event: "start" },
  });
  const output = shell.stdout.getReader();
  await output.read();
  shell.kill("SIGKILL");
  // The pipe closes when the last process that can write to it has ended.
  expect((await output.read()).done).toBe(true);
});

test("missing packages are installed first, with their output on stderr", async () => {
  const program = bun("echo started").replaceAll('"', '\\"').replaceAll("$", "\\$");
  writeProgram(
    "fake/npm",
    `echo "npm $*"; mkdir -p node_modules/.bin; touch node_modules/.package-lock.json
     printf "#!/bin/sh\\n${program}\\n" > node_modules/.bin/bun; chmod +x node_modules/.bin/bun`,
  );
  const child = spawn(["start"], { PATH: `${join(root, "fake")}:${process.env.PATH}` });
  expect(await child.stdout.text()).toBe("started\n");
  expect(await child.stderr.text()).toContain("npm ci --include=dev");
});

test("a Bun that its package manager did not unpack is unpacked", async () => {
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
