/** The front page: introduction, the demo's search, and links. */
import { dayOf } from "../../../engine/core/calendar.ts";
import { exponentOf } from "../../../engine/core/price/money.ts";
import { DESCRIPTION } from "../../about/about.ts";
import type { Config } from "../../config.ts";
import { escaped, type Page, rootPath } from "../../pages/frame.ts";
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
  const steps = STEPS.map(([name, words]) => `<li><b>${name}</b><span>${words}</span></li>`);
  const main = `<div class="hero">
<h1>Hotel rooms, booked by agents</h1>
<p class="lead">Innkeep is a booking backbone for hotel supply. Four calls lead from a search to a
signed receipt, and every answer says which calls make sense next, with ready bodies.</p>
<ol class="flow">${steps.join("")}</ol>
</div>
${search === null ? "" : searchOf(config, root, search)}
<section aria-labelledby="roles">
<h2 id="roles">Where to go</h2>
<div class="roles">${ROLES.map((role) => roleOf(root, role)).join("\n")}</div>
</section>`;
  return { title: "Innkeep", description: DESCRIPTION, main, layout: "wide" };
}

function roleOf(root: string, { who, what, links }: (typeof ROLES)[number]): string {
  const items = links.map(([path, name]) => `<li><a href="${root}${path}">${name}</a></li>`);
  return `<div class="card"><h3>${who}</h3><p>${what}</p><ul>${items.join("")}</ul></div>`;
}

function searchOf(config: Config, root: string, search: DemoSearch): string {
  const { form, places, results, fault } = search;
  const options = places.map(({ value }) => `<option value="${escaped(value)}"></option>`);
  const date = (name: string, label: string, value: string) =>
    `<label><span>${label}</span><input type="date" name="${name}" required value="${value}"></label>`;
  const shown = results.slice(0, SHOWN_MAX).map((found) => foundOf(root, search, found));
  return `<section class="demo" aria-labelledby="demo">
<h2 id="demo">Try a search</h2>
<p>This is a demo with invented hotels. The answer below is a real one: this page asked
<code>POST /v1/search</code> as any agent would.</p>
<form method="get" action="${root}/#demo">
<label class="where"><span>Where to</span><input type="search" name="destination" list="places"
 maxlength="${DESTINATION_MAX}" required aria-describedby="where" value="${escaped(form.destination)}"></label>
<datalist id="places">${options.join("")}</datalist>
${date("check_in", "Check-in", form.check_in)}
${date("check_out", "Check-out", form.check_out)}
<label><span>Adults</span><input type="number" name="adults" min="1" max="${ADULTS_MAX}" required
 value="${form.adults}"></label>
<button type="submit">Search</button>
<p id="where" class="note">A city, district, region or country in any language, an airport, or a point
with metres around it: <code>geo:41.4036,2.1566;u=3000</code></p>
</form>
<p class="outcome" role="status">${fault === null ? outcomeOf(search) : escaped(fault)}</p>
${meantOf(root, search)}
<ul class="found">${shown.join("\n")}</ul>
${callOf(config, search)}
</section>`;
}

function outcomeOf({ form, results, suggestions }: DemoSearch): string {
  if (suggestions.length > 0) {
    const isPoint = form.destination.startsWith("geo:");
    const problem = isPoint ? "There is no hotel around" : "No place is known as";
    return `${problem} “${escaped(form.destination)}”.`;
  }
  const many = `${results.length} ${results.length === 1 ? "hotel" : "hotels"} can be held now`;
  return results.length > SHOWN_MAX ? `${many}; the first ${SHOWN_MAX}.` : `${many}.`;
}

/** The same search at suggested places. */
function meantOf(root: string, { form, suggestions }: DemoSearch): string {
  if (suggestions.length === 0) return "";
  const links = suggestions.map(({ value, properties }) => {
    const query = escaped(queryOf({ ...form, destination: value }));
    const hotels = `${properties} ${properties === 1 ? "hotel" : "hotels"}`;
    return `<li><a href="${root}/?${query}#demo">${escaped(value)}</a> (${hotels})</li>`;
  });
  return `<p>What is known:</p>\n<ul class="meant">${links.join("")}</ul>`;
}

type Said = Omit<SearchForm, "destination"> & Partial<SearchForm>;

function queryOf({ adults, ...said }: Said): string {
  return new URLSearchParams({ ...said, adults: String(adults) }).toString();
}

function moneyOf(amountMinor: number, currency: string): string {
  const digits = exponentOf(currency);
  const format = new Intl.NumberFormat("en", {
    ...{ style: "currency", currency },
    ...{ minimumFractionDigits: digits, maximumFractionDigits: digits },
  });
  return format.format(amountMinor / 10 ** digits);
}

/** A hotel: cost, dates, why it matches, its page, and the next quote request. */
function foundOf(root: string, search: DemoSearch, found: Found): string {
  const { hotel_id, name, image, explanation, best_offer } = found;
  const { destination: _, ...stay } = search.form;
  const nights = dayOf(stay.check_out) - dayOf(stay.check_in);
  const { room_type_name, bed_type, sellable, total, currency } = best_offer;
  const left = sellable <= FEW_MAX ? `${sellable} left` : null;
  const room = [room_type_name, bed_type, left].filter((each) => each !== null);
  const next = search.actions.find(({ body_hint }) => body_hint?.hotel_id === hotel_id);
  const step =
    next === undefined
      ? ""
      : `<details><summary>Next step: ${next.rel}</summary>
<pre tabindex="0"><code>${next.method} ${escaped(next.href)}
${escaped(JSON.stringify(next.body_hint, null, 2))}</code></pre></details>`;
  return `<li class="card">${pictureOf(image)}
<div class="head"><h3><a href="${root}/book/${hotel_id}?${escaped(queryOf(stay))}">${escaped(name)}</a></h3>
<p class="price"><b>${escaped(moneyOf(total, currency))}</b> for ${nights} ${nights === 1 ? "night" : "nights"}</p></div>
<p class="due">With taxes and fees: ${escaped(dueOf(best_offer))}</p>
<p>${escaped(room.join(" · "))}</p>
<p class="why">${explanation.map(escaped).join(" · ")}</p>
${step}</li>`;
}

/** Invented hotels have addresses reserved for examples (RFC 2606), which serve nothing. */
function pictureOf(image: string | null): string {
  if (image === null) return "";
  const { protocol, hostname } = new URL(image);
  if (protocol !== "https:" || hostname.endsWith(".example")) return "";
  return `<img class="picture" src="${escaped(image)}" alt="" loading="lazy" referrerpolicy="no-referrer">`;
}

function dueOf({ due_now, due_at_property, currency }: Found["best_offer"]): string {
  if (due_at_property === 0) return "all due now";
  if (due_now === 0) return "all due at the hotel";
  const [now, later] = [moneyOf(due_now, currency), moneyOf(due_at_property, currency)];
  return `${now} due now, ${later} at the hotel`;
}

/** The same search for a shell, with the public key. */
function callOf({ baseUrl }: Config, { body }: DemoSearch): string {
  const script = `KEY=$(curl -s -X POST ${baseUrl}/demo/visitors | grep -o 'ik_live_[A-Za-z0-9_-]*')
curl -s ${baseUrl}/v1/search -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`;
  return `<details class="call"><summary>The same from your shell, with a key of your own</summary>
<pre tabindex="0"><code>${escaped(script)}</code></pre></details>`;
}
