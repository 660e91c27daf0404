/** Key figures of a range of days, beside those of another. */
import type { Verbatim } from "../../http/answer.ts";
import { openRoute } from "../../http/in-process.ts";
import { csvHeaders } from "../../http/render-table.ts";
import { page } from "../frame/console-route.ts";
import { SKIP_QUERY } from "../frame/pages.tsx";
import { At, Live, Problem } from "../frame/parts.tsx";
import { hotelsToChoose } from "../frame/property-picker.tsx";
import type { Gone, Shown } from "../frame/shown.ts";
import type { Visit } from "../frame/visit.ts";
import { Charts } from "./charts.tsx";
import { FiguresFilter } from "./filter.tsx";
import { funnelOf } from "./funnel.tsx";
import { Headline } from "./headline.tsx";
import { Numbers } from "./numbers.tsx";
import { nameOf } from "./range.ts";
import {
  askedRange,
  beforeOf,
  comparedFigures,
  FIGURES_QUERY,
  type Figures,
  keptQuery,
  kpisQuery,
  PATH,
} from "./read.ts";

/** Kinds of events that change a figure. */
const KINDS = "booking. hold. ari. inventory. property. refund.";

async function show(visit: Visit): Promise<Shown> {
  const range = askedRange(visit);
  const [hotels, { now, earlier }] = await Promise.all([
    hotelsToChoose(visit),
    comparedFigures(visit, range),
  ]);
  const funnel = now.ok ? await funnelOf(visit, now.data) : null;
  const before = beforeOf(earlier);
  const main = (
    <>
      <h1>Figures</h1>
      <FiguresFilter visit={visit} hotels={hotels} path={PATH} />
      {!now.ok && <Problem error={now.error} />}
      {now.ok && earlier && !earlier.ok && <Problem error={earlier.error} />}
      {now.ok && (
        <Live id="figures" kinds={KINDS}>
          <Lead visit={visit} figures={now.data} />
          <Headline figures={now.data} before={before} />
          <Charts visit={visit} figures={now.data} before={before} />
          <Numbers figures={now.data} before={before} />
          {funnel}
        </Live>
      )}
    </>
  );
  return { title: "Figures", place: "figures", main };
}

function Lead({ visit, figures }: { readonly visit: Visit; readonly figures: Figures }) {
  const kept = keptQuery(visit);
  return (
    <>
      <p class="lead">
        {nameOf(figures)}{" "}
        <span class="faint">
          as of event #{figures.as_of.seq}, <At instant={figures.as_of.at} zone="UTC" /> UTC
        </span>
      </p>
      <p class="turns">
        <a href={`${visit.root}${PATH}/hotels${kept}`}>By hotel</a>{" "}
        <a href={`${visit.root}${PATH}/csv${kept}`}>Download as CSV</a>
      </p>
    </>
  );
}

/** The API's own table, as a file; what it refuses is on the page. */
async function download(visit: Visit): Promise<Verbatim | Gone> {
  const range = askedRange(visit);
  const query = { ...kpisQuery(visit, range), format: "csv" };
  const response = await openRoute(visit.call, { id: "admin_get_kpis", query, hasRoutes: true });
  if (response.status !== 200) return { goTo: PATH + keptQuery(visit) };
  const headers = csvHeaders(`figures-${range.from}-${range.to}`, visit.call.traceId);
  return { ok: true, status: 200, headers, body: await response.text() };
}

export const figuresRoutes = [
  page(
    {
      id: "console_figures",
      path: PATH,
      summary: "Figures",
      query: { ...FIGURES_QUERY, ...SKIP_QUERY },
    },
    show,
  ),
  page(
    {
      id: "console_figures_csv",
      path: `${PATH}/csv`,
      summary: "Figures as a table",
      query: FIGURES_QUERY,
    },
    download,
  ),
];
