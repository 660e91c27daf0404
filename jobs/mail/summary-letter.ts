/** The daily summary: key figures of a day and of its month so far. */
import { dateOf } from "../../engine/core/calendar.ts";
import { type Letter, renderLetter } from "./letter.ts";
import { dateText, moneyText } from "./voice.ts";

/** Key figures of a period; shares are 0 to 1, amounts in minor units, null for no value. */
export interface SummaryFigures {
  readonly rooms_sold: number;
  readonly occupancy: number | null;
  readonly by_currency: readonly {
    readonly currency: string;
    readonly room_revenue: number;
    readonly adr: number | null;
    readonly revpar: number | null;
  }[];
  readonly bookings_made: number;
  readonly bookings_cancelled: number;
  readonly no_shows: number;
}

/** The data of a summary. */
export interface SummaryData {
  /** Day number of the day. */
  readonly day: number;
  readonly properties: number;
  readonly ofDay: SummaryFigures;
  /** From the first of the month to the day. */
  readonly ofMonth: SummaryFigures;
  /** Uncancelled bookings that arrive on the next day. */
  readonly arrivalsToday: number;
}

type Fact = readonly [label: string, value: string];

/** The letter to the operator `agentId`. */
export function summaryLetter(agentId: string, matter: SummaryData): Letter {
  const { day, properties, ofDay, ofMonth, arrivalsToday } = matter;
  const [date, first] = [dateText(dateOf(day)), dateText(`${dateOf(day).slice(0, 7)}-01`)];
  const both = (label: string, of: (figures: SummaryFigures) => string): Fact => {
    return [label, `${of(ofDay)} (${of(ofMonth)})`];
  };
  return renderLetter("Hello,", {
    subject: `Key figures of ${date}`,
    opening: `Key figures of ${date}; in brackets those from ${first} to that day.`,
    facts: [
      ["Properties", String(properties)],
      both("Rooms sold", ({ rooms_sold }) => String(rooms_sold)),
      both("Occupancy", ({ occupancy }) => percentText(occupancy)),
      ...moneyFacts(ofDay, ofMonth),
      both("Bookings made", ({ bookings_made }) => String(bookings_made)),
      both("Cancellations", ({ bookings_cancelled }) => String(bookings_cancelled)),
      both("No-shows", ({ no_shows }) => String(no_shows)),
      ["Arrivals today", String(arrivalsToday)],
    ],
    closing: `To end these mails, set daily_summary of agent ${agentId} to null.`,
  });
}

/** One line per currency: amounts of different currencies are never added up. */
function moneyFacts(ofDay: SummaryFigures, ofMonth: SummaryFigures): Fact[] {
  const all = [...ofDay.by_currency, ...ofMonth.by_currency].map(({ currency }) => currency);
  return [...new Set(all)].sort().flatMap((currency) => {
    const both = (label: string, name: "room_revenue" | "adr" | "revpar"): Fact => {
      const [day, month] = [ofDay, ofMonth].map(({ by_currency }) => {
        const found = by_currency.find((each) => each.currency === currency);
        const amount = found ? found[name] : name === "room_revenue" ? 0 : null;
        return amount === null ? "none" : moneyText(amount, currency);
      });
      return [label, `${day} (${month})`];
    };
    return [both("Room revenue", "room_revenue"), both("ADR", "adr"), both("RevPAR", "revpar")];
  });
}

function percentText(share: number | null): string {
  return share === null ? "none" : `${(share * 100).toFixed(1)} %`;
}
