/** The lower parts of the page: rooms and rates, other dates, the hotel, how to book. */
import type { ComponentChildren } from "preact";
import { dateOf } from "../../../engine/core/calendar.ts";
import { ruleOf } from "../../../engine/core/rules.ts";
import type { RoomType } from "../../../engine/core/supply.ts";
import { amenityIn } from "../../languages/amenities.ts";
import { LANGUAGES } from "../../languages/languages.ts";
import { termsIn } from "../../languages/terms.ts";
import type { Words } from "../../languages/words.ts";
import { Code } from "../../page-parts/parts.tsx";
import { BookButton, isBookable } from "./book-button.tsx";
import type { OtherStay, ShutRoom, StayOffer } from "./offers.ts";
import { imageOf, stayText } from "./parts.tsx";
import { queryFor } from "./stay-request.ts";
import { choiceOf, hrefFor, type View } from "./view.ts";

/** Room types with their rates, then unavailable ones. */
export function roomsOf(view: View) {
  const { offers, words, links } = view;
  const { rooms, shut, more } = offers;
  if (rooms.length === 0) return null;
  return (
    <section aria-labelledby="rooms">
      <h2 id="rooms">{words.rooms}</h2>
      {rooms.map((offers) => roomOf(view, offers))}
      {more > 0 && (
        <p class="faint">
          {words.moreRates(more)} <a href={links.docs}>{words.reference}</a>
        </p>
      )}
      {shutOf(view, shut)}
    </section>
  );
}

function roomOf(view: View, offers: readonly StayOffer[]) {
  const { roomType } = offers[0]!.offer;
  const { name, images, amenities, description } = roomType;
  const image = imageOf(images, { loading: "lazy" });
  return (
    <article class={image === null ? "room bare" : "room"}>
      {image && <div class="photo">{image}</div>}
      <div class="facts">
        <h3 dir="auto">{name}</h3>
        <p class="faint">{factsOf(view, roomType)}</p>
        {description !== null && <p dir="auto">{description}</p>}
        {chipsOf(amenities, view)}
      </div>
      <ul class="rates">{offers.map((offer) => rateOf(view, offer))}</ul>
    </article>
  );
}

function chipsOf(amenities: readonly string[], { locale }: View) {
  return (
    <ul class="chips">
      {amenities.map((each) => (
        <li>{amenityIn(each, locale)}</li>
      ))}
    </ul>
  );
}

function factsOf({ words, formats }: View, roomType: RoomType): string {
  const { max_occupancy, floor_size_sqm, bed_type } = roomType;
  const size = floor_size_sqm === null ? null : `${formats.decimal(floor_size_sqm)} m²`;
  const facts = [words.sleeps(max_occupancy), bed_type, size];
  return facts.filter((each) => each !== null).join(" · ");
}

function rateOf(view: View, each: StayOffer) {
  const { words, formats, offers, asked, property } = view;
  const { plan, roomType } = each.offer;
  const terms = termsIn(words, formats, each.costs, property.tree.timezone);
  const isChosen = each === offers.chosen;
  return (
    <li class="rate" aria-current={isChosen ? "true" : undefined}>
      <div>
        <h4 dir="auto">{plan.name}</h4>
        <p>{words.meals[plan.meal_plan]}</p>
        <p class={terms.isFree ? "terms free" : "terms"}>{terms.short}</p>
      </div>
      <div class="price">
        <p>
          <b>{formats.money(each.total, each.currency)}</b>
          <br />
          <small>{`${words.nights(asked.nights)}, ${words.included}`}</small>
          {each.adults !== asked.adults && <br />}
          {each.adults !== asked.adults && <small>{words.forOne}</small>}
        </p>
        <a
          class={isChosen ? "chosen" : "button quiet"}
          href={isChosen ? "#stay" : hrefFor(view, asked, choiceOf(each))}
        >
          {isChosen ? words.chosen : words.choose}
          <span class="sr">{`: ${roomType.name}, ${plan.name}`}</span>
        </a>
        {!isChosen && <BookButton view={view} offer={each} />}
      </div>
    </li>
  );
}

function shutOf(view: View, shut: readonly ShutRoom[]) {
  if (shut.length === 0) return null;
  return (
    <>
      <h3>{view.words.unavailable}</h3>
      <ul class="faint">
        {shut.map(({ roomType, reason }) => (
          <li>
            <span dir="auto">{roomType.name}</span>
            {`: ${reasonIn(view, reason)}`}
          </li>
        ))}
      </ul>
    </>
  );
}

function reasonIn({ words }: View, reason: ShutRoom["reason"]): string {
  if (reason === null) return words.soldOut;
  const { limit = 0 } = reason;
  if (reason.reason === "occupancy_exceeded") return words.sleepsOnly(limit);
  const rule = ruleOf(reason.reason);
  if (rule?.kind === "min_nights") return words.nightsAtLeast(limit);
  if (rule?.kind === "max_nights") return words.nightsAtMost(limit);
  if (rule?.edge === "arrival") return words.noArrival;
  return rule?.edge === "departure" ? words.noDeparture : words.soldOut;
}

