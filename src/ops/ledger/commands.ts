/** `npm run ledger`: the money of the journal, for accountants and checks. It only reads. */
import { dayOf } from "../../../engine/core/calendar.ts";
import {
  flag,
  oneOf,
  operand,
  parsed,
  required,
  text,
  UsageError,
  withDefault,
} from "../../lib/command-line.ts";
import { csvLine } from "../../lib/csv.ts";
import { StartRefused } from "../../lib/lifecycle.ts";
import { command, type OperatorProgram } from "../cli/command.ts";
import { asJson, printable, type Terminal, table } from "../cli/terminal.ts";
import type { LedgerDifference } from "./compare.ts";
import { type LedgerLine, linesOfDay } from "./day.ts";
import { type Explained, explainMoney } from "./explain.ts";
import { onJournal } from "./journal.ts";
import { verifyLedger } from "./verify.ts";

const COLUMNS = [
  ...(["time", "tenant_id", "mode", "property_id", "booking_id", "payment_id"] as const),
  ...(["refund_id", "kind", "amount", "stated_amount", "currency", "receipt_hash", "seq"] as const),
] as const satisfies readonly (keyof LedgerLine)[];

/** Lines are printed together up to this size. */
const PRINTED_CHARS = 64 * 1024;

/** Prints texts in few writes. */
class Printer {
  readonly #terminal: Terminal;
  #text = "";

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  add(line: string): void {
    this.#text += line;
    if (this.#text.length >= PRINTED_CHARS) this.end();
  }

  end(): void {
    if (this.#text) this.#terminal.out(this.#text);
    this.#text = "";
  }
}

const date = required(
  parsed("YYYY-MM-DD", "the day, by each property's own clock", (given, name) => {
    if (Number.isFinite(dayOf(given))) return given;
    throw new UsageError(`${name} must be a date such as 2026-05-31`);
  }),
);

const exportDay = command({
  name: "export",
  summary: "print the movements of money of a day, one per line",
  options: {
    date,
    tenant: text("TENANT_ID", "only of this tenant"),
    property: text("PROPERTY_ID", "only of this property"),
    format: withDefault(oneOf("FORMAT", "csv (default) or ndjson", ["csv", "ndjson"]), "csv"),
  },
  note: `Amounts are minor units. The sum of \`amount\` is captured less refunded and disputed; a refund that
is only requested, or has failed, moves nothing: \`stated_amount\` says what it is about. The sums
by currency are printed on stderr.

Exit codes: 0 printed, 1 no such tenant or property, or damage, 2 usage.
`,
  async run({ env, terminal }, { date, tenant: tenantId, property: propertyId, format }) {
    const printer = new Printer(terminal);
    const sums = new Map<string, number>();
    let count = 0;
    const isKnown = onJournal(env, (journal) => {
      if (format === "csv") printer.add(csvLine(COLUMNS));
      const lines = linesOfDay(journal, { date, tenantId, propertyId });
      for (let next = lines.next(); ; next = lines.next()) {
        if (next.done) return next.value.isKnown;
        const line = next.value;
        const cells = COLUMNS.map((name) => line[name]);
        printer.add(format === "csv" ? csvLine(cells) : `${JSON.stringify(line)}\n`);
        sums.set(line.currency, (sums.get(line.currency) ?? 0) + line.amount);
        count += 1;
      }
    });
    printer.end();
    if (!isKnown) throw new StartRefused(`no property ${nameOf(tenantId, propertyId)}`);
    const told = [...sums].sort().map(([currency, amount]) => `${currency} ${amount}`);
    terminal.err(`${count} movements on ${date}; ${told.join(", ") || "no money"}\n`);
    return 0;
  },
});

function nameOf(tenantId?: string, propertyId?: string): string {
  return [propertyId, tenantId && `of tenant ${tenantId}`].filter(Boolean).join(" ");
}

function textOfDifference(found: LedgerDifference): string {
  const { id, booking_id, what, events, recorded, next_step } = found;
  const of = booking_id === null ? "" : ` (booking ${booking_id})`;
  const told = `${id}${of}: ${what}: events ${events}, recorded ${recorded}`;
  return `${printable(told)}\n    ${next_step}\n    npm run ledger -- explain ${id}\n`;
}

const verify = command({
  name: "verify",
  summary: "compare events, records and receipts of every payment, to the cent",
  options: { json: flag("print one JSON object per difference") },
  note: `Prints each difference with what to do about it. Whether the payment provider agrees is checked by
npm run admin -- payments reconcile.

Exit codes: 0 all are equal, 1 differences or damage, 2 usage.
`,
  async run({ env, terminal }, { json }) {
    const printer = new Printer(terminal);
    const { differences, ...counts } = onJournal(env, (journal) => {
      return verifyLedger(journal, (found) => {
        printer.add(json ? `${JSON.stringify(found)}\n` : textOfDifference(found));
      });
    });
    printer.end();
    const { payments, refunds, movements, row } = counts;
    const read = `${payments} payments, ${refunds} refunds, ${movements} movements up to row ${row}`;
    terminal.err(`${read}: ${differences === 0 ? "all equal" : `${differences} differences`}\n`);
    return differences === 0 ? 0 : 1;
  },
});

function textOfExplained({ movements, ...sums }: Explained): string {
  const { payment_id, booking_id, state, currency, captured, refunded, disputed, balance } = sums;
  const about = booking_id === null ? "no booking" : `booking ${booking_id}`;
  const parts = ["captured", "refunded", "disputed", "balance"] as const;
  const amounts = [captured, refunded, disputed, balance];
  const told = parts.map((name, nth) => `${name} ${amounts[nth]}`).join(", ");
  const headings = ["time", "kind", "about", "amount", "balance", "refund", "receipt", "seq"];
  const rows = movements.map((one) => [
    ...[one.time, one.kind, `${one.stated_amount}`, `${one.amount}`, `${one.balance}`],
    ...[one.refund_id ?? "", one.receipt_hash ?? "", `${one.seq}`],
  ]);
  const head = `${payment_id} of ${about}, ${state}, amounts in minor units of ${currency}`;
  return `${head}\n\n${table(headings, rows)}\n${told}\n`;
}

const IDS = /^(?:bkg|pay|rfd)_[0-9a-z]{1,60}$/;

const explain = command({
  name: "explain",
  summary: "print the movements of a booking, a payment or a refund, with the balance after each",
  operand: operand(
    required(
      parsed("ID", "bkg_…, pay_… or rfd_…", (given, name) => {
        if (IDS.test(given)) return given;
        throw new UsageError(`${name} must be the id of a booking, a payment or a refund`);
      }),
    ),
  ),
  options: { json: flag("print JSON") },
  note: `A booking or a refund leads to all movements of its payment. Nothing of the guest is read.

Exit codes: 0 printed, 1 no such id, or damage, 2 usage.
`,
  async run({ env, terminal }, { json }, id) {
    const explained = onJournal(env, (journal) => explainMoney(journal, id));
    terminal.out(json ? asJson(explained) : textOfExplained(explained));
    return 0;
  },
});

export const ledger: OperatorProgram = {
  call: "npm run --silent ledger --",
  about:
    "The money of the installation in DATA_DIR, read from its journal. The service may run; nothing is\n" +
    "written, and no credential is needed.",
  commands: [exportDay, verify, explain],
  errorPrefix: "innkeep ledger: ",
};
