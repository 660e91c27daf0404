import { expect, test } from "bun:test";
import { policyTerms, propertyTree, TENANT } from "../test/support/builders.ts";
import { BuiltFeed, liveState } from "../test/support/feeds.ts";
import { validate } from "../test/support/xmllint.ts";
import { listing } from "./hotel-list.ts";
import { profileOf } from "./partners.ts";

const TREE = propertyTree({
  ...{ id: "7f0c1c9e-3c55-4d1b-9a53-0f3c2b6a1d10", slug: "casa-do-rio", name: "Casa do Rio & Spa" },
  ...{ star_rating: 4, number_of_rooms: 24, phone: "+351210000001" },
  description: "Riverside hotel with 24 rooms.",
  geo: { lat: 38.709821, lng: -9.136742 },
  address: {
    ...{ line1: "Rua da Prata 41", line2: "Baixa", city: "Lisboa", region: "Lisboa" },
    ...{ postal_code: "1100-414", country: "PT" },
  },
});

function listed(
  over: Parameters<typeof propertyTree>[0],
  partner = "google",
  siteUrl = "https://s.example",
) {
  const profile = profileOf(partner)!;
  const hotel = { tenant_id: TENANT, tree: { ...TREE, ...over } };
  return listing(hotel, { profile, siteUrl, language: "en" });
}

const ADDRESS =
  '<address format="simple"><component name="addr1">Rua da Prata 41</component>' +
  '<component name="addr2">Baixa</component><component name="city">Lisboa</component>' +
  '<component name="province">Lisboa</component>' +
  '<component name="postal_code">1100-414</component></address>';

test("a listing is one line with all known fields", () => {
  expect(listed({})).toBe(
    "<listing><id>7f0c1c9e-3c55-4d1b-9a53-0f3c2b6a1d10</id><name>Casa do Rio &amp; Spa</name>" +
      `${ADDRESS}<country>PT</country><latitude>38.709821</latitude>` +
      '<longitude>-9.136742</longitude><phone type="main">+351210000001</phone>' +
      '<category>hotel</category><content><text type="description">' +
      "<body>Riverside hotel with 24 rooms.</body></text><attributes>" +
      "<website>https://s.example/book/7f0c1c9e-3c55-4d1b-9a53-0f3c2b6a1d10" +
      `?tenant_id=${TENANT}</website>` +
      '<client_attr name="alternate_hotel_id">casa-do-rio</client_attr>' +
      '<client_attr name="star_rating">4</client_attr>' +
      '<client_attr name="number_of_rooms">24</client_attr>' +
      '<client_attr name="pets_allowed">No</client_attr></attributes></content></listing>\n',
  );
});

test("Microsoft's attributes have other names, and no slug", () => {
  const xml = listed({}, "bing");
  expect(xml).toContain('<attr name="star_rating">4</attr>');
  expect(xml).not.toContain("client_attr");
  expect(xml).not.toContain("alternate_hotel_id");
});

test("unknown fields are left out, never empty", () => {
  const address = {
    line1: "1 Main St",
    line2: " ",
    city: "Doha",
    country: "QA",
    postal_code: "99",
  };
  const xml = listed({
    ...{ description: " <br/> ", star_rating: 4.5, number_of_rooms: 0, phone: null, address },
  });
  expect(xml).not.toMatch(/<(\w+)[^>]*><\/\1>|body|star_rating|number_of_rooms|phone|addr2/);
  // Qatar has no postal codes.
  expect(xml).not.toContain("postal_code");
  expect(listed({}, "google", "http://s.example")).not.toContain("website");
});

test("degrees have no exponent, names a maximum length, descriptions no markup and one line", () => {
  expect(listed({ geo: { lat: 1e-7, lng: -179.99999999 } })).toContain(
    "<latitude>0.000000</latitude><longitude>-180.000000</longitude>",
  );
  const name = "\u{1F3E8}".repeat(300);
  expect(listed({ name })).toContain(`<name>${"\u{1F3E8}".repeat(200)}</name>`);
  expect(listed({ description: "<p>Rooms < 20 m²</p>\r\n\r\n<!-- x -->bar" })).toContain(
    "<body>Rooms &lt; 20 m² bar</body>",
  );
});

test("a list of many pieces is verified whole, whatever its descriptions contain", async () => {
  const hotels = Array.from({ length: 20 }, (_, n) => ({
    ari: {},
    property: propertyTree({
      ...{ id: `p${String(n).padStart(4, "0")}`, slug: `p${n}`, policies: [policyTerms()] },
      description: "One line & <b>another</b>\n\n".repeat(1_000),
    }),
  }));
  using feed = new BuiltFeed(liveState(hotels));
  expect(feed.manifest.list.bytes).toBeGreaterThan(450_000);
  expect(feed.verified()).toBeNull();
  validate("hotel-list", await feed.bytes("list"));
});
