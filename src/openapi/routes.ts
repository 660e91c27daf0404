/** `/openapi.json` and `/openapi.yaml` (spec 4.2, part 9). */

import type { PublicRoute } from "../http/call.ts";
import type { Deps } from "../http/deps.ts";
import { fixed } from "../http/fixed.ts";
import { openApiDocument } from "./document.ts";

function jsonOf({ routes, config }: Deps): string {
  return JSON.stringify(openApiDocument(routes, config));
}

export const openApiRoutes: readonly PublicRoute[] = [
  fixed("/openapi.json", jsonOf),
  // Through JSON, so that objects which occur twice are no YAML anchors.
  fixed("/openapi.yaml", (deps) => Bun.YAML.stringify(JSON.parse(jsonOf(deps)), null, 2), {
    type: "application/yaml",
  }),
];
