/**
 * Goal: check the rules of this code base that no compiler checks. Method: read each file of the
 * repository as text and apply each rule; a test lists all offenders at once. The last test applies
 * each rule to a violation, because a rule that detects nothing would always pass.
 */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join, normalize } from "node:path";
import { ROOT, STAGES } from "./stages.ts";

const OWN_PATH = "test/tidy.test.ts";

const TOP_LEVEL = new Set([
  ...[".ci", ".gitignore", "CHANGELOG.md", "LICENSE", "README.md"],
  ...["bench", "deploy", "engine", "feeds", "jobs", "scripts", "src", "test"],
  ...["biome.json", "bunfig.toml", "package.json", "package-lock.json", "tsconfig.json"],
]);
/** Git's own directory and the entries of `.gitignore`. */
const IGNORED = /^(\.git|node_modules|data|dist|screenshots|\.DS_Store|.*\.log)$/;

const LINES_MAX = 400;
const TEST_LINES_MAX = 600;
const FUNCTION_LINES_MAX = 70;
const COLUMNS_MAX = 100;

/** Started as programs; every other module is imported. */
const ENTRY_POINTS = new Set([
  ...["src/main.ts", "src/ops/main.ts", "feeds/main.ts", "src/sdk/index.ts"],
  "src/api/past-main.ts",
]);

/** Folder → what its files may import: folders, files, packages, or schemes ending in a colon. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  "engine/core": ["engine/core"],
  engine: ["engine", "src/lib", "bun:ffi", "bun:sqlite", "node:", "pg"],
  jobs: [
    ...["engine", "jobs", "feeds", "src/languages", "src/lib", "bun:sqlite", "node:"],
    ...["bullmq", "ioredis", "ipaddr.js", "nodemailer", "stripe"],
  ],
  feeds: ["engine/core", "engine/log/replica.ts", "feeds", "node:", "fast-xml-parser"],
  src: [
    ...["engine", "jobs", "feeds", "src", "package.json", "bun:sqlite", "node:"],
    ...["@sinclair/typebox", "bun", "elysia", "eventsource-parser", "jose"],
    ...["@a2a-js/sdk", "@modelcontextprotocol/server", "ipaddr.js", "memoirist"],
    ...["preact", "preact-render-to-string"],
  ],
  "src/access/privacy": ["engine", "src", "node:"],
  "src/actions": ["engine/core", "src"],
  "src/lib": ["src/lib", "bun:sqlite", "node:"],
  "src/sdk": ["src/sdk"],
  scripts: ["scripts", "node:"],
};

/** Package → the one folder that may import it. */
const ONLY_IN: Readonly<Record<string, string>> = {
  pg: "engine/postgres/",
  stripe: "jobs/payments/stripe/",
};

/**
 * The layers, lowest first: a file may import its own folder and earlier ones, never later ones.
 * Types count.
 */
const LAYERS: readonly string[] = [
  ...["src/sdk", "src/lib", "engine/core", "engine/log", "engine/writer"],
  ...["engine/postgres", "feeds"],
  "src/languages",
  ...["jobs/net", "jobs/redis", "jobs/lanes"],
  ...["jobs/payments", "jobs/mail", "jobs/webhooks", "jobs/feed-runs", "jobs/kpis", "jobs"],
  ...[
    "src/settings-reader.ts",
    "src/config.ts",
    "src/about",
    "src/access/privacy",
    "src/access/control",
    "src/access/auth",
  ],
  ...["src/actions", "src/refusals", "src/pages", "src/advisor"],
  ...["src/http", "src/api", "src/page-parts"],
  ...["src/protocols/tools", "src/protocols/mcp", "src/protocols/a2a", "src/protocols/oauth"],
  ...["src/publish/openapi", "src/publish/home", "src/publish/discovery", "src/publish/docs"],
  ...["src/publish/book", "src/console", "src/checkout", "src/portal"],
  ...["src/ops/demo", "src/ops/cli", "src/app.ts"],
  ...["src/ops/backups", "src/ops/roles", "src/ops/admin", "src/ops/ledger", "src/ops/supervisor"],
  ...["src/ops/main.ts", "src/main.ts"],
];

interface SourceFile {
  /** Relative to the repository. */
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
}

function sourceFile(path: string, text: string): SourceFile {
  return { path, text, lines: text.replace(/\n$/, "").split("\n") };
}

