/** Pages for people: what they cost the server, transfer, and how fast they are shown. */
import type { Bench, Measured } from "./bench.ts";
import type { Fixture } from "./fixture.ts";
import { holdInTurns, quietAround } from "./holds.ts";
import type { Installation } from "./installation.ts";
import { browserOrReason, editedCell, paintedPage } from "./page-browser.ts";
import { CONSOLES, openConsoles } from "./page-consoles.ts";
import { measurePage, weigh } from "./page-server.ts";
import { type PageKind, type PageVisit, pageVisits } from "./page-visits.ts";
import type { Round } from "./progress.ts";
import type { FigureName, Verdict } from "./result.ts";
import { judged, Samples, sampleOf } from "./samples.ts";
import { steadyHolds } from "./stalls.ts";

/** Names of the pages, in their order, for the plan and the verdicts. */
export const PAGE_KINDS: Readonly<Record<string, PageKind>> = {
  ...{ Today: "console", Bookings: "console", Calendar: "console", Properties: "console" },
  ...{ Approvals: "console", Incidents: "console", Money: "console", Webhooks: "console" },
  ...{ Feeds: "console", Agents: "console", Events: "console" },
  ...{ "Calendar, 62 nights": "calendar62", Checkout: "guest", Hotel: "guest" },
  "Front page": "guest",
};

interface Budget {
  readonly group: "server" | "weight" | "browser";
  readonly figure: FigureName;
  readonly target: number;
  readonly kinds: readonly PageKind[];
  readonly text: string;
}

const ANY = ["console", "calendar62", "guest"] as const;
const SIGNED_IN = ["console", "calendar62"] as const;

/** The budgets of the design; each is judged by the page that is worst. */
const BUDGETS: readonly Budget[] = [
  { group: "server", figure: "p99Ms", target: 30, kinds: ANY, text: "p99 ms, the slowest page" },
  {
    ...{ group: "weight", figure: "kilobytes", target: 60, kinds: ["console"] },
    text: "KB of a console page, the heaviest",
  },
  {
    ...{ group: "weight", figure: "requests", target: 6, kinds: SIGNED_IN },
    text: "requests of a console page, the most",
  },
  {
    ...{ group: "weight", figure: "kilobytes", target: 80, kinds: ["calendar62"] },
    text: "KB of a calendar of 62 nights × 10 room types",
  },
  {
    ...{ group: "weight", figure: "kilobytes", target: 20, kinds: ["guest"] },
    text: "KB of a guest's page, the heaviest",
  },
  {
    ...{ group: "browser", figure: "lcpMs", target: 1_500, kinds: SIGNED_IN },
    text: "largest paint ms of a console page, the last",
  },
  {
    ...{ group: "browser", figure: "lcpMs", target: 1_000, kinds: ["guest"] },
    text: "largest paint ms of a guest's page, the last",
  },
  { group: "browser", figure: "shift", target: 0, kinds: ANY, text: "layout shift, the most" },
];

const EDIT = "an edit of a calendar's cell";
const EDIT_MAX_MS = 100;
const QUIET = "no console is open";
const OPEN = `${CONSOLES} live consoles`;
export const CONSOLE_TURNS = quietAround(QUIET, [{ name: OPEN, start: openConsoles }]);
const CONSOLES_RATIO_MAX = 1.1;

/**
 * Measures every page, each round on a fresh copy, then holds beside open consoles. A series that
 * fails ends neither the others nor their figures.
 */
export async function measurePages(fixture: Fixture, bench: Bench): Promise<Measured> {
  const { runs, only, timing } = bench;
  const samples = new Samples();
  const failures: Error[] = [];
  const attempt = async (series: string, work: () => Promise<void>): Promise<void> => {
    if (!only.has("pages", series)) return;
    try {
      await work();
    } catch (error) {
      failures.push(error as Error);
      bench.progress.note(`pages/${series} failed: ${(error as Error).message}`);
    }
  };
  for (let round = 0; round < runs; round += 1) {
    const at = { round, of: runs };
    for (const [series, show] of [
      ["server", onServer],
      ["browser", inBrowser],
    ] as const) {
      await attempt(series, () =>
        fixture.withCopy(null, async (copy) => {
          await show(copy, await pageVisits(copy), { ...bench, ...at, samples });
        }),
      );
    }
    await attempt("consoles", () => {
      const hold = steadyHolds(fixture, timing);
      const about = { stage: "pages, consoles", turns: CONSOLE_TURNS, samples, hold, ...at };
      return fixture.withCopy("spread", (copy) => holdInTurns(fixture, copy, bench, about));
    });
  }
  return { ...pageFigures(samples), failures };
}

