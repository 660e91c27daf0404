/** Parts that pages share. Text in JSX is escaped by the renderer. */
import type { ComponentChildren } from "preact";

type Children = { readonly children?: ComponentChildren };

/** The way back, above a page's heading. */
export function Crumbs({ to, children }: Children & { readonly to: string }) {
  return (
    <p class="crumbs">
      <a href={to}>{children}</a>
    </p>
  );
}

/** What was wrong with the step before, where no refusal of the API says it. */
export function Fault({ children }: Children) {
  return (
    <p class="problem" role="alert">
      {children}
    </p>
  );
}

/** A term of a `dl` and what it is. */
export function Fact({ name, children }: Children & { readonly name: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Text in which `backticks` mark code. */
export function Prose({ text }: { readonly text: string }) {
  return <>{text.split(/`([^`]+)`/).map((each, i) => (i % 2 ? <code>{each}</code> : each))}</>;
}

/** A block of code, which the keyboard can scroll. */
export function Code({ children }: Children) {
  return (
    <pre tabindex={0}>
      <code>{children}</code>
    </pre>
  );
}

export interface Column<T> {
  readonly head: string;
  readonly isNumber?: boolean;
  readonly cell: (row: T) => ComponentChildren;
}

export interface TableOf<T> {
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly class?: string;
  readonly label?: string;
  /** Id of a row. */
  readonly keyOf?: (row: T) => string;
}

/** Explicit roles survive the style of phones (`pages.css`), which makes blocks of tables. */
const as = (role: string) => ({ role });

/** A table; on a phone every row is a card, in which each cell names its column. */
export function Table<T>({ columns, rows, class: name, label, keyOf }: TableOf<T>) {
  return (
    <table {...as("table")} class={name} aria-label={label}>
      <thead {...as("rowgroup")}>
        <tr {...as("row")}>
          {columns.map(({ head, isNumber }) => (
            <th {...as("columnheader")} scope="col" class={isNumber ? "number" : undefined}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody {...as("rowgroup")}>
        {rows.map((row) => (
          <tr id={keyOf?.(row)} key={keyOf?.(row)} {...as("row")}>
            {columns.map(({ head, isNumber, cell }) => (
              <td {...as("cell")} data-label={head} class={isNumber ? "number" : undefined}>
                <div>{cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
