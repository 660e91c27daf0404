/** A refund: what it waits for, and what gives the money back after a failure. */
import type { Static } from "@sinclair/typebox";
import { OTHER_METHODS } from "../../../engine/core/refund-words.ts";
import type { DeskRefund, MadeRefund } from "../../api/desk/responses.ts";
import { pathId } from "../../api/parameters.ts";
import { ask } from "../frame/api.ts";
import { Choice, optionsOf } from "../frame/choice.tsx";
import { form, page } from "../frame/console-route.ts";
import { type Form, keyHeader } from "../frame/form.ts";
import { hotelsOf, placeNames } from "../frame/hotels.ts";
import { notDone } from "../frame/not-done.tsx";
import { ActionForm, Amount, At, Crumbs, Fact, Live, State, wordsOf } from "../frame/parts.tsx";
import type { Gone, Shown } from "../frame/shown.ts";
import { proofPage } from "../frame/step-up.tsx";
import type { Visit } from "../frame/visit.ts";
import { BookingLink, MONEY, MONEY_KINDS, Why } from "./money.tsx";

type Refund = Static<typeof DeskRefund>;
type AtId = Visit<"id">;

const REFUNDS = `${MONEY}/refunds`;

/** Where a refund is shown. */
export function refundPath(refundId: string): string {
  return `${REFUNDS}/${refundId}`;
}

async function show(visit: AtId): Promise<Shown> {
  const { params } = visit.call;
  const found = await ask<Refund>(visit, { id: "admin_get_refund", params });
  if (!found.ok) {
    const back = { back: MONEY, backName: "Money" };
    return notDone(visit, { place: "money", ...back }, "Refund", found.error);
  }
  const refund = found.data;
  const hotels = await hotelsOf(visit, [refund.property_id]);
  const may = (end: string) => found.actions.some(({ href }) => href.endsWith(end));
  const main = (
    <>
      <Crumbs to={visit.root + MONEY}>Money</Crumbs>
      <Live id="refund" kinds={MONEY_KINDS}>
        <Facts root={visit.root} refund={refund} names={placeNames(hotels, refund)} />
      </Live>
      {may("/retry") && <Retry visit={visit} refund={refund} />}
      {may("/settle-elsewhere") && <Settle visit={visit} refund={refund} />}
    </>
  );
  return { title: "Refund", place: "money", main };
}

interface FactsOf {
  readonly root: string;
  readonly refund: Refund;
  readonly names: ReturnType<typeof placeNames>;
}

function Facts({ root, refund, names }: FactsOf) {
  const { refund_id, state, reason, booking_id, created_at, method, retried_by, retry_of } = refund;
  return (
    <>
      <h1>
        Refund of <Amount {...refund} /> <State state={state} />
      </h1>
      <p class="lead">
        <bdi>{names.hotel}</bdi> · <BookingLink root={root} id={booking_id} />
      </p>
      <p>
        <Why standing={refund} />
      </p>
      <dl>
        <Fact name="Reason">{wordsOf(reason)}</Fact>
        <Fact name="Requested">
          <At instant={created_at} zone={names.zone} />
        </Fact>
        {refund.provider_code !== undefined && (
          <Fact name="The provider's code">
            <code>{refund.provider_code}</code>
          </Fact>
        )}
        {method !== undefined && <Fact name="Paid back by">{wordsOf(method)}</Fact>}
        <Fact name="Refund">
          <code>{refund_id}</code>
        </Fact>
      </dl>
      {retry_of !== undefined && (
        <p>
          It repeats <a href={root + refundPath(retry_of)}>a refund that failed</a>.
        </p>
      )}
      {retried_by !== undefined && (
        <p>
          It was repeated as <a href={root + refundPath(retried_by)}>another refund</a>.
        </p>
      )}
      {[refund.note, refund.settlement_note].map(
        (note) =>
          note && (
            <p>
              <b>Note:</b> <bdi>{note}</bdi>
            </p>
          ),
      )}
    </>
  );
}

interface DeedOf {
  readonly visit: AtId;
  readonly refund: Refund;
}

function Retry({ visit, refund }: DeedOf) {
  return (
    <ActionForm visit={visit} to={`${refundPath(refund.refund_id)}/retry`} class="card">
      <p>
        The payment provider is asked again for <Amount {...refund} />, as a new refund.
      </p>
      <button type="submit">Try again</button>
    </ActionForm>
  );
}

function Settle({ visit, refund }: DeedOf) {
  return (
    <ActionForm visit={visit} to={`${refundPath(refund.refund_id)}/settled`} class="card">
      <p>
        The hotel has paid <Amount {...refund} /> back another way. It counts as refunded, and
        nothing is sent to the payment provider. This cannot be undone.
      </p>
      <Choice label="How" name="method" options={optionsOf(OTHER_METHODS)} />
      <label>
        Note for the hotel (optional)
        <input name="note" maxlength={500} autocomplete="off" />
      </label>
      <button type="submit" class="danger">
        Record it as paid back
      </button>
    </ActionForm>
  );
}

/** Does it, and shows the refund that it made or changed. */
async function act(visit: AtId, sent: Form, id: string, body: object): Promise<Shown | Gone> {
  const { params } = visit.call;
  const of = await ask<Refund>(visit, { id: "admin_get_refund", params });
  const unproved = proofPage(visit, sent, of.ok ? of.data : null);
  if (unproved) return unproved;
  const call = { id, params, body, headers: keyHeader(sent) };
  const answer = await ask<Static<typeof MadeRefund>>(visit, call);
  if (answer.ok) return { goTo: refundPath(answer.data.refund_id) };
  const back = { back: refundPath(params.id), backName: "Back to the refund" };
  return notDone(visit, { place: "money", ...back }, "Not done", answer.error);
}

function settle(visit: AtId, sent: Form): Promise<Shown | Gone> {
  const [method, note] = [sent.get("method") ?? "", (sent.get("note") ?? "").trim()];
  return act(visit, sent, "admin_settle_refund", { method, ...(note !== "" && { note }) });
}

const AT = { params: { id: pathId("Id of the refund.") } } as const;
const PATH = `${REFUNDS}/:id`;

export const refundRoutes = [
  page({ ...AT, id: "console_refund", path: PATH, summary: "A refund" }, show),
  form(
    { ...AT, id: "console_retry_refund", path: `${PATH}/retry`, summary: "Try a refund again" },
    (visit, sent) => act(visit, sent, "admin_retry_refund", {}),
  ),
  form(
    { ...AT, id: "console_settle_refund", path: `${PATH}/settled`, summary: "Record a refund" },
    settle,
  ),
];
