/** Addresses of Redis: what each form means, and what is refused. */
import { expect, test } from "bun:test";
import { redisAddress, redisTargetIn } from "./redis-target.ts";

test.each([
  [
    "redis+sentinel://a/inn",
    { sentinels: ["redis://a:26379"], name: "inn", primary: "redis://primary" },
  ],
  [
    "rediss+sentinel://u:p%40s@a:1,[::1]:2,c/inn-1.x/3?sentinel_username=w&sentinel_password=o%2F%40",
    {
      sentinels: [
        "rediss://w:o%2F%40@a:1",
        "rediss://w:o%2F%40@[::1]:2",
        "rediss://w:o%2F%40@c:26379",
      ],
      name: "inn-1.x",
      primary: "rediss://u:p%40s@primary/3",
    },
  ],
  [
    "redis+sentinel://:pw@a,b/inn?sentinel_password=s",
    {
      sentinels: ["redis://:s@a:26379", "redis://:s@b:26379"],
      name: "inn",
      primary: "redis://:pw@primary",
    },
  ],
])("%s names sentinels, a primary and their logins", (text, target) => {
  expect(redisTargetIn(text)).toEqual(target);
});

test.each([
  ["no scheme", "a/inn"],
  ["another scheme", "http://a"],
  ["a relative path", "unix://run/redis.sock"],
  ["several hosts without sentinels", "redis://a:1,b:2"],
  ["no name of the primary", "redis+sentinel://a,b"],
  ["an empty name", "redis+sentinel://a,b/"],
  ["a name that Redis does not allow", "redis+sentinel://a/my%20inn"],
  ["a database that is no number", "redis+sentinel://a/inn/x"],
  ["an empty host", "redis+sentinel://a,,b/inn"],
  ["a port that is none", "redis+sentinel://a:99999/inn"],
  ["a login for each host", "redis+sentinel://:p@a,:p@b/inn"],
  ["an unknown option", "redis+sentinel://a/inn?password=p"],
  ["a fragment", "redis+sentinel://a/inn#p"],
])("an address with %s is refused", (_what, text) => {
  expect(redisTargetIn(text)).toBeNull();
});

test("messages have the address without logins", () => {
  const addressOf = (text: string) => redisAddress(redisTargetIn(text)!);
  const sentinels = "redis+sentinel://u:p@a:1,[::1]/inn/3?sentinel_password=s";
  expect(addressOf(sentinels)).toBe("a:1,[::1]:26379/inn");
  expect(addressOf("rediss://u:p@a/3")).toBe("a:6379");
  expect(addressOf("unix:///run/redis.sock")).toBe("/run/redis.sock");
});
