/**
 * Installs what a fresh checkout lacks: the packages of the lock file, the Bun binary, a Redis
 * server, and for the tests a C compiler, a browser and `xmllint`. Plain Node without packages,
 * because none is installed yet. Every step first checks whether it is needed, so that a second
 * start costs milliseconds.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository. */
export const ROOT = fileURLToPath(new URL("..", import.meta.url));
export const BIN_DIRECTORY = join(ROOT, "node_modules", ".bin");
const BUN_PATH = join(BIN_DIRECTORY, "bun");

/** A step of the set-up failed; the message has the remedy. */
export class SetupError extends Error {}

/** Installs the packages of `package-lock.json`, unless `node_modules` is newer. */
export function ensurePackages() {
  if (hasPackages()) return;
  const lock = takeInstallLock();
  try {
    if (!hasPackages()) installPackages();
  } finally {
    rmSync(lock, { force: true });
  }
}

function hasPackages() {
  const installedMs = modifiedMs(join(ROOT, "node_modules", ".package-lock.json"));
  return installedMs >= modifiedMs(join(ROOT, "package-lock.json"));
}

const LOCK_POLL_MS = 200;

/**
 * Waits until no other command installs packages here: two `npm ci` at once delete each other's
 * files. The lock lies outside `node_modules`, which `npm ci` deletes, and holds the owner's pid;
 * one whose owner has died is removed.
 */
