/** What a page of the console answers: content for the frame, or another address. */
import type { VNode } from "preact";

/** Entries of the navigation, in their order; `key` after `g` goes there. */
export const PLACES = {
  today: { name: "Today", path: "/console", key: "t" },
  bookings: { name: "Bookings", path: "/console/bookings", key: "b" },
  calendar: { name: "Calendar", path: "/console/calendar", key: "c" },
  properties: { name: "Properties", path: "/console/properties", key: "p" },
  approvals: { name: "Approvals", path: "/console/approvals", key: "a" },
  incidents: { name: "Incidents", path: "/console/incidents", key: "i" },
  money: { name: "Money", path: "/console/money", key: "m" },
  webhooks: { name: "Webhooks", path: "/console/webhooks", key: "w" },
  feeds: { name: "Feeds", path: "/console/feeds", key: "f" },
  agents: { name: "Agents", path: "/console/agents", key: "n" },
  people: { name: "People", path: "/console/people", key: "o" },
  events: { name: "Events", path: "/console/events", key: "e" },
  figures: { name: "Figures", path: "/console/figures", key: "k" },
} as const;

export type Place = keyof typeof PLACES;

/** Where a deed or a page about one object belongs. */
export interface Origin {
  readonly place: Place;
  /** Path below the root of the service. */
  readonly back: string;
  readonly backName: string;
}

export interface Shown {
  /** Nothing of a guest: titles are in the history of browsers. */
  readonly title: string;
  readonly place: Place;
  readonly main: VNode;
  /** 200 by default. */
  readonly status?: number;
  /** A script of this page. */
  readonly script?: "passkey.js";
  /** It shows a secret, once. */
  readonly hasSecret?: boolean;
}

/** The answer to a program of another site, in the address to go to. */
export interface Left {
  readonly leaveFor: string;
}

export interface Gone {
  /** Path below the root of the service. */
  readonly goTo: string;
  readonly headers?: Readonly<Record<string, string>>;
}
