/** The lower parts of the page: rooms and rates, other dates, the hotel, how to book. */
import { dateOf } from "../../../engine/core/calendar.ts";
import { ruleOf } from "../../../engine/core/rules.ts";
import type { RoomType } from "../../../engine/core/supply.ts";
import { amenityIn } from "../../languages/amenities.ts";
import { LANGUAGES } from "../../languages/languages.ts";
import { termsIn } from "../../languages/terms.ts";
import { escaped } from "../../pages/frame.ts";
import { bookButton } from "./book-button.tsx";
import type { ShutRoom, StayOffer } from "./offers.ts";
import { imageOf, stayText } from "./parts.ts";
import { choiceOf, hrefFor, type View } from "./view.ts";

/** Room types with their rates, then unavailable ones. */
export function roomsOf(view: View): string {
  const { offers, words, links } = view;
  const { rooms, shut, more } = offers;
  if (rooms.length === 0) return "";
  const rest =
    more === 0
      ? ""
      : `<p class="faint">${words.moreRates(more)} <a href="${escaped(links.docs)}">${words.reference}</a></p>`;
  return `<section aria-labelledby="rooms">
<h2 id="rooms">${words.rooms}</h2>
${rooms.map((offers) => roomOf(view, offers)).join("\n")}
${rest}
${shutOf(view, shut)}
</section>`;
}

function roomOf(view: View, offers: readonly StayOffer[]): string {
  const { roomType } = offers[0]!.offer;
  const { name, images, amenities, description } = roomType;
  const text = description === null ? "" : `<p dir="auto">${escaped(description)}</p>`;
  const chips = amenities.map((each) => `<li>${escaped(amenityIn(each, view.locale))}</li>`);
  const image = imageOf(images, 'loading="lazy" decoding="async"');
  return `<article class="room${image === "" ? " bare" : ""}">
${image === "" ? "" : `<div class="photo">${image}</div>`}
<div class="facts">
<h3 dir="auto">${escaped(name)}</h3>
<p class="faint">${factsOf(view, roomType)}</p>
${text}
<ul class="chips">${chips.join("")}</ul>
</div>
<ul class="rates">
${offers.map((offer) => rateOf(view, offer)).join("\n")}
</ul>
</article>`;
}

function factsOf({ words, formats }: View, roomType: RoomType): string {
  const { max_occupancy, floor_size_sqm, bed_type } = roomType;
  const size = floor_size_sqm === null ? null : `${formats.decimal(floor_size_sqm)} m²`;
  const facts = [words.sleeps(max_occupancy), bed_type, size];
  return facts
    .filter((each) => each !== null)
    .map(escaped)
    .join(" · ");
}

function rateOf(view: View, each: StayOffer): string {
  const { words, formats, offers, asked, property } = view;
  const { plan, roomType } = each.offer;
  const terms = termsIn(words, formats, each.costs, property.tree.timezone);
  const isChosen = each === offers.chosen;
  const href = escaped(hrefFor(view, asked, choiceOf(each)));
  const whose = `<span class="sr">: ${escaped(`${roomType.name}, ${plan.name}`)}</span>`;
  const choose = isChosen
    ? `<a class="chosen" href="#stay">${words.chosen}${whose}</a>`
    : `<a class="button quiet" href="${href}">${words.choose}${whose}</a>`;
  const forOne = each.adults === asked.adults ? "" : `<br><small>${words.forOne}</small>`;
  return `<li class="rate"${isChosen ? ' aria-current="true"' : ""}>
<div>
<h4 dir="auto">${escaped(plan.name)}</h4>
<p>${words.meals[plan.meal_plan]}</p>
<p class="terms${terms.isFree ? " free" : ""}">${escaped(terms.short)}</p>
</div>
<div class="price">
<p><b>${escaped(formats.money(each.total, each.currency))}</b><br>
<small>${words.nights(asked.nights)}, ${words.included}</small>${forOne}</p>
${choose}
${isChosen ? "" : bookButton(view, each)}
</div>
</li>`;
}

