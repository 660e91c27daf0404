/** Money that waits: payments without verdict, failed refunds and those on their way, disputes. */
import type { Static } from "@sinclair/typebox";
import type { DeskPayments, DeskRefunds } from "../../api/desk/responses.ts";
import { type Answered, ask } from "../frame/api.ts";
import { page } from "../frame/console-route.ts";
import { type Hotels, hotelsOf, placeNames } from "../frame/hotels.ts";
import { skipQuery } from "../frame/pages.tsx";
import { Amount, At, type Column, Live, plural, State, wordsOf } from "../frame/parts.tsx";
import type { Shown } from "../frame/shown.ts";
import type { Visit } from "../frame/visit.ts";
import {
  DayField,
  type ListPart,
  partOf,
  Section,
  UNTIL_QUERY,
  untilOf,
} from "../frame/waiting-lists.tsx";
import { type Disputes, disputesOf } from "./disputes.ts";

type Payment = Static<typeof DeskPayments>["items"][number];
type Refund = Static<typeof DeskRefunds>["items"][number];
type Disputed = Disputes["items"][number];

export const MONEY = "/console/money";
export const MONEY_KINDS = "payment. refund.";

/** The lists of the page, by their names in its address. */
const LISTS = ["failed", "payments", "pending", "disputes"] as const;
/** Of the API: about 31 years. */
const AGE_S_MAX = 999_999_999;

interface Read {
  readonly failed: ListPart<Refund>;
  readonly payments: ListPart<Payment>;
  readonly pending: ListPart<Refund>;
  readonly disputes: ListPart<Disputed>;
  /** What of the events was searched for disputes. */
  readonly searched: Omit<Disputes, "items"> | null;
}

/** The least age that the API is asked for: of what began by the end of the last day. */
function ageAsked(visit: Visit): Record<string, string> {
  const untilMs = untilOf(visit);
  const ageS = untilMs === null ? 0 : (visit.call.context.engineNow() - untilMs) / 1000;
  return ageS > 0 ? { older_than_s: String(Math.min(AGE_S_MAX, Math.ceil(ageS))) } : {};
}

async function read(visit: Visit): Promise<Read> {
  const age = ageAsked(visit);
  const refunds = (state: "failed" | "pending") =>
    ask<Static<typeof DeskRefunds>>(visit, {
      ...{ id: "admin_list_refunds", query: { state, ...age } },
    });
  const payments: Answered<Static<typeof DeskPayments>> = await ask(visit, {
    ...{ id: "admin_list_payments", query: age },
  });
  const failed = await refunds("failed");
  const pending = await refunds("pending");
  const disputes = await disputesOf(visit);
  return {
    failed: partOf(visit, "failed", failed),
    payments: partOf(visit, "payments", payments),
    pending: partOf(visit, "pending", pending),
    disputes: partOf(visit, "disputes", disputes),
    searched: disputes.ok ? disputes.data : null,
  };
}

async function show(visit: Visit): Promise<Shown> {
  const found = await read(visit);
  const shown = LISTS.flatMap((name): readonly { property_id: string }[] => found[name].page.items);
  const hotels = await hotelsOf(
    visit,
    shown.map(({ property_id }) => property_id),
  );
  const main = (
    <>
      <h1>Money</h1>
      <form method="get" action={visit.root + MONEY} class="filter">
        <DayField visit={visit} name="until" label="Refunds and payments until" />
        <button type="submit">Show</button>
      </form>
      <Live id="money" kinds={MONEY_KINDS}>
        <Lists root={visit.root} read={found} hotels={hotels} />
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
  const { payments, failed, pending, disputes, searched } = read;
  const path = root + MONEY;
  const refundColumns = columnsOf(root, hotels);
  return (
    <>
      <Section
        title="Failed refunds"
        word="failed refund"
        path={path}
        part={failed}
        columns={refundColumns}
        keyOf={({ refund_id }) => refund_id}
      />
      <Section
        title="Payments without a verdict"
        word="payment"
        path={path}
        part={payments}
        columns={paymentColumns(root, hotels)}
        keyOf={({ payment_id }) => payment_id}
      />
      <Section
        title="Refunds on their way"
        word="refund"
        path={path}
        part={pending}
        columns={refundColumns}
        keyOf={({ refund_id }) => refund_id}
      />
      <Section
        title="Disputes"
        word="open dispute"
        path={path}
        part={disputes}
        columns={disputeColumns(root, hotels)}
        keyOf={({ payment_id }) => payment_id}
      />
      {searched && (
        <p class="faint">
          {searched.isWhole
            ? "Every open dispute is here."
            : `Of the last ${plural(searched.events, "event")}; older ones are under Events, kind payment.disputed.`}
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
  page(
    {
      ...{ id: "console_money", path: MONEY, summary: "Money that waits" },
      query: { ...UNTIL_QUERY, ...skipQuery(LISTS) },
    },
    show,
  ),
];
