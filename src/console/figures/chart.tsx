/**
 * Charts as SVG, made on the server. The drawing stretches to any width; its words are beside it,
 * so that they keep their size on a phone. A table of the same numbers is the page's to show.
 */

/** Length of the drawing's sides, in its own units. */
const WIDE = 1000;
const HIGH = 200;
/** Part of a place along the line that its bar takes. */
const BAR_SHARE = 0.72;
/** Where an axis may end, times a power of ten. */
const STEPS = [1, 1.2, 1.6, 2, 3, 4, 5, 6, 8, 10];

/** How a series is drawn; styles are those of the class. */
export type Look = "bar" | "line" | "second" | "before";

export interface Series {
  readonly name: string;
  readonly look: Look;
  /** By period; null where there is none. */
  readonly values: readonly (number | null)[];
}

interface ChartOf {
  /** Unique on the page. */
  readonly id: string;
  readonly title: string;
  /** What it shows, for who cannot see it. */
  readonly summary: string;
  /** Names of the periods. */
  readonly periods: readonly string[];
  readonly series: readonly Series[];
  /** A value beside the axis, where there is little room. */
  readonly words: (value: number) => string;
  /** A value by itself; as beside the axis by default. */
  readonly exact?: (value: number) => string;
  /** The axis reaches this at least. */
  readonly least?: number;
  /** The first period that has not happened yet; none by default. */
  readonly aheadFrom?: number;
}

/** A chart with its axes and a legend in words. */
export function Chart({
  id,
  title,
  summary,
  periods,
  series,
  words,
  exact = words,
  least = 0,
  aheadFrom = periods.length,
}: ChartOf) {
  const known = series.flatMap(({ values }) => values.filter((value) => value !== null));
  const top = topOf(Math.max(least, ...known));
  const at: Drawn = { periods, exact, aheadFrom, top };
  return (
    <figure class="chart">
      <figcaption id={`${id}-caption`}>{title}</figcaption>
      <div class="plot">
        <p class="scale" aria-hidden="true">
          <span>{words(top)}</span>
          <span>{words(top / 2)}</span>
          <span>{words(0)}</span>
        </p>
        <svg
          role="img"
          aria-labelledby={`${id}-title ${id}-desc`}
          viewBox={`0 0 ${WIDE} ${HIGH}`}
          width="100%"
          height={HIGH}
          preserveAspectRatio="none"
        >
          <title id={`${id}-title`}>{title}</title>
          <desc id={`${id}-desc`}>{summary}</desc>
          {[0, HIGH / 2, HIGH].map((y) => (
            <line class="grid" x1={0} x2={WIDE} y1={y} y2={y} vector-effect="non-scaling-stroke" />
          ))}
          {series.map((each) =>
            each.look === "bar" ? barsOf({ ...at, series: each }) : <Line {...at} series={each} />,
          )}
        </svg>
        <Ends periods={periods} />
      </div>
      <Legend series={series} hasAhead={aheadFrom < periods.length} />
    </figure>
  );
}

interface Drawn extends Pick<ChartOf, "periods"> {
  readonly exact: (value: number) => string;
  readonly aheadFrom: number;
  readonly top: number;
}

type DrawnSeries = Drawn & { readonly series: Series };

function barsOf({ periods, exact, aheadFrom, top, series: { values } }: DrawnSeries) {
  const place = WIDE / periods.length;
  return values.map((value, nth) => {
    if (value === null || value <= 0) return null;
    const height = (value / top) * HIGH;
    return (
      <rect
        class={nth < aheadFrom ? "bar" : "bar ahead"}
        x={tenth((nth + (1 - BAR_SHARE) / 2) * place)}
        y={tenth(HIGH - height)}
        width={tenth(place * BAR_SHARE)}
        height={tenth(height)}
      >
        <title>{`${periods[nth]}: ${exact(value)}`}</title>
      </rect>
    );
  });
}

/** Interrupted where there is no value. */
function Line({ periods, top, series: { values, look } }: DrawnSeries) {
  const place = WIDE / periods.length;
  const steps = values.slice(0, periods.length).map((value, nth) => {
    if (value === null) return "";
    const begins = (values[nth - 1] ?? null) === null;
    const y = tenth(HIGH - (Math.max(0, value) / top) * HIGH);
    // A day by itself is a dot: a line without length.
    const [to, end] = begins ? ["M", "h0"] : ["L", ""];
    return `${to}${tenth((nth + 0.5) * place)} ${y}${end}`;
  });
  return <path class={look} d={steps.join("")} vector-effect="non-scaling-stroke" />;
}

function Ends({ periods }: Pick<ChartOf, "periods">) {
  const middle = periods.length > 2 ? periods[Math.floor((periods.length - 1) / 2)] : "";
  return (
    <p class="ends" aria-hidden="true">
      <span>{periods[0]}</span>
      <span>{middle}</span>
      <span>{periods.length > 1 ? periods.at(-1) : ""}</span>
    </p>
  );
}

interface LegendOf {
  readonly series: readonly Series[];
  readonly hasAhead: boolean;
}

function Legend({ series, hasAhead }: LegendOf) {
  const entries = series.map(({ name, look }) => [look, name] as const);
  const ahead = hasAhead && series.some(({ look }) => look === "bar");
  return (
    <ul class="legend">
      {entries.map(([look, name]) => (
        <li>
          <Sample look={look} /> {name}
        </li>
      ))}
      {ahead && (
        <li>
          <Sample look="bar ahead" /> from today on: booked so far
        </li>
      )}
    </ul>
  );
}

function Sample({ look }: { readonly look: Look | "bar ahead" }) {
  return (
    <svg class="sample" width="18" height="12" aria-hidden="true">
      {look.startsWith("bar") ? (
        <rect class={look} x="1" y="1" width="16" height="10" />
      ) : (
        <path class={look} d="M0 6L18 6" />
      )}
    </svg>
  );
}

interface ShareOf {
  readonly part: number;
  readonly of: number;
}

/** A part of a whole as a bar; the number is beside it. */
export function Share({ part, of }: ShareOf) {
  return (
    <svg
      class="share"
      viewBox={`0 0 ${WIDE} 10`}
      width="100%"
      height="10"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <rect class="whole" width={WIDE} height="10" />
      <rect class="bar" width={tenth((Math.min(part, of) / of) * WIDE)} height="10" />
    </svg>
  );
}

/** The least round number that is not below the value; its half is round as well. */
export function topOf(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return STEPS.map((times) => times * power).find((each) => each >= value)!;
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
