/** Makes calls and types of the SDK: `npx bun test/openapi/make-sdk-types.ts`; then format them. */
import { join } from "node:path";
import { ROUTES } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { openApiDocument } from "../../src/publish/openapi/document.ts";
import { type OpenApi, sdkOperations, sdkTypes } from "./sdk-types.ts";

const document = openApiDocument(ROUTES.published, readConfig({})) as unknown as OpenApi;
const folder = join(import.meta.dir, "../../src/sdk");
await Bun.write(join(folder, "types.ts"), sdkTypes(document));
await Bun.write(join(folder, "operations.ts"), sdkOperations(document));
