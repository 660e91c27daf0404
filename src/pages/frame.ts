/** What a page of the common frame is made of; `document.tsx` makes a document of it. */
import type { VNode } from "preact";
import type { Config } from "../config.ts";

/** Path prefix of the service when it is not at the root of its host. */
export function rootPath({ baseUrl }: Pick<Config, "baseUrl">): string {
  return new URL(baseUrl).pathname.replace(/\/$/, "");
}

export interface Page {
  readonly title: string;
  /** One sentence, for search engines. */
  readonly description: string;
  readonly main: VNode;
  /** HTML of ours for the places in `main`. */
  readonly trusted?: Readonly<Record<string, string>>;
  /** `wide`: columns beside the text; `full`: the whole screen. Default one column. */
  readonly layout?: "wide" | "full";
  /** Same page in another form. */
  readonly alternate?: { readonly href: string; readonly type: string };
  /** Addresses besides the common style. */
  readonly styles?: readonly string[];
  readonly scripts?: readonly string[];
  /** No search engine keeps it. */
  readonly isUnlisted?: boolean;
}
