/** The form of a new agent, and what it asks the API for. */

import { exponentOf } from "../../../engine/core/price/money.ts";
import { ADMIN_SCOPES, DEFAULT_SCOPES } from "../../access/control/agents.ts";
import type { Form } from "../frame/form.ts";
import { ActionForm } from "../frame/parts.tsx";
import type { Visit } from "../frame/visit.ts";
import { itemsOf, PageFields } from "./pages-of-agent.tsx";

const PATH = "/console/agents";
/** Beginning of a checkbox's name; the scope follows. */
const SCOPE = "scope_";
const KINDS: readonly (readonly [string, string])[] = [
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
        <label>
          Kind
          <select name="kind">
            {KINDS.map(([kind, words]) => (
              <option value={kind}>{words}</option>
            ))}
          </select>
        </label>
        <label>
          Contact
          <input name="contact" maxlength={254} autocomplete="off" />
        </label>
        <label>
          Hotels, ids or slugs separated by commas; empty for all of yours
          <input name="property_ids" autocomplete="off" />
        </label>
        <PageFields />
        <Scopes legend="Rights" scopes={DEFAULT_SCOPES} isChecked />
        <details>
          <summary>Rights of an operator</summary>
          <Scopes legend="Only for operators" scopes={ADMIN_SCOPES} />
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
  readonly isChecked?: boolean;
}

function Scopes({ legend, scopes, isChecked = false }: ScopesOf) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      {scopes.map((scope) => (
        <label class="tick">
          <input type="checkbox" name={SCOPE + scope} value="yes" checked={isChecked} />{" "}
          <code>{scope}</code>
        </label>
      ))}
    </fieldset>
  );
}

function LimitFields() {
  return (
    <fieldset>
      <legend>Limits; empty for the default</legend>
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
  const scopes = [...sent.keys()].filter((name) => name.startsWith(SCOPE));
  const hotels = itemsOf(text("property_ids"));
  const origins = itemsOf(text("return_origins"));
  return {
    ...{ name: text("name"), kind: text("kind") },
    scopes: scopes.map((name) => name.slice(SCOPE.length)),
    ...(text("contact") !== "" && { contact: text("contact") }),
    ...(hotels.length > 0 && { property_ids: hotels }),
    ...(origins.length > 0 && { return_origins: origins }),
    ...(sent.has("sells_directly") && { sells_directly: true }),
    limits: limitsOf(text),
  };
}

function limitsOf(text: (name: string) => string) {
  const currency = text("currency").toUpperCase();
  const amount = text("max_amount");
  return {
    ...(text("rpm") !== "" && { rpm: wholeOf(text("rpm")) }),
    ...(text("max_open_holds") !== "" && { max_open_holds: wholeOf(text("max_open_holds")) }),
    ...(amount !== "" && { max_booking_amount: { amount: minorOf(amount, currency), currency } }),
  };
}

/** What is no number stays text, which the API refuses: as JSON it would be null, for no limit. */
function wholeOf(typed: string): number | string {
  return /^\d{1,9}$/.test(typed) ? Number(typed) : typed;
}

/** Minor units of a decimal amount; what is none stays text, which the API refuses. */
function minorOf(typed: string, currency: string): number | string {
  const digits = exponentOf(currency);
  const [, whole, part = ""] = /^(\d+)(?:\.(\d+))?$/.exec(typed) ?? [];
  if (whole === undefined || part.length > digits) return typed;
  return Number(whole + part.padEnd(digits, "0"));
}
