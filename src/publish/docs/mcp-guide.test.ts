import { expect, test } from "bun:test";
import { ROUTES } from "../../app.ts";
import { toolsOf } from "../../protocols/tools/catalogue.ts";
import { addressed, guide } from "./guides.ts";

const { markdown } = await guide("mcp");
const snippets = [...markdown.matchAll(/```json\n(.*?)```/gs)].map(([, text]) => text!);

test("every snippet is JSON, and its address is that of MCP", () => {
  expect(snippets).toHaveLength(5);
  for (const text of snippets) {
    expect(() => JSON.parse(text)).not.toThrow();
    expect(text.match(/http:[^"]*/g)).toEqual(["http://localhost:3000/mcp"]);
    expect(text).toMatch(/Bearer (?:\$\{[\w:-]+\}|<agent\.secret of data\/demo\.json>)/);
  }
});

test("each snippet has the members that its client reads", () => {
  const [code, desktop, cursor, editor, responses] = snippets.map((text) => JSON.parse(text));
  expect(code.mcpServers.innkeep).toMatchObject({ type: "http", url: expect.any(String) });
  expect(desktop.mcpServers.innkeep.args.slice(0, 2)).toEqual(["-y", "mcp-remote"]);
  expect(Object.keys(cursor.mcpServers.innkeep)).toEqual(["url", "headers"]);
  expect(editor.servers.innkeep.headers.Authorization).toContain(editor.inputs[0].id);
  expect(responses.tools[0]).toMatchObject({ type: "mcp", server_label: "innkeep" });
});

test("exactly the destructive tools need a person's approval", () => {
  const { tools } = JSON.parse(snippets[4]!);
  const destroying = toolsOf(ROUTES).filter(({ isDestructive }) => isDestructive);
  expect(tools[0].require_approval.always.tool_names).toEqual(destroying.map(({ id }) => id));
});

test("an installation shows its own address", async () => {
  const shown = addressed(await guide("mcp"), "https://rooms.example/api").markdown;
  expect(shown).toContain('"url": "https://rooms.example/api/mcp"');
  expect(shown).not.toContain("localhost:3000");
});
