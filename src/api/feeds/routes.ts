/** The documents of the partner feeds. */
import { Type } from "@sinclair/typebox";
import { pointOfSaleXml } from "../../../feeds/point-of-sale.ts";
import type { Xml } from "../../http/answer.ts";
import { route } from "../../http/route.ts";
import { ari, hotelList } from "./documents.ts";
import {
  type AtPartner,
  CLICKED_TENANT_ID,
  DAYS,
  feedGuard,
  isGuarded,
  PARTNER,
  partnerOf,
  TENANT_ID,
} from "./partner.ts";

/** Common parts of a partner's documents. */
const DOCUMENT = {
  tag: "Feeds",
  method: "GET",
  access: "public",
  takesPartnerCredential: true,
  guard: feedGuard,
  params: { partner: PARTNER },
  hasUnlistedIds: true,
  renderer: "xml",
} as const;

const XML = { status: 200, body: Type.String(), contentType: "application/xml" } as const;

const KEPT =
  "Built nightly and after changes, and served from its file, compressed if the client accepts " +
  "gzip. The first request waits for the build.";
const KEPT_HEADERS = {
  "Innkeep-Feed-Seq": "Number of the tenant's last event in it; absent if nothing is listed.",
  "Innkeep-Feed-At": "Time of that position, RFC 3339; absent as well.",
  "Last-Modified": "The same instant, for `If-Modified-Since`.",
};

function pointsOfSale(call: AtPartner): Xml {
  const { context, query } = call;
  const profile = partnerOf(call);
  const tenantId = query.get("tenant_id")?.toLowerCase() ?? null;
  const xml = pointOfSaleXml(profile, context.config.siteUrl, tenantId);
  return { ok: true, xml, isPrivate: isGuarded(context, profile) };
}

const BUILT = {
  ...DOCUMENT,
  readsReplica: true,
  errors: ["unauthenticated", "rate_limited", "upstream_unavailable"],
} as const;

export const feedRoutes = [
  route({
    ...BUILT,
    id: "get_feed_hotel_list",
    path: "/feeds/:partner/hotel-list.xml",
    summary: "A tenant's hotels for a partner",
    description: `The partner matches hotels by it. ${KEPT}`,
    query: { tenant_id: TENANT_ID },
    success: { ...XML, headers: KEPT_HEADERS, description: "`<listings>`." },
    handle: hotelList,
  }),
  route({
    ...BUILT,
    id: "get_feed_ari",
    path: "/feeds/:partner/ari.xml",
    summary: "A tenant's prices and availability for a partner",
    description:
      "The price of every property, arrival and length of stay, as a quote at that position of " +
      "the journal would have it, with base, taxes and fees apart; sold-out stays are marked. " +
      `${KEPT}`,
    query: { tenant_id: TENANT_ID, days: DAYS },
    success: { ...XML, headers: KEPT_HEADERS, description: "`<Transaction>`." },
    handle: ari,
  }),
  route({
    ...DOCUMENT,
    id: "get_feed_point_of_sale",
    path: "/feeds/:partner/pointofsale.xml",
    summary: "Target of a partner's clicks",
    description:
      "The landing page with the partner's variables in its address. With `tenant_id` the " +
      "address is limited to that tenant's hotels.",
    query: { tenant_id: CLICKED_TENANT_ID },
    success: { ...XML, description: "`<PointsOfSale>`." },
    errors: ["unauthenticated", "rate_limited"],
    handle: pointsOfSale,
  }),
];
