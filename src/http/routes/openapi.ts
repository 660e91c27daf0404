/** `/openapi.json` and `/openapi.yaml` (spec 4.2, part 9). */
import { openApiDocument } from "../../openapi/document.ts";
import type { PublicCall, PublicRoute } from "../call.ts";
import type { Deps } from "../deps.ts";
import { published } from "../respond.ts";

interface Texts {
  readonly json: string;
  readonly yaml: string;
}

/** Made once per process: it depends on what the process was started with alone. */
const textsOf = new WeakMap<Deps, Texts>();

function texts({ deps }: PublicCall): Texts {
  let found = textsOf.get(deps);
  if (!found) {
    const json = JSON.stringify(openApiDocument(deps.routes, deps.config));
    // Through JSON, so that objects which occur twice are no YAML anchors.
    found = { json, yaml: Bun.YAML.stringify(JSON.parse(json), null, 2) };
    textsOf.set(deps, found);
  }
  return found;
}

export const openApiRoutes: readonly PublicRoute[] = [
  {
    method: "GET",
    path: "/openapi.json",
    access: "public",
    handle: (call) => published(call, texts(call).json),
  },
  {
    method: "GET",
    path: "/openapi.yaml",
    access: "public",
    handle: (call) => published(call, texts(call).yaml, { type: "application/yaml" }),
  },
];
