import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { PARTNERS, profileOf } from "./partners.ts";

test("every partner has a profile under its own name, and links to a page that knows it", () => {
  const files = readdirSync(join(import.meta.dir, "profiles"));
  const profiles = files.map((file) => file.replace(/\.ts$/, "")).filter((n) => n !== "profile");
  expect([...PARTNERS].sort()).toEqual(profiles.sort());
  for (const partner of PARTNERS) {
    const profile = profileOf(partner)!;
    expect(profile.name).toBe(partner);
    expect(profile.pointOfSale.path).toContain(`partner=${partner}&`);
    expect(profile.name).toMatch(/^[a-z]+$/);
    expect(profile.nightsKnown).toBeLessThanOrEqual(30);
    expect(profile.nightsMax).toBeLessThanOrEqual(profile.nightsKnown);
  }
});

test("the name Microsoft means Bing, and unknown partners have no profile", () => {
  expect(profileOf("microsoft")).toBe(profileOf("bing"));
  for (const name of ["", "Google", "expedia", "constructor", "__proto__"]) {
    expect(profileOf(name)).toBeNull();
  }
});
