import { expect, test } from "bun:test";
import { escapedAttribute, escapedText, oneLine } from "./xml.ts";

test("markup in a text is escaped, once", () => {
  expect(escapedText(`<b>"Tea" & 'cake'</b> ]]>`)).toBe(
    "&lt;b&gt;&quot;Tea&quot; &amp; &apos;cake&apos;&lt;/b&gt; ]]&gt;",
  );
  expect(escapedText("&amp;")).toBe("&amp;amp;");
});

test("characters that XML 1.0 cannot contain are dropped and all others are kept", () => {
  const controls = Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)).join("");
  expect(escapedText(`a${controls}b`)).toBe("a\t\n\nb");
  expect(escapedText("a\uFFFEb\uFFFFc")).toBe("abc");
  expect(escapedText("\uD800 half \uDC00, whole \u{1F3E8}")).toBe("half , whole \u{1F3E8}");
  expect(escapedText("فندق \u200F\u202E")).toBe("فندق \u200F\u202E");
});

test("an attribute has no line ends, and line ends of a text are those that parsers read", () => {
  expect(escapedAttribute(" a\r\nb\tc\n\n d ")).toBe("a b c d");
  expect(escapedText("a\r\nb\rc\nd")).toBe("a\nb\nc\nd");
});

test("a text without printable characters is empty", () => {
  expect(oneLine(" \u0000\uFFFF\uD800\n")).toBe("");
});
