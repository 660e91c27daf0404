/** Bookings that wait for a person's consent, and consents that no booking has used yet. */
import type { Static } from "@sinclair/typebox";
import {
  type DeskAuthorization,
  type DeskAuthorizations,
  STATES,
} from "../../api/authorizations/responses.ts";
import { type Answered, ask } from "../frame/api.ts";
import { page } from "../frame/console-route.ts";
import { agentsOf, type Hotels, hotelsOf, placeNames } from "../frame/hotels.ts";
import { Amount, At, type Column, Live, State, Stay } from "../frame/parts.tsx";
import { hotelsToChoose } from "../frame/property-picker.tsx";
import type { Shown } from "../frame/shown.ts";
import type { Visit } from "../frame/visit.ts";
import {
  askedOf,
  ListFilter,
  type ListPart,
  listQuery,
  partOf,
  Section,
} from "../frame/waiting-lists.tsx";

export type Approval = Static<typeof DeskAuthorization>;
type List = Answered<Static<typeof DeskAuthorizations>>;

export const APPROVALS = "/console/approvals";
export const APPROVAL_KINDS = "authorization.";

const HEADINGS = {
  pending: "Waiting for a decision",
  approved: "Approved, not used yet",
} as const;
const OPEN = Object.keys(HEADINGS) as (keyof typeof HEADINGS)[];

async function show(visit: Visit): Promise<Shown> {
  const chosen = STATES.find((each) => each === visit.call.query.get("state"));
  const asked = askedOf(visit, ["created_from", "created_before"]);
  const lists: { readonly title: string; readonly part: ListPart<Approval> }[] = [];
  for (const state of chosen ? [chosen] : OPEN) {
    const title = state in HEADINGS ? HEADINGS[state as keyof typeof HEADINGS] : "Ended";
    const query = { ...asked, state };
    const list: List = await ask(visit, { id: "admin_list_authorizations", query });
    lists.push({ title, part: partOf(visit, state, list) });
  }
  const shown = lists.flatMap(({ part }) => part.page.items);
  const propertyIds = shown.map(({ property_id }) => property_id);
  const agentIds = shown.map(({ agent_id }) => agent_id);
  const columns = columnsOf(visit.root, {
    hotels: await hotelsOf(visit, propertyIds),
    agents: await agentsOf(visit, agentIds),
  });
  const hotels = await hotelsToChoose(visit);
  const main = (
    <>
      <h1>Approvals</h1>
      <ListFilter
        visit={visit}
        hotels={hotels}
        path={APPROVALS}
        states={STATES}
        open="All open"
        since="Requested from"
      />
      <Live id="approvals" kinds={APPROVAL_KINDS}>
        {lists.map((list) => (
          <Section
            {...list}
            word="approval"
            path={visit.root + APPROVALS}
            columns={columns}
            keyOf={({ authorization_id }) => authorization_id}
          />
        ))}
      </Live>
    </>
  );
  return { title: "Approvals", place: "approvals", main };
}

interface Names {
  readonly hotels: Hotels;
  readonly agents: Awaited<ReturnType<typeof agentsOf>>;
}

function columnsOf(root: string, { hotels, agents }: Names): Column<Approval>[] {
  return [
    {
      head: "Agent",
      cell: ({ authorization_id, agent_id }) => (
        <a href={`${root}${APPROVALS}/${authorization_id}`}>
          <bdi>{agents.get(agent_id)?.name ?? agent_id}</bdi>
        </a>
      ),
    },
    {
      head: "Hotel",
      cell: (each) => (
        <>
          <bdi>{placeNames(hotels, each).hotel}</bdi>{" "}
          <bdi class="faint">{placeNames(hotels, each).room}</bdi>
        </>
      ),
    },
    { head: "Stay", cell: ({ stay }) => <Stay stay={stay} /> },
    { head: "Amount", isNumber: true, cell: (each) => <Asked approval={each} /> },
    { head: "Why", cell: (each) => <Why approval={each} /> },
    {
      head: "Until",
      cell: (each) => <At instant={each.expires_at} zone={placeNames(hotels, each).zone} />,
    },
    { head: "State", cell: ({ state }) => <State state={state} /> },
  ];
}

/** The requested amount; the allowed one for a grant without a request. */
export function Asked({ approval }: { readonly approval: Approval }) {
  const { amount, max_amount, currency } = approval;
  return <Amount amount={amount ?? max_amount} currency={currency} />;
}

/** The rule that requires the consent, as a sentence. */
export function Why({ approval: { policy, threshold } }: { readonly approval: Approval }) {
  const limit = threshold && <Amount {...threshold} />;
  switch (policy) {
    case "max_booking_amount":
      return <>The agent may book at most {limit} by itself.</>;
    case "over_amount":
      return <>The policy asks for an approval above {limit}.</>;
    case "always":
      return <>The policy asks for an approval of every booking.</>;
    case "non_refundable":
      return <>A cancellation right after the booking would refund nothing.</>;
    case null:
      return <>An operator granted it unasked.</>;
  }
}

export const approvalListRoutes = [
  page(
    { id: "console_approvals", path: APPROVALS, summary: "Approvals", query: listQuery(STATES) },
    show,
  ),
];
