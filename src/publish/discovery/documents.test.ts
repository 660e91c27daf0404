/** Addresses and names in the documents of a service that is not on localhost. */
import { expect, test } from "bun:test";
import { parseGeoUri } from "../../../engine/core/search/places/geo-uri.ts";
import { SIMULATIONS } from "../../../jobs/payments/sandbox-tokens.ts";
import { linksOf } from "../../about/links.ts";
import { ROUTES } from "../../app.ts";
import { readConfig } from "../../config.ts";
import { aiCatalog, mcpServerCard } from "./catalogs.ts";
import { llmsFullText } from "./llms-full-text.ts";
import { llmsText } from "./llms-text.ts";
import { commerceDiscovery, pluginManifest } from "./manifests.ts";
import { legalText } from "./pages.ts";
import { serviceIndex } from "./service-index.ts";

const config = readConfig({
  BASE_URL: "https://api.hotels.example/booking/",
  DOCS_URL: "https://docs.hotels.example",
});

test("every address begins with the public address, except that of the documentation", () => {
  const { docs, ...own } = linksOf(config);
  expect(docs).toBe("https://docs.hotels.example");
  for (const link of Object.values(own)) {
    expect(link).toStartWith("https://api.hotels.example/booking/");
  }
});

test("no document names localhost if the service is elsewhere", () => {
  const documents = [
    serviceIndex(config),
    pluginManifest(config),
    commerceDiscovery(config),
    aiCatalog(config),
    mcpServerCard(config),
    llmsText(config),
    llmsFullText(config, ROUTES),
    legalText(config),
  ];
  for (const document of documents) expect(JSON.stringify(document)).not.toContain("localhost");
});

test("the MCP server has the host's name in reverse order", () => {
  const nameAt = (BASE_URL: string) => mcpServerCard(readConfig({ BASE_URL })).name;
  expect(nameAt("https://api.hotels.example")).toBe("example.hotels.api/innkeep");
  expect(nameAt("http://localhost:3000")).toBe("localhost/innkeep");
  expect(nameAt("http://127.0.0.1:3000")).toBe("127.0.0.1/innkeep");
  expect(nameAt("http://[::1]:3000")).toBe("--1/innkeep");
});

test("the mail address is at the host without its port", () => {
  expect(pluginManifest(config).contact_email).toBe("contact@api.hotels.example");
});

test("without OAuth no document mentions access tokens", () => {
  const without = readConfig({ OAUTH_ISSUER: "" });
  expect(Object.keys(linksOf(without)).filter((name) => /oauth|openid/.test(name))).toEqual([]);
  expect(llmsFullText(without, ROUTES)).not.toContain("/oauth/token");
});

test("simulation tokens are documented only where the sandbox takes payments", () => {
  const real = readConfig({ PAYMENT_PROVIDER: "stripe" });
  for (const { token, does } of SIMULATIONS) {
    const line = `- \`${token}\`: ${does}`;
    expect(llmsText(config)).toContain(line);
    expect(llmsFullText(config, ROUTES)).toContain(line);
  }
  for (const text of [llmsText(real), llmsFullText(real, ROUTES)]) {
    expect(text).not.toContain("tok_test_declined");
    expect(text).not.toContain("rehearse");
  }
});

test("the page for models names existing calls, and explains how a destination is written", () => {
  const text = llmsText(config);
  const called = [...text.matchAll(/`(GET|POST) (\/v1[^`?]*)/g)].map(([, method, path]) => {
    return `${method} ${path!.replace(/\{(\w+)\}/g, ":$1")}`;
  });
  const known = ROUTES.all.map(({ method, path }) => `${method} ${path}`);
  expect(called.filter((each) => !known.includes(each))).toEqual([]);
  expect(called).toContain("GET /v1/places");
  expect(called).toContain("GET /v1/properties/:id/offers");
  const point = text.match(/`(geo:[^`]+)`/)![1]!;
  expect(parseGeoUri(point)).toMatchObject({ radiusM: 3_000 });
});
