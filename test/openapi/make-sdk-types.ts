/** Makes the SDK's types anew: `npx bun test/openapi/make-sdk-types.ts`; then format them. */
import { join } from "node:path";
import { ROUTES } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { openApiDocument } from "../../src/publish/openapi/document.ts";
import { sdkTypes } from "./sdk-types.ts";

const { components } = openApiDocument(ROUTES.published, readConfig({}));
const { schemas } = components as { schemas: Parameters<typeof sdkTypes>[0] };
await Bun.write(join(import.meta.dir, "../../src/sdk/types.ts"), sdkTypes(schemas));
