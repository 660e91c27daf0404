/** Goal: a guide renders its Markdown only: no HTML of its own, no script. */
import { expect, test } from "bun:test";
import { SIMULATIONS } from "../../../jobs/payments/sandbox-tokens.ts";
import { readConfig } from "../../config.ts";
import { SCENARIO_CODES } from "../../ops/demo/scenario.ts";
import { htmlOf } from "../../pages/document.tsx";
import type { Page } from "../../pages/frame.ts";
import { guideHtml } from "./guide-html.ts";
import { guideIndex, guidePage } from "./guide-page.tsx";
import { GUIDE_NAMES, type GuideName, guide } from "./guides.ts";

const mainOf = ({ main, trusted }: Page) => htmlOf(main, trusted);

test("HTML in Markdown is shown as text, in blocks, in lines, in headings and in tables", () => {
  const hostile = [
    "# A <b>b</b>",
    "<script>alert(1)</script>",
    'text <img src=x onerror="alert(1)"> text',
    '<div style="color:red">\n\nx\n\n</div>',
    "| a |\n| --- |\n| <iframe src=y> |",
    "- <style>p{}</style>",
    "```html\n<svg onload=z>\n```",
    "<!-- c -->",
    '[l](/docs "t\\"><script>")',
  ];
  const html = guideHtml(hostile.join("\n\n"), "");
  const tags = [...html.matchAll(/<(\/?\w+|!)/g)].map(([, name]) => name!.replace("/", ""));
  const own = ["a", "code", "div", "h1", "li", "p", "pre"];
  const table = ["table", "tbody", "td", "th", "thead", "tr"];
  expect([...new Set(tags)].sort()).toEqual([...own, ...table, "ul"]);
  expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
});

test("headings have unique ids, and code can be scrolled by keyboard", () => {
  const html = guideHtml("# One\n\n## Two\n\n## Two\n\n```ts\na;\n```", "");
  const ids = [...html.matchAll(/<h\d id="([^"]+)">/g)].map(([, id]) => id);
  expect(ids).toHaveLength(3);
  expect(new Set(ids).size).toBe(3);
  expect(html).toContain('<pre tabindex="0"><code class="language-ts">');
});

test("each table cell repeats its column's head, for narrow screens", () => {
  const html = guideHtml("| `Code` | Meaning |\n| --- | ---: |\n| a | b <i> |\n| c | |", "");
  const cells = [...html.matchAll(/data-label="([^"]*)"><div>(.*?)<\/div>/g)];
  expect(cells.map(([, label, cell]) => [label, cell])).toEqual([
    ["Code", "a"],
    ["Meaning", "b &lt;i&gt;"],
    ["Code", "c"],
    ["Meaning", ""],
  ]);
  expect(html).not.toContain("style=");
});

test("each column of a guide's tables has a head", async () => {
  for (const name of GUIDE_NAMES) {
    const html = guideHtml((await guide(name)).markdown, "");
    expect({ name, isBare: html.includes('scope="col"></th>') }).toEqual({ name, isBare: false });
  }
});

test("a guide is shown between the list of all guides and its own headings", async () => {
  const found = await guide("webhooks");
  const main = mainOf(await guidePage(found, "/hotels"));
  for (const name of GUIDE_NAMES) expect(main).toContain(`href="/hotels/docs/guides/${name}"`);
  expect(main).toContain('href="/hotels/docs/guides/webhooks" aria-current="page"');
  const ids = [...guideHtml(found.markdown, "").matchAll(/<h[23] id="([^"]+)"/g)].map(
    ([, id]) => id,
  );
  expect(ids.length).toBeGreaterThan(2);
  for (const id of ids) expect(main).toContain(`<a href="#${id}">`);
});

test("links to the service keep its base path", () => {
  expect(guideHtml("[Docs](/docs)", "/hotels")).toContain('<a href="/hotels/docs">Docs</a>');
  expect(guideHtml("[Out](https://a.example)", "/hotels")).toContain('href="https://a.example"');
});

