/** Facts of a page's subject: a name and a value each. */
import type { ComponentChildren } from "preact";

interface FactOf {
  readonly name: string;
  readonly children?: ComponentChildren;
}

/** One of a `dl`. */
export function Fact({ name, children }: FactOf) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
