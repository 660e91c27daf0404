/**
 * Agent secrets: `ik_live_` or `ik_test_`, 36 random characters (214 bits), and a CRC-32 in six
 * characters. The checksum lets secret scanners recognize real secrets offline; it adds no
 * security.
 */
import { randomBytes } from "node:crypto";
import type { Mode } from "../../../engine/core/supply.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_CHARACTERS = 36;
/** 62^6 > 2^32. */
const CHECKSUM_CHARACTERS = 6;
const SHAPE = /^ik_(?:live|test)_[0-9A-Za-z]{42}$/;

function randomText(): string {
  let text = "";
  while (text.length < RANDOM_CHARACTERS) {
    for (const byte of randomBytes(RANDOM_CHARACTERS)) {
      // 248 = 4 × 62: the remainder of larger bytes would favour the first characters.
      if (byte < 248 && text.length < RANDOM_CHARACTERS) text += ALPHABET[byte % 62];
    }
  }
  return text;
}

function checksum(text: string): string {
  let rest = Bun.hash.crc32(text);
  let digits = "";
  for (let i = 0; i < CHECKSUM_CHARACTERS; i++) {
    digits = ALPHABET[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** The visible prefix of a mode's secrets. */
export function secretPrefix(mode: Mode): string {
  return `ik_${mode}_`;
}

/** A new random secret for a mode. */
export function mintSecret(mode: Mode): string {
  const text = secretPrefix(mode) + randomText();
  return text + checksum(text);
}

/** True for well-formed secrets with a valid checksum. */
export function looksLikeSecret(text: string): boolean {
  if (!SHAPE.test(text)) return false;
  return checksum(text.slice(0, -CHECKSUM_CHARACTERS)) === text.slice(-CHECKSUM_CHARACTERS);
}
