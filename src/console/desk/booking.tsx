/** A booking: its terms, money and history, and what can be done about it. */
import type { Static } from "@sinclair/typebox";
import type { BookingDetail } from "../../api/bookings/responses.ts";
import { BOOKING_ID } from "../../api/parameters.ts";
import type { AdminProperty } from "../../api/properties/admin-responses.ts";
import { ask } from "../frame/api.ts";
import { page } from "../frame/console-route.ts";
import { notDone } from "../frame/not-done.tsx";
import {
  ActionForm,
  Amount,
  At,
  Crumbs,
  Fact,
  guestName,
  Live,
  plural,
  State,
  StayFacts,
  wordsOf,
} from "../frame/parts.tsx";
import type { Shown } from "../frame/shown.ts";
import type { Visit } from "../frame/visit.ts";
import { refundPath } from "../money/refund.tsx";
import { DEEDS, type Deed } from "./deeds.tsx";
import { notesOf } from "./notes.tsx";

export type Detail = Static<typeof BookingDetail>;
type Property = Static<typeof AdminProperty>;

/** Where an event has no property, and for who may not read it. */
const UTC = "UTC";

async function show(visit: Visit<"id">): Promise<Shown> {
  const { id } = visit.call.params;
  const found = await ask<Detail>(visit, { id: "get_booking", params: { id } });
  if (!found.ok) {
    const back = { back: "/console/bookings", backName: "Bookings" };
    return notDone(visit, { place: "bookings", ...back }, "Booking", found.error);
  }
  const booking = found.data;
  const property = await ask<Property>(visit, {
    id: "admin_get_property",
    params: { id: booking.property_id },
  });
  const zone = (property.ok ? property.data.timezone : booking.policy_snapshot?.timezone) ?? UTC;
  const main = (
    <>
      <BookingView visit={visit} booking={booking} property={property.ok ? property.data : null} />
      {await notesOf(visit, zone, booking.guest === null)}
    </>
  );
  return { title: "Booking", place: "bookings", main };
}

interface ViewOf {
  readonly visit: Visit;
  readonly booking: Detail;
  readonly property: Property | null;
}

function BookingView({ visit, booking, property }: ViewOf) {
  const { confirmation_code, state, version, stay, guests, room_type_id, rate_plan_id } = booking;
  const room = property?.room_types.find(({ id }) => id === room_type_id);
  const plan = room?.rate_plans.find(({ id }) => id === rate_plan_id)?.name;
  const zone = property?.timezone ?? booking.policy_snapshot?.timezone ?? UTC;
  return (
    <>
      <Crumbs to={`${visit.root}/console/bookings`}>Bookings</Crumbs>
      <Live id="booking" kinds="booking. payment. refund.">
        <h1>
          <code>{confirmation_code}</code> <State state={state} />
        </h1>
        <p class="lead">
          <bdi>{guestName(booking)}</bdi> · <bdi>{property?.name ?? booking.property_id}</bdi>
          {room !== undefined && (
            <>
              {" "}
              · <bdi>{room.name}</bdi>
            </>
          )}
          {plan !== undefined && (
            <>
              , <bdi>{plan}</bdi>
            </>
          )}
        </p>
        <Deeds visit={visit} booking={booking} />
        <dl>
          <StayFacts stay={stay} guests={guests} />
          <Fact name="Booked">
            <At instant={booking.created_at} zone={zone} />
          </Fact>
          <Fact name="Version">{version}</Fact>
        </dl>
        {booking.special_requests !== null && (
          <p>
            <b>Asked for:</b> <bdi>{booking.special_requests}</bdi>
          </p>
        )}
        <Money booking={booking} root={visit.root} />
        <Terms booking={booking} zone={zone} />
        <History booking={booking} zone={zone} root={visit.root} />
      </Live>
    </>
  );
}

