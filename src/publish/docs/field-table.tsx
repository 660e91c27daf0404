/** Fields of an error's `detail` or of an event. */
import { Prose, Table } from "../../page-parts/parts.tsx";
import type { EventField } from "./event-facts.ts";

/** A row for each field. */
export function FieldTable({ fields }: { readonly fields: readonly EventField[] }) {
  return (
    <Table
      columns={[
        { head: "Field", cell: nameOf },
        { head: "Type", cell: ([, type]) => <Prose text={type} /> },
        { head: "Meaning", cell: ([, , meaning]) => <Prose text={meaning} /> },
      ]}
      rows={fields}
    />
  );
}

function nameOf([name]: EventField) {
  return (
    <>
      <code>{name.replace("?", "")}</code>
      {name.endsWith("?") && (
        <>
          {" "}
          <span class="note">sometimes</span>
        </>
      )}
    </>
  );
}
