/**
 * `<shard>.scrub`: progress and findings of the scrubber, so that a restarted worker continues and
 * reports known damage at once. One line of JSON that ends in its CRC-32. It is not made durable:
 * without it, or with a torn one, the scrubber starts again.
 */
import { readFileSync, writeFileSync } from "node:fs";
import type { DamageName } from "../../core/damage.ts";
import type { Head } from "../head.ts";

/** One finding, in words for an operator. */
export interface Found {
  readonly damage: DamageName;
  readonly text: string;
}

/** A pass over the whole journal. */
export interface Pass {
  readonly journalId: string;
  /** Everything up to here was read. */
  readonly place: Head;
  /** The last row to read; later rows were checked by the fold. */
  readonly through: number;
  /** When the pass ended, epoch ms of engine time; null before. */
  readonly endedAtMs: number | null;
  /** When the pass before ended; 0 for the first pass. */
  readonly formerEndedAtMs: number;
  /** Findings of this pass, and of the one before. */
  readonly found: readonly Found[];
  readonly before: readonly Found[];
}

function pathOf(journalPath: string): string {
  return journalPath.replace(/\.db$/, ".scrub");
}

function lineOf(json: string): string {
  return `${json} ${Bun.hash.crc32(json).toString(16).padStart(8, "0")}\n`;
}

/** The last pass over this journal; null without one. */
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

/** Writes the progress of a pass. */
export function writePass(journalPath: string, pass: Pass): void {
  writeFileSync(pathOf(journalPath), lineOf(JSON.stringify(pass)), { mode: 0o600 });
}
