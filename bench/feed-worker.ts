/**
 * The process that writes the document of T8: our prices and our text, from the journal to the
 * disk. `FeedTask` as JSON is its argument, `Built` as JSON its output. Each build is a process of
 * its own, because memory that one frees would be free for the next one.
 */
import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { dateOf, todayIn } from "../engine/core/calendar.ts";
import { Replica } from "../engine/log/replica.ts";
import { bundlesUpTo } from "../feeds/bundles.ts";
import { listableOf } from "../feeds/listable.ts";
import { google } from "../feeds/profiles/google.ts";
import { ResultWriter } from "../feeds/transaction.ts";
import { TENANT } from "./core-rig.ts";
import { peakRssBytes, rssBytes } from "./cpu.ts";
import { DAYS } from "./feed-tenant.ts";

export interface FeedTask {
  readonly journal: string;
  /** Path of the document. */
  readonly document: string;
}

/** What a build took. */
export interface Built {
  readonly bytes: number;
  readonly itineraries: number;
  /** Rooms and rates with a price. */
  readonly bundles: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Peak of resident memory minus that after opening the journal. */
  readonly growthBytes: number;
  readonly peakRssBytes: number;
}

const CHUNK_CHARACTERS = 256 * 1024;

/** The results of 30 days and 7 lengths of stay. */
function* resultsOf(replica: Replica): Generator<{ text: string; bundles: number }> {
  const nowMs = Date.now();
  const { name: agentId, nightsMax: nights } = google;
  const writer = new ResultWriter(google);
  const { listed } = listableOf(replica.state, TENANT);
  for (let offset = 0; offset < DAYS; offset += 1) {
    for (const property of listed) {
      const { tree } = property;
      const todayDay = todayIn(tree.timezone, nowMs);
      const checkInDay = todayDay + offset;
      const checkIn = dateOf(checkInDay);
      const stays = bundlesUpTo(property, { checkInDay, nights, agentId, todayDay });
      for (const [index, bundles] of stays.entries()) {
        const text = writer.result(tree, checkIn, index + 1, { bundles, hasBundles: true });
        yield { text, bundles: bundles.length };
      }
    }
  }
}

function build({ journal, document }: FeedTask): Built {
  const replica = new Replica(journal);
  Bun.gc(true);
  // Resets the peak (proc_pid_clear_refs(5)).
  writeFileSync("/proc/self/clear_refs", "5");
  const before = rssBytes(process.pid);
  const startMs = performance.now();
  const cpuBefore = process.cpuUsage();
  const file = openSync(document, "w");
  let [text, bytes, itineraries, bundles] = ["<Transaction>", 0, 0, 0];
  const flush = () => {
    bytes += writeSync(file, text);
    text = "";
  };
  for (const result of resultsOf(replica)) {
    text += result.text;
    bundles += result.bundles;
    itineraries += 1;
    if (text.length >= CHUNK_CHARACTERS) flush();
  }
  text += "</Transaction>";
  flush();
  closeSync(file);
  const seconds = (performance.now() - startMs) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const peak = peakRssBytes(process.pid);
  replica.close();
  const memory = { peakRssBytes: peak, growthBytes: peak - before };
  return { bytes, itineraries, bundles, seconds, cpuSeconds: (user + system) / 1e6, ...memory };
}

console.log(JSON.stringify(build(JSON.parse(process.argv[2] ?? "") as FeedTask)));
