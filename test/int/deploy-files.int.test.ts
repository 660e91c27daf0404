/**
 * Goal: the files of `deploy` fit the program: a metric, label, setting, command or guide that does
 * not exist fails here. Method: a service runs and its metrics are compared with every expression;
 * the programs that read the files check them where they are installed.
 */
import { afterAll, expect, test } from "bun:test";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { loadSecrets } from "../../src/access/privacy/secrets.ts";
import { readConfig } from "../../src/config.ts";
import { guideHtml } from "../../src/publish/docs/guide-html.ts";
import { guidePath, isGuide } from "../../src/publish/docs/guides.ts";
import { until } from "../support/service.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

const ROOT = join(import.meta.dir, "..", "..");
const DEPLOY = join(ROOT, "deploy");
const service = await serviceOfFile({});

const place = mkdtempSync(join(tmpdir(), "innkeep-deploy-files-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const textOf = (...path: string[]) => readFileSync(join(DEPLOY, ...path), "utf8");

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly guide: string };
}

const { groups } = Bun.YAML.parse(textOf("prometheus", "alerts.yaml")) as {
  groups: { rules: Rule[] }[];
};
const RULES = groups.flatMap(({ rules }) => rules);

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const { panels } = JSON.parse(textOf("grafana", "innkeep.json")) as { panels: Panel[] };
const TARGETS = panels.flatMap(({ title, targets = [] }) => {
  return targets.map((target) => ({ title, ...target }));
});

/** Metric → the labels of its samples; none while it has no sample. */
type Exposed = ReadonlyMap<string, ReadonlySet<string>>;

/** What a running service exposes. */
async function exposed(): Promise<Exposed> {
  await service.api("GET", "/v1/properties");
  let text = "";
  await until("all roles have posted", async () => {
    text = await service.metrics();
    return ["engine", "worker", "api"].every((role) => text.includes(`role="${role}"`));
  });
  const found = new Map<string, Set<string>>();
  for (const [, name = "", type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
    const suffixes = type === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
    for (const suffix of suffixes) found.set(name + suffix, new Set());
  }
  for (const [, name = "", labels = ""] of text.matchAll(/^(\w+)\{(.*)\} /gm)) {
    for (const [, label = ""] of labels.matchAll(/(\w+)="/g)) found.get(name)!.add(label);
  }
  // Only with several machines; several-machines.int.test.ts sees them.
  const candidate = readFileSync(join(ROOT, "src/ops/roles/candidate.ts"), "utf8");
  for (const [, name = ""] of candidate.matchAll(/"(innkeep_\w+)"/g)) {
    found.set(name, new Set(["role", "pid"]));
  }
  return found;
}

/** Metrics of an expression that do not exist, and labels that no sample of them has. */
function unknownIn(expr: string, legend: string, metrics: Exposed): string[] {
  const named = [...expr.matchAll(/\b(innkeep_\w+)(?:\{([^}]*)\})?/g)];
  const grouped = [...expr.matchAll(/\b(?:by|without) \(([^)]*)\)/g)].flatMap(([, labels]) => {
    return labels!.split(/,\s*/);
  });
  const shown = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!);
  return named.flatMap(([, name = "", selector = ""]) => {
    const labels = metrics.get(name);
    if (labels === undefined) return [name];
    if (labels.size === 0) return [];
    const selected = [...selector.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label!);
    const own = [...selected, ...grouped, ...shown].filter((label) => label !== "instance");
    return own.filter((label) => !labels.has(label)).map((label) => `${name}{${label}}`);
  });
}

test("each metric and label of the alerts and the dashboard is one that a service exposes", async () => {
  const metrics = await exposed();
  expect(RULES.length).toBeGreaterThan(20);
  expect(TARGETS.length).toBeGreaterThan(20);
  for (const { alert, expr } of RULES) {
    expect({ alert, unknown: unknownIn(expr, "", metrics) }).toEqual({ alert, unknown: [] });
  }
  for (const { title, expr, legendFormat } of TARGETS) {
    const unknown = unknownIn(expr, legendFormat, metrics);
    expect({ title, unknown }).toEqual({ title, unknown: [] });
  }
  expect(unknownIn('max(innkeep_refunds{stat="failed"})', "", metrics)).not.toEqual([]);
  expect(unknownIn("sum by (rout) (innkeep_http_requests_total)", "", metrics)).not.toEqual([]);
  expect(unknownIn("innkeep_lead", "", metrics)).toEqual(["innkeep_lead"]);
});

/** Whether a guide and its heading exist. */
function leads(link: string): boolean {
  const [file = "", anchor] = link.split("#");
  const name = file.replace(/\.md$/, "");
  if (!isGuide(name)) return false;
  const html = guideHtml(readFileSync(guidePath(name), "utf8"), "");
  return anchor === undefined || html.includes(` id="${anchor}"`);
}

