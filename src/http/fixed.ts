/** Routes whose document follows from what the process was started with. */
import type { Config } from "../config.ts";
import type { PublicCall, PublicRoute } from "./call.ts";
import type { Deps } from "./deps.ts";
import { type Publication, published } from "./respond.ts";

/**
 * A public GET of a document that follows from configuration and routes alone: built once per
 * process, then only sent. What `build` gives that is no text is sent as JSON.
 */
export function fixed(
  path: string,
  build: (deps: Deps) => unknown,
  publication: Publication = {},
): PublicRoute {
  const texts = new WeakMap<Config, string>();
  const handle = async (call: PublicCall): Promise<Response> => {
    const { deps } = call;
    let text = texts.get(deps.config);
    if (text === undefined) {
      const content = await build(deps);
      text = typeof content === "string" ? content : JSON.stringify(content);
      texts.set(deps.config, text);
    }
    return published(call, text, publication);
  };
  return { method: "GET", access: "public", path, handle };
}
