/** Bodies and queries as Stripe reads them: `a=1&b[c]=2&d[0]=3`. */

export type Form = { readonly [name: string]: string | Form };

/** Decodes a form; members of brackets are objects, also lists: `{ "0": … }`. */
export function formOf(text: string): Form {
  const form: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const [first = "", ...inner] = name.replaceAll("]", "").split("[");
    let at = form;
    let last = first;
    for (const member of inner) {
      at[last] ??= {};
      at = at[last] as Record<string, unknown>;
      last = member === "" ? String(Object.keys(at).length) : member;
    }
    at[last] = value;
  }
  return form as Form;
}

/** The text of a member; empty for none. */
export function textIn(form: Form, ...path: readonly string[]): string {
  let at: string | Form | undefined = form;
  for (const name of path) at = typeof at === "object" ? at[name] : undefined;
  return typeof at === "string" ? at : "";
}

/** The texts of a list or an object. */
export function textsIn(form: Form, name: string): Record<string, string> {
  const found = form[name];
  return typeof found === "object" ? (found as Record<string, string>) : {};
}
