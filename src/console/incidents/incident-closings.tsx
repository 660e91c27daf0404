/** What is done at the incident itself: say that one works on it, restore rooms, accept. */
import type { OfferedCall } from "../frame/api.ts";
import { ActionForm } from "../frame/parts.tsx";
import type { Visit } from "../frame/visit.ts";
import { INCIDENTS_PAGE, type DetailedIncident as Incident } from "./incidents.tsx";

/** The nights as the API offers to set them; `to` is the last one. */
interface Restored {
  readonly inventory: readonly {
    readonly from: string;
    readonly to: string;
    readonly capacity: number;
    readonly out_of_order: number;
  }[];
}

interface ClosingsOf {
  readonly visit: Visit;
  readonly incident: Incident;
  readonly offered: readonly OfferedCall[];
}

/** The forms of what the API offers to this operator now. */
export function Closings({ visit, incident, offered }: ClosingsOf) {
  const path = `${INCIDENTS_PAGE}/${incident.incident_id}`;
  const hintOf = (action: string) =>
    offered.find(({ body_hint }) => body_hint?.action === action)?.body_hint;
  const ari = hintOf("restore_capacity")?.ari as Restored | undefined;
  const mayAccept = hintOf("accept") !== undefined;
  const mayAcknowledge = offered.some(({ href }) => href.endsWith("/acknowledge"));
  if (!ari && !mayAccept && !mayAcknowledge) return null;
  return (
    <>
      <h2>Or without moving a guest</h2>
      {mayAcknowledge && (
        <ActionForm visit={visit} to={`${path}/acknowledge`} class="card">
          <p>Others see that somebody works on it. The nights stay as they are.</p>
          <button type="submit" class="quiet">
            I work on it
          </button>
        </ActionForm>
      )}
      {ari && (
        <ActionForm visit={visit} to={`${path}/restore`} class="card">
          <p>
            There are enough rooms after all. This sets, and ends the incident when no night is
            oversold then:
          </p>
          <ul>
            {ari.inventory.map(({ from, to, capacity, out_of_order }) => (
              <li>
                {from === to ? from : `${from} to ${to}`}: {capacity} in all, {out_of_order} out of
                order
              </li>
            ))}
          </ul>
          <input type="hidden" name="ari" value={JSON.stringify(ari)} />
          <button type="submit">Restore the rooms</button>
        </ActionForm>
      )}
      {mayAccept && (
        <ActionForm visit={visit} to={`${path}/accept`} class="card">
          <p>
            The nights stay oversold, every booking stands, and nothing more is sold there. The
            incident is dismissed and no longer listed.
          </p>
          <label>
            Why (optional, for operators)
            <input name="note" maxlength={500} autocomplete="off" />
          </label>
          <button type="submit" class="danger">
            Accept the nights
          </button>
        </ActionForm>
      )}
    </>
  );
}
