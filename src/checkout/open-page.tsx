/** The page of a hold that can be booked: terms, the guest's data, and how it is paid. */
import { EXTENSIONS_MAX } from "../../engine/core/holds/hold.ts";
import { missingForPage } from "../api/checkout/state.ts";
import { type Form, TOKEN_FIELD, tokenOf } from "../page-parts/form.ts";
import { Fault } from "../page-parts/parts.tsx";
import { StayFacts } from "../page-parts/stay-view.tsx";
import { CARDS } from "./cards.ts";
import { isPaidElsewhere } from "./page-payment.ts";
import { type Offered, PriceView, TermsView } from "./terms.tsx";
import type { Tongue } from "./tongue.ts";
import { agentCall, type Visit } from "./visit.ts";

const MINUTE_MS = 60_000;
export const ATTEMPT_FIELD = "attempt";

export interface OpenPage {
  readonly visit: Visit;
  readonly offered: Offered;
  /** What was wrong with the last attempt. */
  readonly problem?: string;
  /** What was typed. */
  readonly typed?: Form;
  /** Names of fields that were refused. */
  readonly faulty?: ReadonlySet<string>;
}

/** Everything that is needed to decide, then the form. */
export function OpenView(page: OpenPage) {
  const { visit, offered, problem } = page;
  const { tongue } = visit;
  const { words } = tongue;
  return (
    <>
      <h1>{words.bookTitle}</h1>
      {problem !== undefined && <Fault>{problem}</Fault>}
      <StayFacts of={offered.stay} tongue={tongue} />
      <TimeView visit={visit} offered={offered} />
      <PriceView offered={offered} tongue={tongue} />
      <TermsView offered={offered} visit={visit} />
      <h2>{words.details}</h2>
      <Payable {...page} />
    </>
  );
}

/** The form, or why the page cannot book. */
function Payable(page: OpenPage) {
  const { call, hold, tongue } = page.visit;
  const { words } = tongue;
  if ("ok" in agentCall(page.visit)) return <p>{noAgent(tongue)}</p>;
  if (missingForPage(call.context, hold.quote.due_now) !== null) {
    return (
      <p>
        {words.notConfigured} {words.nothingCharged} <code>service_not_configured</code>
      </p>
    );
  }
  return <GuestForm {...page} />;
}

/** Why a page whose agent lost its rights cannot book. */
export function noAgent({ words }: Tongue): string {
  return `${words.noAgent} ${words.nothingCharged}`;
}

function TimeView({ visit, offered }: Pick<OpenPage, "visit" | "offered">) {
  const { call, session, hold, tongue } = visit;
  const leftMs = hold.expires_at - call.context.timeIn(session);
  const minutes = Math.max(1, Math.floor(leftMs / MINUTE_MS));
  const until = tongue.formats.zoned(hold.expires_at, offered.terms.timezone);
  return (
    <div class="needs">
      <p>{tongue.words.keptFor(minutes, until)}</p>
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
  const { hold, tongue, path } = visit;
  if (hold.extensions >= EXTENSIONS_MAX) return null;
  return (
    <button
      type="submit"
      class="quiet"
      formaction={tongue.to(`${path}/extend`)}
      formnovalidate
      name={TOKEN_FIELD}
      value={tokenFor(visit, "extend")}
    >
      {tongue.words.keepLonger}
    </button>
  );
}

interface FieldOf {
  readonly page: OpenPage;
  readonly name: string;
  readonly label: string;
  /** What it should be, at a field that was refused. */
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
  const { path, attempt, tongue } = visit;
  const { words, shared, formats } = tongue;
  const { due_now, currency } = offered.price;
  const isElsewhere = isPaidElsewhere(visit);
  const optional = (label: string) => `${label} (${words.optional})`;
  return (
    <form method="post" action={tongue.to(`${path}/pay`)} class="card">
      <input type="hidden" name={TOKEN_FIELD} value={tokenFor(visit, "pay")} />
      <input type="hidden" name={ATTEMPT_FIELD} value={attempt} />
      <Field
        {...{ page, name: "full_name", label: words.name, hint: words.nameHint }}
        {...{ autocomplete: "name", max: 200, required: true }}
      />
      <Field
        {...{ page, name: "email", type: "email", label: words.email, hint: words.emailHint }}
        {...{ autocomplete: "email", max: 254, required: true }}
      />
      <Field
        {...{ page, name: "phone", type: "tel", label: optional(words.phone) }}
        {...{ hint: words.phoneHint, autocomplete: "tel", max: 32 }}
      />
      <label>
        {optional(words.requests)}
        <textarea name="special_requests" rows={3} maxlength={2000}>
          {typed?.get("special_requests") ?? ""}
        </textarea>
      </label>
      {due_now > 0 && !isElsewhere && <Cards page={page} />}
      <p>
        {words.accept}
        {due_now > 0 && ` ${isElsewhere ? words.cardNext : words.sandbox}`}
      </p>
      <button type="submit">
        {due_now > 0 ? words.pay(formats.money(due_now, currency)) : shared.book}
      </button>{" "}
      <KeepLonger visit={visit} />
    </form>
  );
}

function Cards({ page: { typed, visit } }: { readonly page: OpenPage }) {
  const { words } = visit.tongue;
  const chosen = typed?.get("card") ?? CARDS[0]!.id;
  return (
    <label>
      {words.payWith}
      <select name="card">
        {CARDS.map(({ id }) => (
          <option value={id} selected={id === chosen}>
            {words.cards[id]}
          </option>
        ))}
      </select>
    </label>
  );
}
