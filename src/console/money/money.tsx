/** Money that waits: payments without verdict, failed refunds and those on their way, disputes. */
import type { Static } from "@sinclair/typebox";
import type { DeskPayments, DeskRefunds } from "../../api/desk/responses.ts";
import { type Answered, ask } from "../frame/api.ts";
import { page } from "../frame/console-route.ts";
import { type Hotels, hotelsOf, placeNames } from "../frame/hotels.ts";
import { Amount, At, type Column, Live, plural, State, wordsOf } from "../frame/parts.tsx";
import type { Shown } from "../frame/shown.ts";
import type { Visit } from "../frame/visit.ts";
import { firstOf, Section } from "../frame/waiting-lists.tsx";
import { type Disputes, disputesOf } from "./disputes.ts";

type Payment = Static<typeof DeskPayments>["items"][number];
type Refund = Static<typeof DeskRefunds>["items"][number];

export const MONEY = "/console/money";
export const MONEY_KINDS = "payment. refund.";

interface Read {
  readonly payments: Answered<Static<typeof DeskPayments>>;
  readonly failed: Answered<Static<typeof DeskRefunds>>;
  readonly pending: Answered<Static<typeof DeskRefunds>>;
  readonly disputes: Answered<Disputes>;
}

async function show(visit: Visit): Promise<Shown> {
  const refunds = (state: string) =>
    ask<Static<typeof DeskRefunds>>(visit, {
      ...{ id: "admin_list_refunds", query: { state } },
    });
  const read: Read = {
    payments: await ask(visit, { id: "admin_list_payments" }),
    failed: await refunds("failed"),
    pending: await refunds("pending"),
    disputes: await disputesOf(visit),
  };
  const lists = [read.payments, read.failed, read.pending, read.disputes];
  const propertyIds = lists.flatMap((list) =>
    list.ok
      ? firstOf<{ readonly property_id: string }>(list.data.items).map(
          ({ property_id }) => property_id,
        )
      : [],
  );
  const hotels = await hotelsOf(visit, propertyIds);
  const main = (
    <>
      <h1>Money</h1>
      <Live id="money" kinds={MONEY_KINDS}>
        <Lists root={visit.root} read={read} hotels={hotels} />
      </Live>
    </>
  );
  return { title: "Money", place: "money", main };
}

interface ListsOf {
  readonly root: string;
  readonly read: Read;
  readonly hotels: Hotels;
}

function Lists({ root, read, hotels }: ListsOf) {
  const { payments, failed, pending, disputes } = read;
  const refundColumns = columnsOf(root, hotels);
  return (
    <>
      <Section
        title="Failed refunds"
        word="failed refund"
        list={failed}
        columns={refundColumns}
        keyOf={({ refund_id }) => refund_id}
      />
      <Section
        title="Payments without a verdict"
        word="payment"
        list={payments}
        columns={paymentColumns(root, hotels)}
        keyOf={({ payment_id }) => payment_id}
      />
      <Section
        title="Refunds on their way"
        word="refund"
        list={pending}
        columns={refundColumns}
        keyOf={({ refund_id }) => refund_id}
      />
      <Section
        title="Disputes"
        word="open dispute"
        list={disputes}
        columns={disputeColumns(root, hotels)}
        keyOf={({ payment_id }) => payment_id}
      />
      {disputes.ok && (
        <p class="faint">
          {disputes.data.isWhole
            ? "Every open dispute is here."
            : `Of the last ${plural(disputes.data.events, "event")}; older ones are under Events, kind payment.disputed.`}
        </p>
      )}
    </>
  );
}

type Standing = Pick<Payment, "is_stuck" | "why" | "next_step">;

/** Why it waits and what is next, as the API says it. */
export function Why({ standing }: { readonly standing: Standing }) {
  const { is_stuck, why, next_step } = standing;
  return (
    <>
      {is_stuck && <span class="chip bad">needs you</span>} {why}{" "}
      <span class="faint">{next_step}</span>
    </>
  );
}

/** A link to the booking, if there is one. */
export function BookingLink({ root, id }: { readonly root: string; readonly id: string | null }) {
  return id === null ? <>none</> : <a href={`${root}/console/bookings/${id}`}>Booking</a>;
}

function columnsOf(root: string, hotels: Hotels): Column<Refund>[] {
  return [
    {
      head: "Refund",
      cell: ({ refund_id, ...refund }) => (
        <a href={`${root}${MONEY}/refunds/${refund_id}`}>
          <Amount {...refund} />
        </a>
      ),
    },
    { head: "Reason", cell: ({ reason }) => wordsOf(reason) },
    { head: "Hotel", cell: (refund) => <bdi>{placeNames(hotels, refund).hotel}</bdi> },
    {
      head: "Requested",
      cell: (refund) => <At instant={refund.created_at} zone={placeNames(hotels, refund).zone} />,
    },
    { head: "Booking", cell: ({ booking_id }) => <BookingLink root={root} id={booking_id} /> },
    { head: "Why and what next", cell: (refund) => <Why standing={refund} /> },
  ];
}

function paymentColumns(root: string, hotels: Hotels): Column<Payment>[] {
  return [
    {
      head: "Payment",
      cell: (payment) => (
        <>
          <Amount {...payment} /> <State state={payment.state} />
        </>
      ),
    },
    {
      head: "Reference of the provider",
      cell: ({ provider_ref }) =>
        provider_ref === null ? "none yet" : <code>{provider_ref}</code>,
    },
    { head: "Hotel", cell: (payment) => <bdi>{placeNames(hotels, payment).hotel}</bdi> },
    {
      head: "Started",
      cell: (each) => <At instant={each.created_at} zone={placeNames(hotels, each).zone} />,
    },
    { head: "Booking", cell: ({ booking_id }) => <BookingLink root={root} id={booking_id} /> },
    { head: "Why and what next", cell: (payment) => <Why standing={payment} /> },
  ];
}

type Disputed = Disputes["items"][number];

function disputeColumns(root: string, hotels: Hotels): Column<Disputed>[] {
  return [
    {
      head: "Disputed",
      cell: ({ dispute, currency }) => <Amount amount={dispute.amount} currency={currency} />,
    },
    { head: "The bank's reason", cell: ({ dispute }) => wordsOf(dispute.reason) },
    { head: "Hotel", cell: (payment) => <bdi>{placeNames(hotels, payment).hotel}</bdi> },
    { head: "Booking", cell: ({ booking_id }) => <BookingLink root={root} id={booking_id} /> },
    {
      head: "What next",
      cell: (payment) => (
        <>
          Answer the bank at the payment provider
          {payment.dispute.due_by !== null && (
            <>
              {" "}
              until <At instant={payment.dispute.due_by} zone={placeNames(hotels, payment).zone} />
            </>
          )}
          . <span class="faint">Nothing of it can be refunded meanwhile.</span>
        </>
      ),
    },
  ];
}

export const moneyRoutes = [
  page({ id: "console_money", path: MONEY, summary: "Money that waits" }, show),
];
