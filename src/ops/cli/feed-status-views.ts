/** Text views of feeds and their runs. */
import { counted, line } from "./feed-views.ts";
import { printable, table } from "./terminal.ts";

/** As in the API; instants are RFC 3339. */
export interface Run {
  readonly run_id: string;
  readonly partner: string;
  readonly trigger: string;
  readonly state: string;
  readonly phase: string | null;
  readonly progress: number;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly seq: number | null;
  readonly listings: number | null;
  readonly reason: string | null;
  readonly detail: string | null;
}

export interface Ari {
  readonly days: number;
  readonly step: string;
  readonly results: number;
  readonly bundles: number;
  readonly bytes: number;
  readonly gzip_bytes: number;
}

interface Published {
  readonly run_id: string;
  readonly seq: number;
  readonly at: string;
  readonly age_s: number;
  readonly hotel_list: {
    readonly listings: number;
    readonly bytes: number;
    readonly gzip_bytes: number;
    readonly skipped: {
      readonly count: number;
      readonly properties: readonly {
        readonly property_id: string;
        readonly reasons: readonly string[];
      }[];
    };
  };
  readonly ari: readonly Ari[];
}

export interface Feed {
  readonly partner: string;
  readonly title: string;
  readonly about: string;
  readonly nights_max: number;
  readonly needs_credential: boolean;
  readonly documents: Readonly<Record<"hotel_list" | "ari" | "point_of_sale", string>>;
  readonly asked_at: string | null;
  readonly next_nightly_at: string | null;
  readonly published: Published | null;
  readonly open_run: Run | null;
  readonly failed_run: Run | null;
}

export interface FeedList {
  readonly items: readonly Feed[];
  readonly note: string | null;
}

const NOTHING = "-";

/** E.g. `45 s`, `12 min`, `3.5 h`, `2.1 d`. */
function durationText(s: number): string {
  if (s < 120) return `${Math.round(s)} s`;
  if (s < 2 * 3_600) return `${Math.round(s / 60)} min`;
  if (s < 48 * 3_600) return `${(s / 3_600).toFixed(1)} h`;
  return `${(s / 86_400).toFixed(1)} d`;
}

function bytesText(bytes: number): string {
  if (bytes < 10_000) return `${counted(bytes)} B`;
  if (bytes < 10_000_000) return `${counted(Math.round(bytes / 1_000))} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function sizeText({ bytes, gzip_bytes }: Pick<Ari, "bytes" | "gzip_bytes">): string {
  return `${bytesText(bytes)}, ${bytesText(gzip_bytes)} gzipped`;
}

function runText({ state, phase, progress }: Run): string {
  return phase === null ? state : `${phase} ${Math.floor(100 * progress)} %`;
}

/** The open run, else the last result. */
function stateOf({ published, open_run, failed_run }: Feed): string {
  if (open_run !== null) return runText(open_run);
  if (failed_run !== null) return "FAILED";
  return published === null ? NOTHING : "published";
}

function failureText(run: Run | null): string {
  return run === null ? NOTHING : `${run.reason} ${run.ended_at ?? ""}`.trimEnd();
}

/** One line per partner. */
export function feedTable(feeds: readonly Feed[]): string {
  const rows = feeds.map((feed) => {
    const { partner, published, failed_run } = feed;
    const ari = published?.ari[0];
    return [
      ...[partner, stateOf(feed), published ? durationText(published.age_s) : NOTHING],
      ...(published ? [counted(published.hotel_list.listings)] : [NOTHING]),
      ...(published ? [counted(published.hotel_list.skipped.count)] : [NOTHING]),
      ...(ari
        ? [counted(ari.results), bytesText(ari.bytes), ari.step]
        : [NOTHING, NOTHING, NOTHING]),
      failureText(failed_run),
    ];
  });
  const headings = ["PARTNER", "STATE", "AGE", "LISTED", "SKIPPED", "STAYS", "SIZE", "STEP"];
  return table([...headings, "LAST FAILURE"], rows);
}

function publishedText({ run_id, seq, at, age_s, hotel_list, ari }: Published): string {
  const { listings, skipped } = hotel_list;
  const reasons = skipped.properties.map(({ property_id, reasons: lacks }) => {
    return `      ${printable(`${property_id}: ${lacks.join(", ")}`)}\n`;
  });
  const left = skipped.count - skipped.properties.length;
  return [
    line("published", `${run_id}, ${durationText(age_s)} old: event ${seq} of ${at}`),
    line("hotel-list.xml", `${counted(listings)} listings, ${sizeText(hotel_list)}`),
    ...ari.map((each) => {
      const stays = `${counted(each.results)} stays, ${counted(each.bundles)} offers`;
      return line(`ari.xml, ${each.days} d`, `${stays}, ${sizeText(each)}, ${each.step}`);
    }),
    line("skipped", skipped.count === 0 ? "none" : `${counted(skipped.count)} properties`),
    ...reasons,
    left > 0 ? `      and ${counted(left)} more\n` : "",
  ].join("");
}

/** Details of one feed. */
export function feedText(feed: Feed): string {
  const { partner, title, about, needs_credential, documents, asked_at } = feed;
  const { published, open_run, failed_run, next_nightly_at } = feed;
  return [
    `${partner}: ${printable(title)}\n`,
    line("for", about),
    line("state", stateOf(feed)),
    published === null ? "" : publishedText(published),
    open_run === null ? "" : line("running", `${open_run.run_id}, ${runText(open_run)}`),
    failed_run === null ? "" : runFailureText(failed_run),
    line("last fetched", asked_at ?? "never"),
    line("next nightly", next_nightly_at ?? NOTHING),
    line("longest stay", `${feed.nights_max} nights`),
    line("user, password", needs_credential ? "needed" : "none"),
    ...Object.values(documents).map((address, i) => line(i === 0 ? "addresses" : "", address)),
  ].join("");
}

/** Remedies for failed runs; for other reasons the detail is enough. */
const ADVICE: Readonly<Record<string, string>> = {
  shrunken: "if this is intended: npm run --silent feeds -- build PARTNER --accept-shrink",
  no_property: "a listed property must be live and have an address, and coordinates or a phone",
};

/** Reason, detail and remedy of a failed run. */
export function runFailureText({ run_id, partner, reason, detail, ended_at }: Run): string {
  const advice = ADVICE[reason ?? ""]?.replace("PARTNER", partner);
  return [
    line("failed", [run_id, reason, ended_at].filter((each) => each !== null).join(", ")),
    detail === null ? "" : `      ${printable(detail)}\n`,
    advice === undefined ? "" : `      ${advice}\n`,
  ].join("");
}

/** One line per run. */
export function runTable(runs: readonly Run[]): string {
  const rows = runs.map((run) => {
    const { partner, run_id, state, listings, seq, started_at, ended_at } = run;
    const tookMs = Date.parse(ended_at ?? "") - Date.parse(started_at ?? "");
    const took = Number.isNaN(tookMs) ? NOTHING : `${(tookMs / 1_000).toFixed(1)} s`;
    return [
      ...[partner, run_id, state, listings === null ? NOTHING : counted(listings)],
      ...[seq === null ? NOTHING : String(seq), took],
    ];
  });
  return table(["PARTNER", "RUN", "STATE", "LISTED", "SEQ", "TOOK"], rows);
}
