import { expect, test } from "bun:test";
import { isAgreed, printable, progressBar, type Terminal, table } from "./terminal.ts";

/** A terminal whose operator types `answer`. */
function scripted(isWatched: boolean, answer: string | null = null) {
  const told = { out: "", err: "" };
  const terminal: Terminal = {
    isWatched,
    canAsk: true,
    out: (text) => {
      told.out += text;
    },
    err: (text) => {
      told.err += text;
    },
    ask: async (question) => {
      told.err += question;
      return answer;
    },
  };
  return { terminal, told };
}

test("untrusted text cannot control the terminal", () => {
  expect(printable("a\u001b[2Jb\r\nc\u202ed\u0007 é 漢")).toBe(
    "a\\u{1b}[2Jb\\u{d}⏎c\\u{202e}d\\u{7} é 漢",
  );
});

test("columns are as wide as their widest cell, and numbers are right-aligned", () => {
  const rows = [
    ["dlv_1", "8", "http_5xx"],
    ["dlv_22", "12", "\u001b"],
  ];
  expect(table(["delivery", "tries", "reason"], rows)).toBe(
    "delivery  tries  reason\ndlv_1         8  http_5xx\ndlv_22       12  \\u{1b}\n",
  );
  expect(table(["delivery"], [])).toBe("delivery\n");
});

test("only an explicit yes confirms", async () => {
  const { signal } = new AbortController();
  for (const [answer, agreed] of [
    ...[["y", true] as const, ["YES ", true] as const, ["", false] as const],
    ...[["no", false] as const, ["yesterday", false] as const, [null, false] as const],
  ]) {
    const { terminal, told } = scripted(true, answer);
    expect({ answer, agreed: await isAgreed({ terminal, signal }, "Replay 3?") }).toEqual({
      answer,
      agreed,
    });
    expect(told.err).toBe("Replay 3? [y/N] ");
  }
});

test("the text of the next phase overwrites the whole text of the one before", () => {
  const { terminal, told } = scripted(true);
  let nowMs = 0;
  const tell = progressBar(terminal, { now: () => nowMs, words: () => "ari" });
  for (const done of [99, 5, 100]) {
    tell(done, 100);
    nowMs += 1_000;
  }
  const texts = told.err.split("\r").map((line) => line.slice(33));
  expect(texts).toEqual(["", "ari (99 %)", "ari (5 %) ", "ari (100 %)\n"]);
});

test("progress is a bar on a terminal and lines in a file, and the end is always shown", () => {
  let nowMs = 0;
  const run = (isWatched: boolean) => {
    const { terminal, told } = scripted(isWatched);
    const tell = progressBar(terminal, { now: () => nowMs });
    for (const done of [0, 1, 2, 3, 4]) {
      tell(done, 4);
      nowMs += 60;
    }
    return told.err;
  };
  expect(run(false)).toBe("0 of 4 (0 %)\n4 of 4 (100 %)\n");
  const bar = run(true).split("\r");
  expect(bar.at(1)).toBe(`[${".".repeat(30)}] 0 of 4 (0 %)`);
  expect(bar.at(2)).toBe(`[${"#".repeat(15)}${".".repeat(15)}] 2 of 4 (50 %)`);
  expect(bar.at(-1)).toBe(`[${"#".repeat(30)}] 4 of 4 (100 %)\n`);
});
