/** The types match the document: after a change of a schema they must be generated again. */
import { expect, test } from "bun:test";
import { sdkTypes } from "../../test/openapi/sdk-types.ts";
import { ROUTES } from "../app.ts";
import { readConfig } from "../config.ts";
import { openApiDocument } from "../publish/openapi/document.ts";

/** Without what the formatter decides. */
function words(text: string): string {
  return text.replace(/\s+/g, "").replace(/(?<=[=:(])\|/g, "");
}

test("the types are what `npx bun test/openapi/make-sdk-types.ts` makes of the document", async () => {
  const { components } = openApiDocument(ROUTES.published, readConfig({}));
  const { schemas } = components as { schemas: Parameters<typeof sdkTypes>[0] };
  const written = await Bun.file(`${import.meta.dir}/types.ts`).text();
  expect(words(written) === words(sdkTypes(schemas))).toBeTrue();
});
