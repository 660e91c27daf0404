/** The page of a hold that can be booked: terms, the guest's data, and how it is paid. */
import { instantIso } from "../../engine/core/calendar.ts";
import { EXTENSIONS_MAX } from "../../engine/core/holds/hold.ts";
import { missingForPage } from "../api/checkout/state.ts";
import { type Form, TOKEN_FIELD, tokenOf } from "../page-parts/form.ts";
import { Fault } from "../page-parts/parts.tsx";
import { Amount, At, plural } from "../page-parts/words.tsx";
import { CARDS } from "./cards.ts";
import { isPaidElsewhere } from "./page-payment.ts";
import { type Offered, PriceView, StayView, TermsView } from "./terms.tsx";
import { agentCall, type Visit } from "./visit.ts";

const MINUTE_MS = 60_000;
export const ATTEMPT_FIELD = "attempt";

export interface OpenPage {
  readonly visit: Visit;
  readonly offered: Offered;
  /** What was wrong with the last attempt. */
  readonly problem?: string;
  /** What was typed; only of this request, never kept. */
  readonly typed?: Form;
  /** Names of fields that were refused. */
  readonly faulty?: ReadonlySet<string>;
}

/** Everything that is needed to decide, then the form. */
export function OpenView(page: OpenPage) {
  const { visit, offered, problem } = page;
  return (
    <>
      <h1>Book your stay</h1>
      {problem !== undefined && <Fault>{problem}</Fault>}
      <StayView offered={offered} />
      <TimeView visit={visit} offered={offered} />
      <PriceView offered={offered} />
      <TermsView offered={offered} />
      <h2>Your details</h2>
      <Payable {...page} />
    </>
  );
}

/** The form, or why the page cannot book. */
function Payable(page: OpenPage) {
  const { call, hold } = page.visit;
  if ("ok" in agentCall(page.visit)) {
    return <p>{NO_AGENT}</p>;
  }
  if (missingForPage(call.context, hold.quote.due_now) !== null) {
    return (
      <p>
        This page cannot take payments: checkout is not configured. Nothing was charged.{" "}
        <code>service_not_configured</code>
      </p>
    );
  }
  return <GuestForm {...page} />;
}

export const NO_AGENT =
  "The travel agent that sent you here can no longer book. Nothing was charged; ask the agent for " +
  "another page.";

function TimeView({ visit, offered }: Pick<OpenPage, "visit" | "offered">) {
  const { call, session, hold } = visit;
  const leftMs = hold.expires_at - call.context.timeIn(session);
  const minutes = Math.max(1, Math.floor(leftMs / MINUTE_MS));
  return (
    <div class="needs">
      <p>
        The room is kept for you for {plural(minutes, "minute")}, until{" "}
        <At instant={instantIso(hold.expires_at)} zone={offered.tree.timezone} />, local time of the
        hotel.
      </p>
    </div>
  );
}

/** What the form must have to be taken at an address. */
function tokenFor({ call, session, path }: Visit, to: "pay" | "extend"): string {
  const of = { kind: "checkout", session: session.session_id, path: `${path}/${to}` } as const;
  return tokenOf(call.context.keys.hmac, of);
}

/** Sends the same form, so that what was typed is kept. Its token comes last and counts. */
function KeepLonger({ visit }: Pick<OpenPage, "visit">) {
  const { hold, root, path } = visit;
  if (hold.extensions >= EXTENSIONS_MAX) return null;
  return (
    <button
      type="submit"
      class="quiet"
      formaction={`${root}${path}/extend`}
      formnovalidate
      name={TOKEN_FIELD}
      value={tokenFor(visit, "extend")}
    >
      Keep the room longer
    </button>
  );
}

interface FieldOf {
  readonly page: OpenPage;
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly type?: "text" | "email" | "tel";
  readonly autocomplete: string;
  readonly max: number;
  readonly required?: boolean;
}

function Field({ page, name, label, hint, type = "text", autocomplete, max, required }: FieldOf) {
  const { typed, faulty } = page;
  const isFaulty = faulty?.has(name) === true;
  return (
    <label>
      {label}
      <input
        {...{ name, type, autocomplete, required }}
        maxlength={max}
        value={typed?.get(name) ?? ""}
        aria-invalid={isFaulty ? "true" : undefined}
        aria-describedby={isFaulty ? `${name}-hint` : undefined}
      />
      {isFaulty && (
        <span id={`${name}-hint`} class="fault">
          {hint}
        </span>
      )}
    </label>
  );
}

function GuestForm(page: OpenPage) {
  const { visit, offered, typed } = page;
  const { root, path, attempt } = visit;
  const { due_now, currency } = offered.price;
  const isElsewhere = isPaidElsewhere(visit);
  return (
    <form method="post" action={`${root}${path}/pay`} class="card">
      <input type="hidden" name={TOKEN_FIELD} value={tokenFor(visit, "pay")} />
      <input type="hidden" name={ATTEMPT_FIELD} value={attempt} />
      <Field
        {...{ page, name: "full_name", label: "Full name, as in the passport" }}
        {...{ hint: "Write the guest's name.", autocomplete: "name", max: 200, required: true }}
      />
      <Field
        {...{ page, name: "email", type: "email", label: "E-mail address" }}
        {...{ hint: "Write a complete address.", autocomplete: "email", max: 254, required: true }}
      />
      <Field
        {...{ page, name: "phone", type: "tel", label: "Phone (optional)" }}
        {...{ hint: "Write 4 to 32 characters.", autocomplete: "tel", max: 32 }}
      />
      <label>
        Requests to the hotel (optional)
        <textarea name="special_requests" rows={3} maxlength={2000}>
          {typed?.get("special_requests") ?? ""}
        </textarea>
      </label>
      {due_now > 0 && !isElsewhere && <Cards page={page} />}
      <p>
        You accept the price and the cancellation terms above.
        {due_now > 0 && (isElsewhere ? CARD_IS_ASKED_NEXT : SANDBOX)}
      </p>
      <button type="submit">
        {due_now > 0 ? (
          <>
            Pay <Amount amount={due_now} currency={currency} />
          </>
        ) : (
          "Book"
        )}
      </button>{" "}
      <KeepLonger visit={visit} />
    </form>
  );
}

const SANDBOX = " No real money moves: this service uses a sandbox for payments.";
const CARD_IS_ASKED_NEXT =
  " Your card is asked for on the next page, by the payment provider, and charged only when the " +
  "room is booked.";

function Cards({ page: { typed } }: { readonly page: OpenPage }) {
  const chosen = typed?.get("card") ?? CARDS[0]!.id;
  return (
    <label>
      Pay with
      <select name="card">
        {CARDS.map(({ id, label }) => (
          <option value={id} selected={id === chosen}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
