/** The documents of the partner feeds (spec 4.5). */
import { Type } from "@sinclair/typebox";
import { pointOfSaleXml } from "../../../feeds/point-of-sale.ts";
import type { Xml } from "../../http/answer.ts";
import { route } from "../../http/route.ts";
import { ari, hotelList } from "./documents.ts";
import { CLICKED_TENANT_ID, DAYS, PARTNER, TENANT_ID } from "./parameters.ts";
import { type AtPartner, feedGuard, isGuarded, partnerOf } from "./partner.ts";

/** What all documents of a partner have in common. */
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
  "Built at night and when something has changed, and served as it lies in its file, compressed " +
  "for who accepts gzip. Who asks before there is a file waits for it.";
const KEPT_HEADERS = {
  "Innkeep-Feed-Seq": "Number of the tenant's last event in it; absent where nothing is listed.",
  "Innkeep-Feed-At": "When that was read, RFC 3339; absent as well.",
  "Last-Modified": "The same instant, for `If-Modified-Since`.",
};

function pointsOfSale(call: AtPartner): Xml {
  const { context, query } = call;
  const profile = partnerOf(call);
  const tenantId = query.get("tenant_id")?.toLowerCase() ?? null;
  const xml = pointOfSaleXml(profile, context.config.siteUrl, tenantId);
  return { ok: true, xml, isPrivate: isGuarded(context, profile) };
}

/** Of the documents that are built. */
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
    description: `What the partner matches hotels by. ${KEPT}`,
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
      "Every property, arrival and length of stay with what a quote would say at that position of " +
      `the journal, base, taxes and fees apart; what is sold out says so. ${KEPT}`,
    query: { tenant_id: TENANT_ID, days: DAYS },
    success: { ...XML, headers: KEPT_HEADERS, description: "`<Transaction>`." },
    handle: ari,
  }),
  route({
    ...DOCUMENT,
    id: "get_feed_point_of_sale",
    path: "/feeds/:partner/pointofsale.xml",
    summary: "Where a partner's clicks lead",
    description:
      "The landing page with the partner's variables in its address. With `tenant_id` the address " +
      "says whose hotels it means, and no click can lead to another tenant's.",
    query: { tenant_id: CLICKED_TENANT_ID },
    success: { ...XML, description: "`<PointsOfSale>`." },
    errors: ["unauthenticated", "rate_limited"],
    handle: pointsOfSale,
  }),
];
