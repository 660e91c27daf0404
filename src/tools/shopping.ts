/** The tools that find and price a room; nothing is reserved by any of them. */
import { Type } from "@sinclair/typebox";
import { QuoteBody } from "../api/bookings/schemas.ts";
import { SearchBody } from "../api/search/schemas.ts";
import { Currency, closed, said, text } from "../http/schema/request-parts.ts";
import { bodyOf, type Tool, tool } from "./tool.ts";

const property = said(
  text(1, 120),
  "a property's id or slug, as list_properties or search gave it",
);
const currency = Type.Optional(
  said(Currency, "three uppercase letters (ISO 4217): also show prices in this currency"),
);

/** Search and quote. */
export const SHOPPING: readonly Tool[] = [
  tool({
    id: "search",
    title: "Search availability",
    description:
      "Hotels with a room free for the dates and guests, best first, each with its best offer. " +
      "Start here. Then quote the offer the traveler wants: next_actions hold the ready bodies.",
    method: "POST",
    path: "/v1/search",
    input: closed(bodyOf(SearchBody)),
    tags: ["search", "availability"],
    nextRel: "quote",
  }),
  tool({
    id: "quote",
    title: "Quote a stay",
    description:
      "Freezes price, taxes and cancellation terms of one room type and rate plan. Amounts are " +
      "minor units. Nothing is reserved: show the traveler the total and the terms, then hold " +
      "the quote before its expires_at.",
    method: "POST",
    path: "/v1/quotes",
    input: closed({ ...bodyOf(QuoteBody), currency }),
    queryArguments: ["currency"],
    isReadOnly: false,
    isIdempotent: false,
    tags: ["price", "quote"],
    nextRel: "create_hold",
  }),
];

/** The hotels themselves. */
export const SUPPLY: readonly Tool[] = [
  tool({
    id: "list_properties",
    title: "List properties",
    description:
      "All hotels that can be booked here, with slug, address and time zone. Use it to learn " +
      "which destinations exist; use search to find rooms for dates.",
    method: "GET",
    path: "/v1/properties",
    input: closed({}),
    tags: ["supply", "properties"],
    nextRel: "search",
  }),
  tool({
    id: "get_property",
    title: "Get a property",
    description:
      "One hotel with its room types and rate plans, whose ids quote needs. Rates shown are base " +
      "rates; only a quote is a price.",
    method: "GET",
    path: "/v1/properties/:id",
    input: closed({ property, currency }),
    pathArguments: { id: "property" },
    queryArguments: ["currency"],
    tags: ["supply", "properties"],
    nextRel: "search",
  }),
  tool({
    id: "get_property_full",
    title: "Get all of a property",
    description:
      "get_property plus amenities, images, contact, check-in times and cancellation policies. " +
      "Use it to answer a traveler's questions about the hotel.",
    method: "GET",
    path: "/v1/properties/:id/full",
    input: closed({ property, currency }),
    pathArguments: { id: "property" },
    queryArguments: ["currency"],
    tags: ["supply", "properties"],
    nextRel: "search",
  }),
];