function shutOf(view: View, shut: readonly ShutRoom[]): string {
  if (shut.length === 0) return "";
  const items = shut.map(({ roomType, reason }) => {
    const why = reasonIn(view, reason);
    return `<li><span dir="auto">${escaped(roomType.name)}</span>: ${escaped(why)}</li>`;
  });
  return `<h3>${view.words.unavailable}</h3>
<ul class="faint">${items.join("")}</ul>`;
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
export function othersOf(view: View): string {
  const { offers, words, formats } = view;
  const isFull = offers.rooms.length === 0;
  if (!isFull && offers.others.length === 0) return "";
  const cards = offers.others.map((stay) => {
    const { checkInDay, nights, total, currency } = stay;
    const price = words.fromPrice(formats.money(total, currency));
    return `<li><a href="${escaped(hrefFor(view, stay, stay))}">
<b>${escaped(formats.days(checkInDay, checkInDay + nights))}</b>
<span>${words.nights(nights)}</span> <span class="from">${escaped(price)}</span></a></li>`;
  });
  const list = `<ul class="others">${cards.join("\n")}</ul>`;
  if (!isFull) {
    return `<section aria-labelledby="others">
<h2 id="others">${words.otherDates}</h2>
${list}
</section>`;
  }
  const suggestions =
    cards.length > 0 ? `<p>${words.tryOthers}</p>\n${list}` : `<p>${words.noOthers}</p>`;
  return `<section class="full" aria-labelledby="others">
<h2 id="others">${words.nothingFree}</h2>
<p class="faint">${stayText(view)}</p>
${suggestions}
${shutOf(view, offers.shut)}
</section>`;
}

/** The hotel's description of itself. */
export function hotelOf(view: View): string {
  const { property, words, formats, locale } = view;
  const { tree } = property;
  const { description, amenities, phone, checkin_time, checkout_time, pets_allowed } = tree;
  const text = description === null ? "" : `<p class="text" dir="auto">${escaped(description)}</p>`;
  const chips = amenities.map((each) => `<li>${escaped(amenityIn(each, locale))}</li>`);
  const child = tree.policies.find(({ child_policy_text }) => child_policy_text !== null);
  const facts: (readonly [string, string])[] = [];
  if (checkin_time !== null)
    facts.push([words.checkIn, escaped(words.fromTime(formats.time(checkin_time)))]);
  if (checkout_time !== null)
    facts.push([words.checkOut, escaped(words.untilTime(formats.time(checkout_time)))]);
  if (child) facts.push([words.children, escaped(child.child_policy_text ?? "")]);
  facts.push([words.pets, pets_allowed ? words.petsYes : words.petsNo]);
  if (phone !== null) {
    const digits = phone.replace(/[^+\d]/g, "");
    facts.push([words.phone, `<a href="tel:${digits}">${escaped(phone)}</a>`]);
  }
  const rows = facts.map(
    ([name, html]) => `<div><dt>${name}</dt><dd dir="auto">${html}</dd></div>`,
  );
  return `<section aria-labelledby="about">
<h2 id="about">${words.aboutHotel}</h2>
${text}
<dl>${rows.join("")}</dl>
${chips.length === 0 ? "" : `<h3>${words.amenities}</h3>\n<ul class="chips">${chips.join("")}</ul>`}
</section>`;
}

/** How to book: by an assistant, or with a ready request for developers. */
export function bookingOf(view: View): string {
  const { words, formats, offers, links, property } = view;
  const { chosen } = offers;
  if (chosen === null) return "";
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
  return `<section class="book" id="book" aria-labelledby="how">
<h2 id="how">${words.howToBook}</h2>
<p>${bookButton(view, chosen) === "" ? words.bookIntro : words.bookByAssistant}</p>
<h3>${words.askAssistant}</h3>
<blockquote dir="auto"><p>${escaped(prompt)}</p></blockquote>
<details>
<summary>${words.forAgents}</summary>
<p>${words.agentsIntro}</p>
<p class="links"><a href="${escaped(links.docs)}">${words.reference}</a>
<a href="${escaped(links.openapi_json)}">OpenAPI</a>
<a href="${escaped(links.agent_card)}">${words.agentCard}</a>
<a href="${escaped(links.mcp_server_card)}">MCP</a>
<a href="${escaped(links.llms)}">llms.txt</a></p>
<h3>${words.readyCall}</h3>
<pre tabindex="0" aria-label="${words.readyCall}"><code>${escaped(curlOf(view, chosen))}</code></pre>
</details>
</section>`;
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
export function footOf(view: View): string {
  const { words, formats, locale, nowMs, property, links, asked, here, offers } = view;
  const choice = offers.chosen ? choiceOf(offers.chosen) : null;
  const others = Object.entries(LANGUAGES).map(([language, { name }]) => {
    const params = new URLSearchParams(hrefFor(view, asked, choice).slice(here.length + 1));
    params.set("lang", language);
    if (language === locale.language) return `<b lang="${language}">${name}</b>`;
    const href = escaped(`${here}?${params}`);
    return `<a href="${href}" lang="${language}" hreflang="${language}" rel="alternate">${name}</a>`;
  });
  const instant = formats.instant(nowMs, property.tree.timezone);
  return `<footer><div class="wrap foot">
<p>${escaped(words.asOf(instant))} ${words.firm}</p>
<nav aria-label="${words.language}">${others.join("\n")}</nav>
<p><a href="${escaped(links.legal)}">${words.legal}</a></p>
</div></footer>`;
}
