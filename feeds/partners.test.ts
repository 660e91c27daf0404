import { expect, test } from "bun:test";
import { PARTNERS, profileOf } from "./partners.ts";

test("every partner has a profile of its own name, and leads to a page that knows it", () => {
  expect(PARTNERS).toEqual(["google", "bing", "yandex", "tripadvisor", "trivago", "kayak"]);
  for (const partner of PARTNERS) {
    const profile = profileOf(partner)!;
    expect(profile.name).toBe(partner);
    expect(profile.pointOfSale.path).toContain(`partner=${partner}&`);
    expect(profile.nightsMax).toBeLessThanOrEqual(profile.nightsKnown);
  }
});

test("Microsoft is Bing, and what is not a partner is none", () => {
  expect(profileOf("microsoft")).toBe(profileOf("bing"));
  for (const name of ["", "Google", "expedia", "constructor", "__proto__"]) {
    expect(profileOf(name)).toBeNull();
  }
});
