import { expect, test } from "bun:test";
import { crcOf, crcOfBlock } from "./stored-row.ts";

test("the CRC of a text is the CRC-32 of its UTF-8 bytes; a value that is not text has none", () => {
  // Check value of CRC-32/ISO-HDLC.
  expect(crcOf("123456789")).toBe(0xcbf43926);
  expect(crcOf(Buffer.from("123456789") as unknown as string)).toBeNaN();
  expect(crcOf("ü☀")).toBe(Bun.hash.crc32(Buffer.from("ü☀", "utf8")));
});

test("the CRC of a block continues from that of its keys; a block given as text has none", () => {
  const [keys, payload] = [Buffer.from("1234"), Buffer.from("56789")];
  expect(crcOfBlock(payload, keys)).toBe(0xcbf43926);
  expect(crcOfBlock(Buffer.from("123456789"), null)).toBe(0xcbf43926);
  expect(crcOfBlock("56789" as unknown as Uint8Array, keys)).toBeNaN();
  expect(crcOfBlock(payload, "1234" as unknown as Uint8Array)).toBeNaN();
});
