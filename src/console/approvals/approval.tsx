/** A request for consent to a booking: what it is about, and the decision. */
import { decimalOf } from "../../../feeds/amounts.ts";
import { pathId } from "../../api/parameters.ts";
import { formOf, minorTyped } from "../frame/amounts.ts";
import { ask, type OfferedCall } from "../frame/api.ts";
import { ByActor } from "../frame/by.tsx";
import { form, page } from "../frame/console-route.ts";
import { type Form, keyHeader } from "../frame/form.ts";
import { agentsOf, hotelsOf, placeNames } from "../frame/hotels.ts";
import { notDone } from "../frame/not-done.tsx";
import {
  ActionForm,
  Amount,
  At,
  Crumbs,
  Fact,
  Fault,
  Live,
  State,
  StayFacts,
} from "../frame/parts.tsx";
import type { Gone, Shown } from "../frame/shown.ts";
import { proofPage } from "../frame/step-up.tsx";
import type { Visit } from "../frame/visit.ts";
import { APPROVAL_KINDS, APPROVALS, type Approval, Asked, Why } from "./approvals.tsx";

type AtId = Visit<"id">;

const BACK = { place: "approvals", back: APPROVALS, backName: "Approvals" } as const;

/** `fault`: what is wrong with the amount that was typed. */
async function show(visit: AtId, fault?: { readonly typed: string }): Promise<Shown> {
  const { id } = visit.call.params;
  const found = await ask<Approval>(visit, { id: "admin_get_authorization", params: { id } });
  if (!found.ok) return notDone(visit, BACK, "Approval", found.error);
  const approval = found.data;
  const hotels = await hotelsOf(visit, [approval.property_id]);
  const agents = await agentsOf(visit, [approval.agent_id]);
  const agent = agents.get(approval.agent_id)?.name ?? null;
  const names = { ...placeNames(hotels, approval), agent };
  const main = (
    <>
      <Crumbs to={visit.root + APPROVALS}>Approvals</Crumbs>
      <Live id="approval" kinds={APPROVAL_KINDS}>
        <Facts visit={visit} approval={approval} names={names} />
      </Live>
      <Decision visit={visit} approval={approval} offered={found.actions} fault={fault} />
    </>
  );
  return { title: "Approval", place: "approvals", main, ...(fault && { status: 400 }) };
}

interface FactsOf {
  readonly visit: Visit;
  readonly approval: Approval;
  readonly names: ReturnType<typeof placeNames> & { readonly agent: string | null };
}

function Facts({ visit, approval, names }: FactsOf) {
  const { agent_id, stay, guests, state, max_amount, currency, expires_at, note, used } = approval;
  return (
    <>
      <h1>
        <bdi>{names.agent ?? agent_id}</bdi> asks for <Asked approval={approval} />{" "}
        <State state={state} />
      </h1>
      <p class="lead">
        <bdi>{names.hotel}</bdi> · <bdi>{names.room}</bdi>, <bdi>{names.plan}</bdi>
      </p>
      <p>
        <b>Why it needs an approval:</b> <Why approval={approval} />
      </p>
      <dl>
        <Fact name="Agent">
          <code>{agent_id}</code>
        </Fact>
        <StayFacts stay={stay} guests={guests} />
        <Fact name="Highest total">
          <Amount amount={max_amount} currency={currency} />
        </Fact>
        <Fact name="Requested">
          <At instant={approval.requested_at} zone={names.zone} />
        </Fact>
        <Fact name="Until">
          <At instant={expires_at} zone={names.zone} />
        </Fact>
        <Fact name="Who may use it">
          {approval.is_for_one_traveler
            ? "the traveler of the request"
            : "any traveler of the agent"}
        </Fact>
      </dl>
      <Decided visit={visit} title="Approved" decision={approval.approved} zone={names.zone} />
      <Decided
        visit={visit}
        title="Refused or revoked"
        decision={approval.revoked}
        zone={names.zone}
      />
      {note !== null && (
        <p>
          <b>Note:</b> <bdi>{note}</bdi>
        </p>
      )}
      {used && (
        <p>
          Used by <a href={`${visit.root}/console/bookings/${used.booking_id}`}>a booking</a>.
        </p>
      )}
    </>
  );
}

