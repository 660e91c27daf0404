/** Notes of the hotel about a booking: a list, and a form for one more. */
import type { Static } from "@sinclair/typebox";
import type { BookingNotes } from "../../api/desk/responses.ts";
import { BOOKING_ID } from "../../api/parameters.ts";
import { type Answered, ask } from "../frame/api.ts";
import { form } from "../frame/console-route.ts";
import { type Form, keyHeader } from "../frame/form.ts";
import { agentsOf } from "../frame/hotels.ts";
import { notDone } from "../frame/not-done.tsx";
import { ActionForm, At, Live, Problem } from "../frame/parts.tsx";
import type { Gone, Shown } from "../frame/shown.ts";
import type { Visit } from "../frame/visit.ts";
import { type AtBooking, bookingPath } from "./deeds.tsx";

type Notes = Static<typeof BookingNotes>;
type Writers = Awaited<ReturnType<typeof agentsOf>>;

/** The notes of a booking's page. */
export async function notesOf(visit: AtBooking, zone: string, isErased: boolean) {
  const found = await ask<Notes>(visit, {
    id: "admin_list_booking_notes",
    params: visit.call.params,
  });
  const writers = await agentsOf(
    visit,
    found.ok ? found.data.items.map((note) => note.author) : [],
  );
  const path = bookingPath(visit);
  return (
    <>
      <h2>Notes</h2>
      <Live id="notes" kinds="booking.note_added guest.">
        <NoteList found={found} writers={writers} zone={zone} />
      </Live>
      {found.ok && !isErased && (
        <ActionForm visit={visit} to={`${path}/notes`} class="card">
          <label>
            New note, for the hotel alone
            <textarea name="text" required maxlength={2000} />
          </label>
          <button type="submit">Add the note</button>
        </ActionForm>
      )}
    </>
  );
}

interface ListOf {
  readonly found: Answered<Notes>;
  readonly writers: Writers;
  readonly zone: string;
}

function NoteList({ found, writers, zone }: ListOf) {
  if (!found.ok) return <Problem error={found.error} />;
  const { items } = found.data;
  if (items.length === 0) return <p class="faint">No notes yet.</p>;
  return (
    <ol>
      {items.map(({ note_id, text, author, created_at }) => (
        <li id={note_id}>
          <bdi class="words">{text ?? "The text is erased, or needs the scope bookings:read."}</bdi>
          <br />
          <span class="faint">
            <bdi>{writers.get(author)?.name ?? author}</bdi> ·{" "}
            <At instant={created_at} zone={zone} />
          </span>
        </li>
      ))}
    </ol>
  );
}

async function add(visit: Visit<"id">, sent: Form): Promise<Shown | Gone> {
  const answer = await ask(visit, {
    id: "admin_add_booking_note",
    params: visit.call.params,
    body: { text: sent.get("text") ?? "" },
    headers: keyHeader(sent),
  });
  const path = bookingPath(visit);
  if (answer.ok) return { goTo: path };
  const back = { back: path, backName: "Back to the booking" };
  return notDone(visit, { place: "bookings", ...back }, "The note was not added", answer.error);
}

export const noteRoutes = [
  form(
    {
      id: "console_add_note",
      path: "/console/bookings/:id/notes",
      summary: "Add a note",
      params: { id: BOOKING_ID },
    },
    add,
  ),
];
