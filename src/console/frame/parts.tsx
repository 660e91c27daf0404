/** Parts that pages of the console share. Text in JSX is escaped by the renderer. */
import type { ComponentChildren } from "preact";
import { randomHex } from "../../lib/trace.ts";
import { Fact, Table, type TableOf } from "../../page-parts/parts.tsx";
import { Party, plural, Stay } from "../../page-parts/words.tsx";
import type { ApiError } from "./api.ts";
import { formToken, KEY_FIELD, TOKEN_FIELD } from "./form.ts";
import type { Visit } from "./visit.ts";

export { type Column, Crumbs, Fact, Fault } from "../../page-parts/parts.tsx";
export { Amount, At, Nights, Party, plural, Signed, Stay } from "../../page-parts/words.tsx";

const DAY = new Intl.DateTimeFormat("en-GB", {
  ...{ weekday: "short", day: "numeric", month: "short", year: "numeric", timeZone: "UTC" },
});

type Children = { readonly children?: ComponentChildren };

type StayFactsOf = Parameters<typeof Stay>[0] & Parameters<typeof Party>[0];

/** The terms of a `dl` about when and for whom. */
export function StayFacts({ stay, guests }: StayFactsOf) {
  return (
    <>
      <Fact name="Stay">
        <Stay stay={stay} />
      </Fact>
      <Fact name="Party">
        <Party guests={guests} />
      </Fact>
    </>
  );
}

/** `Fri, 27 Nov 2026`. */
export function dayText(date: string): string {
  return DAY.format(Date.parse(date));
}

/** States by what they mean to an operator. */
const TONES: Readonly<Record<string, "good" | "warn" | "bad">> = {
  confirmed: "good",
  checked_in: "good",
  succeeded: "good",
  captured: "good",
  live: "good",
  draft: "warn",
  suspended: "warn",
  pending: "warn",
  approved: "good",
  open: "bad",
  acknowledged: "warn",
  unknown: "warn",
  active: "good",
  published: "good",
  paused: "warn",
  retiring: "warn",
  dead_lettered: "bad",
  disabled: "bad",
  disputed: "bad",
  failed: "bad",
  no_show: "bad",
};

/** A state as a word; colour only underlines it. */
export function State({ state }: { readonly state: string }) {
  return <span class={`chip ${TONES[state] ?? "plain"}`}>{wordsOf(state)}</span>;
}

/** `checked_in` as words. */
export function wordsOf(name: string): string {
  return name.replaceAll("_", " ");
}

/** The guest's name; a dash for who may not see it, and after an erasure. */
export function guestName({
  guest,
}: {
  readonly guest: { readonly primary: { readonly full_name: string } } | null;
}): string {
  return guest?.primary.full_name ?? "—";
}

/**
 * A form that changes something. Its key is made with the page, so that a double click is one
 * deed.
 */
export function ActionForm({
  visit,
  to,
  class: name,
  children,
}: Children & { readonly visit: Visit; readonly to: string; readonly class?: string }) {
  const { call, session, root } = visit;
  return (
    <form method="post" action={root + to} class={name}>
      <input type="hidden" name={TOKEN_FIELD} value={formToken(call.context, session, to)} />
      <input type="hidden" name={KEY_FIELD} value={randomHex(16)} />
      {children}
    </form>
  );
}

/** What helps, where the API's own words are about members of its answer. */
const FOR_PEOPLE: Readonly<Record<string, string>> = {
  validation_failed: "Correct what is listed here, then send it again.",
  upstream_unavailable: "If this lasts, tell who operates the service.",
};

/** A refusal of the API: what is wrong, what helps, and the trace for support. */
export function Problem({ error }: { readonly error: ApiError }) {
  const { code, message, remediation, detail, retry_after, trace_id } = error;
  const reason = typeof detail.reason === "string" ? detail.reason : null;
  return (
    <div class="problem" role="alert">
      <p>
        <b>{message}</b>
      </p>
      <p>
        {FOR_PEOPLE[code] ?? remediation}
        {retry_after !== null && ` Try again in ${plural(retry_after, "second")}.`}
      </p>
      <FieldErrors detail={detail} />
      <p class="faint">
        <code>{reason === null ? code : `${code}: ${reason}`}</code> · trace <code>{trace_id}</code>
      </p>
    </div>
  );
}

interface FieldError {
  readonly path: string;
  readonly message: string;
  readonly expected: string;
}

/** What is wrong with single fields of what was sent. */
function FieldErrors({ detail }: Pick<ApiError, "detail">) {
  const errors = (detail.field_errors ?? []) as readonly FieldError[];
  if (errors.length === 0) return null;
  return (
    <ul>
      {errors.map(({ path, message, expected }) => (
        <li>
          <code>{path}</code> {message}; expected: {expected}
        </li>
      ))}
    </ul>
  );
}

interface LiveOf extends Children {
  readonly id: string;
  readonly kinds: string;
  /** Something that it shows ends without an event. */
  readonly isWaiting?: boolean;
}

/** A part that the page's script renews when an event of one of these kinds happens. */
export function Live({ id, kinds, isWaiting = false, children }: LiveOf) {
  return (
    <section id={id} data-live={kinds} data-waiting={isWaiting ? "yes" : undefined}>
      {children}
    </section>
  );
}

/** A table of the console. */
export function Rows<T>(table: TableOf<T> & Required<Pick<TableOf<T>, "label" | "keyOf">>) {
  return <Table class="rows" {...table} />;
}
