/** What a guest sees of the own booking, and what can be done about it. */
import type { Static } from "@sinclair/typebox";
import { localInstant } from "../../engine/core/calendar.ts";
import type { GuestReceipts } from "../api/guest/responses.ts";
import { jsonFile } from "../page-parts/page-contract.ts";
import { Fact } from "../page-parts/parts.tsx";
import { GuestForm, Problem, shown } from "./frame.tsx";
import { type Cost, Terms } from "./terms.tsx";
import type { Tongue } from "./tongue.ts";
import { type Answer, ask, type OwnBooking, type Visit } from "./visit.ts";

export const STAY = "/guest/stay";
export const CANCEL = "/guest/stay/cancel";
export const CHANGE = "/guest/stay/change";
export const RESEND = "/guest/stay/resend";
const RECEIPTS = "/guest/stay/receipts";
export const SIGN_OUT = "/guest/sign-out";
const VERIFY = "/v1/receipts/verify";

const DAY_MS = 86_400_000;

type Receipts = Static<typeof GuestReceipts>;

interface Said {
  /** What was done, or was not. */
  readonly note?: string;
  readonly problem?: string;
  readonly status?: number;
}

/** The booking as it is. */
export async function stayPage(visit: Visit, said: Said = {}): Promise<Answer> {
  const { call, tongue, secret, booking } = visit;
  const { words } = tongue;
  const { note, problem, status } = said;
  const isOpen = booking.state === "confirmed";
  const cost = isOpen ? await costOf(visit) : null;
  const receipts = await ask<Receipts>(call, secret, { id: "get_guest_receipts" });
  const main = (
    <>
      <h1>{words.title}</h1>
      <Problem text={problem} />
      {note !== undefined && (
        <p class="needs" role="status">
          {note}
        </p>
      )}
      <p class="lead">
        <strong>{words.states[booking.state]}</strong> · {words.code}{" "}
        <code>{booking.confirmation_code}</code>
      </p>
      <StayFacts booking={booking} tongue={tongue} />
      <MoneyView booking={booking} tongue={tongue} />
      {cost && booking.policy_snapshot && (
        <Terms terms={booking.policy_snapshot} paid={paidOf(booking)} {...{ cost, tongue }} />
      )}
      <Deeds visit={visit} isOpen={isOpen} />
      {receipts.ok && <ReceiptsView receipts={receipts.data} visit={visit} />}
      <GuestForm call={call} tongue={tongue} to={SIGN_OUT} secret={secret} isCard={false}>
        <button type="submit" class="quiet">
          {words.signOut}
        </button>
      </GuestForm>
    </>
  );
  const more = { isTest: booking.mode === "test", ...(status !== undefined && { status }) };
  return shown(call, tongue, { main, at: STAY, ...more });
}

/** Fee and refund of a cancellation now; null when they cannot be read. */
export async function costOf({ call, secret }: Visit): Promise<Cost | null> {
  const asked = await ask<Cost>(call, secret, { id: "get_guest_cancellation_quote" });
  return asked.ok ? asked.data : null;
}

/** What was paid at booking. */
export function paidOf({ price_breakdown, payment }: OwnBooking): number {
  return price_breakdown?.due_now ?? payment?.amount ?? 0;
}

interface Of {
  readonly booking: OwnBooking;
  readonly tongue: Tongue;
}

/** Hotel, room, dates and party. */
export function StayFacts({ booking, tongue }: Of) {
  const { words, shared, formats } = tongue;
  const { hotel, room, rate_plan, stay, guests } = booking;
  const [from, to] = [stay.check_in, stay.check_out].map((date) => Date.parse(date) / DAY_MS);
  const children = guests.children?.length ?? 0;
  const timeOf = (day: number, time: string) => {
    const zone = hotel?.timezone ?? "UTC";
    return `${formats.time(time)} ${formats.zoneName(localInstant(day, time, zone).ms, zone)}`;
  };
  const { checkin_time, checkout_time } = hotel ?? {};
  const times = [
    checkin_time && `${shared.checkIn} ${shared.fromTime(timeOf(from!, checkin_time))}`,
    checkout_time && `${shared.checkOut} ${shared.untilTime(timeOf(to!, checkout_time))}`,
  ].filter(Boolean);
  return (
    <dl>
      <Fact name={words.hotel}>
        <bdi>{hotel?.name}</bdi>
        <br />
        <bdi class="faint">{hotel?.address.join(", ")}</bdi>
        {hotel?.phone && (
          <>
            <br />
            <a href={`tel:${hotel.phone.replace(/[^+\d]/g, "")}`}>{hotel.phone}</a>
          </>
        )}
        {hotel?.geo && (
          <>
            <br />
            <a href={mapOf(hotel.geo)} rel="noreferrer">
              {words.directions}
            </a>
          </>
        )}
      </Fact>
      <Fact name={words.room}>
        <bdi>{room}</bdi>, <bdi>{rate_plan}</bdi>
      </Fact>
      <Fact name={words.stay}>
        {formats.days(from!, to!)} <span class="faint">({shared.nights(to! - from!)})</span>
        {times.length > 0 && <br />}
        {times.join(" · ")}
      </Fact>
      <Fact name={words.party}>
        {shared.adultsOf(guests.adults)}
        {children > 0 && `, ${words.childrenOf(children)}`}
        <br />
        <bdi>{booking.guest?.primary.full_name}</bdi>
      </Fact>
    </dl>
  );
}

