/** What a guest sees of the own booking, and what can be done about it. */
import type { Static } from "@sinclair/typebox";
import type { GuestReceipts } from "../api/guest/responses.ts";
import { jsonFile } from "../page-parts/page-contract.ts";
import { PriceLines, ReceiptCheck, StayFacts } from "../page-parts/stay-view.tsx";
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
      <OwnStay booking={booking} tongue={tongue} />
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

/** Hotel, room, dates, party and the guest's name. */
export function OwnStay({ booking, tongue }: Of) {
  return <StayFacts of={booking} tongue={tongue} guestName={booking.guest?.primary.full_name} />;
}

function MoneyView({ booking, tongue }: Of) {
  const { words, shared } = tongue;
  const { price_breakdown: price, payment, refunds, cancellation, no_show } = booking;
  const kept = cancellation ?? no_show ?? null;
  const isDueThere = price && kept === null && price.due_at_property > 0;
  const lines = [
    price && { name: shared.total, amount: price.total, currency: price.currency },
    payment && { name: words.paid, amount: payment.amount, currency: payment.currency },
    isDueThere && {
      ...{ name: shared.dueThere, amount: price.due_at_property, currency: price.currency },
    },
    kept && { name: words.kept, ...kept.fee },
    ...refunds.map(({ amount, currency, state }) => {
      return { name: words.refundStates[state], amount, currency };
    }),
  ];
  return (
    <>
      <h2>{words.money}</h2>
      <PriceLines label={words.money} lines={lines.filter((line) => !!line)} tongue={tongue} />
    </>
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
      <ReceiptCheck baseUrl={call.context.config.baseUrl} tongue={tongue} />
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
