/** The form of a person, and what it asks the API for. */
import type { Static } from "@sinclair/typebox";
import { ADMIN_SCOPES, DEFAULT_SCOPES } from "../../access/control/agents.ts";
import { coversScope } from "../../access/control/principal.ts";
import type { Person } from "../../api/people/responses.ts";
import { Scopes, tickedScopes, typedHotels } from "../agents/agent-form.tsx";
import type { Form } from "../frame/form.ts";
import { ActionForm } from "../frame/parts.tsx";
import type { Visit } from "../frame/visit.ts";

/** What somebody at the front desk needs. */
const FRONT_DESK: readonly string[] = [
  ...(["bookings:read", "bookings:write", "bookings:cancel"] as const),
  ...(["admin:bookings", "admin:ari", "admin:holds", "admin:events"] as const),
  ...(["admin:properties", "admin:payments", "admin:refunds"] as const),
];

interface PersonFormOf {
  readonly visit: Visit;
  readonly to: string;
  readonly button: string;
  /** Null for a new one. */
  readonly person: Static<typeof Person> | null;
}

/** Asks for what a person is given: of the visitor's own rights, as the API allows no others. */
export function PersonForm({ visit, to, button, person }: PersonFormOf) {
  const given = person?.scopes ?? FRONT_DESK;
  const { scopes } = visit.call.principal;
  const own = [...DEFAULT_SCOPES, ...ADMIN_SCOPES].filter((each) => coversScope(scopes, each));
  return (
    <ActionForm visit={visit} to={to} class="card">
      <label>
        Name
        <input name="name" required maxlength={200} autocomplete="off" value={person?.name} />
      </label>
      <label>
        E-mail
        <input
          type="email"
          name="email"
          maxlength={254}
          autocomplete="off"
          value={person?.email ?? undefined}
        />
      </label>
      <label>
        Hotels, ids or slugs separated by commas; empty for all of the operator
        <input
          name="property_ids"
          autocomplete="off"
          value={person?.property_ids?.join(", ") ?? undefined}
        />
      </label>
      <details open={person !== null}>
        <summary>Rights</summary>
        <Scopes legend="May" scopes={own} isChecked={(scope) => given.includes(scope)} />
      </details>
      <button type="submit">{button}</button>
    </ActionForm>
  );
}

/** The body of the API. */
export function personIn(sent: Form): Readonly<Record<string, unknown>> {
  const text = (name: string) => (sent.get(name) ?? "").trim();
  const hotels = typedHotels(sent);
  return {
    ...{ name: text("name"), email: text("email") || null, scopes: tickedScopes(sent) },
    property_ids: hotels.length > 0 ? hotels : null,
  };
}
