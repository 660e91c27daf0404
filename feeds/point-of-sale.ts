/**
 * Landing pages: `pointofsale.xml`, which depends only on the configuration, and a hotel's page.
 * Ids are unique per tenant only, so every address names the tenant.
 */
import type { PropertyEntry } from "../engine/core/state/state.ts";
import type { Profile } from "./profiles/profile.ts";
import { DECLARATION, escapedAttribute, escapedText } from "./xml.ts";

const NOT_HTTPS =
  "<!-- The site's address is not an https one, which partners do not take: set SITE_URL to the " +
  "https address that this service is reached at. -->\n";

/** The site's address in the form partners require, without a final slash. */
export function partnerSite(siteUrl: string): { readonly url: string; readonly isHttps: boolean } {
  const isHttps = siteUrl.startsWith("https:");
  const url = siteUrl.replace(/^http:/, "https:").replace(/\/+$/, "");
  return { url, isHttps };
}

/** A hotel with its tenant. */
export type OwnedHotel = Pick<PropertyEntry, "tenant_id" | "tree">;

/** The page of a hotel. */
export function hotelPageUrl(siteUrl: string, { tenant_id, tree }: OwnedHotel): string {
  return `${siteUrl}/book/${encodeURIComponent(tree.id)}?tenant_id=${tenant_id}`;
}

/**
 * The document. Its address is always https; a comment warns if the site's is not. It contains the
 * tenant, because no variable of a partner identifies it. Without one, clicks lead to the hotel
 * that first sold under its id.
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
    // As text: URL encoding would encode the parentheses of the variables.
    `    <URL>${escapedText(address)}</URL>\n` +
    "  </PointOfSale>\n</PointsOfSale>\n"
  );
}
