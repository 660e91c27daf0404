/** `pointofsale.xml`: where a click leads. It follows from the configuration alone. */
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

/** The document. It names an https address whatever the site has, and says so where it has not. */
export function pointOfSaleXml({ pointOfSale }: Profile, siteUrl: string): string {
  const { url, isHttps } = partnerSite(siteUrl);
  const match = Object.entries(pointOfSale.match)
    .map(([name, value]) => ` ${name}="${escapedAttribute(value)}"`)
    .join("");
  return (
    `${DECLARATION}${isHttps ? "" : NOT_HTTPS}` +
    `<PointsOfSale>\n  <PointOfSale id="direct">\n    <Match status="yes"${match}/>\n` +
    // As text: an encoder of queries would encode the parentheses of the variables.
    `    <URL>${escapedText(url + pointOfSale.path)}</URL>\n` +
    "  </PointOfSale>\n</PointsOfSale>\n"
  );
}
