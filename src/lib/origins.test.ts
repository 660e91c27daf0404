import { expect, test } from "bun:test";
import { originsIn, returnOriginOf } from "./origins.ts";

test("origins are kept in the form that browsers send", () => {
  const kept = [
    ["https://app.example", "https://app.example"],
    ["HTTPS://App.Example:443", "https://app.example"],
    ["http://localhost:6274", "http://localhost:6274"],
    ["http://127.1:80", "http://127.0.0.1"],
    ["http://[::1]:5173", "http://[::1]:5173"],
    ["https://bücher.example", "https://xn--bcher-kva.example"],
  ] as const;
  for (const [text, origin] of kept) expect([...originsIn(text)!]).toEqual([origin]);
  const all = originsIn(kept.map(([text]) => ` ${text} `).join(","))!;
  expect(all).toEqual(new Set(kept.map(([, origin]) => origin)));
});

test("a value that is not one origin is refused, above all one that covers many", () => {
  for (const text of [
    ...["*", "null", "https://*.app.example", "https://app.example,*", "https://"],
    ...["app.example", "//app.example", "ftp://app.example", "file:///", "data:,", "about:blank"],
    ...["https://app.example/", "https://app.example/path", "https://app.example?a", "https://a#b"],
    ...["https://user@app.example", "https://a.example,", ",", "https://a b", "https:\\\\a"],
    ...["https://a.example;https://b.example", "https://a:99999", "chrome-extension://abcdef"],
  ]) {
    expect({ text, is: originsIn(text) }).toEqual({ text, is: null });
  }
});

test("a page leads back over https, or to this machine, and never by a user name", () => {
  const origins = [
    ["https://app.example/done?a=b#c", "https://app.example"],
    ["https://app.example:8443", "https://app.example:8443"],
    ["http://localhost:6274/done", "http://localhost:6274"],
    ["http://127.0.0.1/", "http://127.0.0.1"],
    ["http://[::1]:5173/", "http://[::1]:5173"],
  ] as const;
  for (const [address, origin] of origins) expect(returnOriginOf(address)).toBe(origin);
  for (const address of [
    ...["http://app.example/", "http://localhost.app.example/", "http://127.0.0.1.app.example/"],
    ...["javascript:alert(1)", "data:text/html,x", "//app.example/", "/done", "", "app.example"],
    ...["https://app.example@eve.example/", "https://u:p@app.example/", "https:\\\\eve.example"],
    ...[
      "https://app.example\n.eve.example/",
      "https://*.app.example/",
      " https://app.example/",
      "ftp://app.example/",
    ],
  ]) {
    expect({ address, origin: returnOriginOf(address) }).toEqual({ address, origin: null });
  }
});