function pathsUnder(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (IGNORED.test(entry.name)) return [];
    return entry.isDirectory() ? pathsUnder(path) : [path];
  });
}

const FILES = pathsUnder("").map((path) => {
  return sourceFile(path, readFileSync(join(ROOT, path), "utf8"));
});
const CODE = FILES.filter(({ path }) => /(?<!\.d)\.(tsx?|mjs)$/.test(path));

function isTest({ path }: Pick<SourceFile, "path">): boolean {
  return path.startsWith("test/") || path.endsWith(".test.ts");
}

/** Every problem that `rule` finds in the files. */
function offenders(
  files: readonly SourceFile[],
  rule: (file: SourceFile) => readonly string[],
): string[] {
  return files.flatMap((file) => rule(file).map((problem) => `${file.path}: ${problem}`));
}

/** The path of the repository that an import names, or the package. */
function targetOf(path: string, specifier: string): string {
  return specifier.startsWith(".") ? normalize(join(path, "..", specifier)) : specifier;
}

const transpilers = {
  ts: new Bun.Transpiler({ loader: "ts" }),
  tsx: new Bun.Transpiler({
    loader: "tsx",
    tsconfig: { compilerOptions: { jsx: "react-jsx", jsxImportSource: "preact" } },
  }),
};

/** Imports at run time; those of types are erased. */
function runtimeImports({ path, text }: SourceFile): string[] {
  const imports = transpilers[path.endsWith(".tsx") ? "tsx" : "ts"].scanImports(text);
  // The scanner adds React to every file with elements; the service has Preact's.
  const stated = imports.filter((found) => found.path !== "react" || path.endsWith(".ts"));
  return stated.map((found) => targetOf(path, found.path));
}

/** All imports, including those of types. */
function importsOf(file: SourceFile): string[] {
  const stated = file.text.matchAll(/^(?:import|export) [\w\s{},*]*?from "([^"]+)"/gm);
  const targets = [...stated].map((match) => targetOf(file.path, match[1] ?? ""));
  return [...new Set([...targets, ...runtimeImports(file)])];
}

function importProblems(file: SourceFile): string[] {
  if (isTest(file)) return [];
  const folders = Object.keys(MAY_IMPORT).filter((folder) => file.path.startsWith(`${folder}/`));
  return folders.flatMap((folder) => {
    const allowed = MAY_IMPORT[folder] ?? [];
    const fits = (target: string) =>
      !isTest({ path: target }) &&
      allowed.some((name) => {
        if (name.endsWith(":")) return target.startsWith(name);
        return target === name || target.startsWith(`${name}/`);
      });
    const isElsewhere = (target: string) => !file.path.startsWith(ONLY_IN[target] ?? "");
    return importsOf(file)
      .filter((target) => !fits(target) || isElsewhere(target))
      .map((target) => `${folder}/ may not import ${target}`);
  });
}

/** Folders whose folders are modules of their own. */
const DEEP = /^(?:engine\/core|src\/(?:access|api|ops|protocols|publish))\//;

/** The module of a file: its folder, or itself directly in `src`, `src/api` or `engine/core`. */
function moduleOf(path: string): string {
  const parts = path.split("/");
  const depth = DEEP.test(path) ? 3 : 2;
  return parts.length > depth ? parts.slice(0, depth).join("/") : path;
}

/** The layer of a file; -1 for none. */
function layerOf(path: string): number {
  return LAYERS.findIndex((layer) => path === layer || path.startsWith(`${layer}/`));
}