function takeInstallLock() {
  const of = createHash("sha256").update(ROOT).digest("hex").slice(0, 16);
  const path = join(tmpdir(), `innkeep-install-${process.getuid?.() ?? 0}-${of}`);
  for (let isSaid = false; ; isSaid = true) {
    try {
      writeFileSync(path, String(process.pid), { flag: "wx" });
      return path;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    if (isAbandoned(path)) rmSync(path, { force: true });
    else if (!isSaid) say(`waiting: another command is installing packages (its lock: ${path})`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_POLL_MS);
  }
}

/** Whether the process that holds a lock is gone. A lock without a pid was just made. */
function isAbandoned(path) {
  try {
    const pid = Number(readFileSync(path, "utf8"));
    if (pid > 0) process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH";
  }
}

function installPackages() {
  const trouble = registryTrouble();
  if (trouble !== null) say(`${trouble}: installing from npm's cache only`);
  else say("installing packages (npm ci)");
  // NODE_ENV=production would leave out the packages of tests and checks. npm's warnings, such as
  // those about versions of Node, concern the choice of packages and not their installation.
  const args = ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  if (trouble === null ? run("npm", args) : runQuietly("npm", [...args, "--offline"])) return;
  if (trouble === null) throw new SetupError("npm ci failed: see above");
  throw new SetupError(`packages are missing, and ${trouble}. Check
  - the network, and the name's address
  - the proxy: HTTPS_PROXY, or \`npm config get proxy\` and \`https-proxy\`
  - the registry: \`npm config get registry\`; with a mirror, \`npm config set registry URL\`
  - without a network: copy npm's cache (\`npm config get cache\`) from a machine that has installed`);
}

/** npm's code of an HTTP error: the registry was reached. */
const ANSWERED = /^E\d{3}$/;
const REGISTRY_MS_MAX = 6_000;

/**
 * Why the package registry cannot be reached, or null when it answers: `npm ci` would retry for
 * minutes without output. The check uses npm, because npm knows the proxy and the mirror.
 */
function registryTrouble() {
  const once = ["--fetch-retries=0", `--fetch-timeout=${REGISTRY_MS_MAX}`];
  const options = { cwd: ROOT, encoding: "utf8", timeout: REGISTRY_MS_MAX + 2_000 };
  const { status, signal, stderr } = spawnSync("npm", ["ping", ...once], options);
  const code = signal === null ? /npm \S+ code (\S+)/.exec(stderr)?.[1] : "timeout";
  // Some mirrors have no ping. `npm ci` reports errors that have no code here.
  if (status === 0 || code === undefined || ANSWERED.test(code)) return null;
  // A mirror's address may carry its password.
  const asked = /PING (\S+)/.exec(stderr)?.[1]?.replace(/\/\/[^/]*@/, "//");
  return `the package registry ${asked ?? "of npm"} cannot be reached (${code})`;
}

/** The path of a working Bun; npm skips its install script where scripts are not allowed. */
export function ensureBun() {
  if (!works(BUN_PATH)) {
    say("installing the Bun binary");
    run(process.execPath, [join(ROOT, "node_modules", "bun", "install.js")]);
    if (!works(BUN_PATH)) throw new SetupError(`${BUN_PATH} does not run on this machine`);
  }
  return BUN_PATH;
}

/** Installs a Redis server if no password is needed; else the error says what to run. */
export function ensureRedis() {
  if (hasRedis()) return;
  if (!aptInstall("redis-server")) {
    throw new SetupError(`no redis-server or valkey-server found: ${redisAdvice()}`);
  }
  if (!hasRedis()) throw new SetupError(`redis-server was not installed: ${redisAdvice()}`);
}

/** Installs a C compiler likewise: tests build a library that simulates power cuts. */
export function ensureCompiler() {
  if (findProgram("cc") !== null) return;
  const advice = "run `sudo apt-get install gcc libc6-dev` or what your system has instead";
  if (!aptInstall("gcc", "libc6-dev") || findProgram("cc") === null) {
    throw new SetupError(`the tests need a C compiler (cc): ${advice}`);
  }
}

/** Installs likewise the browser for page tests and `xmllint` for XML tests. */
export function ensureTestTools() {
  const missing = () =>
    Object.entries({ chromium: "chromium", xmllint: "libxml2-utils" })
      .filter(([program]) => findProgram(program) === null)
      .map(([, name]) => name);
  const names = missing();
  if (names.length === 0 || (aptInstall(...names) && missing().length === 0)) return;
  const advice = `run \`sudo apt-get install ${names.join(" ")}\` or what your system has instead`;
  throw new SetupError(`the tests need Chromium (chromium) and libxml2's xmllint: ${advice}`);
}

/** False when packages cannot be installed without a password. */
function aptInstall(...packages) {
  const root = rootPrefix();
  if (root === null) return false;
  say(`installing ${packages.join(", ")} (apt-get)`);
  const [command, ...prefix] = [...root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"];
  // A stale mirror entry fails the update and may still leave the package installable.
  run(command, [...prefix, "update"]);
  run(command, [...prefix, "install", "-y", "--no-install-recommends", ...packages]);
  return true;
}

/** The command prefix that becomes root without a password; null without one, or without apt. */
function rootPrefix() {
  if (findProgram("apt-get") === null) return null;
  if (process.getuid?.() === 0) return [];
  if (findProgram("sudo") === null) return null;
  if (spawnSync("sudo", ["-n", "true"], { stdio: "ignore" }).status === 0) return ["sudo", "-n"];
  return process.stdin.isTTY ? ["sudo"] : null;
}

function redisAdvice() {
  const install =
    process.platform === "darwin" ? "brew install redis" : "sudo apt-get install redis-server";
  return `run \`${install}\` or what your system has instead, or set REDIS_URL`;
}

function hasRedis() {
  return findProgram("redis-server") !== null || findProgram("valkey-server") !== null;
}

/** Also searches directories of servers that are often missing from PATH. */
function findProgram(name) {
  const path = (process.env.PATH ?? "").split(delimiter);
  for (const directory of [...path, "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin"]) {
    const candidate = join(directory, name);
    try {
      accessSync(candidate, constants.X_OK);
      return candidate;
    } catch {}
  }
  return null;
}

function works(program) {
  return spawnSync(program, ["--version"], { stdio: "ignore" }).status === 0;
}

/** Zero for a missing file. */
function modifiedMs(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Output goes to stderr: stdout belongs to the command that runs afterwards. */
function run(command, args) {
  return spawnSync(command, args, { cwd: ROOT, stdio: ["inherit", 2, 2] }).status === 0;
}

/** The same without output. */
function runQuietly(command, args) {
  return spawnSync(command, args, { cwd: ROOT, stdio: "ignore" }).status === 0;
}

function say(message) {
  process.stderr.write(`set-up: ${message}\n`);
}
