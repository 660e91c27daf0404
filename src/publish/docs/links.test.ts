/**
 * Goal: no link between the files for readers is broken. Method: every relative link of the
 * README, the guides and the other Markdown of the repository is looked up, its anchor among the
 * headings of the file that it names.
 */
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { GUIDE_NAMES, guidePath } from "./guides.ts";

const ROOT = resolve(import.meta.dir, "..", "..", "..");
const GUIDES = GUIDE_NAMES.map((name) => relative(ROOT, guidePath(name)));
const NOTES = readdirSync(join(ROOT, "bench", "notes")).map((name) => `bench/notes/${name}`);
const OTHERS = [
  ...["README.md", "CHANGELOG.md", "src/sdk/README.md", "test/README.md", "bench/RESULTS.md"],
  ...NOTES,
];

/** The ids that headings get: as on the pages that are made of them, and on code forges. */
function anchorsOf(path: string): string[] {
  const html = Bun.markdown.html(readFileSync(path, "utf8"), { headings: { ids: true } });
  return [...html.matchAll(/<h\d id="([^"]+)"/g)].map(([, id]) => id!);
}

function linksOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), "utf8").replace(/^```.*?^```$/gms, "");
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
}

test("every link between files leads to a file, and to a heading that it has", () => {
  const dead: string[] = [];
  let count = 0;
  for (const file of [...OTHERS, ...GUIDES]) {
    for (const target of linksOf(file).filter((each) => !/^([a-z]+:|\/)/.test(each))) {
      count += 1;
      const [path = "", anchor] = target.split("#");
      const found = path === "" ? join(ROOT, file) : resolve(ROOT, dirname(file), path);
      const isThere = existsSync(found) && statSync(found).isFile();
      if (!isThere || (anchor !== undefined && !anchorsOf(found).includes(anchor))) {
        dead.push(`${file}: ${target}`);
      }
    }
  }
  expect(dead).toEqual([]);
  expect(count).toBeGreaterThan(40);
});

test("the README links to every guide", () => {
  const named = linksOf("README.md").map((target) => relative(ROOT, resolve(ROOT, target)));
  for (const file of GUIDES) expect(named).toContain(file);
});