type Under = Bench & Round & { readonly samples: Samples };

async function onServer(
  copy: Installation,
  visits: readonly PageVisit[],
  { progress, samples, round, of }: Under,
): Promise<void> {
  for (const visit of visits) {
    const { name: what } = visit;
    const work = () => measurePage(copy, visit);
    const run = await progress.run("pages", { what, round, of }, work);
    const { p50Ms, p99Ms, cpuMicros = 0 } = sampleOf(run).figures;
    const figures = { p50Ms: p50Ms!, p99Ms: p99Ms!, cpuMicros };
    samples.add("server", what, { figures, cpuByProcess: run.cpuMicrosPerRequest });
    samples.add("weight", what, { figures: { ...(await weigh(copy, visit)) } });
  }
}

async function inBrowser(
  copy: Installation,
  visits: readonly PageVisit[],
  { progress, samples }: Under,
): Promise<void> {
  const browser = await browserOrReason();
  if (typeof browser === "string") {
    progress.note(`Not measured: paint, layout shift and edits. ${browser}`);
    return;
  }
  try {
    for (const visit of visits) {
      const show = () => paintedPage(browser, copy, visit);
      const loads = await progress.step("pages, browser", visit.name, show);
      for (const { lcpMs, shift } of loads) {
        samples.add("browser", visit.name, { figures: { lcpMs, shift } });
      }
    }
    const calendar = visits.find(({ name }) => name === "Calendar")!;
    const edit = () => editedCell(browser, copy, calendar);
    const inpMs = await progress.step("pages, browser", EDIT, edit);
    samples.add("edit", EDIT, { figures: { inpMs } });
  } finally {
    await browser.close();
  }
}

/** The tables and the budgets. */
export function pageFigures(samples: Samples): Measured {
  const slow = "CPU 4 × slower, 1.6 Mbit/s, 150 ms";
  return {
    groups: [
      ...samples.group({
        ...{ id: "server", title: "a page, one request after the other" },
        ...{ compares: "p99Ms", baseline: null },
      }),
      ...samples.group({
        ...{ id: "weight", title: "a first visit, compressed" },
        ...{ compares: "kilobytes", baseline: null },
      }),
      ...samples.group({
        ...{ id: "browser", title: `Chromium, ${slow}`, compares: "lcpMs", baseline: null },
      }),
      ...samples.group({
        ...{ id: "edit", title: `Chromium, ${slow}, edits`, compares: "inpMs", baseline: null },
      }),
      ...samples.group({
        ...{ id: "holds", title: "POST /v1/holds, 50 a second", compares: "p99Ms" },
        baseline: QUIET,
      }),
    ],
    verdicts: pageVerdicts(samples),
  };
}

/** Each budget by the page that is worst, which the text names. */
export function pageVerdicts(samples: Samples): Verdict[] {
  const bound = "at most" as const;
  const budgets = BUDGETS.map(({ group, figure, target, kinds, text }) => {
    const pages = Object.keys(PAGE_KINDS).filter((name) => kinds.includes(PAGE_KINDS[name]!));
    const [worst] = pages
      .flatMap((name) => {
        const measured = samples.median(group, name, figure);
        return measured === null ? [] : [{ name, measured }];
      })
      .toSorted((a, b) => b.measured - a.measured);
    const named = pages.length > 1 && worst ? `${text} (${worst.name})` : text;
    return { name: "pages", text: named, measured: worst?.measured ?? null, target, bound };
  });
  return judged([
    ...budgets,
    {
      ...{ name: "pages", text: `ms from a key to the paint, ${EDIT}`, bound },
      ...{ measured: samples.median("edit", EDIT, "inpMs"), target: EDIT_MAX_MS },
    },
    {
      ...{ name: "pages", text: `p99 of a hold beside ${OPEN} ÷ none`, bound },
      ...{ measured: samples.ratio("holds", OPEN, QUIET, "p99Ms"), target: CONSOLES_RATIO_MAX },
    },
  ]);
}
