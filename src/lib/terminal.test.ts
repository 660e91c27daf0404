import { expect, test } from "bun:test";
import { paintOf } from "./terminal.ts";

test("colour is used on terminals only, and never with NO_COLOR", () => {
  const terminal = { isTTY: true };
  expect(paintOf(terminal, {}).red("no")).toBe("\x1b[31mno\x1b[0m");
  expect(paintOf(terminal, { NO_COLOR: "" }).red("no")).not.toBe("no");
  expect(paintOf(terminal, { NO_COLOR: "1" }).red("no")).toBe("no");
  expect(paintOf(terminal, { TERM: "dumb" }).red("no")).toBe("no");
  expect(paintOf({}, {}).red("no")).toBe("no");
  expect(paintOf({ isTTY: false }, {}).red("no")).toBe("no");
});
