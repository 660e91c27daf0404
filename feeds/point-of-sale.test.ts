import { expect, test } from "bun:test";
import { XMLParser } from "fast-xml-parser";
import { TENANT } from "../test/support/builders.ts";
import { validate } from "../test/support/xmllint.ts";
import { PARTNERS, profileOf } from "./partners.ts";
import { partnerSite, pointOfSaleXml } from "./point-of-sale.ts";

const SITE = "https://stay.example.com";

function xmlOf(partner: string, siteUrl = SITE, tenantId: string | null = TENANT): string {
  return pointOfSaleXml(profileOf(partner)!, siteUrl, tenantId);
}

test("every partner's landing page file is valid by the schema, at any site address", () => {
  for (const partner of PARTNERS) {
    for (const site of [`${SITE}/`, "http://127.0.0.1:8080", "https://x.de/a&b"]) {
      validate("point-of-sale", xmlOf(partner, site));
      validate("point-of-sale", xmlOf(partner, site, null));
    }
  }
});

test("variables appear in the address in the partner's syntax", () => {
  expect(xmlOf("google")).toContain(
    "<URL>https://stay.example.com/book/(PARTNER-HOTEL-ID)?partner=google&amp;check_in=" +
      "(CHECKINYEAR)-(CHECKINMONTH)-(CHECKINDAY)&amp;check_out=(CHECKOUTYEAR)-(CHECKOUTMONTH)-" +
      "(CHECKOUTDAY)&amp;adults=(NUM-ADULTS)&amp;room=(PARTNER-ROOM-ID)&amp;rate=(RATE-PLAN-ID)" +
      "&amp;currency=(USER-CURRENCY)&amp;lang=(USER-LANGUAGE)&amp;verify=(VERIFICATION)" +
      `&amp;tenant_id=${TENANT}</URL>`,
  );
});

test("every partner's address names the tenant if the document was requested so", () => {
  for (const partner of PARTNERS) {
    const addressIn = (xml: string) => {
      const { PointsOfSale } = new XMLParser().parse(xml) as {
        PointsOfSale: { PointOfSale: { URL: string } };
      };
      return PointsOfSale.PointOfSale.URL;
    };
    const bare = addressIn(xmlOf(partner, SITE, null));
    expect(addressIn(xmlOf(partner))).toBe(`${bare}&tenant_id=${TENANT}`);
    expect(new URL(bare).searchParams.has("tenant_id")).toBe(false);
  }
});

test("Microsoft gets variables in the query only, and the parts of a date separately", () => {
  const [, url = ""] = /<URL>(.*)<\/URL>/.exec(xmlOf("bing"))!;
  const [path, query] = url.split("?");
  expect(path).toBe("https://stay.example.com/book");
  expect(query).toContain("ci_y=(CHECKINYEAR)&amp;ci_m=(CHECKINMONTH)&amp;ci_d=(CHECKINDAY)");
  expect(xmlOf("bing")).toContain('<Match status="yes" language="en"/>');
});

test("a site without https is written with https, and the document says what to set", () => {
  const xml = xmlOf("google", "http://localhost:8080");
  expect(xml).toContain("<URL>https://localhost:8080/book/");
  expect(xml).toContain("set SITE_URL");
  expect(xmlOf("google")).not.toContain("SITE_URL");
  expect(partnerSite("http://a.example/")).toEqual({ url: "https://a.example", isHttps: false });
});
