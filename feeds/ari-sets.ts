/**
 * Writes the body of `ari.xml` for all check-in days. If the whole would exceed the size limit, the
 * first body is as complete as the usual thirty days allow, and a second, reduced one serves longer
 * documents.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { dateOf } from "../engine/core/calendar.ts";
import type { PropertyEntry } from "../engine/core/state/state.ts";
import { type Bundle, bundlesUpTo } from "./bundles.ts";
import { DOCUMENT_BYTES_MAX, type Step, stepsOf } from "./ladder.ts";
import type { StoredBody } from "./manifest.ts";
import type { Profile } from "./profiles/profile.ts";
import { propertyDataSet } from "./property-data.ts";
import { type RefundEnds, refundEndsFrom } from "./refund.ts";
import { SegmentWriter } from "./segments.ts";
import { ResultWriter } from "./transaction.ts";

/** Check-in days, today included. */
const DAYS = 90;
/** Default of requests. */
const USUAL_DAYS = 30;
/** Reserved for opening and tail. */
const AROUND_BYTES = 1_000;
/** Days from the earliest "today" among a tenant's zones, which differ by at most two days. */
export const DAYS_FROM_EARLIEST = DAYS + 2;
/** Sample sizes for estimating the size of a document. */
const SAMPLED_PROPERTIES = 20;
const SAMPLED_DAYS = 3;

export interface DatedProperty {
  readonly property: PropertyEntry;
  /** Today in its zone. */
  readonly todayDay: number;
}

export interface AriSource {
  readonly profile: Profile;
  readonly directory: string;
  readonly language: string;
  /** In document order. */
  readonly properties: readonly DatedProperty[];
  /** For tests; default: the partners' limit. */
  readonly bytesMax?: number;
}

interface AriProgress {
  readonly phase: "ari";
  readonly progress: number;
}

/**
 * One set for every document, or two. An estimate may be wrong: a set that exceeds the limit within
 * its days is written again, a step lower.
 */
export function* ariSets(source: AriSource): Generator<AriProgress, StoredBody[]> {
  const steps = stepsOf(source.profile);
  const last = steps.length - 1;
  const writing = new AriWriting(source);
  let at = writing.fitting(steps, 0, USUAL_DAYS);
  let below = writing.fitting(steps, at, DAYS);
  let sets = yield* writing.write(steps, below > at ? [at, below] : [at]);
  while (sets[0]!.through_days < USUAL_DAYS && at < last) {
    at += 1;
    below = Math.max(at, below);
    sets = yield* writing.write(steps, below > at ? [at, below] : [at]);
  }
  while (sets.at(-1)!.through_days < DAYS && below < last) {
    below += 1;
    sets = yield* writing.write(steps, [at, below]);
  }
  return sets;
}

class AriWriting {
  readonly #source: AriSource;
  readonly #results: ResultWriter;
  readonly #bytesMax: number;
  readonly #refundEnds: RefundEnds;

  constructor(source: AriSource) {
    this.#source = source;
    this.#results = new ResultWriter(source.profile);
    this.#bytesMax = (source.bytesMax ?? DOCUMENT_BYTES_MAX) - AROUND_BYTES;
    const firstDay = Math.min(...source.properties.map(({ todayDay }) => todayDay));
    this.#refundEnds = refundEndsFrom(firstDay, DAYS_FROM_EARLIEST);
  }

