/** The upper parts of the page: hotel, form, assumptions, and the chosen stay. */
import { latestCheckOut } from "../../../engine/core/availability/horizon.ts";
import { dateOf } from "../../../engine/core/calendar.ts";
import { convert, divideHalfUp } from "../../../engine/core/price/money.ts";
import { termsIn } from "../../languages/terms.ts";
import type { Assumption } from "../../languages/words.ts";
import { escaped } from "../../pages/frame.ts";
import { bookButton } from "./book-button.tsx";
import type { StayOffer } from "./offers.ts";
import { ADULTS_MAX, queryFor } from "./stay-request.ts";
import { choiceOf, type View } from "./view.ts";

/** The first https image. */
export function imageOf(urls: readonly string[], attributes: string): string {
  const url = urls.find((each) => each.startsWith("https://"));
  return url === undefined ? "" : `<img src="${escaped(url)}" alt="" ${attributes}>`;
}

/** Stars, name, address. */
export function heroOf({ property, words, formats }: View): string {
  const { name, star_rating, address, geo, images } = property.tree;
  const { line1, line2, city, region, country, postal_code } = address;
  const town = [postal_code, city].filter(Boolean).join(" ");
  const place = [
    line1,
    line2,
    town,
    region === city ? undefined : region,
    formats.country(country),
  ];
  const stars =
    star_rating === null
      ? ""
      : `<p class="stars" role="img" aria-label="${escaped(words.starsOf(star_rating))}">` +
        `${"★".repeat(Math.round(star_rating))}</p>`;
  const at = geo === null ? "" : `${geo.lat}&mlon=${geo.lng}#map=17/${geo.lat}/${geo.lng}`;
  const map =
    geo === null
      ? ""
      : ` <a href="https://www.openstreetmap.org/?mlat=${escaped(at)}" rel="noreferrer">` +
        `${words.onMap}</a>`;
  return `<header class="hero">
${imageOf(images, 'class="photo" fetchpriority="high" decoding="async"')}
<div class="wrap">
${stars}
<h1 dir="auto">${escaped(name)}</h1>
<p class="address"><span dir="auto">${escaped(place.filter(Boolean).join(", "))}</span>${map}</p>
</div>
</header>`;
}

/** Dates and guests; a plain form without script. */
export function formOf(view: View): string {
  const { asked, todayDay, words, here, query, offers } = view;
  const { checkInDay, nights, adults } = asked;
  const choice = offers.chosen ? choiceOf(offers.chosen) : null;
  const own = new Set(["check_in", "check_out", "adults"]);
  const kept = [...queryFor(query, asked, choice)].filter(([name]) => !own.has(name));
  const hidden = kept.map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`,
  );
  const date = (name: string, label: string, day: number, first: number, last: number) =>
    `<label><span>${label}</span><input type="date" name="${name}" required value="${dateOf(day)}"` +
    ` min="${dateOf(first)}" max="${dateOf(last)}"></label>`;
  const latest = latestCheckOut(todayDay);
  return `<form class="search" method="get" action="${escaped(here)}">
${hidden.join("")}
${date("check_in", words.checkIn, checkInDay, todayDay, latest - 1)}
${date("check_out", words.checkOut, checkInDay + nights, todayDay + 1, latest)}
<label><span>${words.adults}</span><input type="number" name="adults" required inputmode="numeric"
 min="1" max="${ADULTS_MAX}" value="${adults}"></label>
<button type="submit">${words.showPrices}</button>
</form>`;
}

/** Assumptions in words. */
export function notesOf({ asked, offers, words, notice }: View): string {
  const { missed } = offers;
  const found: Assumption[] = [...(notice === null ? [] : [notice]), ...asked.assumed];
  if (missed !== null) found.push(missed === "unknown" ? "room_unknown" : "rate_sold_out");
  if (found.length === 0) return "";
  const items = found.map((each) => `<li>${words.assumed[each]}</li>`);
  const list = `<ul class="notes">${items.join("")}</ul>`;
  return notice === null ? list : `<div role="alert">${list}</div>`;
}

/** The dates, and below them `2 nights · 2 adults`. */
export function stayText({ asked, words, formats }: View, adults = asked.adults): string {
  const { checkInDay, nights } = asked;
  const dates = formats.days(checkInDay, checkInDay + nights);
  return `${escaped(dates)}<br>${words.nights(nights)} · ${words.adultsOf(adults)}`;
}

/** The chosen offer with all its costs. */
export function summaryOf(view: View, chosen: StayOffer): string {
  const { words, formats, property, asked } = view;
  const { roomType, plan } = chosen.offer;
  const { currency, total } = chosen;
  const terms = termsIn(words, formats, chosen.costs, property.tree.timezone);
  const money = (amount: number) => escaped(formats.money(amount, currency));
  const average = divideHalfUp(total, asked.nights);
  const aNight = asked.nights === 1 ? "" : `<p>${words.aNight(money(average))}</p>`;
  return `<section class="stay" aria-labelledby="stay">
<h2 id="stay">${words.yourStay}</h2>
<p class="when">${stayText(view, chosen.adults)}</p>
<p class="what"><b dir="auto">${escaped(roomType.name)}</b>
<span dir="auto">${escaped(plan.name)}</span> <span>${words.meals[plan.meal_plan]}</span></p>
<div class="sum">
<p class="label">${words.total}</p>
<p class="amount">${money(total)}</p>
<p class="good">${words.allIncluded}</p>
${aNight}
${convertedOf(view, chosen)}
</div>
<p class="terms${terms.isFree ? " free" : ""}">${escaped(terms.full)}</p>
${bookButton(view, chosen) || `<a class="button" href="#book">${words.howToBook}</a>`}
${linesOf(view, chosen)}
</section>`;
}

/** Every line of the price, adding up to the total, and where it is paid. */
function linesOf({ words, formats, asked }: View, chosen: StayOffer): string {
  const { currency, base, total, price } = chosen;
  const money = (amount: number) => escaped(formats.money(amount, currency));
  const line = (name: string, amount: number, note = "") =>
    `<tr><th scope="row"><span dir="auto">${escaped(name)}</span>${note}</th>` +
    `<td>${money(amount)}</td></tr>`;
  const there = `<small>${words.paidThere}</small>`;
  const charges = [...price.taxes, ...price.fees].map(({ name, amount, collect }) =>
    line(name, amount, collect === "at_property" ? there : ""),
  );
  const room = `${words.roomCharge}, ${words.nights(asked.nights)}`;
  const due =
    price.due_at_property === 0
      ? ""
      : `<tbody class="due">${line(words.dueNow, price.due_now)}
${line(words.dueThere, price.due_at_property)}</tbody>`;
  return `<table class="lines">
<caption class="sr">${words.price}</caption>
<tbody>${line(room, base)}
${charges.join("\n")}</tbody>
<tbody class="all">${line(words.total, total)}</tbody>
${due}
</table>`;
}

/** The total in the visitor's currency, if there is a rate. */
function convertedOf({ asked, fx, words, formats }: View, { total, currency }: StayOffer): string {
  const own = asked.currency;
  if (own === null || own === currency) return "";
  const converted = convert(total, currency, own, fx);
  if (converted === null || fx === null) return `<p>${words.notConverted(own)}</p>`;
  const amount = formats.money(converted.amount, own);
  const asOf = formats.date(Date.parse(fx.as_of));
  return `<p><span class="converted">${escaped(words.about(amount))}</span><br>
<small>${escaped(words.approximate(currency, asOf))}</small></p>`;
}
