/**
 * Brings a fresh checkout to the point where everything runs: the packages of the lock file, the
 * Bun binary, a Redis server, and for the tests a C compiler, a browser and `xmllint`. Plain Node
 * without packages, because there are none yet. Every step first looks whether there is anything to
 * do, so that a second start costs milliseconds.
 */
import { spawnSync } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository. */
export const ROOT = fileURLToPath(new URL("..", import.meta.url));
export const BIN_DIRECTORY = join(ROOT, "node_modules", ".bin");
const BUN_PATH = join(BIN_DIRECTORY, "bun");

/** A step of the set-up failed; the message says what to do about it. */
export class SetupError extends Error {}

/** Installs what `package-lock.json` asks for, unless `node_modules` is newer. */
export function ensurePackages() {
  const installedMs = modifiedMs(join(ROOT, "node_modules", ".package-lock.json"));
  if (installedMs >= modifiedMs(join(ROOT, "package-lock.json"))) return;
  const trouble = registryTrouble();
  if (trouble !== null) say(`${trouble}: taking packages from npm's cache alone`);
  else say("installing packages (npm ci)");
  // NODE_ENV=production would leave out what tests and checks need. npm's warnings are for whoever
  // chooses packages: of a package that wants a later Node than we do, nobody can do anything here.
  const args = ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  if (trouble === null ? run("npm", args) : runUnheard("npm", [...args, "--offline"])) return;
  if (trouble === null) throw new SetupError("npm ci failed: see above");
  throw new SetupError(`packages are missing, and ${trouble}. Check
  - the network, and the name's address
  - the proxy: HTTPS_PROXY, or \`npm config get proxy\` and \`https-proxy\`
  - the registry: \`npm config get registry\`; with a mirror, \`npm config set registry URL\`
  - without a network: copy npm's cache (\`npm config get cache\`) from a machine that has installed`);
}

/** What npm calls an answer that is no success: whoever answers at all is reached. */
const ANSWERED = /^E\d{3}$/;
const REGISTRY_MS_MAX = 6_000;

/**
 * What keeps us from the package registry, null when it answers. npm itself would be silent for
 * minutes while it tries again. It is npm that asks, because it knows the proxy and the mirror.
 */
function registryTrouble() {
  const once = ["--fetch-retries=0", `--fetch-timeout=${REGISTRY_MS_MAX}`];
  const options = { cwd: ROOT, encoding: "utf8", timeout: REGISTRY_MS_MAX + 2_000 };
  const { status, signal, stderr } = spawnSync("npm", ["ping", ...once], options);
  const code = signal === null ? /npm \S+ code (\S+)/.exec(stderr)?.[1] : "timeout";
  // Some mirrors have no ping. Of anything else that npm does not name, npm ci tells more.
  if (status === 0 || code === undefined || ANSWERED.test(code)) return null;
  // A mirror's address may carry its password.
  const asked = /PING (\S+)/.exec(stderr)?.[1]?.replace(/\/\/[^/]*@/, "//");
  return `the package registry ${asked ?? "of npm"} cannot be reached (${code})`;
}

/** The path of a Bun that runs; npm skips its install script where scripts are not allowed. */
export function ensureBun() {
  if (!works(BUN_PATH)) {
    say("installing the Bun binary");
    run(process.execPath, [join(ROOT, "node_modules", "bun", "install.js")]);
    if (!works(BUN_PATH)) throw new SetupError(`${BUN_PATH} does not run on this machine`);
  }
  return BUN_PATH;
}

/** Installs a Redis server where that can be done without questions, else says what to run. */
export function ensureRedis() {
  if (hasRedis()) return;
  if (!aptInstall("redis-server")) {
    throw new SetupError(`no redis-server or valkey-server found: ${redisAdvice()}`);
  }
  if (!hasRedis()) throw new SetupError(`redis-server was not installed: ${redisAdvice()}`);
}

/** Installs a C compiler likewise: tests build what they put between a process and its system. */
export function ensureCompiler() {
  if (findProgram("cc") !== null) return;
  const advice = "run `sudo apt-get install gcc libc6-dev` or what your system has instead";
  if (!aptInstall("gcc", "libc6-dev") || findProgram("cc") === null) {
    throw new SetupError(`the tests need a C compiler (cc): ${advice}`);
  }
}

/** Installs what tests look at pages and validate XML with likewise. */
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

/** False when packages cannot be installed here without questions. */
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

/** What becomes root without a password in the way; null when nothing does, or without apt. */
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

/** Servers are installed where not every user's PATH leads. */
function findProgram(name) {
  const path = (process.env.PATH ?? "").split(delimiter);
  for (const directory of [...path, "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin"]) {
    const candidate = join(directory, name);
    try {
      accessSync(candidate, constants.X_OK);
      return candidate;
    } catch {
      // Not there: the next directory may have it.
    }
  }
  return null;
}

function works(program) {
  return spawnSync(program, ["--version"], { stdio: "ignore" }).status === 0;
}

/** Zero when there is no such file, which is older than everything. */
function modifiedMs(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Standard output belongs to the command that is set up for, so everything goes to stderr. */
function run(command, args) {
  return spawnSync(command, args, { cwd: ROOT, stdio: ["inherit", 2, 2] }).status === 0;
}

/** The same, when what the command says helps nobody. */
function runUnheard(command, args) {
  return spawnSync(command, args, { cwd: ROOT, stdio: "ignore" }).status === 0;
}

function say(message) {
  process.stderr.write(`set-up: ${message}\n`);
}