  /** The first step from `from` on at which this many days are estimated to fit. */
  fitting(steps: readonly Step[], from: number, days: number): number {
    const last = steps.length - 1;
    let at = from;
    while (at < last && this.#guess(steps[at]!, days) > this.#bytesMax) at += 1;
    return at;
  }

  /** Estimates the size of this many days from a sample of properties and days. */
  #guess(step: Step, days: number): number {
    const { properties } = this.#source;
    const stride = Math.max(1, Math.floor(properties.length / SAMPLED_PROPERTIES));
    const sampled = properties.filter((_, index) => index % stride === 0);
    let bytes = 0;
    for (const dated of sampled) {
      bytes += Buffer.byteLength(this.#data(dated));
      for (let sample = 0; sample < SAMPLED_DAYS; sample += 1) {
        const offset = Math.floor((days * sample) / SAMPLED_DAYS);
        const stays = this.#staysOf(dated, offset, step.nightsMax);
        bytes += (this.#day(dated, offset, stays, step).text.length * days) / SAMPLED_DAYS;
      }
    }
    return sampled.length === 0 ? 0 : (bytes * properties.length) / sampled.length;
  }

  /** Writes a body for each of the steps, the most complete first, from the same prices. */
  *write(steps: readonly Step[], chosen: readonly number[]): Generator<AriProgress, StoredBody[]> {
    const { directory, properties } = this.#source;
    const bodies = chosen.map((at, index) => new Body(steps[at]!, directory, `ari-${index + 1}`));
    for (const dated of properties) {
      const data = this.#data(dated);
      for (const body of bodies) body.write(data);
    }
    for (const body of bodies) body.endData();
    let open: readonly Body[] = bodies;
    for (let offset = 0; offset < DAYS && open.length > 0; offset += 1) {
      const nightsMax = Math.max(...open.map(({ step }) => step.nightsMax));
      for (const [index, dated] of properties.entries()) {
        const stays = this.#staysOf(dated, offset, nightsMax);
        for (const body of open) body.add(this.#day(dated, offset, stays, body.step));
        yield { phase: "ari", progress: (offset + index / properties.length) / DAYS };
      }
      open = open.filter((body) => body.endDay(this.#bytesMax));
    }
    return bodies.map((body) => body.close());
  }

  #data({ property }: DatedProperty): string {
    const { language } = this.#source;
    return propertyDataSet(property.tree, { language, refundEnds: this.#refundEnds });
  }

  /** The bookable bundles of a property for a check-in day, by nights. */
  #staysOf({ property, todayDay }: DatedProperty, offset: number, nights: number): Bundle[][] {
    const checkInDay = todayDay + offset;
    const agentId = this.#source.profile.name;
    return bundlesUpTo(property, { checkInDay, nights, agentId, todayDay });
  }

  /** The results of a property, day and step. */
  #day(
    { property, todayDay }: DatedProperty,
    offset: number,
    stays: readonly Bundle[][],
    step: Step,
  ): DayText {
    const checkIn = dateOf(todayDay + offset);
    let text = "";
    let bundles = 0;
    for (let nights = 1; nights <= step.nightsMax; nights += 1) {
      const written = step.select(stays[nights - 1]!);
      text += this.#results.result(property.tree, checkIn, nights, written);
      if (written.hasBundles) bundles += written.bundles.length;
    }
    return { text, results: step.nightsMax, bundles };
  }
}

/** The rendered results of a property for a check-in day. */
interface DayText {
  readonly text: string;
  readonly results: number;
  readonly bundles: number;
}

/** A body while it is written. */
class Body {
  readonly step: Step;
  readonly #files: { readonly file: string; readonly gzip_file: string };
  readonly #writer: SegmentWriter;
  readonly #results: number[] = [];
  readonly #bundles: number[] = [];
  #day = { results: 0, bundles: 0 };

  constructor(step: Step, directory: string, name: string) {
    this.step = step;
    this.#files = { file: `${name}.xml`, gzip_file: `${name}.deflate` };
    const paths = Object.values(this.#files).map((file) => join(directory, file));
    // Left by a step that was too large.
    for (const path of paths) rmSync(path, { force: true });
    this.#writer = new SegmentWriter(paths[0]!, paths[1]!);
  }

  write(text: string): void {
    this.#writer.write(text);
  }

  endData(): void {
    this.#writer.endPart();
  }

  add({ text, results, bundles }: DayText): void {
    this.#writer.write(text);
    this.#day.results += results;
    this.#day.bundles += bundles;
  }

  /** Keeps the day; returns false if the document would be too large with it. */
  endDay(bytesMax: number): boolean {
    if (this.#writer.bytes > bytesMax) return false;
    this.#writer.endPart();
    this.#results.push(this.#day.results);
    this.#bundles.push(this.#day.bundles);
    this.#day = { results: 0, bundles: 0 };
    return true;
  }

  close(): StoredBody {
    const [results, bundles] = [this.#results, this.#bundles];
    const counts = { through_days: results.length, results, bundles };
    return { step: this.step.name, ...this.#files, ...this.#writer.close(), ...counts };
  }
}
