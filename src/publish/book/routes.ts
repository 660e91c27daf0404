/**
 * `GET /book/:property`: the landing page of partners' price links (`pointofsale.xml`). It never
 * refuses: missing or invalid values are assumed, and the page says so.
 */
import { Type } from "@sinclair/typebox";
import { todayIn } from "../../../engine/core/calendar.ts";
import type { PropertyEntry, State } from "../../../engine/core/state/state.ts";
import { hotelPageUrl } from "../../../feeds/point-of-sale.ts";
import { linksOf } from "../../about/links.ts";
import { chargeAddress } from "../../http/admission.ts";
import type { Document, Refusal } from "../../http/answer.ts";
import type { PublicCall } from "../../http/call.ts";
import type { Context } from "../../http/context.ts";
import type { AddressLimit, QueryParameter } from "../../http/contract.ts";
import { route } from "../../http/route.ts";
import { formatsOf } from "../../languages/formats.ts";
import { LANGUAGES, localeFor } from "../../languages/languages.ts";
import { offersFor } from "./offers.ts";
import { choicePage, hotelPage, missingPage, POLICY } from "./page.tsx";
import { QUESTION_MAX } from "./questions.tsx";
import { isPayable, sellerOf } from "./seller.ts";
import { type Asked, readAsked } from "./stay-request.ts";
import type { Sale, View } from "./view.ts";

/** Many people share an address, and partners' crawlers call often. */
const PER_MINUTE = 600;

/**
 * `form-action` also stops the redirect to the payment, which is at the service's own address.
 * Under `no-referrer` older browsers would send the form with `Origin: null`.
 */
export function headersOf({ config }: Pick<Context, "config">) {
  const { origin } = new URL(config.baseUrl);
  const policy = POLICY.replace("form-action 'self'", `form-action 'self' ${origin}`);
  return { "content-security-policy": policy, "referrer-policy": "same-origin" };
}

interface Answered {
  readonly status?: 404;
  /** What identifies the page. */
  readonly etagOf?: string;
}

/** Prices are of the moment: never cached. */
function answered({ context }: PublicCall, content: string, more: Answered = {}): Document {
  const type = "text/html; charset=utf-8";
  const headers = {
    ...headersOf(context),
    "cache-control": "private, max-age=0, must-revalidate",
    vary: "Accept-Language",
  };
  return { ok: true, content, type, headers, ...more };
}

/** The visitor's language and its words. */
export function localeOf({ request }: PublicCall, given: ReadonlyMap<string, string>) {
  const locale = localeFor(given.get("lang"), request.headers.get("accept-language"));
  return { locale, words: LANGUAGES[locale.language] };
}

type Hotel = Pick<PropertyEntry, "tenant_id" | "tree">;

/** The stay that the visitor asks for. */
export function askedOf(
  { engineNow }: Pick<Context, "engineNow">,
  { tree }: Hotel,
  given: ReadonlyMap<string, string>,
): Asked {
  return readAsked(given, todayIn(tree.timezone, engineNow()));
}

interface Viewed {
  readonly property: PropertyEntry;
  readonly given: ReadonlyMap<string, string>;
  /** The page's address without its query, as the browser sees it. */
  readonly here: string;
  readonly question: string | null;
}

/** Everything that the page shows. */
export function viewOf(call: PublicCall, { property, given, here, question }: Viewed): View {
  const { context } = call;
  const { config, replica } = context;
  const { locale, words } = localeOf(call, given);
  // The page's own links always name the tenant.
  const query = new Map(given).set("tenant_id", property.tenant_id);
  const nowMs = context.engineNow();
  const todayDay = todayIn(property.tree.timezone, nowMs);
  const asked = readAsked(query, todayDay);
  const offers = offersFor(property, asked, { nowMs, todayDay });
  const fx = replica.state.tenants.get(property.tenant_id)?.fx ?? null;
  return {
    ...{ property, asked, offers, fx, todayDay, nowMs, locale, words, query, question, here },
    links: linksOf(config),
    formats: formatsOf(locale),
    publicUrl: hotelPageUrl(config.siteUrl, property),
    sale: saleOf(context, property, `${here}/reserve`),
    notice: null,
  };
}

function saleOf(context: Context, property: Hotel, to: string): Sale | null {
  const seller = sellerOf(context, property);
  const pageKey = crypto.randomUUID();
  const sells = (dueNow: number) => isPayable(context, dueNow);
  return seller === null ? null : { seller, pageKey, to, isPayable: sells };
}

/** Each costs more than a page view. */
const QUESTIONS: AddressLimit = { name: "book_questions", perMinute: 30 };

/** The question about the hotel, cut to the form's maximum; null without one. */
function questionIn({ query }: PublicCall): string | null {
  const text = (query.get("ask") ?? "").trim().slice(0, QUESTION_MAX);
  return text === "" ? null : text;
}

