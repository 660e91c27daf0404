/** The logo, the legal page and `robots.txt`. */
import { TITLE } from "../../about/about.ts";
import { contactEmail } from "../../about/links.ts";
import type { Config } from "../../config.ts";

/** Attributes only, because a page's policy may forbid inline styles. */
export const LOGO_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img">
  <title>${TITLE}</title>
  <rect width="64" height="64" rx="14" fill="#12343b"/>
  <circle cx="32" cy="22" r="9" fill="none" stroke="#f2c14e" stroke-width="6"/>
  <path d="M32 31v21M32 40h9M32 49h7" fill="none" stroke="#f2c14e" stroke-width="6"
    stroke-linecap="round"/>
</svg>
`;

export const ROBOTS_TXT = "User-agent: *\nAllow: /\n";

/** Who is responsible for what, in plain text. */
export function legalText(config: Config): string {
  return `${TITLE}: legal information

This service is operated at ${config.baseUrl} by the owner of that host.
Contact: ${contactEmail(config)}

Contracts. A booking is a contract between the traveler and the hotel, on the price and the
cancellation terms of the quote it was made from. They are frozen at booking and can be read at any
time with the booking.

Personal data. Names, contact details and requests of guests are used to make and to keep the
booking, are stored encrypted, and are shown only to the parties of the booking. Card numbers are
never received: payments use tokens of the payment provider.

Published documents. Indexes, cards and coverage are for planning and promise neither price nor
availability; only a quote does.

Software. ${TITLE} is licensed under the Apache License 2.0 and comes without warranty.
`;
}
