/** Documents that depend only on configuration and routes. */
import type { Config } from "../config.ts";
import type { Document } from "./answer.ts";
import type { PublicCall } from "./call.ts";
import type { Context } from "./context.ts";

/**
 * A handler for a document that follows from configuration and routes alone: built once per
 * process, then only sent. What `build` gives that is no text is sent as JSON.
 */
export function fixed(
  build: (context: Context) => unknown,
  about: Omit<Document, "ok" | "content"> = {},
): (call: PublicCall) => Promise<Document> {
  const texts = new WeakMap<Config, string>();
  return async ({ context }) => {
    let content = texts.get(context.config);
    if (content === undefined) {
      const built = await build(context);
      content = typeof built === "string" ? built : JSON.stringify(built);
      texts.set(context.config, content);
    }
    return { ok: true, content, ...about };
  };
}