/** What can be done in this state; whether it may be done now is the API's answer. */
function Deeds({ visit, booking }: { readonly visit: Visit; readonly booking: Detail }) {
  const deeds = Object.entries<Deed>(DEEDS).filter(([, { from }]) => from === booking.state);
  if (deeds.length === 0 && booking.payment === null) return null;
  const path = `/console/bookings/${booking.booking_id}`;
  return (
    <div class="deeds">
      {deeds.map(([name, { label, isAsked, isQuiet }]) =>
        isAsked ? (
          <a class="button" href={`${visit.root}${path}/${name}`}>
            {label}…
          </a>
        ) : (
          <ActionForm visit={visit} to={`${path}/${name}`}>
            <button type="submit" class={isQuiet ? "quiet" : undefined}>
              {label}
            </button>
          </ActionForm>
        ),
      )}
      {booking.state === "confirmed" && (
        <a class="button" href={`${visit.root}${path}/change`}>
          Change…
        </a>
      )}
      {booking.payment !== null && (
        <a class="button" href={`${visit.root}${path}/refund`}>
          Refund…
        </a>
      )}
    </div>
  );
}

function Money({ booking, root }: { readonly booking: Detail; readonly root: string }) {
  const { payment, refunds, price_breakdown } = booking;
  const currency = payment?.currency ?? price_breakdown?.currency;
  if (currency === undefined) return null;
  const due = price_breakdown?.due_at_property ?? 0;
  const refunded = payment?.refunded ?? 0;
  return (
    <>
      <h2>Money</h2>
      <dl>
        {price_breakdown && (
          <Fact name="Total">
            <Amount amount={price_breakdown.total} currency={currency} />
          </Fact>
        )}
        {payment && (
          <Fact name="Paid">
            <Amount amount={payment.amount} currency={currency} /> <State state={payment.state} />
          </Fact>
        )}
        {due > 0 && (
          <Fact name="Due at the property">
            <Amount amount={due} currency={currency} />
          </Fact>
        )}
        {payment && refunded > 0 && (
          <Fact name="Left of what was paid">
            <Amount amount={payment.amount - refunded} currency={currency} />
          </Fact>
        )}
      </dl>
      {refunds.length > 0 && (
        <ul>
          {refunds.map(({ refund_id, amount, state, reason, failure_reason }) => (
            <li>
              Refund <a href={root + refundPath(refund_id)}>{refund_id}</a> of{" "}
              <Amount amount={amount} currency={currency} />: {wordsOf(reason)}{" "}
              <State state={state} /> {failure_reason}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Terms({ booking, zone }: { readonly booking: Detail; readonly zone: string }) {
  const { policy_snapshot: terms } = booking;
  const currency = booking.price_breakdown?.currency ?? booking.payment?.currency;
  if (!terms || currency === undefined) return null;
  return (
    <>
      <h2>Cancellation terms</h2>
      <ul>
        {terms.tiers.map(({ cutoff_at, fee }) => (
          <li>
            Until <At instant={cutoff_at} zone={zone} />: fee{" "}
            <Amount amount={fee} currency={currency} />
          </li>
        ))}
        <li>
          Then: fee <Amount amount={terms.after_last_tier.fee} currency={currency} />
        </li>
        <li>
          No-show: fee <Amount amount={terms.no_show.fee} currency={currency} />
        </li>
      </ul>
    </>
  );
}

interface HistoryOf {
  readonly booking: Detail;
  readonly zone: string;
  readonly root: string;
}

function History({ booking: { booking_id, history, receipts }, zone, root }: HistoryOf) {
  const events = `${root}/console/events?subject=booking:${booking_id}`;
  return (
    <>
      <h2>History</h2>
      <ol>
        {history.map(({ at, type, version }) => (
          <li>
            <At instant={at} zone={zone} /> ·{" "}
            {wordsOf(type.replace(/^booking\./, "").replace(".", " "))}{" "}
            <span class="faint">version {version}</span>
          </li>
        ))}
      </ol>
      <p class="faint">
        {plural(receipts.length, "signed receipt")} · <a href={events}>all events</a>
      </p>
    </>
  );
}

export const bookingRoutes = [
  page(
    {
      id: "console_booking",
      path: "/console/bookings/:id",
      summary: "A booking",
      params: { id: BOOKING_ID },
    },
    show,
  ),
];
