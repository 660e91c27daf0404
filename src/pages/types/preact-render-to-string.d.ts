import type { VNode } from "./preact.d.ts";

/** HTML of the element; text and attributes are escaped. */
export function render(vnode: VNode): string;