interface DecidedOf {
  readonly visit: Visit;
  readonly title: string;
  readonly decision: Approval["approved"];
  readonly zone: string;
}

function Decided({ visit, title, decision, zone }: DecidedOf) {
  if (decision === null) return null;
  return (
    <p>
      {title} by <ByActor visit={visit} actor={decision.by} />,{" "}
      <At instant={decision.at} zone={zone} />.
    </p>
  );
}

interface DecisionOf {
  readonly visit: AtId;
  readonly approval: Approval;
  readonly offered: readonly OfferedCall[];
  readonly fault?: { readonly typed: string } | undefined;
}

/** The decisions that the API offers to this operator. */
function Decision({ visit, approval, offered, fault }: DecisionOf) {
  const may = (end: string) => offered.some(({ href }) => href.endsWith(end));
  const { max_amount, currency, state } = approval;
  const path = `${APPROVALS}/${visit.call.params.id}`;
  return (
    <>
      {may("/approve") && (
        <ActionForm visit={visit} to={`${path}/approve`} class="card">
          <p>One booking of this room and these dates can use the approval until it expires.</p>
          {fault && <Fault>Nothing was approved: the amount must be {formOf(currency)}.</Fault>}
          <label>
            Up to, in {currency}
            <input
              name="max_amount"
              inputmode="decimal"
              autocomplete="off"
              required
              value={fault?.typed ?? decimalOf(max_amount, currency)}
            />
          </label>
          <label>
            Note for operators (optional)
            <input name="note" maxlength={500} autocomplete="off" />
          </label>
          <button type="submit">Approve</button>
        </ActionForm>
      )}
      {may("/revoke") && (
        <ActionForm visit={visit} to={`${path}/revoke`} class="card">
          <p>
            {state === "pending"
              ? "The agent cannot book with this request any more; it may make another one."
              : "No booking can use the approval any more. This cannot be undone."}
          </p>
          <button type="submit" class="danger">
            {state === "pending" ? "Refuse" : "Revoke the approval"}
          </button>
        </ActionForm>
      )}
    </>
  );
}

/** The amount is in the currency of the request, which the form does not send. */
async function approve(visit: AtId, sent: Form): Promise<Shown | Gone> {
  const { id } = visit.call.params;
  const found = await ask<Approval>(visit, { id: "admin_get_authorization", params: { id } });
  if (!found.ok) return notDone(visit, BACK, "Not approved", found.error);
  const typed = sent.get("max_amount") ?? "";
  const max_amount = minorTyped(typed, found.data.currency);
  if (max_amount === null) return show(visit, { typed });
  const { currency } = found.data;
  const unproved = proofPage(visit, sent, { amount: max_amount, currency });
  if (unproved) return unproved;
  const note = (sent.get("note") ?? "").trim();
  return decide(visit, sent, "approve", { max_amount, ...(note !== "" && { note }) });
}

const DECISIONS = {
  approve: { id: "admin_approve_authorization", refused: "Not approved" },
  revoke: { id: "admin_revoke_authorization", refused: "Not refused or revoked" },
} as const;

async function decide(
  visit: AtId,
  sent: Form,
  decision: keyof typeof DECISIONS,
  body: object,
): Promise<Shown | Gone> {
  const { params } = visit.call;
  const { id, refused } = DECISIONS[decision];
  const answer = await ask(visit, { id, params, body, headers: keyHeader(sent) });
  const path = `${APPROVALS}/${params.id}`;
  if (answer.ok) return { goTo: path };
  const back = { back: path, backName: "Back to the request" };
  return notDone(visit, { place: "approvals", ...back }, refused, answer.error);
}

const AT = { params: { id: pathId("Id of the authorization.") } } as const;
const PATH = `${APPROVALS}/:id`;

export const approvalRoutes = [
  page({ ...AT, id: "console_approval", path: PATH, summary: "A request to book" }, (visit) =>
    show(visit),
  ),
  form(
    { ...AT, id: "console_approve", path: `${PATH}/approve`, summary: "Approve a request to book" },
    approve,
  ),
  form(
    { ...AT, id: "console_revoke", path: `${PATH}/revoke`, summary: "Refuse a request to book" },
    (visit, sent) => decide(visit, sent, "revoke", {}),
  ),
];