function layerProblems(file: SourceFile): string[] {
  if (!/^(?:engine|feeds|jobs|src)\//.test(file.path) || isTest(file)) return [];
  const own = layerOf(file.path);
  if (own < 0) return ["is in no layer"];
  return importsOf(file)
    .filter((target) => layerOf(target) > own)
    .map((target) => `${LAYERS[own]} may not import ${target}`);
}

/** Code that depends on the time gets its clock as a parameter. */
const TIMED =
  /^(engine|jobs|feeds|src\/(api|http|protocols|access\/auth|publish\/discovery|ops\/roles))\//;

/** A second wall clock would differ from the engine's. */
function clockProblems(file: SourceFile): string[] {
  if (isTest(file) || !TIMED.test(file.path) || file.path === "engine/log/system-time.ts")
    return [];
  return /\bDate\.now\b|\bnew Date\(\)/.test(file.text) ? ["reads a clock of its own"] : [];
}

/** What the policy of pages forbids, or what lets text through as it is. */
const RAW = /dangerouslySetInnerHTML|\bstyle=|\bhx-on/;
/** Where HTML of ours goes into a page as it is. */
const TRUSTING = /^src\/(?:pages\/document|publish\/(?:book\/page|docs\/guide-page))\.tsx$/;
/** The pages for people; nothing else reads a cookie. */
const WITH_COOKIE = /^src\/(?:page-parts|console|portal)\//;

function pageProblems(file: SourceFile): string[] {
  const { path, text } = file;
  if (isTest(file) || !path.startsWith("src/")) return [];
  return [
    ...(RAW.test(text) ? ["has raw HTML, style or script in an element"] : []),
    ...(/TrustedPlace/.test(text) && !TRUSTING.test(path) ? ["trusts HTML"] : []),
    ...(/["']cookie["']/i.test(text) && !WITH_COOKIE.test(path) ? ["reads a cookie"] : []),
  ];
}

/** A generated file; a test compares it with its generator's output. */
const MADE = "src/sdk/types.ts";

/** The formatter breaks code where it can; it never touches a comment. */
function lengthProblems(file: SourceFile): string[] {
  const most = isTest(file) ? TEST_LINES_MAX : LINES_MAX;
  const problems = file.lines.flatMap((line, i) => {
    const columns = [...line].length;
    const isTooWide = /^\s*(?:\/?\*|\/\/)/.test(line) && columns > COLUMNS_MAX;
    return isTooWide ? [`line ${i + 1} has ${columns} columns`] : [];
  });
  if (file.lines.length > most && file.path !== MADE)
    problems.push(`${file.lines.length} lines, at most ${most}`);
  return problems;
}

const CONTROL = /^\s*(?:if|for|while|switch|return|else|do|try|catch|describe)\b/;
const FUNCTION = /^\s*(?:export )?(?:default )?(?:async )?function\b/;
const METHOD = /^\s+(?:(?:static|async|get|set|override|private) )*\*?#?\w+(?:<.*>)?\((?:.*\{)?$/;
const ARROW = /=> \{$/;

/**
 * Relies on the formatter: a function ends at the first line that closes a brace at the indentation
 * of the line it starts on. `}: Options): void {` at that place still belongs to the parameters.
 */
function functionProblems({ lines }: SourceFile): string[] {
  return lines.flatMap((line, i) => {
    const isStart = FUNCTION.test(line) || ARROW.test(line) || METHOD.test(line);
    if (!isStart || CONTROL.test(line)) return [];
    const indent = /^\s*/.exec(line)?.[0] ?? "";
    const rest = lines.slice(i + 1);
    // A call over several lines starts like a method, but ends without a body.
    const isCall = !rest.find((l) => l.startsWith(`${indent})`))?.endsWith("{");
    if (line.endsWith("(") && isCall) return [];
    const length = rest.findIndex((l) => l.startsWith(`${indent}}`) && !l.endsWith("{")) + 2;
    return length > FUNCTION_LINES_MAX ? [`line ${i + 1}: a function of ${length} lines`] : [];
  });
}

function nameProblems({ path }: SourceFile): string[] {
  const [top] = path.split("/");
  if (path === top || top === ".ci") return [];
  const isFine = (part: string) => /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)*$/.test(part);
  const isDocument = /^[A-Z]+\.md$/.test(basename(path));
  const parts = path.split("/").slice(0, isDocument ? -1 : undefined);
  return parts.filter((part) => !isFine(part)).map((part) => `${part} is not kebab-case`);
}

/** Words that guides do not use, because a term of the glossary or plain English says it. */
const REPLACED_WORDS = /\b(?:whoever|nobody|told|tells|lately|unhurried|dearest|mending)\b/gi;
/** Names of files that the glossary, or what the file does, has better ones for. */
const REPLACED_NAMES = new Set([
  ...["absences", "any-stay", "call-again", "dearest-stay", "folded", "in-turn", "lately"],
  ...["mending", "named", "near-names", "once-per", "outlet", "pace", "recoveries", "refills"],
  ...["relied-on", "sharing", "shortly", "told", "unhurried", "unsound", "worked-out"],
]);

/** Code between backquotes is not prose. */
function plainWordProblems({ path, text }: SourceFile): string[] {
  if (path.endsWith(".ts")) {
    const [name = ""] = basename(path).split(".");
    return REPLACED_NAMES.has(name) ? [`${name} has a better known name`] : [];
  }
  if (!path.endsWith(".md")) return [];
  const prose = text.replaceAll(/```[\s\S]*?```|`[^`]*`/g, "");
  return [...prose.matchAll(REPLACED_WORDS)].map(([word]) => `"${word}" has a plainer word`);
}

/** The first comment of a file may describe one of its classes. */
function docProblems({ path, text, lines }: SourceFile): string[] {
  if (isTest({ path }) || !/^(?:engine|jobs|feeds|src)\//.test(path)) return [];
  let isOpeningFree = text.startsWith("/**");
  return lines.flatMap((line, i) => {
    const pattern = /^export (?:abstract )?(?:async )?(function\*?|class) (\w+)/;
    const [, keyword, name] = pattern.exec(line) ?? [];
    if (name === undefined || lines[i - 1]?.trimEnd().endsWith("*/")) return [];
    const isInOpening = keyword === "class" && isOpeningFree;
    if (isInOpening) isOpeningFree = false;
    return isInOpening ? [] : [`${name} has no doc comment`];
  });
}

/** Unfinished work, skipped tests, paths of one machine, and documents outside the repository. */
const BANNED =
  /\b(?:TODO|FIXME)\b|\b(?:test|it|describe)\.(?:only|skip|todo)\(|\/work\/\w+|\b[sS]pec (?:part )?\d/g;

function wordProblems({ path, text }: SourceFile): string[] {
  if (path === OWN_PATH) return [];
  return [...text.matchAll(BANNED)].map((match) => `contains ${match[0]}`);
}

function versionProblems({ text }: Pick<SourceFile, "text">): string[] {
  const { dependencies, devDependencies } = JSON.parse(text);
  return Object.entries<string>({ ...dependencies, ...devDependencies })
    .filter(([, version]) => !/^(?:npm:[\w@/-]+@)?\d+\.\d+\.\d+$/.test(version))
    .map(([name, version]) => `${name} ${version} is not an exact version`);
}

type Graph = ReadonlyMap<string, readonly string[]>;

/** The first way from a file back to itself, or null. */
function cycleIn(graph: Graph): string | null {
  const done = new Set<string>();
  const walk = (path: string, way: readonly string[]): string | null => {
    const at = way.indexOf(path);
    if (at >= 0) return [...way.slice(at), path].join(" → ");
    if (done.has(path)) return null;
    for (const target of graph.get(path) ?? []) {
      const found = walk(target, [...way, path]);
      if (found) return found;
    }
    done.add(path);
    return null;
  };
  for (const path of graph.keys()) {
    const found = walk(path, []);
    if (found) return found;
  }
  return null;
}

/** Modules that only their own unit test imports. */
function deadIn(graph: Graph): string[] {
  const used = new Set(ENTRY_POINTS);
  for (const [path, targets] of graph) {
    for (const target of targets) {
      if (path !== target.replace(/\.ts$/, ".test.ts")) used.add(target);
    }
  }
  const isModule = (path: string) => /^(?:engine|jobs|feeds|src)\//.test(path) && !isTest({ path });
  return [...graph.keys()].filter((path) => isModule(path) && !used.has(path));
}

/** Exports that no other file names, tests included. */
function deadExportsIn(files: readonly SourceFile[]): string[] {
  const namedIn = new Map<string, number>();
  for (const { text } of files) {
    for (const word of new Set(text.match(/\b\w+\b/g))) {
      namedIn.set(word, (namedIn.get(word) ?? 0) + 1);
    }
  }
  const exported = /^export (?:abstract )?(?:async )?(?:function\*?|class|const) (\w+)/gm;
  return files
    .filter((file) => /^(?:engine|jobs|feeds|src)\//.test(file.path) && !isTest(file))
    .flatMap(({ path, text }) => [...text.matchAll(exported)].map((match) => [path, match[1]!]))
    .filter(([, name]) => namedIn.get(name!) === 1)
    .map(([path, name]) => `${path}: nothing uses ${name}`);
}

/** Settings that only the configuration reads. */
function unreadIn(files: readonly SourceFile[]): string[] {
  const { text } = files.find(({ path }) => path === "src/config.ts")!;
  const [, members = ""] = /export interface Config \{([^}]*)\}/.exec(text) ?? [];
  const others = files.filter((file) => file.path !== "src/config.ts" && !isTest(file));
  return [...members.matchAll(/readonly (\w+):/g)]
    .map((match) => match[1]!)
    .filter((name) => !others.some((file) => new RegExp(`\\b${name}\\b`).test(file.text)));
}

/** A test file that `npm test` leaves out, or runs more than once. */
function stageProblems({ path }: SourceFile): string[] {
  if (!path.endsWith(".test.ts")) return [];
  const runs = STAGES.flatMap(({ paths = [] }) => paths.filter((of) => `./${path}`.startsWith(of)));
  return runs.length === 1 ? [] : [`in ${runs.length} stages of npm test`];
}

test("every test file is in one stage of npm test", () => {
  expect(offenders(CODE, stageProblems)).toEqual([]);
});

test("every folder imports only what its layer may know", () => {
  expect(offenders(CODE, importProblems)).toEqual([]);
});

test("no layer imports a later one", () => {
  expect(offenders(CODE, layerProblems)).toEqual([]);
});

test("no file imports itself through others, types included", () => {
  const graph = new Map(CODE.map((file) => [file.path, importsOf(file)]));
  expect(cycleIn(graph)).toBeNull();
});

test("no folder imports itself through others, nor does a resource or an aggregate", () => {
  const modules = new Map<string, string[]>();
  for (const file of CODE.filter(({ path }) => /^(?:engine|jobs|src)\//.test(path))) {
    if (isTest(file)) continue;
    const own = moduleOf(file.path);
    const others = importsOf(file)
      .map(moduleOf)
      .filter((target) => target !== own);
    modules.set(own, [...(modules.get(own) ?? []), ...others]);
  }
  expect(cycleIn(modules)).toBeNull();
});

test("every module is an entry point or used by another", () => {
  const graph = new Map(CODE.map((file) => [file.path, importsOf(file)]));
  expect(deadIn(graph)).toEqual([]);
});

test("whatever is exported is used elsewhere, and every setting is read", () => {
  expect(deadExportsIn(CODE)).toEqual([]);
  expect(unreadIn(CODE)).toEqual([]);
});

test("files, lines and functions keep to their lengths", () => {
  const rule = (file: SourceFile) => [...lengthProblems(file), ...functionProblems(file)];
  expect(offenders(CODE, rule)).toEqual([]);
});

test("no page has raw HTML or inline style, and only pages for people read a cookie", () => {
  expect(offenders(CODE, pageProblems)).toEqual([]);
});

test("one module reads the wall clock", () => {
  expect(offenders(CODE, clockProblems)).toEqual([]);
});

test("files and folders have kebab-case names", () => {
  expect(offenders(FILES, nameProblems)).toEqual([]);
});

test("guides use plain words, and files have well-known names", () => {
  const shown = FILES.filter(({ path }) => !path.startsWith("test/"));
  expect(offenders(shown, plainWordProblems)).toEqual([]);
});

test("every exported function and class says what it does", () => {
  expect(offenders(CODE, docProblems)).toEqual([]);
});

test("no code is unfinished, disabled, or tied to a machine or an outside document", () => {
  expect(offenders(FILES, wordProblems)).toEqual([]);
});

test("the repository has only the expected top-level entries", () => {
  const entries = readdirSync(ROOT).filter((name) => !IGNORED.test(name) && !TOP_LEVEL.has(name));
  expect(entries).toEqual([]);
});

test("dependencies have exact versions", () => {
  const manifests = FILES.filter(({ path }) => basename(path) === "package.json");
  expect(offenders(manifests, versionProblems)).toEqual([]);
});

test("each rule detects its violations", () => {
  const seen = (rule: (file: SourceFile) => string[], path: string, text: string) =>
    rule(sourceFile(path, text)).length > 0;
  expect(seen(importProblems, "engine/core/a.ts", 'import { b } from "node:fs";')).toBeTrue();
  expect(seen(importProblems, "engine/log/a.ts", 'import type { B } from "bullmq";')).toBeTrue();
  expect(seen(importProblems, "jobs/a.ts", 'import {\n  b,\n} from "../src/b.ts";')).toBeTrue();
  expect(seen(importProblems, "src/a.ts", 'import { b } from "./b.test.ts";')).toBeTrue();
  const stripe = 'import Stripe from "stripe";';
  expect(seen(importProblems, "jobs/payments/a.ts", stripe)).toBeTrue();
  expect(seen(importProblems, "jobs/payments/stripe/a.ts", stripe)).toBeFalse();
  expect(seen(stageProblems, "nowhere/a.test.ts", "")).toBeTrue();
  expect(seen(importProblems, "src/a.ts", 'const b = await import("ioredis");')).toBeTrue();
  expect(seen(importProblems, "src/a.ts", 'import { b } from "./b.ts";')).toBeFalse();
  const upwards = 'import type { A } from "../app.ts";';
  expect(seen(layerProblems, "src/http/a.ts", upwards)).toBeTrue();
  expect(seen(layerProblems, "src/ops/roles/a.ts", upwards)).toBeFalse();
  expect(seen(layerProblems, "src/elsewhere/a.ts", "")).toBeTrue();
  expect(seen(lengthProblems, "src/a.ts", "a;\n".repeat(LINES_MAX + 1))).toBeTrue();
  expect(seen(lengthProblems, "src/a.ts", `// ${"a".repeat(COLUMNS_MAX)}`)).toBeTrue();
  const body = "  a;\n".repeat(FUNCTION_LINES_MAX);
  expect(seen(functionProblems, "src/a.ts", `function a() {\n${body}}`)).toBeTrue();
  expect(seen(functionProblems, "src/a.ts", `const a = {\n${body}};`)).toBeFalse();
  const method = `class A {\n  async a(\n    b: B,\n  ): C {\n${body.replaceAll("  ", "    ")}  }\n}`;
  expect(seen(functionProblems, "src/a.ts", method)).toBeTrue();
  expect(seen(clockProblems, "jobs/a.ts", "const now = Date.now;")).toBeTrue();
  expect(seen(clockProblems, "src/api/a.ts", "new Date().getTime()")).toBeTrue();
  expect(seen(clockProblems, "src/ops/demo/a.ts", "Date.now()")).toBeFalse();
  for (const text of ["<p dangerouslySetInnerHTML={a} />", '<p style="a" />', "<p hx-on:a />"]) {
    expect(seen(pageProblems, "src/console/a.tsx", text)).toBeTrue();
  }
  const trusting = '<TrustedPlace name="a" />';
  expect(seen(pageProblems, "src/console/a.tsx", trusting)).toBeTrue();
  expect(seen(pageProblems, "src/publish/book/page.tsx", trusting)).toBeFalse();
  const reading = 'headers.get("cookie")';
  expect(seen(pageProblems, "src/api/a.ts", reading)).toBeTrue();
  expect(seen(pageProblems, "src/console/a.ts", reading)).toBeFalse();
  expect(seen(nameProblems, "src/aB.ts", "")).toBeTrue();
  expect(seen(plainWordProblems, "README.md", "It tells nobody.")).toBeTrue();
  expect(seen(plainWordProblems, "README.md", "See `told`.")).toBeFalse();
  expect(seen(plainWordProblems, "src/lib/lately.ts", "")).toBeTrue();
  expect(seen(docProblems, "src/a.ts", "export async function a() {}")).toBeTrue();
  expect(seen(docProblems, "src/a.ts", "/** A. */\nexport async function a() {}")).toBeFalse();
  expect(seen(wordProblems, "src/a.ts", "// TODO later")).toBeTrue();
  expect(seen(wordProblems, "src/a.ts", `// as in ${"spec"} 4.2`)).toBeTrue();
  expect(seen(versionProblems, "package.json", '{"dependencies":{"a":"^1.2.3"}}')).toBeTrue();
  const alias = '{"devDependencies":{"a":"npm:b@^1.2.3"}}';
  expect(seen(versionProblems, "package.json", alias)).toBeTrue();
  expect(cycleIn(new Map(Object.entries({ a: ["b"], b: ["c"], c: ["b"] })))).toBe("b → c → b");
  const used = sourceFile("src/a.ts", "export const a = 1;\nexport const b = 2;");
  const user = sourceFile("src/b.ts", "a;");
  expect(deadExportsIn([used, user])).toEqual(["src/a.ts: nothing uses b"]);
  const config = "export interface Config {\n  readonly a: 1;\n  readonly c: 2;\n}";
  expect(unreadIn([sourceFile("src/config.ts", config), user])).toEqual(["c"]);
  const onlyTested = { "src/a.ts": [], "src/a.test.ts": ["src/a.ts"] };
  expect(deadIn(new Map(Object.entries(onlyTested)))).toEqual(["src/a.ts"]);
});