test("links between files lead to guides, and those to other files become text", async () => {
  const { markdown } = await guide("internals");
  expect(markdown).toContain("[engine/README.md](/docs/guides/engine)");
  for (const name of GUIDE_NAMES)
    expect((await guide(name)).markdown).not.toMatch(/\]\((?!https:|[/#])/);
});

test("every guide has a title, a lead and a page that the content policy allows", async () => {
  const index = mainOf(await guideIndex(""));
  for (const name of GUIDE_NAMES) {
    const found = await guide(name);
    expect(found.title).toMatch(/^[A-Z][^#\n]+$/);
    expect(found.lead).toMatch(/^[A-Z].+\.$/);
    expect(index).toContain(`<a href="/docs/guides/${name}">${found.title}</a>`);
    const main = mainOf(await guidePage(found, ""));
    expect(main.match(/<h1 /g)).toHaveLength(1);
    expect(main).not.toMatch(
      /<script|style=|<img(?! src="\/docs\/assets\/[\w-]+-light\.webp" alt="[^"]+")|href="(?!\/|#|https:)/,
    );
    expect(main).not.toMatch(/<h\d>/);
  }
});

/** Rows of a guide's table with this first head, cell by cell. */
async function rowsUnder(name: GuideName, head: string): Promise<readonly string[][]> {
  const { markdown } = await guide(name);
  const [, rest = ""] = markdown.split(`| ${head} |`);
  const lines = rest.split("\n\n")[0]!.split("\n").slice(2);
  return lines.map((line) => line.slice(2, -2).split(" | "));
}

test("every token of the sandbox is in the guide, with its effect", async () => {
  const rows = SIMULATIONS.map(({ token, does }) => [`\`${token}\``, does]);
  expect(await rowsUnder("simulating-errors", "`provider_token`")).toEqual(rows);
});

test("every room of the scenario property is in the guide", async () => {
  const rows = await rowsUnder("simulating-errors", "`code` of the room type");
  const codes = rows.map(([code]) => code!.replaceAll("`", ""));
  expect(codes.sort()).toEqual([...SCENARIO_CODES].sort());
});

test("the guide lists exactly the settings that are read", async () => {
  const read = new Set<string>();
  readConfig(new Proxy({}, { get: (_, name) => void read.add(String(name)) }));
  const keys = ["RECEIPT_KEY", "MASTER_KEY", "HMAC_KEY", "CREDENTIAL_PEPPER"];
  const { markdown } = await guide("configuration");
  const [settings = ""] = markdown.split("## Commands at a shell");
  const told = [...settings.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name!);
  expect(told.sort()).toEqual([...read, ...keys].sort());
});

test("samples of generated clients are excerpts of programs that tests run", async () => {
  const { markdown } = await guide("integrators");
  const clients = `${import.meta.dir}/../../../test/int/clients`;
  const bare = (text: string) => text.replace(/^\s+/gm, "");
  for (const [fence, ending] of Object.entries({ ts: "ts", python: "py", go: "go" })) {
    const program = bare(await Bun.file(`${clients}/booking-flow.${ending}`).text());
    const [, sample = ""] = markdown.match(new RegExp(`^\`\`\`${fence}\n(.*?)^\`\`\`$`, "ms"))!;
    const strange = sample.split("\n\n").filter((each) => !program.includes(bare(each)));
    expect({ fence, strange }).toEqual({ fence, strange: [] });
  }
});

test("the SDK samples in the guide are those that are run", async () => {
  const clients = `${import.meta.dir}/../../../test/int/clients`;
  const { markdown } = await guide("agents");
  const [flow, desk, ...others] = [...markdown.matchAll(/^```js\n(.*?)^```$/gms)].map(
    ([, js]) => js!,
  );
  expect(flow).toBe(await Bun.file(`${clients}/sdk-sample.mjs`).text());
  expect(await Bun.file(`${clients}/sdk-desk.mjs`).text()).toContain(desk!);
  expect(others).toEqual([]);
});
