/** The upper parts of the page: hotel, form, assumptions, and the chosen stay. */
import { latestCheckOut } from "../../../engine/core/availability/horizon.ts";
import { dateOf } from "../../../engine/core/calendar.ts";
import { convert, divideHalfUp } from "../../../engine/core/price/money.ts";
import { termsIn } from "../../languages/terms.ts";
import type { Assumption } from "../../languages/words.ts";
import { BookButton, isBookable } from "./book-button.tsx";
import type { StayOffer } from "./offers.ts";
import { ADULTS_MAX, queryFor } from "./stay-request.ts";
import { choiceOf, type View } from "./view.ts";

/** The first https image. */
export function imageOf(urls: readonly string[], attributes: Readonly<Record<string, string>>) {
  const url = urls.find((each) => each.startsWith("https://"));
  return url === undefined ? null : <img src={url} alt="" {...attributes} decoding="async" />;
}

/** Stars, name, address. */
export function heroOf({ property, words, formats }: View) {
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
  const at = geo && `${geo.lat}&mlon=${geo.lng}#map=17/${geo.lat}/${geo.lng}`;
  return (
    <header class="hero">
      {imageOf(images, { class: "photo", fetchpriority: "high" })}
      <div class="wrap">
        {star_rating !== null && (
          <p class="stars" role="img" aria-label={words.starsOf(star_rating)}>
            {"★".repeat(Math.round(star_rating))}
          </p>
        )}
        <h1 dir="auto">{name}</h1>
        <p class="address">
          <span dir="auto">{place.filter(Boolean).join(", ")}</span>
          {at !== null && " "}
          {at !== null && (
            <a href={`https://www.openstreetmap.org/?mlat=${at}`} rel="noreferrer">
              {words.onMap}
            </a>
          )}
        </p>
      </div>
    </header>
  );
}

/** What a form keeps of the address, without fields of its own. */
export function keptFields({ query, asked, offers }: View, own: readonly string[] = []) {
  const choice = offers.chosen ? choiceOf(offers.chosen) : null;
  const kept = [...queryFor(query, asked, choice)].filter(([name]) => !own.includes(name));
  return kept.map(([name, value]) => <input type="hidden" name={name} value={value} />);
}

/** Dates and guests; a plain form without script. */
export function formOf(view: View) {
  const { asked, todayDay, words, here } = view;
  const { checkInDay, nights, adults } = asked;
  const date = (name: string, label: string, day: number, first: number, last: number) => (
    <label>
      <span>{label}</span>
      <input
        {...{ type: "date", name, required: true }}
        {...{ value: dateOf(day), min: dateOf(first), max: dateOf(last) }}
      />
    </label>
  );
  const latest = latestCheckOut(todayDay);
  return (
    <form class="search" method="get" action={here}>
      {keptFields(view, ["check_in", "check_out", "adults"])}
      {date("check_in", words.checkIn, checkInDay, todayDay, latest - 1)}
      {date("check_out", words.checkOut, checkInDay + nights, todayDay + 1, latest)}
      <label>
        <span>{words.adults}</span>
        <input
          {...{ type: "number", name: "adults", required: true, inputmode: "numeric" }}
          {...{ min: 1, max: ADULTS_MAX, value: adults }}
        />
      </label>
      <button type="submit">{words.showPrices}</button>
    </form>
  );
}

/** Assumptions in words. */
export function notesOf({ asked, offers, words, notice }: View) {
  const { missed } = offers;
  const found: Assumption[] = [...(notice === null ? [] : [notice]), ...asked.assumed];
  if (missed !== null) found.push(missed === "unknown" ? "room_unknown" : "rate_sold_out");
  if (found.length === 0) return null;
  const list = (
    <ul class="notes">
      {found.map((each) => (
        <li>{words.assumed[each]}</li>
      ))}
    </ul>
  );
  return notice === null ? list : <div role="alert">{list}</div>;
}

/** The dates, and below them `2 nights · 2 adults`. */
export function stayText({ asked, words, formats }: View, adults = asked.adults) {
  const { checkInDay, nights } = asked;
  return (
    <>
      {formats.days(checkInDay, checkInDay + nights)}
      <br />
      {`${words.nights(nights)} · ${words.adultsOf(adults)}`}
    </>
  );
}

/** The chosen offer with all its costs. */
export function summaryOf(view: View, chosen: StayOffer) {
  const { words, formats, property, asked } = view;
  const { roomType, plan } = chosen.offer;
  const { currency, total } = chosen;
  const terms = termsIn(words, formats, chosen.costs, property.tree.timezone);
  const average = divideHalfUp(total, asked.nights);
  return (
    <section class="stay" aria-labelledby="stay">
      <h2 id="stay">{words.yourStay}</h2>
      <p class="when">{stayText(view, chosen.adults)}</p>
      <p class="what">
        <b dir="auto">{roomType.name}</b> <span dir="auto">{plan.name}</span>{" "}
        <span>{words.meals[plan.meal_plan]}</span>
      </p>
      <div class="sum">
        <p class="label">{words.total}</p>
        <p class="amount">{formats.money(total, currency)}</p>
        <p class="good">{words.allIncluded}</p>
        {asked.nights > 1 && <p>{words.aNight(formats.money(average, currency))}</p>}
        {convertedOf(view, chosen)}
      </div>
      <p class={terms.isFree ? "terms free" : "terms"}>{terms.full}</p>
      {isBookable(view, chosen) ? (
        <BookButton view={view} offer={chosen} />
      ) : (
        <a class="button" href="#book">
          {words.howToBook}
        </a>
      )}
      {linesOf(view, chosen)}
    </section>
  );
}

/** Every line of the price, adding up to the total, and where it is paid. */
function linesOf({ words, formats, asked }: View, chosen: StayOffer) {
  const { currency, base, total, price } = chosen;
  const line = (name: string, amount: number, collect?: string) => (
    <tr>
      <th scope="row">
        <span dir="auto">{name}</span>
        {collect === "at_property" && <small>{words.paidThere}</small>}
      </th>
      <td>{formats.money(amount, currency)}</td>
    </tr>
  );
  const charges = [...price.taxes, ...price.fees];
  return (
    <table class="lines">
      <caption class="sr">{words.price}</caption>
      <tbody>
        {line(`${words.roomCharge}, ${words.nights(asked.nights)}`, base)}
        {charges.map(({ name, amount, collect }) => line(name, amount, collect))}
      </tbody>
      <tbody class="all">{line(words.total, total)}</tbody>
      {price.due_at_property !== 0 && (
        <tbody class="due">
          {line(words.dueNow, price.due_now)}
          {line(words.dueThere, price.due_at_property)}
        </tbody>
      )}
    </table>
  );
}

/** The total in the visitor's currency, if there is a rate. */
function convertedOf({ asked, fx, words, formats }: View, { total, currency }: StayOffer) {
  const own = asked.currency;
  if (own === null || own === currency) return null;
  const converted = convert(total, currency, own, fx);
  if (converted === null || fx === null) return <p>{words.notConverted(own)}</p>;
  const asOf = formats.date(Date.parse(fx.as_of));
  return (
    <p>
      <span class="converted">{words.about(formats.money(converted.amount, own))}</span>
      <br />
      <small>{words.approximate(currency, asOf)}</small>
    </p>
  );
}
