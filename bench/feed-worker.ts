/**
 * The process behind one build of the feeds benchmark: a task as JSON is its argument, what it took
 * as JSON is what it prints. Each build has a process of its own, because memory that one leaves
 * behind the next one would get for nothing.
 */
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { dateOf, todayIn } from "../engine/core/calendar.ts";
import { Replica } from "../engine/log/replica.ts";
import { bundlesUpTo } from "../feeds/bundles.ts";
import { listableOf } from "../feeds/listable.ts";
import { google } from "../feeds/profiles/google.ts";
import { ResultWriter } from "../feeds/transaction.ts";
import { TENANT } from "./core-rig.ts";
import { DAYS } from "./feed-tenant.ts";
import { build, type Library, resultsOf, slicesOf, type XmlObject } from "./xml-builders.ts";

/** Our prices and our text, from the journal to the disk. */
interface OwnTask {
  readonly journal: string;
  /** Where the document goes. */
  readonly document: string;
}

/** The same results once more by a library, from the objects that it takes. */
interface LibraryTask {
  /** Of ours. */
  readonly document: string;
  readonly library: Library;
  /** All at once, which is how the libraries are meant, or slice by slice. */
  readonly form: "whole" | "slices";
}

export type Task = OwnTask | LibraryTask;

/** What a build took. */
export interface Built {
  readonly bytes: number;
  readonly itineraries: number;
  /** Rooms and rates with a price; null where prices were given. */
  readonly bundles: number | null;
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** By how much resident memory has grown at most, from when the data was there. */
  readonly growthBytes: number;
  readonly peakRssBytes: number;
}

type Spent = Pick<Built, "seconds" | "cpuSeconds" | "growthBytes" | "peakRssBytes">;

function residentBytes(name: "VmRSS" | "VmHWM"): number {
  const status = readFileSync("/proc/self/status", "latin1");
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)![1]) * 1024;
}

/** Starts to count; the function it returns tells what was spent. */
function meter(): () => Spent {
  Bun.gc(true);
  // Has the kernel forget the peak so far (proc_pid_clear_refs(5)).
  writeFileSync("/proc/self/clear_refs", "5");
  const before = residentBytes("VmRSS");
  const startMs = performance.now();
  const cpuBefore = process.cpuUsage();
  return () => {
    const cpu = process.cpuUsage(cpuBefore);
    const peakRssBytes = residentBytes("VmHWM");
    return {
      seconds: (performance.now() - startMs) / 1000,
      cpuSeconds: (cpu.user + cpu.system) / 1e6,
      ...{ peakRssBytes, growthBytes: peakRssBytes - before },
    };
  };
}

const CHUNK_CHARACTERS = 256 * 1024;

/** The results of 30 days and 7 lengths of stay, priced and written. */
function writeOwn({ journal, document }: OwnTask): Built {
  const replica = new Replica(journal);
  const nowMs = Date.now();
  const agentId = google.name;
  const spent = meter();
  const file = openSync(document, "w");
  const writer = new ResultWriter(google);
  let [text, bytes, itineraries, bundles] = ["<Transaction>", 0, 0, 0];
  const flush = () => {
    bytes += writeSync(file, text);
    text = "";
  };
  const { listed } = listableOf(replica.state, TENANT);
  for (let offset = 0; offset < DAYS; offset += 1) {
    for (const property of listed) {
      const { tree } = property;
      const todayDay = todayIn(tree.timezone, nowMs);
      const checkInDay = todayDay + offset;
      const checkIn = dateOf(checkInDay);
      const { nightsMax: nights } = google;
      const stays = bundlesUpTo(property, { checkInDay, nights, agentId, todayDay });
      for (const [index, found] of stays.entries()) {
        text += writer.result(tree, checkIn, index + 1, { bundles: found, hasBundles: true });
        bundles += found.length;
      }
      itineraries += stays.length;
      if (text.length >= CHUNK_CHARACTERS) flush();
    }
  }
  text += "</Transaction>";
  flush();
  closeSync(file);
  const took = spent();
  replica.close();
  return { bytes, itineraries, bundles, ...took };
}

/** @throws Error when what the library writes is not what stands in the document. */
function buildAgain({ document, library, form }: LibraryTask): Built {
  const text = readFileSync(document, "utf8");
  const wanted = resultsOf(text);
  const slices = [...slicesOf(text)];
  const itineraries = slices.reduce((sum, slice) => sum + slice.length, 0);
  const parts: readonly (readonly XmlObject[])[] = form === "whole" ? [slices.flat()] : slices;
  const spent = meter();
  let bytes = 0;
  for (const results of parts) {
    const built = build(library, results);
    if (!wanted.startsWith(built, bytes)) throw new Error(`${library} writes something else`);
    bytes += built.length;
  }
  if (bytes !== wanted.length) throw new Error(`${library} writes ${bytes} of ${wanted.length}`);
  return { bytes, itineraries, bundles: null, ...spent() };
}

const task = JSON.parse(process.argv[2] ?? "") as Task;
console.log(JSON.stringify("journal" in task ? writeOwn(task) : buildAgain(task)));
