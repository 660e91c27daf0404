/** Changes of a stay by its guest: other dates for the same price, and the guest's own data. */
import { LANGUAGES, localeFor } from "../languages/languages.ts";
import { type Form, keyHeader } from "../page-parts/form.ts";
import { GuestForm, Problem, shown } from "./frame.tsx";
import { CHANGE, STAY, stayPage } from "./stay.tsx";
import type { Tongue } from "./tongue.ts";
import { type Answer, ask, type Fault, field, type Visit, visitOf } from "./visit.ts";

const VERSION_FIELD = "version";

/** Until when other dates are possible; null for never. */
function datesUntil({ booking }: Visit): string | null {
  const { state, policy_snapshot: terms } = booking;
  return state === "confirmed" ? (terms?.modification.allowed_until ?? null) : null;
}

interface Said {
  readonly typed?: Form;
  readonly problem?: string;
  readonly status?: number;
}

/** The form with what is there now, or with what was typed. */
export async function changePage(visit: Visit, said: Said = {}): Promise<Answer> {
  const { call, tongue, secret, booking } = visit;
  const { words, formats } = tongue;
  const { typed, problem, status } = said;
  const until = datesUntil(visit);
  const zone = booking.hotel?.timezone ?? "UTC";
  const primary = booking.guest?.primary;
  const value = (name: string, now: string | undefined) => typed?.get(name) ?? now ?? "";
  const main = (
    <>
      <h1>{words.change}</h1>
      <Problem text={problem} />
      <GuestForm call={call} tongue={tongue} to={CHANGE} secret={secret}>
        <input type="hidden" name={VERSION_FIELD} value={booking.version} />
        {until === null ? (
          <p>{words.datesFixed}</p>
        ) : (
          <>
            <p>{words.dateRule(formats.zoned(Date.parse(until), zone))}</p>
            <Dates tongue={tongue} value={value} visit={visit} />
          </>
        )}
        <label>
          {words.name}
          <input
            name="full_name"
            required
            maxlength={200}
            autocomplete="name"
            value={value("full_name", primary?.full_name)}
          />
        </label>
        <label>
          {words.phone}
          <input
            type="tel"
            name="phone"
            minlength={4}
            maxlength={32}
            autocomplete="tel"
            value={value("phone", primary?.phone)}
          />
        </label>
        <label>
          {words.requests}
          <textarea name="special_requests" rows={3} maxlength={2000}>
            {value("special_requests", booking.special_requests ?? "")}
          </textarea>
        </label>
        <MailLanguage
          tongue={tongue}
          stored={primary?.language ?? ""}
          chosen={value("language", primary?.language)}
        />
        <button type="submit">{words.save}</button>
      </GuestForm>
      <p>
        <a class="button" href={tongue.to(STAY)}>
          {words.title}
        </a>
      </p>
    </>
  );
  const more = { isTest: booking.mode === "test", ...(status !== undefined && { status }) };
  return shown(call, tongue, { main, at: CHANGE, ...more });
}

interface DatesOf {
  readonly tongue: Tongue;
  readonly visit: Visit;
  readonly value: (name: string, now: string | undefined) => string;
}

function Dates({ tongue: { shared }, visit: { booking }, value }: DatesOf) {
  const { check_in, check_out } = booking.stay;
  return (
    <>
      <label>
        {shared.checkIn}
        <input type="date" name="check_in" required value={value("check_in", check_in)} />
      </label>
      <label>
        {shared.checkOut}
        <input type="date" name="check_out" required value={value("check_out", check_out)} />
      </label>
    </>
  );
}

interface MailLanguageOf {
  readonly tongue: Tongue;
  /** As the booking has it: perhaps with a region, one that is not supported, or none. */
  readonly stored: string;
  readonly chosen: string;
}

/** The language that is stored stays as it is unless another one is chosen. */
function MailLanguage({ tongue, stored, chosen }: MailLanguageOf) {
  const [before, now] = [stored, chosen].map((tag) => localeFor(tag, null).language);
  return (
    <label>
      {tongue.words.mailLanguage}
      <select name="language">
        {Object.entries(LANGUAGES).map(([language, { name }]) => (
          <option value={language === before ? stored : language} selected={language === now}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Saves the form; what was typed stays when it cannot be saved. */
export async function change(visit: Visit, sent: Form): Promise<Answer> {
  const { call, tongue, secret } = visit;
  const [phone, version] = [field(sent, "phone"), field(sent, VERSION_FIELD)];
  const dates = { check_in: field(sent, "check_in"), check_out: field(sent, "check_out") };
  const { full_name, language } = {
    full_name: field(sent, "full_name"),
    language: field(sent, "language"),
  };
  const body = {
    ...(dates.check_in !== "" && { stay: dates }),
    guest: {
      primary: { full_name, phone: phone || null, ...(language !== "" && { language }) },
    },
    special_requests: field(sent, "special_requests"),
  };
  const headers = { ...keyHeader(sent), "if-match": `"${version.replace(/\D/g, "")}"` };
  const done = await ask(call, secret, { id: "modify_guest_booking", body, headers });
  if (!done.ok) {
    const { status } = done.fault;
    return changePage(visit, { typed: sent, problem: adviceOf(done.fault, visit), status });
  }
  const after = await visitOf(call);
  return stayPage("status" in after ? visit : after, { note: tongue.words.saved });
}

/** What a guest can do about a refused change. */
function adviceOf({ code, detail }: Fault, { tongue: { words, formats } }: Visit): string {
  switch (code) {
    case "booking_modification_price_change":
      return detail.reason === "length_changed"
        ? words.otherLength
        : words.otherTotal(formats.money(Number(detail.new_total), String(detail.currency)));
    case "allocation_failed":
    case "allotment_exhausted":
      return words.noRoom;
    case "booking_not_modifiable":
    case "room_type_not_found":
    case "rate_plan_not_found":
    case "policy_not_found_for_rate_plan":
      return words.notChangeable;
    case "validation_failed":
      return words.badInput;
    default:
      return words.failed;
  }
}
