/** What a page of the console answers: content for the frame, or another address. */
import type { VNode } from "preact";

/** Entries of the navigation, in their order. */
export const PLACES = [
  ...(["today", "bookings", "calendar", "properties", "approvals", "incidents", "money"] as const),
  ...(["webhooks", "feeds", "agents", "events"] as const),
] as const;

export type Place = (typeof PLACES)[number];

export interface Shown {
  /** Nothing of a guest: titles are in the history of browsers. */
  readonly title: string;
  readonly place: Place;
  readonly main: VNode;
  /** 200 by default. */
  readonly status?: number;
  /** A script of this page. */
  readonly script?: "calendar.js";
  /** It shows a secret, once. */
  readonly hasSecret?: boolean;
}

export interface Gone {
  /** Path below the root of the service. */
  readonly goTo: string;
  readonly headers?: Readonly<Record<string, string>>;
}
