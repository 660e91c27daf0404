import { expect, test } from "bun:test";
import { credentialDigest, feedCredentialsIn } from "../../feeds/credentials.ts";

test("each partner has its own pair, with percent-encoded halves", () => {
  const found = feedCredentialsIn("google=g:secret, microsoft=m%20s:p%2C%3A%C3%A9%3Ax");
  expect([...found!]).toEqual([
    ["google", credentialDigest("g:secret")],
    ["bing", credentialDigest("m s:p,:é:x")],
  ]);
});

test("an invalid list, a repeated partner or an unknown one is refused", () => {
  const good = "google=g:s";
  expect(feedCredentialsIn(good)!.size).toBe(1);
  const bad = [
    ...["google", "google=", "google=g", "google=g:", "google=:s", "google:g=s", "=g:s"],
    ...[`${good},`, `${good};bing=b:s`, `${good},google=h:s`, "microsoft=a:b,bing=a:b"],
    ...["expedia=e:s", "Google=g:s", "google=%:s", "google=g:%zz", "google=a%3Ab:s"],
  ];
  for (const text of bad) expect({ text, is: feedCredentialsIn(text) }).toEqual({ text, is: null });
});
