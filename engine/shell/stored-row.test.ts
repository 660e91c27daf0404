import { expect, test } from "bun:test";
import { crcOf } from "./stored-row.ts";

test("the payload's CRC is the CRC-32 of its UTF-8 bytes; what is no text has none", () => {
  // Check value of CRC-32/ISO-HDLC.
  expect(crcOf("123456789")).toBe(0xcbf43926);
  expect(crcOf(Buffer.from("123456789") as unknown as string)).toBeNaN();
  expect(crcOf("ü☀")).toBe(Bun.hash.crc32(Buffer.from("ü☀", "utf8")));
});
