import { expect, test } from "bun:test";
import { decoded } from "../../test/support/decoded.ts";
import { type Coding, codedAtOnce, codedInThread, codingFor } from "./encoding.ts";

type Case = readonly [header: string | null, coding: Coding | "identity"];

test("gzip is sent if it is preferred at least as much as the plain document", () => {
  const asked: readonly Case[] = [
    ...([
      [null, "identity"],
      ["", "identity"],
      ["gzip", "gzip"],
      ["GZIP", "gzip"],
    ] as const),
    ...([
      ["x-gzip", "gzip"],
      ["*", "gzip"],
      ["br, *;q=0.1", "gzip"],
    ] as const),
    ...([
      ["gzip;q=0", "identity"],
      ["gzip;q=0.0, *", "identity"],
      ["br", "identity"],
    ] as const),
    ...([
      ["gzip;q=0.5, identity", "identity"],
      ["identity;q=0.4, gzip;q=0.5", "gzip"],
    ] as const),
    ...([
      ["identity;q=0, gzip;q=0.001", "gzip"],
      ["deflate , gzip ; q=1", "gzip"],
    ] as const),
    ...([
      ["gzip;q=x", "identity"],
      ["gzip;q=-1", "identity"],
      ["gzip;q=0, gzip", "identity"],
      [",,;q=1", "identity"],
    ] as const),
  ];
  for (const [header, coding] of asked) {
    const found: string = codingFor(header, ["gzip"]);
    expect({ header, found }).toEqual({ header, found: coding });
  }
});

test("the most preferred of several encodings is sent, and the first of ours among equals", () => {
  const asked: readonly Case[] = [
    ["gzip, deflate, br, zstd", "zstd"],
    ["gzip, deflate, br", "gzip"],
    ["br", "br"],
    ["br;q=1, zstd;q=0.9", "br"],
    ["*", "zstd"],
    ["*, zstd;q=0", "gzip"],
    ["*;q=0, br", "br"],
    ["*;q=0", "identity"],
    ["identity, *;q=0.5", "identity"],
    ["deflate, compress", "identity"],
    [`${"a,".repeat(1_000)}br`, "identity"],
  ];
  for (const [header, coding] of asked) {
    const found = codingFor(header, ["zstd", "gzip", "br"]);
    expect({ header, found }).toEqual({ header, found: coding });
  }
});

test("encoded text decodes to the original, encoded at once or in a thread", async () => {
  const text = `{"name":"Hôtel 東京 🏨"}`.repeat(500);
  for (const coding of ["br", "gzip", "zstd"] as const) {
    const forms = [
      codedAtOnce(text, coding),
      await codedInThread(text, coding, 1),
      await codedInThread(new TextEncoder().encode(text), coding, 9),
    ];
    for (const bytes of forms) {
      expect(bytes.length).toBeLessThan(text.length / 5);
      expect(await decoded(bytes, coding)).toBe(text);
    }
  }
});