/** `here`: the page's address without its query, as the browser sees it. */
async function show(
  call: PublicCall,
  name: string,
  here: (id: string) => string,
): Promise<Document | Refusal> {
  const { query, context } = call;
  const { state } = context.replica;
  const told = localeOf(call, query);
  const [property, ...others] = hotelsNamed(state, name, query.get("tenant_id"));
  if (!property) return answered(call, missingPage(told), { status: 404 });
  if (others.length > 0) {
    const hotels = [property, ...others];
    return answered(call, choicePage({ ...told, query, hotels, here }));
  }
  const question = questionIn(call);
  const limited = question === null ? null : await chargeAddress(call, QUESTIONS);
  if (limited) return limited;
  const shown = { property, given: query, here: here(property.tree.id), question };
  const view = viewOf(call, shown);
  const page = hotelPage(view);
  // Pages that differ by their key alone are the same to the browser.
  const { pageKey } = view.sale ?? {};
  return answered(call, page, pageKey ? { etagOf: page.replaceAll(pageKey, "") } : {});
}

/** Any value is accepted. */
function parameter(description: string): QueryParameter {
  const fault = { message: "is malformed", expected: "text" };
  return { schema: Type.String(), description, isValid: () => true, fault };
}

const QUERY: Readonly<Record<string, QueryParameter>> = {
  partner: parameter("Whose link it is: `google` unless it is another partner's name."),
  tenant_id: parameter(
    "Whose hotel it is. Without it an id means the hotel that had it on sale first; a slug that " +
      "several tenants use leads to a page that lists their hotels.",
  ),
  check_in: parameter("`YYYY-MM-DD`; today at the property unless said."),
  check_out: parameter("`YYYY-MM-DD`; the day after check-in unless said."),
  nights: parameter("Instead of `check_out`."),
  ci_y: parameter("Year of check-in, instead of `check_in`."),
  ci_m: parameter("Its month, as the partner counts them."),
  ci_d: parameter("Its day."),
  adults: parameter("1 to 20; 2 unless said."),
  room: parameter("Id of the room type that was clicked."),
  rate: parameter("Id of the rate plan that was clicked."),
  currency: parameter("ISO 4217, for an approximate amount beside the price."),
  lang: parameter("`en`, `de`, `es`, `fr`, `it` or `pt`, with a region or without."),
  ask: parameter("A question about the hotel, answered on the page; 30 a minute of one address."),
  verify: parameter("Partners' crawlers say `true` and are shown what everybody is."),
};

const HTML = { body: Type.String(), contentType: "text/html" } as const;
const PAGE = {
  tag: "Documentation",
  method: "GET",
  access: "public",
  renderer: "page",
  addressLimit: { name: "book", perMinute: PER_MINUTE },
  readsReplica: true,
  errors: [],
  success: {
    status: 200,
    description: "The page.",
    ...HTML,
  },
  ownErrors: { 404: { description: "A page that says that no such hotel is on sale.", ...HTML } },
} as const;

const PAGE_DESCRIPTION =
  "Where a click on a partner's price leads: rooms and rates of the stay with all taxes and fees, " +
  "cancellation terms in words, other dates when it is sold out, and the way to a booking. " +
  "What is missing or cannot be is assumed, and told on the page.";

export const bookRoutes = [
  route({
    ...PAGE,
    id: "get_booking_page",
    path: "/book/:property",
    summary: "A hotel's page for a stay",
    description: PAGE_DESCRIPTION,
    params: { property: { schema: Type.String(), description: "A property's id, or its slug." } },
    query: QUERY,
    handle: (call) => show(call, call.params.property, (id) => id),
  }),
  route({
    ...PAGE,
    id: "find_booking_page",
    path: "/book",
    summary: "The same, for partners that fill in a query only",
    description: PAGE_DESCRIPTION,
    query: { ...QUERY, hotel: parameter("A property's id, or its slug.") },
    handle: (call) => show(call, call.query.get("hotel") ?? "", (id) => `book/${id}`),
  }),
];

/**
 * The hotels on sale with that id or slug. Ids and slugs are unique per tenant, so published
 * addresses name the tenant. Without one, an id means the hotel that had it on sale first, and a
 * slug every hotel that has it: a tenant cannot take over another's address.
 */
export function hotelsNamed(
  state: State,
  name: string,
  tenantId: string | undefined,
): PropertyEntry[] {
  // Partners send an empty value for unknown ones.
  const given = tenantId?.trim().toLowerCase() ?? "";
  const tenants = given === "" ? [...state.tenants.keys()] : [given];
  const found = tenants.flatMap((tenant_id) => {
    const property = state.propertyNamed({ tenant_id, mode: "live" }, name);
    return property?.state === "live" ? [property] : [];
  });
  const byId = found.filter(({ tree }) => tree.id === name.toLowerCase());
  // Each has the row that put it on sale.
  const [first] = byId.sort((a, b) => a.first_live_row! - b.first_live_row!);
  return first ? [first] : found;
}
