/** What a guest reads about a stay, before and after it is booked. */
import type { Static } from "@sinclair/typebox";
import { localInstant } from "../../engine/core/calendar.ts";
import type { GuestBooking } from "../api/guest/responses.ts";
import { Fact } from "./parts.tsx";
import type { Tongue } from "./tongue.ts";

const DAY_MS = 86_400_000;

type Named = Pick<Static<typeof GuestBooking>, "hotel" | "room" | "rate_plan">;

export interface ShownStay extends Named {
  readonly stay: { readonly check_in: string; readonly check_out: string };
  readonly guests: { readonly adults: number; readonly children?: readonly unknown[] };
}

interface StayFactsOf {
  readonly of: ShownStay;
  readonly tongue: Tongue;
  /** Who stays, if that is known. */
  readonly guestName?: string | undefined;
}

/** Hotel, room, dates and party. */
export function StayFacts({ of, tongue, guestName }: StayFactsOf) {
  const { words, shared, formats } = tongue;
  const { hotel, room, rate_plan, stay, guests } = of;
  const [from, to] = [stay.check_in, stay.check_out].map((date) => Date.parse(date) / DAY_MS);
  const children = guests.children?.length ?? 0;
  const timeOf = (day: number, time: string) => {
    const zone = hotel?.timezone ?? "UTC";
    return `${formats.time(time)} ${formats.zoneName(localInstant(day, time, zone).ms, zone)}`;
  };
  const { checkin_time, checkout_time } = hotel ?? {};
  const times = [
    checkin_time && `${shared.checkIn} ${shared.fromTime(timeOf(from!, checkin_time))}`,
    checkout_time && `${shared.checkOut} ${shared.untilTime(timeOf(to!, checkout_time))}`,
  ].filter(Boolean);
  return (
    <dl>
      <Fact name={words.hotel}>
        <HotelLines hotel={hotel} directions={words.directions} />
      </Fact>
      <Fact name={words.room}>
        <bdi>{room}</bdi>, <bdi>{rate_plan}</bdi>
      </Fact>
      <Fact name={words.stay}>
        {formats.days(from!, to!)} <span class="faint">({shared.nights(to! - from!)})</span>
        {times.length > 0 && <br />}
        {times.join(" · ")}
      </Fact>
      <Fact name={words.party}>
        {shared.adultsOf(guests.adults)}
        {children > 0 && `, ${words.childrenOf(children)}`}
        {guestName !== undefined && (
          <>
            <br />
            <bdi>{guestName}</bdi>
          </>
        )}
      </Fact>
    </dl>
  );
}

function HotelLines({ hotel, directions }: Pick<Named, "hotel"> & { readonly directions: string }) {
  return (
    <>
      <bdi>{hotel?.name}</bdi>
      <br />
      <bdi class="faint">{hotel?.address.join(", ")}</bdi>
      {hotel?.phone && (
        <>
          <br />
          <a href={`tel:${hotel.phone.replace(/[^+\d]/g, "")}`}>{hotel.phone}</a>
        </>
      )}
      {hotel?.geo && (
        <>
          <br />
          <a href={mapOf(hotel.geo)} rel="noreferrer">
            {directions}
          </a>
        </>
      )}
    </>
  );
}

function mapOf({ latitude, longitude }: { readonly latitude: number; readonly longitude: number }) {
  const query = new URLSearchParams({ mlat: String(latitude), mlon: String(longitude) });
  return `https://www.openstreetmap.org/?${query}#map=16/${latitude}/${longitude}`;
}

export interface PriceLine {
  readonly name: string;
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
  readonly isSum?: boolean;
}

interface PriceLinesOf {
  readonly label: string;
  readonly lines: readonly PriceLine[];
  readonly tongue: Tongue;
}

/** Amounts with their names. */
export function PriceLines({ label, lines, tongue: { formats } }: PriceLinesOf) {
  return (
    <table class="prices" aria-label={label}>
      <tbody>
        {lines.map(({ name, amount, currency, isSum = false }) => (
          <tr class={isSum ? "sum" : undefined}>
            <th scope="row">
              <bdi>{name}</bdi>
            </th>
            <td>
              <span class="amount">{formats.money(amount, currency)}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const VERIFY = "/v1/receipts/verify";

interface VerifyOf {
  readonly baseUrl: string;
  readonly tongue: Tongue;
}

/** How a receipt is checked. */
export function ReceiptCheck({ baseUrl, tongue: { words } }: VerifyOf) {
  return (
    <p class="faint">
      {words.verify} <code class="wrap">POST {baseUrl + VERIFY}</code>
    </p>
  );
}
