/**
 * Goal: an operator gets one summary per local date, from its hour on, with the right figures, also
 * after restarts. Method: the real file of mails and a real outbox; the test supplies time, figures
 * and operators.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dayOf } from "../../engine/core/calendar.ts";
import { RecordDamaged } from "../../engine/core/record-damage.ts";
import { MailStore } from "./mail-store.ts";
import { MailWriter } from "./mail-writer.ts";
import { type SummaryReader, summariesOf } from "./summaries.ts";
import { type SummaryData, summaryLetter } from "./summary-letter.ts";
import type { SummaryRows } from "./summary-rows.ts";

const HOUR_MS = 3_600_000;
const MADRID: SummaryReader = {
  ...{ agent_id: "agt_madrid", mode: "live", email: "desk@madrid.example" },
  ...{ at: "07:00", timezone: "Europe/Madrid" },
};
const AUCKLAND = { ...MADRID, agent_id: "agt_auckland", timezone: "Pacific/Auckland" };
const FIGURES = {
  ...{ rooms_sold: 12, occupancy: 0.5417 },
  ...{ bookings_made: 4, bookings_cancelled: 1, no_shows: 0 },
};
const EUR = { currency: "EUR", room_revenue: 123_450, adr: 10_288, revpar: 5_573 };

function matterAt(today: number): SummaryData {
  const ofDay = { ...FIGURES, by_currency: [EUR] };
  const yen = { currency: "JPY", room_revenue: 90_000, adr: 9_000, revpar: null };
  const ofMonth = {
    ...{ ...FIGURES, rooms_sold: 250, occupancy: null },
    by_currency: [{ ...EUR, room_revenue: 3_000_000, revpar: null }, yen],
  };
  return { day: today - 1, properties: 3, ofDay, ofMonth, arrivalsToday: 5 };
}

let directory: string;
let store: MailStore;
let writer: MailWriter;
let nowMs: number;
let readers: SummaryReader[];
let dataOf: (reader: SummaryReader, today: number) => SummaryData | null;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "innkeep-summaries-"));
  store = new MailStore(join(directory, "mail.db"));
  writer = new MailWriter({
    ...{ server: null, outbox: join(directory, "outbox") },
    from: { name: null, address: "desk@inn.example" },
    guestUrl: "https://inn.example/guest",
    ...{ guestOf: () => null, treeOf: () => null },
  });
  nowMs = Date.parse("2026-11-26T05:59:00Z");
  readers = [MADRID];
  dataOf = (_reader, today) => matterAt(today);
});
afterEach(() => {
  writer.close();
  store.close();
  rmSync(directory, { recursive: true });
});

/** Another process: it knows only what the file has. */
function summaries(rows: SummaryRows = store.summaries) {
  return summariesOf({
    ...{ rows, writer, readers: () => readers },
    dataOf: (reader, today) => dataOf(reader, today),
    ...{ now: () => nowMs, log: () => {} },
  });
}

function files(): string[] {
  const outbox = join(directory, "outbox");
  return existsSync(outbox) ? readdirSync(outbox).sort() : [];
}

function sent(): string[] {
  return files().map((name) => name.replace(/^\w+Z-|\.eml$/g, ""));
}

test("the letter has the figures of the day and of the month, separately by currency", () => {
  const { subject, text, html } = summaryLetter("agt_1", matterAt(dayOf("2026-11-26")));
  expect(subject).toBe("Key figures of Wed, 25 Nov 2026");
  expect(text).toBe(`Hello,

Key figures of Wed, 25 Nov 2026; in brackets those from Sun, 1 Nov 2026 to that day.

Properties:     3
Rooms sold:     12 (250)
Occupancy:      54.2 % (none)
Room revenue:   EUR 1,234.50 (EUR 30,000.00)
ADR:            EUR 102.88 (EUR 102.88)
RevPAR:         EUR 55.73 (none)
Room revenue:   JPY 0 (JPY 90,000)
ADR:            none (JPY 9,000)
RevPAR:         none (none)
Bookings made:  4 (4)
Cancellations:  1 (1)
No-shows:       0 (0)
Arrivals today: 5

To end these mails, set daily_summary of agent agt_1 to null.
`);
  expect(html).toContain("<td>12 (250)</td>");
});

