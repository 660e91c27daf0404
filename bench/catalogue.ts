/** What can be measured: every part of the benchmark with the question it answers. */

interface PartEntry {
  /** Heading of its figures. */
  readonly title: string;
  readonly asks: string;
  /** What can be measured apart, as `<part>/<name>`; none where the turns need each other. */
  readonly series: readonly string[];
}

const ENTRIES = {
  generator: {
    title: "Generator",
    asks: "What is the maximum rate of the load generator? No other figure can be higher.",
    series: ["32", "256"],
  },
  reads: {
    title: "Reads",
    asks: "What do a property, a search and a quote cost, and limits, tokens and MCP in addition?",
    series: ["property", "limited", "token", "mcp", "search", "search-large", "quotes"],
  },
  search: {
    title: "Search",
    asks: "What does a search cost, by size of the tenant? Compared with a database with --peers.",
    series: ["core", "http", "import"],
  },
  holds: {
    title: "Holds",
    asks: "How many holds a second, spread over rooms and all on one? Compared with --peers.",
    series: ["32", "256", "slow-disk"],
  },
  flow: {
    title: "Whole flow",
    asks: "How long does a whole booking take, from search to cancellation, with 32 agents?",
    series: [],
  },
  stalls: {
    title: "Stalls",
    asks: "How do another tenant's imports and largest updates affect the latency of a hold?",
    series: [],
  },
  pages: {
    title: "Pages",
    asks: "What do pages for people cost, transfer and take to be shown? Do consoles slow holds?",
    series: ["server", "browser", "consoles"],
  },
  webhooks: {
    title: "Webhooks",
    asks: "How fast is a backlog delivered? How do failing endpoints affect healthy ones?",
    series: [],
  },
  feeds: {
    title: "Feeds",
    asks: "How fast are partner feeds built and served? How does a build affect holds?",
    series: [],
  },
  scale: {
    title: "Several machines",
    asks: "What does a journal in PostgreSQL cost? How long do takeovers take?",
    series: ["holds", "search", "takeover", "database", "handover"],
  },
  core: {
    title: "Engine alone",
    asks: "How many commands can the engine decide and persist alone? How long is a restart?",
    series: [],
  },
} as const satisfies Readonly<Record<string, PartEntry>>;

export type Part = keyof typeof ENTRIES;

/** In the order in which they are measured and shown, except that `generator` comes first. */
export const PARTS = Object.keys(ENTRIES) as readonly Part[];

export const CATALOGUE: Readonly<Record<Part, PartEntry>> = ENTRIES;

/** Everything that `--only` takes. */
export const NAMES: readonly string[] = PARTS.flatMap((part) => [
  part,
  ...CATALOGUE[part].series.map((name) => `${part}/${name}`),
]);

/** What of the benchmark is to be measured. */
export class Selection {
  readonly #names: ReadonlySet<string>;

  /** `names` are of `NAMES`. */
  constructor(names: readonly string[]) {
    this.#names = new Set(names);
  }

  hasPart(part: Part): boolean {
    return this.isWhole(part) || CATALOGUE[part].series.some((name) => this.has(part, name));
  }

  /** Whether a series of a part is to be measured, by itself or with the whole of it. */
  has(part: Part, name: string): boolean {
    return this.isWhole(part) || this.#names.has(`${part}/${name}`);
  }

  /** Whether nothing of the part is left out. */
  isWhole(part: Part): boolean {
    const { series } = CATALOGUE[part];
    const named = series.filter((name) => this.#names.has(`${part}/${name}`));
    return this.#names.has(part) || (series.length > 0 && named.length === series.length);
  }
}

const LIST_COLUMNS = 100;

/** What `--list` prints: every name, and what it answers. */
export function catalogueText(): string {
  const indent = Math.max(...PARTS.map((part) => part.length)) + 4;
  const lines = PARTS.flatMap((part) => {
    const { asks, series } = CATALOGUE[part];
    const apart = series.map((name) => `${part}/${name}`).join(", ");
    const texts = [asks, ...(apart === "" ? [] : [apart])];
    const wrapped = texts.flatMap((text) => wrap(text, LIST_COLUMNS - indent));
    return wrapped.map((line, i) => (i === 0 ? `  ${part}` : "").padEnd(indent) + line);
  });
  return `${lines.join("\n")}\n`;
}

/** Breaks a text between words, so that no line is longer than `width` unless a word is. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && [...last].length + 1 + [...word].length <= width) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(word);
  }
  return lines;
}
