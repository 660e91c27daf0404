/**
 * Writes the body of `ari.xml` for every day that can be asked for. Where all of it is too large
 * for a document, the first body is as full as the thirty days that partners ask for allow, and a
 * second one with less in it serves the longer documents.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { dateOf } from "../engine/core/calendar.ts";
import type { PropertyEntry } from "../engine/core/state.ts";
import { bundlesOf } from "./bundles.ts";
import { DOCUMENT_BYTES_MAX, type Step, stepsOf } from "./ladder.ts";
import type { StoredBody } from "./manifest.ts";
import type { Profile } from "./profiles/profile.ts";
import { propertyDataSet } from "./property-data.ts";
import { type RefundEnds, refundEndsFrom } from "./refund.ts";
import { SegmentWriter } from "./segments.ts";
import { ResultWriter } from "./transaction.ts";

/** Check-in days, today among them. */
const DAYS = 90;
/** What is asked for where nothing is said. */
const USUAL_DAYS = 30;
/** For opening and tail. */
const AROUND_BYTES = 1_000;
/** Today somewhere is at most this many days after today elsewhere. */
const ZONES_APART_DAYS = 2;
/** Properties and days that the size of a document is guessed from. */
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
  /** In the order of the document. */
  readonly properties: readonly DatedProperty[];
  /** Other than what partners take, for tests. */
  readonly bytesMax?: number;
}

interface AriProgress {
  readonly phase: "ari";
  readonly progress: number;
}

/** One set that serves every document, or two. */
export function* ariSets(source: AriSource): Generator<AriProgress, StoredBody[]> {
  const steps = stepsOf(source.profile);
  const writer = new BodyWriter(source);
  const first = yield* writer.largest(steps, USUAL_DAYS, "ari-1");
  const lower = steps.slice(steps.findIndex(({ name }) => name === first.step) + 1);
  if (first.through_days === DAYS || lower.length === 0) return [first];
  const second = yield* writer.largest(lower, DAYS, "ari-2");
  return [first, second];
}

class BodyWriter {
  readonly #source: AriSource;
  readonly #results: ResultWriter;
  readonly #bytesMax: number;
  readonly #refundEnds: RefundEnds;

  constructor(source: AriSource) {
    this.#source = source;
    this.#results = new ResultWriter(source.profile);
    this.#bytesMax = (source.bytesMax ?? DOCUMENT_BYTES_MAX) - AROUND_BYTES;
    const firstDay = Math.min(...source.properties.map(({ todayDay }) => todayDay));
    this.#refundEnds = refundEndsFrom(firstDay, DAYS + ZONES_APART_DAYS);
  }

  /** The body of the first step at which so many days fit, or of the last step. */
  *largest(steps: readonly Step[], days: number, name: string): Generator<AriProgress, StoredBody> {
    const last = steps.length - 1;
    let at = steps.findIndex((step) => this.#guess(step, days) <= this.#bytesMax);
    if (at < 0) at = last;
    for (; ; at += 1) {
      const body = yield* this.#write(steps[at]!, name);
      if (body.through_days >= days || at === last) return body;
    }
  }

  /** The size of so many days by a few of them, of a few properties. */
  #guess(step: Step, days: number): number {
    const { properties } = this.#source;
    const stride = Math.max(1, Math.floor(properties.length / SAMPLED_PROPERTIES));
    const sampled = properties.filter((_, index) => index % stride === 0);
    let bytes = 0;
    for (const dated of sampled) {
      bytes += Buffer.byteLength(this.#data(dated));
      for (let sample = 0; sample < SAMPLED_DAYS; sample += 1) {
        const offset = Math.floor((days * sample) / SAMPLED_DAYS);
        bytes += (this.#day(dated, offset, step).text.length * days) / SAMPLED_DAYS;
      }
    }
    return sampled.length === 0 ? 0 : (bytes * properties.length) / sampled.length;
  }

  *#write(step: Step, name: string): Generator<AriProgress, StoredBody> {
    const { directory, properties } = this.#source;
    const files = { file: `${name}.xml`, gzip_file: `${name}.deflate` };
    const [path, zippedPath] = [join(directory, files.file), join(directory, files.gzip_file)];
    // Of a step at which too few days fitted.
    for (const each of [path, zippedPath]) rmSync(each, { force: true });
    const writer = new SegmentWriter(path, zippedPath);
    for (const dated of properties) writer.write(this.#data(dated));
    writer.endPart();
    const results: number[] = [];
    const bundles: number[] = [];
    for (let offset = 0; offset < DAYS; offset += 1) {
      let [resultsOfDay, bundlesOfDay] = [0, 0];
      for (const [index, dated] of properties.entries()) {
        const day = this.#day(dated, offset, step);
        writer.write(day.text);
        resultsOfDay += step.nightsMax;
        bundlesOfDay += day.bundles;
        yield { phase: "ari", progress: (offset + index / properties.length) / DAYS };
      }
      if (writer.bytes > this.#bytesMax) break;
      writer.endPart();
      results.push(resultsOfDay);
      bundles.push(bundlesOfDay);
    }
    const ends = writer.close();
    return { step: step.name, through_days: results.length, ...files, ...ends, results, bundles };
  }

  #data({ property }: DatedProperty): string {
    const { language } = this.#source;
    return propertyDataSet(property.tree, { language, refundEnds: this.#refundEnds });
  }

  /** The results of a property for one check-in day. */
  #day({ property, todayDay }: DatedProperty, offset: number, step: Step) {
    const { tree } = property;
    const checkInDay = todayDay + offset;
    const checkIn = dateOf(checkInDay);
    const agentId = this.#source.profile.name;
    let text = "";
    let bundles = 0;
    for (let nights = 1; nights <= step.nightsMax; nights += 1) {
      const told = step.told(bundlesOf(property, { checkInDay, nights, agentId, todayDay }));
      text += this.#results.result(tree, checkIn, nights, told);
      if (told.hasBundles) bundles += told.bundles.length;
    }
    return { text, bundles };
  }
}
