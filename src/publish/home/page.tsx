/** The front page: introduction, the demo's search, and links. */
import { dayOf } from "../../../engine/core/calendar.ts";
import { DESCRIPTION } from "../../about/about.ts";
import type { Config } from "../../config.ts";
import { formatsOf } from "../../languages/formats.ts";
import { Code } from "../../page-parts/parts.tsx";
import { plural } from "../../page-parts/words.tsx";
import { type Page, rootPath } from "../../pages/frame.ts";
import {
  ADULTS_MAX,
  DESTINATION_MAX,
  type DemoSearch,
  type Found,
  type SearchForm,
} from "./demo-search.ts";

/** Further ones are shown as a number. */
const SHOWN_MAX = 3;
/** Number of remaining rooms from which it is shown. */
const FEW_MAX = 4;
const { money } = formatsOf({ language: "en", tag: "en-US" });

/** Readers with their goal and its page. `path` is relative to the service. */
const ROLES = [
  {
    who: "You build an agent",
    what: "A first booking in ten calls, consent of travelers, tools for models.",
    links: [
      ["/docs/guides/quick-start", "Quick start"],
      ["/docs", "Try every call"],
      ["/docs/guides/mcp", "Set up MCP in your client"],
      ["/docs/guides/agents", "MCP and A2A"],
    ],
  },
  {
    who: "You are a partner",
    what: "Prices and availability as feeds, events as webhooks, landing pages.",
    links: [
      ["/docs/guides/integrators", "Integrating"],
      ["/docs/guides/channel-managers", "Channel managers"],
      ["/docs/guides/partner-feeds", "Partner feeds"],
      ["/docs/guides/webhooks", "Webhooks"],
    ],
  },
  {
    who: "You run hotels, or this",
    what: "Put hotels on sale, work the front desk, keep the service well.",
    links: [
      ["/console", "Console"],
      ["/docs/guides/console", "Its guide"],
      ["/docs/guides/operators", "Operating"],
      ["/docs/guides/configuration", "Configuration"],
      ["/docs/guides/backups", "Backups"],
    ],
  },
  {
    who: "You test its limits",
    what: "Measure it, make it fail, read how it is made and why it holds.",
    links: [
      ["/docs/guides/load-testing", "Load testing"],
      ["/docs/guides/simulating-errors", "Simulating errors"],
      ["/docs/guides/internals", "Internals"],
    ],
  },
] as const;

const STEPS = [
  ["search", "What can be held for these dates and guests?"],
  ["quote", "Freeze the price and the cancellation terms."],
  ["hold", "Take the room out of sale for a short time."],
  ["book", "Pay, and get a signed receipt."],
] as const;

/** The page; `search` is null without a demo. */
export function homePage(config: Config, search: DemoSearch | null): Page {
  const root = rootPath(config);
  const main = (
    <>
      <div class="hero">
        <h1>Hotel rooms, booked by agents</h1>
        <p class="lead">
          Innkeep is a booking backbone for hotel supply. Four calls lead from a search to a signed
          receipt, and every answer says which calls make sense next, with ready bodies.
        </p>
        <ol class="flow">
          {STEPS.map(([name, words]) => (
            <li>
              <b>{name}</b>
              <span>{words}</span>
            </li>
          ))}
        </ol>
      </div>
      {search !== null && searchOf(config, root, search)}
      <section aria-labelledby="roles">
        <h2 id="roles">Where to go</h2>
        <p>
          You have booked a room? <a href={`${root}/guest`}>See, change or cancel your booking</a>{" "}
          with its confirmation code.
        </p>
        <div class="roles">{ROLES.map((role) => roleOf(root, role))}</div>
      </section>
    </>
  );
  return { title: "Innkeep", description: DESCRIPTION, main, layout: "wide" };
}