test("each alert says what to do, and links to a heading of a guide", () => {
  for (const { alert, annotations } of RULES) {
    expect({ alert, leads: leads(annotations.guide) }).toEqual({ alert, leads: true });
    expect(annotations.summary).toMatch(/\. .+\.$/);
  }
  expect(leads("operators.md#no-such-heading")).toBe(false);
});

/** Names that a start reads. */
function settings(): Set<string> {
  const names = new Set(["RECEIPT_KEY", "MASTER_KEY", "HMAC_KEY", "CREDENTIAL_PEPPER"]);
  const env: Record<string, string | undefined> = {};
  readConfig(new Proxy(env, { get: (_, name) => void names.add(String(name)) }));
  return names;
}

function unknownSettings(names: readonly string[]): string[] {
  const known = settings();
  return names.filter((name) => !known.has(name));
}

/** The lines of a file for systemd. */
function environmentIn(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, k, v]) => [k!, v!]));
}

interface ComposeService {
  readonly environment?: Readonly<Record<string, string>>;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly volumes?: readonly string[];
}

const { services } = Bun.YAML.parse(textOf("compose.yaml")) as {
  services: Record<string, ComposeService>;
};

test("each setting of the example of systemd and of the compose file is one, with a good value", () => {
  const example = environmentIn(textOf("systemd", "innkeep.env"));
  expect(unknownSettings(Object.keys(example))).toEqual([]);
  const read = readConfig(example);
  expect(read).toMatchObject({ host: "10.77.0.1", trustedProxies: 1, redisIsPrivate: false });
  expect(read.databaseUrl).toContain("10.77.0.3:5432");
  const machines = ["a", "b", "c"].map((name) => services[name]!.environment!);
  expect(new Set(machines.map((env) => JSON.stringify(env))).size).toBe(1);
  expect(unknownSettings(Object.keys(machines[0]!))).toEqual([]);
  expect(readConfig(machines[0]!).databaseUrl).toContain("@primary:5432");
  expect(loadSecrets(place, machines[0]!).hmac_key).toBe(machines[0]!.HMAC_KEY!);
  expect(unknownSettings(["LANE"])).toEqual(["LANE"]);
});

test("the unit and the image run commands and files that exist", () => {
  const unit = textOf("systemd", "innkeep.service");
  const image = textOf("innkeep.dockerfile");
  const [, command] = /^ExecStart=\/usr\/bin\/env npm (?:run )?(\w+)$/m.exec(unit)!;
  expect(Object.keys(packageJson.scripts)).toContain(command!);
  expect(image).toContain(`CMD ["npm", "${command}"]`);
  const [, script] = /^ExecStartPost=\/usr\/bin\/env node (\S+)$/m.exec(unit)!;
  expect(existsSync(join(ROOT, script!))).toBe(true);
  for (const { build, volumes = [] } of Object.values(services)) {
    const files = volumes.flatMap((volume) => (volume.startsWith(".") ? [volume] : []));
    for (const file of files) expect(existsSync(join(DEPLOY, file.split(":")[0]!))).toBe(true);
    if (build) expect(existsSync(join(DEPLOY, build.context, build.dockerfile))).toBe(true);
  }
  expect(services.a!.build).toBeDefined();
});

/** Runs a checker that is installed; what it says when it refuses. */
function refusalOf(...command: string[]): string | null {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: place });
  return exitCode === 0 ? null : `${stdout}${stderr}`;
}

test.skipIf(!Bun.which("systemd-analyze"))("systemd accepts all units and the drop-in", () => {
  cpSync(join(DEPLOY, "systemd"), place, { recursive: true });
  const path = join(place, "innkeep.service");
  writeFileSync(path, readFileSync(path, "utf8").replaceAll("/opt/innkeep", ROOT));
  // Programs of packages that need not be installed here.
  for (const name of ["pgautofailover", "pgautofailover-monitor"]) {
    const unit = join(place, `${name}.service`);
    const text = readFileSync(unit, "utf8").replaceAll("/usr/bin/pg_autoctl", process.execPath);
    writeFileSync(unit, text);
    expect(refusalOf("systemd-analyze", "verify", unit)).toBeNull();
  }
  expect(refusalOf("systemd-analyze", "verify", path)).toBeNull();
});

test.skipIf(!Bun.which("haproxy"))("HAProxy accepts its configurations", () => {
  for (const name of ["haproxy.cfg", "compose.cfg"]) {
    expect(refusalOf("haproxy", "-c", "-f", join(DEPLOY, "haproxy", name))).toBeNull();
  }
});

test.skipIf(!Bun.which("promtool"))(
  "Prometheus accepts the alerts, which fire when they must",
  () => {
    const folder = join(DEPLOY, "prometheus");
    expect(refusalOf("promtool", "check", "config", join(folder, "prometheus.yml"))).toBeNull();
    expect(refusalOf("promtool", "test", "rules", join(folder, "alerts.test.yaml"))).toBeNull();
  },
);
