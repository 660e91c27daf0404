/**
 * A change of a booking's stay, party, room or plan by the property: a form, then the API's preview
 * with each way that it offers to treat another price. Nothing is changed before one is confirmed.
 */
import { BOOKING_ID } from "../../api/parameters.ts";
import { type ApiError, ask } from "../frame/api.ts";
import { form, page } from "../frame/console-route.ts";
import { type Form, headerText, jsonIn, keyHeader } from "../frame/form.ts";
import { type Hotels, hotelsOf } from "../frame/hotels.ts";
import { notDone } from "../frame/not-done.tsx";
import { ActionForm, Crumbs, Fault, guestName, Problem } from "../frame/parts.tsx";
import type { Gone, Shown } from "../frame/shown.ts";
import { proofPage } from "../frame/step-up.tsx";
import { labelOf, PreviewFacts, seenOf, type Ways, waysOf } from "./change-preview.tsx";
import { agesOf, type Booking, type Change, changeTyped, offerOf } from "./change-typed.ts";
import { type AtBooking, bookingPath } from "./deeds.tsx";

function refused(visit: AtBooking, error: ApiError): Shown {
  const back = { back: bookingPath(visit), backName: "Back to the booking" };
  return notDone(visit, { place: "bookings", ...back }, "Nothing was changed", error);
}

interface Subject {
  readonly booking: Booking;
  readonly hotels: Hotels;
}

async function subjectOf(visit: AtBooking): Promise<Subject | ApiError> {
  const found = await ask<Booking>(visit, { id: "get_booking", params: visit.call.params });
  if (!found.ok) return found.error;
  return { booking: found.data, hotels: await hotelsOf(visit, [found.data.property_id]) };
}

/** The page around a step; `fault` says what was wrong with the one before. */
function stepOf(
  visit: AtBooking,
  { booking }: Subject,
  main: Shown["main"],
  fault?: Shown["main"],
): Shown {
  const shown = (
    <>
      <Crumbs to={visit.root + bookingPath(visit)}>Back to the booking</Crumbs>
      <h1>
        Change <code>{booking.confirmation_code}</code>
      </h1>
      <p class="lead">
        <bdi>{guestName(booking)}</bdi>
      </p>
      {fault}
      {main}
    </>
  );
  return { title: "Change", place: "bookings", main: shown, ...(fault && { status: 409 }) };
}

interface FormOf {
  readonly visit: AtBooking;
  readonly subject: Subject;
  /** What was typed before. */
  readonly sent: Form | null;
}

function StayForm({ visit, subject: { booking, hotels }, sent }: FormOf) {
  const { stay, guests } = booking;
  const was = (name: string, booked: string) => sent?.get(name) ?? booked;
  return (
    <ActionForm visit={visit} to={`${bookingPath(visit)}/change/check`} class="card">
      <label>
        Check-in
        <input type="date" name="check_in" required value={was("check_in", stay.check_in)} />
      </label>
      <label>
        Check-out
        <input type="date" name="check_out" required value={was("check_out", stay.check_out)} />
      </label>
      <label>
        Adults
        <input
          name="adults"
          inputmode="numeric"
          required
          value={was("adults", `${guests.adults}`)}
        />
      </label>
      <label>
        Ages of the children, separated by commas
        <input name="children" autocomplete="off" value={was("children", agesOf(booking))} />
      </label>
      <label>
        Room and rate plan
        <select name="offer">
          <Offers booking={booking} hotels={hotels} chosen={was("offer", offerOf(booking))} />
        </select>
      </label>
      <button type="submit">Check</button>
    </ActionForm>
  );
}

interface OffersOf {
  readonly booking: Booking;
  readonly hotels: Hotels;
  readonly chosen: string;
}

/** The hotel's rooms with their plans; a booking's own that is no longer there can be kept. */
function Offers({ booking, hotels, chosen }: OffersOf) {
  const rooms = hotels.get(booking.property_id)?.room_types ?? [];
  const offers = rooms.flatMap((room) =>
    room.rate_plans.map((plan) => {
      return { value: `${room.id} ${plan.id}`, name: `${room.name}, ${plan.name}` };
    }),
  );
  const own = offerOf(booking);
  const isThere = offers.some(({ value }) => value === own);
  const all = isThere ? offers : [{ value: own, name: "As booked" }, ...offers];
  return (
    <>
      {all.map(({ value, name }) => (
        <option value={value} selected={value === chosen}>
          {name}
        </option>
      ))}
    </>
  );
}

