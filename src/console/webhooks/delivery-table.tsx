/** Deliveries of events to webhook endpoints, as a table. */
import type { Static } from "@sinclair/typebox";
import type { Delivery as DeliveryAnswer } from "../../api/deliveries/responses.ts";
import { At, type Column, plural, Rows, State, wordsOf } from "../frame/parts.tsx";

export type Delivery = Static<typeof DeliveryAnswer>;

/** Whether attempts are still to come; no event says that they have ended. */
export function isOpen({ state }: Pick<Delivery, "state">): boolean {
  return state !== "succeeded" && state !== "dead_lettered" && state !== "cancelled";
}

/** Why the last attempt failed, such as `http 5xx (503)`; nothing after a success. */
export function failureOf({ reason, status }: Pick<Delivery, "reason" | "status">): string {
  if (reason === null) return "";
  return status === null ? wordsOf(reason) : `${wordsOf(reason)} (${status})`;
}

interface TableOf {
  readonly root: string;
  readonly label: string;
  readonly deliveries: readonly Delivery[];
  /** Addresses of endpoints by id, when they are told apart. */
  readonly addresses?: ReadonlyMap<string, string>;
  readonly first?: Column<Delivery>;
}

/** Each row leads to the delivery, its event and its endpoint. */
export function DeliveryTable({ root, label, deliveries, addresses, first }: TableOf) {
  const columns: Column<Delivery>[] = [
    ...(first ? [first] : []),
    {
      head: "Event",
      cell: ({ kind, delivery_id }) => (
        <a class="code-link" href={`${root}/console/deliveries/${delivery_id}`}>
          {kind}
        </a>
      ),
    },
    {
      head: "About",
      cell: ({ subject }) => (
        <a href={`${root}/console/events?${new URLSearchParams({ subject })}`}>
          <code>{subject}</code>
        </a>
      ),
    },
    ...(addresses ? [endpointColumn(root, addresses)] : []),
    { head: "Made (UTC)", cell: ({ created_at }) => <At instant={created_at} zone="UTC" /> },
    {
      head: "State",
      cell: (delivery) => (
        <>
          <State state={delivery.state} /> {failureOf(delivery)}{" "}
          <span class="faint">{plural(delivery.attempt_count, "attempt")}</span>
        </>
      ),
    },
  ];
  return (
    <Rows
      label={label}
      rows={deliveries}
      keyOf={({ delivery_id }) => delivery_id}
      columns={columns}
    />
  );
}

function endpointColumn(root: string, addresses: ReadonlyMap<string, string>): Column<Delivery> {
  return {
    head: "To",
    cell: ({ endpoint_id }) => (
      <a href={`${root}/console/webhooks/${endpoint_id}`}>
        <bdi>{addresses.get(endpoint_id) ?? endpoint_id}</bdi>
      </a>
    ),
  };
}