function roleOf(root: string, { who, what, links }: (typeof ROLES)[number]) {
  return (
    <div class="card">
      <h3>{who}</h3>
      <p>{what}</p>
      <ul>
        {links.map(([path, name]) => (
          <li>
            <a href={root + path}>{name}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function searchOf(config: Config, root: string, search: DemoSearch) {
  const { results, fault } = search;
  return (
    <section class="demo" aria-labelledby="demo">
      <h2 id="demo">Try a search</h2>
      <p>
        This is a demo with invented hotels. The answer below is a real one: this page asked{" "}
        <code>POST /v1/search</code> as any agent would.
      </p>
      {formOf(root, search)}
      <p class="outcome" role="status">
        {fault ?? outcomeOf(search)}
      </p>
      {meantOf(root, search)}
      <ul class="found">
        {results.slice(0, SHOWN_MAX).map((found) => foundOf(root, search, found))}
      </ul>
      {callOf(config, search)}
    </section>
  );
}

function formOf(root: string, { form, places }: DemoSearch) {
  const date = (name: "check_in" | "check_out", label: string) => (
    <label>
      <span>{label}</span>
      <input type="date" name={name} required value={form[name]} />
    </label>
  );
  return (
    <form method="get" action={`${root}/#demo`}>
      <label class="where">
        <span>Where to</span>
        <input
          {...{ type: "search", name: "destination", list: "places", required: true }}
          maxlength={DESTINATION_MAX}
          aria-describedby="where"
          value={form.destination}
        />
      </label>
      <datalist id="places">
        {places.map(({ value }) => (
          <option value={value} />
        ))}
      </datalist>
      {date("check_in", "Check-in")}
      {date("check_out", "Check-out")}
      <label>
        <span>Adults</span>
        <input type="number" name="adults" min="1" max={ADULTS_MAX} required value={form.adults} />
      </label>
      <button type="submit">Search</button>
      <p id="where" class="note">
        A city, district, region or country in any language, an airport, or a point with metres
        around it: <code>geo:41.4036,2.1566;u=3000</code>
      </p>
    </form>
  );
}

function outcomeOf({ form, results, suggestions }: DemoSearch): string {
  if (suggestions.length > 0) {
    const isPoint = form.destination.startsWith("geo:");
    const problem = isPoint ? "There is no hotel around" : "No place is known as";
    return `${problem} “${form.destination}”.`;
  }
  const many = `${plural(results.length, "hotel")} can be held now`;
  return results.length > SHOWN_MAX ? `${many}; the first ${SHOWN_MAX}.` : `${many}.`;
}

/** The same search at suggested places. */
function meantOf(root: string, { form, suggestions }: DemoSearch) {
  if (suggestions.length === 0) return null;
  return (
    <>
      <p>What is known:</p>
      <ul class="meant">
        {suggestions.map(({ value, properties }) => (
          <li>
            <a href={`${root}/?${queryOf({ ...form, destination: value })}#demo`}>{value}</a> (
            {plural(properties, "hotel")})
          </li>
        ))}
      </ul>
    </>
  );
}

type Said = Omit<SearchForm, "destination"> & Partial<SearchForm>;

function queryOf({ adults, ...said }: Said): string {
  return new URLSearchParams({ ...said, adults: String(adults) }).toString();
}

/** A hotel: cost, dates, why it matches, its page, and the next quote request. */
function foundOf(root: string, search: DemoSearch, found: Found) {
  const { hotel_id, name, image, explanation, best_offer } = found;
  const { destination: _, ...stay } = search.form;
  const nights = dayOf(stay.check_out) - dayOf(stay.check_in);
  const { room_type_name, bed_type, sellable, total, currency } = best_offer;
  const left = sellable <= FEW_MAX ? `${sellable} left` : null;
  const room = [room_type_name, bed_type, left].filter((each) => each !== null);
  const next = search.actions.find(({ body_hint }) => body_hint?.hotel_id === hotel_id);
  return (
    <li class="card">
      {pictureOf(image)}
      <div class="head">
        <h3>
          <a href={`${root}/book/${hotel_id}?${queryOf(stay)}`}>{name}</a>
        </h3>
        <p class="price">
          <b>{money(total, currency)}</b> for {plural(nights, "night")}
        </p>
      </div>
      <p class="due">With taxes and fees: {dueOf(best_offer)}</p>
      <p>{room.join(" · ")}</p>
      <p class="why">{explanation.join(" · ")}</p>
      {next && (
        <details>
          <summary>Next step: {next.rel}</summary>
          <Code>{`${next.method} ${next.href}\n${JSON.stringify(next.body_hint, null, 2)}`}</Code>
        </details>
      )}
    </li>
  );
}

/** Invented hotels have addresses reserved for examples (RFC 2606), which serve nothing. */
function pictureOf(image: string | null) {
  if (image === null) return null;
  const { protocol, hostname } = new URL(image);
  if (protocol !== "https:" || hostname.endsWith(".example")) return null;
  return <img class="picture" src={image} alt="" loading="lazy" referrerpolicy="no-referrer" />;
}

function dueOf({ due_now, due_at_property, currency }: Found["best_offer"]): string {
  if (due_at_property === 0) return "all due now";
  if (due_now === 0) return "all due at the hotel";
  return `${money(due_now, currency)} due now, ${money(due_at_property, currency)} at the hotel`;
}

/** The same search for a shell, with the public key. */
function callOf({ baseUrl }: Config, { body }: DemoSearch) {
  const script = `KEY=$(curl -s -X POST ${baseUrl}/demo/visitors | grep -o 'ik_live_[A-Za-z0-9_-]*')
curl -s ${baseUrl}/v1/search -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`;
  return (
    <details class="call">
      <summary>The same from your shell, with a key of your own</summary>
      <Code>{script}</Code>
    </details>
  );
}
