/** The three documents of a feed, small, as partners take them. */

export const HOUSE = "7f0c1c9e-3c55-4d1b-9a53-0f3c2b6a1d10";
const ROOM = "a3c5a6b0-52e0-4f0e-8d0b-2a9d1f3c0001";
const FAMILY = "a3c5a6b0-52e0-4f0e-8d0b-2a9d1f3c0002";
const PLAN = "5e1f7d20-90b4-4c1d-8a6f-7b2c9d4e0001";

const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<!-- innkeep seq=4711 at=2026-03-01T02:15:00Z -->
`;

export const LIST = `${HEAD}<listings xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="http://www.gstatic.com/localfeed/local_feed.xsd"><language>en</language><listing><id>${HOUSE}</id><name>Casa &amp; Sol</name><address format="simple"><component name="addr1">Rua Augusta 1</component><component name="city">Lisboa</component></address><country>PT</country><latitude>38.71</latitude><longitude>-9.14</longitude><phone type="main">+351 210 000 000</phone><category>hotel</category><content><text type="description"><body>By the river.</body></text></content></listing></listings>`;

const price = (base: string) =>
  `<Baserate currency="EUR">${base}</Baserate><Tax currency="EUR">7.20</Tax><OtherFees currency="EUR">4.00</OtherFees>`;

const bundle = (room: string, occupancy: number, base: string) =>
  `<RoomBundle><RoomID>${room}</RoomID><RatePlanID>${PLAN}</RatePlanID><PackageID>${PLAN}</PackageID><Occupancy>${occupancy}</Occupancy>${price(base)}</RoomBundle>`;

const stay = (checkIn: string, nights: number, rest: string) =>
  `<Result><Property>${HOUSE}</Property><Checkin>${checkIn}</Checkin><Nights>${nights}</Nights>${rest}</Result>`;

const SOLD_OUT = `<Unavailable><NoVacancy/></Unavailable><Tax currency="EUR">0</Tax><OtherFees currency="EUR">0</OtherFees>`;

export const ARI = `${HEAD}<Transaction timestamp="2026-03-01T02:15:00Z" id="ari-3b9d4c1e-20260301T021500Z-d2"><PropertyDataSet><Property>${HOUSE}</Property><RoomData><RoomID>${ROOM}</RoomID><Name><Text text="Double" language="en"/></Name><Capacity>2</Capacity></RoomData><RoomData><RoomID>${FAMILY}</RoomID><Name><Text text="Family" language="en"/></Name><Capacity>4</Capacity></RoomData><PackageData><PackageID>${PLAN}</PackageID><Name><Text text="Flexible" language="en"/></Name><ChargeCurrency>web</ChargeCurrency><Refundable available="0"/></PackageData></PropertyDataSet>${[
  stay(
    "2026-03-01",
    1,
    `${price("120.00")}${bundle(ROOM, 2, "120.00")}${bundle(FAMILY, 2, "180.00")}`,
  ),
  stay("2026-03-01", 2, SOLD_OUT),
  stay("2026-03-02", 1, `${price("130.00")}${bundle(ROOM, 2, "130.00")}`),
  stay("2026-03-02", 2, SOLD_OUT),
].join("")}</Transaction>`;

export const POINT_OF_SALE = `${HEAD}<PointsOfSale><PointOfSale id="direct"><Match status="yes"/><URL>https://book.example/book/(PARTNER-HOTEL-ID)?check_in=(CHECKINYEAR)-(CHECKINMONTH)-(CHECKINDAY)&amp;verify=(VERIFICATION)</URL></PointOfSale></PointsOfSale>`;

/** A text as bytes, in pieces of that size. */
export async function* inPieces(text: string, size = 65_536): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size);
}

/** `text` with one change, which must be possible. */
export function changed(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`there is no ${from} to change`);
  return text.replace(from, () => to);
}
