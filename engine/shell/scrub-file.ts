/**
 * `<shard>.scrub`: how far the journal was read through since when, and what was found, so that a
 * worker that is started anew goes on, and says at once what its predecessor knew. One line of JSON
 * that ends in its CRC-32. Without it, or with a torn one, all is read anew: nothing is lost by it,
 * so nothing is made durable.
 */
import { readFileSync, writeFileSync } from "node:fs";
import type { DamageName } from "./damage.ts";
import type { Head } from "./head.ts";

/** Something that is not what was written, by its name, in words for an operator. */
export interface Found {
  readonly damage: DamageName;
  readonly text: string;
}

/** A pass over the whole journal. */
export interface Pass {
  readonly journalId: string;
  /** Up to here all was read; it goes on from there. */
  readonly place: Head;
  /** The last row that it reads; what came later was checked by whoever has folded it. */
  readonly through: number;
  /** When all was read, epoch ms of engine time; null before. */
  readonly endedAtMs: number | null;
  /** When all was read the time before, 0 for the first pass. */
  readonly formerEndedAtMs: number;
  /** What it has found, and what was known before it. */
  readonly found: readonly Found[];
  readonly before: readonly Found[];
}

function pathOf(journalPath: string): string {
  return journalPath.replace(/\.db$/, ".scrub");
}

function lineOf(json: string): string {
  return `${json} ${Bun.hash.crc32(json).toString(16).padStart(8, "0")}\n`;
}

/** The pass that was begun last over this journal; null without one. */
export function readPass(journalPath: string, journalId: string): Pass | null {
  let text: string;
  try {
    text = readFileSync(pathOf(journalPath), "utf8");
  } catch {
    return null;
  }
  const json = text.slice(0, -10);
  if (text !== lineOf(json)) return null;
  const pass = JSON.parse(json) as Pass;
  return pass.journalId === journalId ? pass : null;
}

/** Notes how far a pass is. */
export function writePass(journalPath: string, pass: Pass): void {
  writeFileSync(pathOf(journalPath), lineOf(JSON.stringify(pass)), { mode: 0o600 });
}
