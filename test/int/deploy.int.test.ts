/**
 * Goal: what is deployed by the files of `deploy` runs, as a user without rights, in a
 * directory with nothing else in it. Method: the steps of the image are taken from its file and
 * run in an empty root: its files are copied by its list, its environment is all there is, its
 * command is started and stopped. Two steps are not run, for they fetch: `apt-get`, and `npm ci`,
 * instead of which the packages of this repository are linked. The unit is verified by systemd,
 * and started where systemd runs.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, isRunning, until } from "../support/service.ts";

const ROOT = join(import.meta.dir, "..", "..");
const DEPLOY = join(ROOT, "deploy");
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const NOBODY = 65_534;

let place: string;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), "innkeep-deploy-"));
  chmodSync(place, 0o755);
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** The image's instructions in their order, each with what stands behind it. */
function instructions(): (readonly [name: string, words: string])[] {
  const text = readFileSync(join(DEPLOY, "innkeep.dockerfile"), "utf8");
  const whole = text.replaceAll(/^#.*\n/gm, "").replaceAll("\\\n", " ");
  return [...whole.matchAll(/^([A-Z]+) (.*)$/gm)].map(([, name, words]) => [name!, words!]);
}

const wordsOf = (name: string) =>
  instructions().flatMap(([each, words]) => (each === name ? [words] : []));

/** What `COPY . .` takes: nothing but what the list lets in. */
function copied(): string[] {
  const lines = readFileSync(join(DEPLOY, "innkeep.dockerfile.dockerignore"), "utf8").split("\n");
  expect(lines).toContain("*");
  return lines.filter((line) => line.startsWith("!")).map((line) => line.slice(1));
}

/** The tree of the image; what it has of packages is linked. */
function buildTree(): string {
  const tree = join(place, "innkeep");
  mkdirSync(tree);
  for (const name of copied()) cpSync(join(ROOT, name), join(tree, name), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(tree, "node_modules"));
  // As after `npm ci`: older than what it installed.
  utimesSync(join(tree, "package-lock.json"), 0, 0);
  return tree;
}

/** Runs as a user without rights where we may, and that user can read what we link. */
function withoutRights(tree: string): string[] {
  if (process.getuid?.() !== 0) return [];
  const prefix = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", "--"];
  const bun = join(tree, "node_modules", ".bin", "bun");
  const can = Bun.which("setpriv") && Bun.spawnSync([...prefix, bun, "--version"]).success;
  return can ? prefix : [];
}

test("the steps of the image run the service as a user without rights, and stop it in order", async () => {
  const tree = buildTree();
  const dataDir = join(place, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  const prefix = withoutRights(tree);
  if (prefix.length > 0) chownSync(dataDir, NOBODY, NOBODY);
  const port = freePort();
  const stated = Object.fromEntries(
    wordsOf("ENV").map((words) => words.split("=") as [string, string]),
  );
  expect(stated).toMatchObject({ NODE_ENV: "production", DATA_DIR: "/var/lib/innkeep", DEMO: "0" });
  expect(wordsOf("USER")).toEqual(["node"]);
  const env = {
    ...{ PATH, HOME: dataDir, ...stated, DATA_DIR: dataDir },
    ...{ PORT: String(port), HOST: "127.0.0.1", METRICS_PORT: "0" },
  };
  const options = { cwd: tree, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" } as const;
  const child = Bun.spawn([...prefix, ...JSON.parse(wordsOf("CMD")[0]!)], options);
  const output = Promise.all([child.stdout.text(), child.stderr.text()]);
  const [health] = wordsOf("HEALTHCHECK").map((words) =>
    JSON.parse(/CMD (\[.*\])/.exec(words)![1]!),
  );
  const awaiting = Bun.spawn([...prefix, "node", "scripts/await-ready.mjs"], options);
  const first = await Promise.race([
    awaiting.exited.then((code) => `await-ready ended with ${code}`),
    child.exited.then((code) => `the service ended with ${code}`),
  ]);
  if (first !== "await-ready ended with 0") {
    awaiting.kill();
    child.kill("SIGKILL");
    throw new Error(`not ready: ${first}\n${(await output).join("\n")}`);
  }
  expect(await Bun.spawn([...prefix, ...health], options).exited).toBe(0);
  const supervisor = Number(readFileSync(join(dataDir, "lock.pid"), "utf8"));
  const uid = statSync(`/proc/${supervisor}`, { throwIfNoEntry: false })?.uid;
  if (prefix.length > 0 && uid !== undefined) expect(uid).toBe(NOBODY);
  // npm passes it on.
  child.kill("SIGTERM");
  await child.exited;
  await until("nothing runs any more", () => !isRunning(supervisor));
  const [out, err] = await output;
  expect(out).toContain('"msg":"Innkeep is ready at');
  expect(err).toContain('"msg":"stopped"');
  expect(await Bun.spawn([...prefix, ...health], options).exited).toBe(1);
});

/** The unit on this tree, with its data elsewhere. */
function unitHere(port: number): string {
  const unit = readFileSync(join(DEPLOY, "systemd", "innkeep.service"), "utf8");
  const here = `${process.execPath.replace(/\/[^/]*$/, "")}:${process.env.PATH}`;
  return unit
    .replace("User=innkeep", "User=nobody")
    .replace("WorkingDirectory=/opt/innkeep", `WorkingDirectory=${ROOT}`)
    .replace("StateDirectory=innkeep", "StateDirectory=innkeep-test")
    .replace("CacheDirectory=innkeep", "CacheDirectory=innkeep-test")
    .replaceAll(/\/var\/(lib|cache)\/innkeep/g, "/var/$1/innkeep-test")
    .replace(
      "EnvironmentFile=-/etc/innkeep/innkeep.env",
      `Environment="PATH=${here}" PORT=${port} METRICS_PORT=0`,
    );
}

test.skipIf(!Bun.which("systemd-analyze"))("systemd has nothing to say against the unit", () => {
  const path = join(place, "innkeep.service");
  const unit = readFileSync(join(DEPLOY, "systemd", "innkeep.service"), "utf8");
  writeFileSync(path, unit.replaceAll("/opt/innkeep", ROOT));
  const { exitCode, stderr } = Bun.spawnSync(["systemd-analyze", "verify", path]);
  const told = stderr
    .toString()
    .split("\n")
    .filter((line) => line.includes("innkeep"));
  expect({ exitCode, told }).toEqual({ exitCode: 0, told: [] });
});

const hasSystemd = existsSync("/run/systemd/system") && process.getuid?.() === 0;

test.skipIf(!hasSystemd)(
  "the unit starts, is ready when systemd says so, and stops cleanly",
  async () => {
    const name = "innkeep-test.service";
    const path = join("/run/systemd/system", name);
    const port = freePort();
    const systemctl = (...args: string[]) => Bun.spawnSync(["systemctl", ...args]);
    writeFileSync(path, unitHere(port));
    try {
      systemctl("daemon-reload");
      const started = systemctl("start", name);
      const journal = Bun.spawnSync(["journalctl", "-u", name, "-n", "20"]).stdout.toString();
      expect({ exitCode: started.exitCode, journal }).toEqual({ exitCode: 0, journal });
      expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
      expect(systemctl("stop", name).exitCode).toBe(0);
      const result = systemctl("show", "--property=Result", name).stdout.toString();
      expect(result).toBe("Result=success\n");
    } finally {
      systemctl("stop", name);
      rmSync(path);
      systemctl("daemon-reload");
    }
  },
);