function mapOf({ latitude, longitude }: { readonly latitude: number; readonly longitude: number }) {
  const query = new URLSearchParams({ mlat: String(latitude), mlon: String(longitude) });
  return `https://www.openstreetmap.org/?${query}#map=16/${latitude}/${longitude}`;
}

function MoneyView({ booking, tongue }: Of) {
  const { words, shared, formats } = tongue;
  const { price_breakdown: price, payment, refunds, cancellation, no_show } = booking;
  const kept = cancellation ?? no_show ?? null;
  return (
    <>
      <h2>{words.money}</h2>
      <table class="prices" aria-label={words.money}>
        <tbody>
          {price && <Row name={shared.total} amount={formats.money(price.total, price.currency)} />}
          {payment && (
            <Row name={words.paid} amount={formats.money(payment.amount, payment.currency)} />
          )}
          {price && kept === null && price.due_at_property > 0 && (
            <Row
              name={shared.dueThere}
              amount={formats.money(price.due_at_property, price.currency)}
            />
          )}
          {kept && (
            <Row name={words.kept} amount={formats.money(kept.fee.amount, kept.fee.currency)} />
          )}
          {refunds.map(({ amount, currency, state }) => (
            <Row name={words.refundStates[state]} amount={formats.money(amount, currency)} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function Row({ name, amount }: { readonly name: string; readonly amount: string }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{amount}</td>
    </tr>
  );
}

function Deeds({ visit, isOpen }: { readonly visit: Visit; readonly isOpen: boolean }) {
  const { call, tongue, secret, booking } = visit;
  const { words } = tongue;
  const isChangeable = isOpen || booking.state === "checked_in";
  return (
    <div class="deeds">
      {isChangeable && (
        <p>
          <a class="button" href={tongue.to(CHANGE)}>
            {words.change}
          </a>
        </p>
      )}
      {isOpen && (
        <p>
          <a class="button" href={tongue.to(CANCEL)}>
            {words.cancel}
          </a>
        </p>
      )}
      <GuestForm call={call} tongue={tongue} to={RESEND} secret={secret} isCard={false}>
        <button type="submit" class="quiet">
          {words.resend}
        </button>
      </GuestForm>
    </div>
  );
}

interface ReceiptsOf {
  readonly receipts: Receipts;
  readonly visit: Visit;
}

function ReceiptsView({ receipts, visit: { call, tongue, booking } }: ReceiptsOf) {
  const { words, formats } = tongue;
  const zone = booking.hotel?.timezone ?? "UTC";
  return (
    <>
      <h2>{words.receipts}</h2>
      <ul>
        {receipts.items.map(({ kind, issued_at }, i) => (
          <li>
            <a href={tongue.to(`${RECEIPTS}/${i + 1}`)} download={`receipt-${i + 1}.json`}>
              {words.receiptKinds[kind]}, {formats.zoned(Date.parse(issued_at), zone)}
            </a>{" "}
            (JSON)
          </li>
        ))}
      </ul>
      <p class="faint">
        {words.verify} <code class="wrap">POST {call.context.config.baseUrl + VERIFY}</code>
      </p>
    </>
  );
}

/** One receipt as a file. */
export async function receiptFile(visit: Visit, nth: number): Promise<Answer> {
  const { call, secret, tongue } = visit;
  const asked = await ask<Receipts>(call, secret, { id: "get_guest_receipts" });
  const found = asked.ok ? asked.data.items[nth - 1] : undefined;
  if (!found) return stayPage(visit, { problem: tongue.words.failed, status: 404 });
  return jsonFile(found, {
    "content-disposition": `attachment; filename="receipt-${nth}.json"`,
    "x-content-type-options": "nosniff",
  });
}
