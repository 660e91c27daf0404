/** A list of bookings as the desk reads it. */
import type { Static } from "@sinclair/typebox";
import type { DeskBookings } from "../../api/desk/responses.ts";
import { Amount, type Column, guestName, Rows, State, Stay } from "../frame/parts.tsx";

export type DeskBooking = Static<typeof DeskBookings>["items"][number];

interface TableOf<T extends DeskBooking> {
  readonly root: string;
  readonly label: string;
  readonly bookings: readonly T[];
  /** A last column. */
  readonly last?: Column<T>;
}

/** The bookings, each with a link to its page. */
export function BookingTable<T extends DeskBooking>({ root, label, bookings, last }: TableOf<T>) {
  const columns: Column<T>[] = [
    {
      head: "Code",
      cell: ({ booking_id, confirmation_code }) => (
        <a class="code-link" href={`${root}/console/bookings/${booking_id}`}>
          {confirmation_code}
        </a>
      ),
    },
    { head: "Guest", cell: (booking) => <bdi>{guestName(booking)}</bdi> },
    {
      head: "Hotel",
      cell: ({ property_name, room_type_name }) => (
        <>
          <bdi>{property_name}</bdi> <bdi class="faint">{room_type_name}</bdi>
        </>
      ),
    },
    { head: "Stay", cell: ({ stay }) => <Stay stay={stay} /> },
    { head: "Total", isNumber: true, cell: ({ total }) => <Amount {...total} /> },
    { head: "State", cell: ({ state }) => <State state={state} /> },
  ];
  return (
    <Rows
      label={label}
      columns={last ? [...columns, last] : columns}
      rows={bookings}
      keyOf={({ booking_id }) => booking_id}
    />
  );
}
