/**
 * What pages use of `preact`: elements that are rendered to text on the server. The types of the
 * package bring those of a browser with them, which would be global names in all of the service
 * (`tsconfig.json` leads here; at run time the package itself is loaded).
 */

export interface VNode {
  readonly type: unknown;
}

export type ComponentChildren =
  | VNode
  | string
  | number
  | boolean
  | null
  | undefined
  | ComponentChildren[];

type AttributeValue = string | number | boolean | undefined;

/** Attributes as HTML has them, except those that a page of ours may not have. */
interface Attributes {
  readonly [name: string]: AttributeValue | ComponentChildren;
  readonly children?: ComponentChildren;
  /** The policy of pages allows no inline style. */
  readonly style?: never;
  readonly dangerouslySetInnerHTML?: never;
}

export namespace JSX {
  export type Element = VNode;
  export interface ElementChildrenAttribute {
    readonly children: unknown;
  }
  export interface IntrinsicAttributes {
    readonly key?: string;
  }
  export interface IntrinsicElements {
    readonly [name: string]: Attributes;
  }
}

export function jsx(type: unknown, props: object, key?: string): VNode;
export function jsxs(type: unknown, props: object, key?: string): VNode;
export function Fragment(props: { readonly children?: ComponentChildren }): VNode;