test("an operator gets one summary per local date, from its hour on, also after restarts", async () => {
  await summaries().run();
  expect(sent()).toEqual([]);
  nowMs += HOUR_MS;
  const first = summaries();
  await first.run();
  await first.run();
  await summaries().run();
  // Another hour of the same date, earlier or later, makes no second one.
  readers = [{ ...MADRID, at: "08:30" }];
  nowMs += 2 * HOUR_MS;
  await summaries().run();
  expect(sent()).toEqual(["summary.agt_madrid.2026-11-26"]);
  nowMs += 24 * HOUR_MS;
  await summaries().run();
  expect(sent()).toEqual(["summary.agt_madrid.2026-11-26", "summary.agt_madrid.2026-11-27"]);
});

test("dates are those of the operator's zone, and the mail goes to its address", async () => {
  readers = [MADRID, AUCKLAND];
  nowMs = Date.parse("2026-11-25T18:30:00Z");
  await summaries().run();
  expect(sent()).toEqual(["summary.agt_auckland.2026-11-26", "summary.agt_madrid.2026-11-25"]);
  const mail = readFileSync(join(directory, "outbox", files()[0]!), "utf8");
  expect(mail).toContain("To: desk@madrid.example\r\n");
  expect(mail).toContain("Subject: Key figures of Wed, 25 Nov 2026\r\n");
});

test("a worker that ends before it records a mail sends the identical mail again", async () => {
  nowMs += HOUR_MS;
  const dying = Object.assign(Object.create(store.summaries), {
    take: (...of: Parameters<SummaryRows["take"]>) => store.summaries.take(...of),
    due: (at: number) => store.summaries.due(at),
    sent: () => {
      throw new Error("killed");
    },
  });
  await summaries(dying).run();
  expect(store.summaries.due(nowMs)).toHaveLength(1);
  await summaries().run();
  expect(store.summaries.due(nowMs)).toEqual([]);
  expect(sent()).toEqual(["summary.agt_madrid.2026-11-26"]);
});

test("a mail sent before the disk filled up is recorded later and not sent again", async () => {
  nowMs += HOUR_MS;
  let handedOver = 0;
  let isFull = true;
  const counting = {
    summaryIdOf: writer.summaryIdOf.bind(writer),
    send(...of: Parameters<MailWriter["send"]>) {
      handedOver += 1;
      return writer.send(...of);
    },
  };
  const rows = Object.assign(Object.create(store.summaries), {
    take: (...of: Parameters<SummaryRows["take"]>) => store.summaries.take(...of),
    due: (at: number) => store.summaries.due(at),
    sent(...of: Parameters<SummaryRows["sent"]>) {
      if (isFull) throw new Error("disk full");
      store.summaries.sent(...of);
    },
  });
  const one = summariesOf({
    ...{ rows, writer: counting, readers: () => readers, now: () => nowMs, log: () => {} },
    dataOf: (reader: SummaryReader, today: number) => dataOf(reader, today),
  });
  await one.run();
  await one.run();
  expect([handedOver, store.summaries.due(nowMs).length]).toEqual([1, 1]);
  isFull = false;
  await one.run();
  expect([handedOver, store.summaries.due(nowMs).length]).toEqual([1, 0]);
});

test("a summary waits for its figures and delays no other summary", async () => {
  readers = [MADRID, { ...MADRID, agent_id: "agt_damaged" }, { ...MADRID, agent_id: "agt_other" }];
  const readable = dataOf;
  dataOf = ({ agent_id }, today) => {
    if (agent_id === "agt_damaged") throw new RecordDamaged("booking", "bkg_1", "is missing");
    return agent_id === "agt_madrid" ? null : readable(MADRID, today);
  };
  nowMs += HOUR_MS;
  await summaries().run();
  expect(sent()).toEqual(["summary.agt_other.2026-11-26"]);
  dataOf = readable;
  nowMs += 2_000;
  await summaries().run();
  expect(sent()).toHaveLength(3);
});

test("an operator that disabled its summaries, or lost its rights, gets no mail", async () => {
  nowMs += HOUR_MS;
  dataOf = () => null;
  await summaries().run();
  readers = [];
  nowMs += 10_000;
  await summaries().run();
  dataOf = (_reader, today) => matterAt(today);
  readers = [MADRID];
  await summaries().run();
  expect([sent(), store.summaries.due(nowMs + HOUR_MS)]).toEqual([[], []]);
});
