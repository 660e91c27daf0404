/** What is made of the document matches it: after a change it must be made again. */
import { expect, test } from "bun:test";
import service from "../../package.json" with { type: "json" };
import { type OpenApi, sdkOperations, sdkTypes } from "../../test/openapi/sdk-types.ts";
import { ROUTES } from "../app.ts";
import { readConfig } from "../config.ts";
import { openApiDocument } from "../publish/openapi/document.ts";
import { OPERATIONS } from "./operations.ts";
import sdk from "./package.json" with { type: "json" };

/** They answer as their own protocols say, in no envelope. */
const OTHER_PROTOCOLS = ["a2a", "admin_receive_ota", "mcp"];

/** Without what the formatter decides. */
function words(text: string): string {
  return text.replace(/\s+/g, "").replace(/(?<=[=:(])\|/g, "");
}

test.each([
  ["types.ts", sdkTypes],
  ["operations.ts", sdkOperations],
] as const)(
  "%s is what `npx bun test/openapi/make-sdk-types.ts` makes of the document",
  async (name, make) => {
    const document = openApiDocument(ROUTES.published, readConfig({})) as unknown as OpenApi;
    const written = await Bun.file(`${import.meta.dir}/${name}`).text();
    expect(words(written) === words(make(document))).toBeTrue();
  },
);

test("every operation that needs a credential is a call, but for those of other protocols", () => {
  const needing = ROUTES.published.filter(({ access }) => access !== "public").map(({ id }) => id);
  const called = [...needing.filter((id) => !OTHER_PROTOCOLS.includes(id)), "verify_receipt"];
  expect(Object.keys(OPERATIONS).sort()).toEqual(called.sort());
});

test("the client has the version of the service, and no dependencies", () => {
  expect(sdk.version).toBe(service.version);
  expect(Object.keys(sdk).filter((key) => /dependencies/i.test(key))).toEqual([]);
});
