/**
 * Where a click leads: `pointofsale.xml`, which follows from the configuration alone, and a hotel's
 * own page. Ids are unique within a tenant only, so every address names whose hotel it means.
 */
import type { PropertyEntry } from "../engine/core/state.ts";
import type { Profile } from "./profiles/profile.ts";
import { DECLARATION, escapedAttribute, escapedText } from "./xml.ts";

const NOT_HTTPS =
  "<!-- The site's address is not an https one, which partners do not take: set SITE_URL to the " +
  "https address that this service is reached at. -->\n";

/** The address of the site as partners take it, without a slash at its end. */
export function partnerSite(siteUrl: string): { readonly url: string; readonly isHttps: boolean } {
  const isHttps = siteUrl.startsWith("https:");
  const url = siteUrl.replace(/^http:/, "https:").replace(/\/+$/, "");
  return { url, isHttps };
}

/** A hotel, and whose it is. */
export type OwnedHotel = Pick<PropertyEntry, "tenant_id" | "tree">;

/** The page of a hotel. */
export function hotelPageUrl(siteUrl: string, { tenant_id, tree }: OwnedHotel): string {
  return `${siteUrl}/book/${encodeURIComponent(tree.id)}?tenant_id=${tenant_id}`;
}

/**
 * The document. It names an https address whatever the site has, and says so where it has not. The
 * tenant is a literal in it: a partner has no variable that says whose hotel was clicked. Without
 * one, clicks lead to the hotel that had its id on sale first.
 */
export function pointOfSaleXml(
  { pointOfSale }: Profile,
  siteUrl: string,
  tenantId: string | null,
): string {
  const { url, isHttps } = partnerSite(siteUrl);
  const address = `${url}${pointOfSale.path}${tenantId === null ? "" : `&tenant_id=${tenantId}`}`;
  const match = Object.entries(pointOfSale.match)
    .map(([name, value]) => ` ${name}="${escapedAttribute(value)}"`)
    .join("");
  return (
    `${DECLARATION}${isHttps ? "" : NOT_HTTPS}` +
    `<PointsOfSale>\n  <PointOfSale id="direct">\n    <Match status="yes"${match}/>\n` +
    // As text: an encoder of queries would encode the parentheses of the variables.
    `    <URL>${escapedText(address)}</URL>\n` +
    "  </PointOfSale>\n</PointsOfSale>\n"
  );
}
