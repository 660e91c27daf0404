/** The form of a new agent, and what it asks the API for. */

import { ADMIN_SCOPES, DEFAULT_SCOPES } from "../../access/control/agents.ts";
import { moneyTyped } from "../frame/amounts.ts";
import { Choice, type Option } from "../frame/choice.tsx";
import type { Form } from "../frame/form.ts";
import { ActionForm } from "../frame/parts.tsx";
import type { Visit } from "../frame/visit.ts";
import { itemsOf, PageFields } from "./pages-of-agent.tsx";
import { StepUpFields, stepUpOf } from "./step-up-of-agent.tsx";

const PATH = "/console/agents";
/** Beginning of a checkbox's name; the scope follows. */
export const SCOPE = "scope_";
const KINDS: readonly Option[] = [
  ["agent", "agent: books for travelers"],
  ["operator", "operator: administers"],
  ["service", "service"],
  ["partner", "partner"],
];

/** Asks for a new agent; what it may not grant, the API refuses. */
export function NewAgent({ visit }: { readonly visit: Visit }) {
  return (
    <>
      <h2 id="new">New agent</h2>
      <ActionForm visit={visit} to={PATH} class="card">
        <label>
          Name
          <input name="name" required maxlength={200} autocomplete="off" />
        </label>
        <Choice label="Kind" name="kind" options={KINDS} />
        <label>
          Contact
          <input name="contact" maxlength={254} autocomplete="off" />
        </label>
        <label>
          Hotels, ids or slugs separated by commas; empty for all of yours
          <input name="property_ids" autocomplete="off" />
        </label>
        <PageFields />
        <Scopes legend="Rights" scopes={DEFAULT_SCOPES} isChecked={() => true} />
        <details>
          <summary>Rights of an operator</summary>
          <Scopes legend="Only for operators" scopes={ADMIN_SCOPES} />
          <StepUpFields />
        </details>
        <LimitFields />
        <button type="submit">Create</button>
      </ActionForm>
    </>
  );
}

interface ScopesOf {
  readonly legend: string;
  readonly scopes: readonly string[];
  /** None by default. */
  readonly isChecked?: (scope: string) => boolean;
}

/** Scopes to choose from. */
export function Scopes({ legend, scopes, isChecked = () => false }: ScopesOf) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      {scopes.map((scope) => (
        <label class="tick">
          <input type="checkbox" name={SCOPE + scope} value="yes" checked={isChecked(scope)} />{" "}
          <code>{scope}</code>
        </label>
      ))}
    </fieldset>
  );
}

/** Limits of an agent. */
export function LimitFields({ empty = "the default" }: { readonly empty?: string }) {
  return (
    <fieldset>
      <legend>Limits; empty for {empty}</legend>
      <label>
        Calls a minute
        <input type="number" name="rpm" min={1} />
      </label>
      <label>
        Open holds
        <input type="number" name="max_open_holds" min={0} />
      </label>
      <label>
        Largest booking
        <input name="max_amount" inputmode="decimal" placeholder="1000.00" />
      </label>
      <label>
        Its currency
        <input name="currency" maxlength={3} placeholder="EUR" />
      </label>
    </fieldset>
  );
}

/** The body of the API: fields that are empty are left out. */
export function requestOf(sent: Form): Readonly<Record<string, unknown>> {
  const text = (name: string) => (sent.get(name) ?? "").trim();
  const hotels = typedHotels(sent);
  const origins = itemsOf(text("return_origins"));
  return {
    ...{ name: text("name"), kind: text("kind") },
    scopes: tickedScopes(sent),
    ...(text("contact") !== "" && { contact: text("contact") }),
    ...(hotels.length > 0 && { property_ids: hotels }),
    ...(origins.length > 0 && { return_origins: origins }),
    ...(sent.has("sells_directly") && { sells_directly: true }),
    limits: { ...limitsOf(sent), ...stepUpOf(sent) },
  };
}

/** The rights whose box is ticked. */
export function tickedScopes(sent: Form): readonly string[] {
  const ticked = [...sent.keys()].filter((name) => name.startsWith(SCOPE));
  return ticked.map((name) => name.slice(SCOPE.length));
}

/** Ids or slugs, separated by commas. */
export function typedHotels(sent: Form): readonly string[] {
  return itemsOf(sent.get("property_ids") ?? "");
}

/** The limits that were typed; the others are left out. */
export function limitsOf(sent: Form) {
  const text = (name: string) => (sent.get(name) ?? "").trim();
  const amount = text("max_amount");
  return {
    ...(text("rpm") !== "" && { rpm: wholeOf(text("rpm")) }),
    ...(text("max_open_holds") !== "" && { max_open_holds: wholeOf(text("max_open_holds")) }),
    ...(amount !== "" && { max_booking_amount: moneyTyped(amount, text("currency")) }),
  };
}

/** What is no number stays text, which the API refuses: as JSON it would be null, for no limit. */
function wholeOf(typed: string): number | string {
  return /^\d{1,9}$/.test(typed) ? Number(typed) : typed;
}