/** Nearby stays when the requested stay or the clicked rate is taken. */
export function othersOf(view: View) {
  const { offers, words } = view;
  const { rooms, others, shut } = offers;
  const isFull = rooms.length === 0;
  if (!isFull && others.length === 0) return null;
  return (
    <section class={isFull ? "full" : undefined} aria-labelledby="others">
      <h2 id="others">{isFull ? words.nothingFree : words.otherDates}</h2>
      {isFull && <p class="faint">{stayText(view)}</p>}
      {isFull && <p>{others.length > 0 ? words.tryOthers : words.noOthers}</p>}
      {others.length > 0 && <ul class="others">{others.map((stay) => otherOf(view, stay))}</ul>}
      {isFull && shutOf(view, shut)}
    </section>
  );
}

function otherOf(view: View, stay: OtherStay) {
  const { words, formats } = view;
  const { checkInDay, nights, total, currency } = stay;
  return (
    <li>
      <a href={hrefFor(view, stay, stay)}>
        <b>{formats.days(checkInDay, checkInDay + nights)}</b> <span>{words.nights(nights)}</span>{" "}
        <span class="from">{words.fromPrice(formats.money(total, currency))}</span>
      </a>
    </li>
  );
}

/** The hotel's description of itself. */
export function hotelOf(view: View) {
  const { words, formats, property } = view;
  const { tree } = property;
  const { description, amenities, phone, checkin_time, checkout_time, pets_allowed } = tree;
  const child = tree.policies.find(({ child_policy_text }) => child_policy_text !== null);
  const fact = (name: string, value: ComponentChildren) => (
    <div>
      <dt>{name}</dt>
      <dd dir="auto">{value}</dd>
    </div>
  );
  return (
    <section aria-labelledby="about">
      <h2 id="about">{words.aboutHotel}</h2>
      {description !== null && (
        <p class="text" dir="auto">
          {description}
        </p>
      )}
      <dl>
        {checkin_time && fact(words.checkIn, words.fromTime(formats.time(checkin_time)))}
        {checkout_time && fact(words.checkOut, words.untilTime(formats.time(checkout_time)))}
        {child && fact(words.children, child.child_policy_text)}
        {fact(words.pets, pets_allowed ? words.petsYes : words.petsNo)}
        {phone && fact(words.phone, <a href={`tel:${phone.replace(/[^+\d]/g, "")}`}>{phone}</a>)}
      </dl>
      {amenities.length > 0 && (
        <>
          <h3>{words.amenities}</h3>
          {chipsOf(amenities, view)}
        </>
      )}
    </section>
  );
}

/** How to book: by an assistant, or with a ready request for developers. */
export function bookingOf(view: View) {
  const { words, formats, offers, links, property } = view;
  const { chosen } = offers;
  if (chosen === null) return null;
  const { roomType, plan } = chosen.offer;
  const prompt = words.prompt({
    hotel: property.tree.name,
    room: roomType.name,
    rate: plan.name,
    dates: formats.days(view.asked.checkInDay, view.asked.checkInDay + view.asked.nights),
    party: words.adultsOf(chosen.adults),
    total: formats.money(chosen.total, chosen.currency),
    address: links.mcp,
  });
  return (
    <section class="book" id="book" aria-labelledby="how">
      <h2 id="how">{words.howToBook}</h2>
      <p>{isBookable(view, chosen) ? words.bookByAssistant : words.bookIntro}</p>
      <h3>{words.askAssistant}</h3>
      <blockquote dir="auto">
        <p>{prompt}</p>
      </blockquote>
      <details>
        <summary>{words.forAgents}</summary>
        <p>{words.agentsIntro}</p>
        <p class="links">
          <a href={links.docs}>{words.reference}</a> <a href={links.openapi_json}>OpenAPI</a>{" "}
          <a href={links.agent_card}>{words.agentCard}</a> <a href={links.mcp_server_card}>MCP</a>{" "}
          <a href={links.llms}>llms.txt</a>
        </p>
        <h3>{words.readyCall}</h3>
        <Code>{curlOf(view, chosen)}</Code>
      </details>
    </section>
  );
}

/** The quote request; its texts are only ids and dates. */
function curlOf({ asked, links, property }: View, { offer, adults }: StayOffer): string {
  const { checkInDay, nights } = asked;
  const body = {
    hotel_id: property.tree.id,
    room_type_id: offer.roomType.id,
    rate_plan_id: offer.plan.id,
    stay: { check_in: dateOf(checkInDay), check_out: dateOf(checkInDay + nights) },
    guests: { adults, children: [] },
  };
  return `curl ${new URL("v1/quotes", links.index).href} \\
  -H "Authorization: Bearer $INNKEEP_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify(body, null, 2)}'`;
}

/** Time of the prices, and the other languages. */
export function footOf({ offers, query, asked, here, ...view }: View) {
  const { words, formats, locale, nowMs, property, links } = view;
  const instant = formats.instant(nowMs, property.tree.timezone);
  const params = queryFor(query, asked, offers.chosen ? choiceOf(offers.chosen) : null);
  const languageOf = ([language, { name }]: [string, Words]) => {
    if (language === locale.language) return <b lang={language}>{name}</b>;
    params.set("lang", language);
    return (
      <a href={`${here}?${params}`} lang={language} hreflang={language} rel="alternate">
        {name}
      </a>
    );
  };
  return (
    <footer>
      <div class="wrap foot">
        <p>{`${words.asOf(instant)} ${words.firm}`}</p>
        <nav aria-label={words.language}>
          {Object.entries(LANGUAGES).map((each) => [languageOf(each), " "])}
        </nav>
        <p>
          <a href={links.legal}>{words.legal}</a>
        </p>
      </div>
    </footer>
  );
}
