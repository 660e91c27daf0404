/** What an operator lets an assistant do: the form of the consent page, and how it is read. */
import { ADMIN_SCOPES, DEFAULT_SCOPES } from "../../access/control/agents.ts";
import { coversScope, type Principal } from "../../access/control/principal.ts";
import { LimitFields, limitsOf, Scopes, tickedScopes, typedHotels } from "../agents/agent-form.tsx";
import type { Form } from "../frame/form.ts";
import type { HotelChoice } from "../frame/property-picker.tsx";

/** More are not chosen from a list: their ids or slugs are typed. */
const LISTED_MAX = 200;
/** Beginning of a checkbox's name; the property's id follows. */
const HOTEL = "hotel_";
/** The agent that the assistant was before; empty for a new one. */
export const AGENT_FIELD = "agent";

/** An agent as which the client is connected already. */
export interface FormerAgent {
  readonly agent_id: string;
  readonly name: string;
  readonly scopes: readonly string[];
}

interface ConsentFieldsOf {
  /** Rights that were asked for and that the operator may give. */
  readonly offered: readonly string[];
  readonly former: readonly FormerAgent[];
  readonly hotels: HotelChoice;
  /** What was sent before; null the first time. */
  readonly sent: Form | null;
}

/** Rights, hotels and limits. Rights of operators are never ticked beforehand. */
export function ConsentFields({ offered, former, hotels, sent }: ConsentFieldsOf) {
  const isUsual = (scope: string) => DEFAULT_SCOPES.some((each) => each === scope);
  const usual = former[0]?.scopes ?? DEFAULT_SCOPES;
  const ticked = new Set(sent ? tickedScopes(sent) : usual.filter(isUsual));
  const isTicked = (scope: string) => ticked.has(scope);
  const [rights, admin] = [offered.filter(isUsual), offered.filter((scope) => !isUsual(scope))];
  return (
    <>
      {former.length > 0 && <Former former={former} chosen={sent?.get(AGENT_FIELD)} />}
      {rights.length > 0 && <Scopes legend="It may" scopes={rights} isChecked={isTicked} />}
      {admin.length > 0 && (
        <details>
          <summary>It also asks for rights of an operator</summary>
          <Scopes legend="It may administer" scopes={admin} isChecked={isTicked} />
        </details>
      )}
      <Hotels hotels={hotels} sent={sent} />
      <LimitFields empty={former.length > 0 ? "as it is, or the default" : "the default"} />
    </>
  );
}

function Former({
  former,
  chosen = former[0]?.agent_id,
}: Pick<ConsentFieldsOf, "former"> & { readonly chosen?: string | undefined }) {
  return (
    <fieldset>
      <legend>It is connected already</legend>
      {former.map(({ agent_id, name }) => (
        <label class="tick">
          <input type="radio" name={AGENT_FIELD} value={agent_id} checked={chosen === agent_id} />{" "}
          Replace that connection, as <bdi>{name}</bdi> <code>{agent_id.slice(-6)}</code>
        </label>
      ))}
      <label class="tick">
        <input type="radio" name={AGENT_FIELD} value="" checked={chosen === ""} /> Another
        connection beside it
      </label>
    </fieldset>
  );
}

function Hotels({ hotels, sent }: Pick<ConsentFieldsOf, "hotels" | "sent">) {
  if (hotels.length === 0 || hotels.length > LISTED_MAX) {
    return (
      <label>
        Hotels, ids or slugs separated by commas; empty for all of yours
        <input name="property_ids" autocomplete="off" value={sent?.get("property_ids") ?? ""} />
      </label>
    );
  }
  const isChosen = sent?.get("hotels") === "chosen";
  return (
    <fieldset>
      <legend>Hotels</legend>
      <label class="tick">
        <input type="radio" name="hotels" value="all" checked={!isChosen} /> All of yours, later
        ones too
      </label>
      <label class="tick">
        <input type="radio" name="hotels" value="chosen" checked={isChosen} /> Only those chosen
        below
      </label>
      <details open={isChosen}>
        <summary>Choose hotels</summary>
        {hotels.map(({ property_id, name }) => (
          <label class="tick">
            <input
              type="checkbox"
              name={HOTEL + property_id}
              value="yes"
              checked={sent?.has(HOTEL + property_id) === true}
            />{" "}
            <bdi>{name}</bdi>
          </label>
        ))}
      </details>
    </fieldset>
  );
}

/** Rights that were asked for and that the operator may give. */
export function offeredScopes(requested: readonly string[], { scopes }: Principal): string[] {
  const known = [...DEFAULT_SCOPES, ...ADMIN_SCOPES];
  return known.filter((scope) => requested.includes(scope) && coversScope(scopes, scope));
}

/** The rights of the form, never more than were offered. */
export function termsOf(sent: Form, offered: readonly string[], { property_ids }: Principal) {
  const ticked = tickedScopes(sent);
  const typed = typedHotels(sent);
  const named = [...sent.keys()].filter((name) => name.startsWith(HOTEL));
  const isListed = sent.get("hotels") === "chosen";
  const chosen = isListed ? named.map((name) => name.slice(HOTEL.length)) : typed;
  const own = property_ids && [...property_ids];
  return {
    scopes: offered.filter((scope) => ticked.includes(scope)),
    property_ids: isListed || chosen.length > 0 ? chosen : own,
    limits: limitsOf(sent),
  };
}
