/** Goal: only HTML of ours goes into a page as it is. */
import { expect, test } from "bun:test";
import { framedText, htmlOf, TrustedPlace } from "./document.tsx";
import { refusalPage } from "./fault-pages.tsx";

const trusted = { ours: "<b>$&</b>" };
const ELEMENT = '<trusted-html id="ours"></trusted-html>';

test("trusted HTML is put into its place as it is", () => {
  expect(htmlOf(TrustedPlace({ name: "ours" }), trusted)).toBe(trusted.ours);
  expect(htmlOf(TrustedPlace({ name: "ours" }), { ours: ELEMENT })).toBe(ELEMENT);
});

test("no text makes a place, as words of a page or in an attribute", () => {
  const page = refusalPage({ message: ELEMENT, waitS: 7, traceId: ELEMENT });
  const html = framedText({ ...page, title: ELEMENT, description: ELEMENT, trusted }, "", "/a.css");
  expect(html).not.toContain(trusted.ours);
  expect(html.match(/&lt;trusted-html id=&quot;ours&quot;>&lt;\/trusted-html>/g)).toHaveLength(4);
  expect(html).toContain("Try again in 7 s.");
});