async function askChange(visit: AtBooking): Promise<Shown> {
  const subject = await subjectOf(visit);
  if ("code" in subject) return refused(visit, subject);
  return stepOf(visit, subject, <StayForm visit={visit} subject={subject} sent={null} />);
}

/** The second step, or the first one again. */
async function check(visit: AtBooking, sent: Form): Promise<Shown> {
  const subject = await subjectOf(visit);
  if ("code" in subject) return refused(visit, subject);
  const again = <StayForm visit={visit} subject={subject} sent={sent} />;
  const change = changeTyped(sent, subject.booking);
  if (typeof change === "string") return stepOf(visit, subject, again, <Fault>{change}</Fault>);
  const found = await waysOf(visit, change);
  const { refusal, ways } = found;
  if (refusal && ways.length === 0) {
    return stepOf(visit, subject, again, <Problem error={refusal} />);
  }
  return stepOf(visit, subject, confirmation(visit, subject, change, found));
}

/** A form for each way in which the change is possible. */
function confirmation(visit: AtBooking, subject: Subject, change: Change, found: Ways) {
  const { refusal, ways } = found;
  return (
    <>
      {refusal && (
        <>
          <p>
            By its own terms the booking cannot be changed so. The hotel can do it all the same:
          </p>
          <Problem error={refusal} />
        </>
      )}
      {ways.map((way) => (
        <ActionForm visit={visit} to={`${bookingPath(visit)}/change`} class="card">
          <PreviewFacts {...subject} way={way} />
          <input type="hidden" name="change" value={JSON.stringify(change)} />
          <input type="hidden" name="difference" value={way.difference ?? ""} />
          <input type="hidden" name="version" value={way.preview.version} />
          <input type="hidden" name="seen" value={seenOf(way)} />
          <button type="submit">{labelOf(way)}</button>
        </ActionForm>
      ))}
      <p class="faint">The guest gets a mail with the changed booking.</p>
    </>
  );
}

const VERSION = /^\d+$/;

/** The price that was shown must be the one that is charged. */
async function changeBooking(visit: AtBooking, sent: Form): Promise<Shown | Gone> {
  const change = (jsonIn(sent, "change") ?? {}) as Change;
  const difference = sent.get("difference") ?? "";
  const version = headerText(sent, "version");
  const subject = await subjectOf(visit);
  if ("code" in subject) return refused(visit, subject);
  // A form that is sent twice finds a later version; its key gives the first answer.
  const isEarlier = VERSION.test(version) && Number(version) < subject.booking.version;
  if (!isEarlier) {
    const found = await waysOf(visit, change);
    const way = found.ways.find((each) => (each.difference ?? "") === difference);
    const unproved = proofPage(visit, sent, way?.preview.refund ?? null);
    if (unproved) return unproved;
    if (way && seenOf(way) !== sent.get("seen")) {
      const fault = <Fault>The price has changed since it was shown. Nothing was changed.</Fault>;
      return stepOf(visit, subject, confirmation(visit, subject, change, found), fault);
    }
  }
  const answer = await ask(visit, {
    id: "modify_booking",
    params: visit.call.params,
    body: { ...change, ...(difference !== "" && { difference }) },
    headers: { ...keyHeader(sent), "if-match": version },
  });
  return answer.ok ? { goTo: bookingPath(visit) } : refused(visit, answer.error);
}

const AT = { params: { id: BOOKING_ID } } as const;
const PATH = "/console/bookings/:id/change";

export const bookingChangeRoutes = [
  page({ ...AT, id: "console_ask_change", path: PATH, summary: "Change a booking?" }, askChange),
  form(
    { ...AT, id: "console_check_change", path: `${PATH}/check`, summary: "Check a change" },
    check,
  ),
  form({ ...AT, id: "console_change", path: PATH, summary: "Change a booking" }, changeBooking),
];
