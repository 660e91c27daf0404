/** The hotel and its offers as schema.org data; the prices are those of page and feed. */
import { dateOf } from "../../../engine/core/calendar.ts";
import { decimalOf } from "../../../feeds/amounts.ts";
import type { StayOffer } from "./offers.ts";
import { choiceOf, hrefFor, type View } from "./view.ts";

const DEFAULT_TIME = { in: "15:00", out: "12:00" } as const;

/** For a data script; `<` is escaped, so that no text of a hotel can end it. */
export function jsonLd(view: View): string {
  return JSON.stringify(hotelOf(view)).replaceAll("<", "\\u003c");
}

function hotelOf(view: View) {
  const { property, offers, publicUrl } = view;
  const { tree } = property;
  const { line1, line2, city, region, country, postal_code } = tree.address;
  const { geo } = tree;
  return {
    "@context": "https://schema.org",
    "@type": "Hotel",
    "@id": publicUrl,
    url: publicUrl,
    identifier: tree.id,
    name: tree.name,
    ...(tree.description !== null && { description: tree.description }),
    address: {
      "@type": "PostalAddress",
      streetAddress: line2 === undefined ? line1 : `${line1}, ${line2}`,
      addressLocality: city,
      addressRegion: region,
      postalCode: postal_code,
      addressCountry: country,
    },
    ...(geo && { geo: { "@type": "GeoCoordinates", latitude: geo.lat, longitude: geo.lng } }),
    ...(tree.phone !== null && { telephone: tree.phone }),
    ...(tree.star_rating !== null && {
      starRating: { "@type": "Rating", ratingValue: tree.star_rating },
    }),
    ...(tree.images.length > 0 && { image: tree.images }),
    ...(tree.checkin_time !== null && { checkinTime: tree.checkin_time }),
    ...(tree.checkout_time !== null && { checkoutTime: tree.checkout_time }),
    ...(tree.number_of_rooms !== null && { numberOfRooms: tree.number_of_rooms }),
    petsAllowed: tree.pets_allowed,
    currenciesAccepted: tree.default_currency,
    amenityFeature: tree.amenities.map((name) => {
      return { "@type": "LocationFeatureSpecification", name, value: true };
    }),
    makesOffer: offers.rooms.flat().map((offer) => offerOf(view, offer)),
  };
}

function offerOf(view: View, each: StayOffer) {
  const { asked, property, publicUrl, here } = view;
  const { checkInDay, nights } = asked;
  const { tree } = property;
  const { roomType, plan } = each.offer;
  const priceCurrency = each.currency;
  const part = (name: string, amountMinor: number) => ({
    "@type": "UnitPriceSpecification",
    name,
    price: decimalOf(amountMinor, priceCurrency),
    priceCurrency,
  });
  const totalText = decimalOf(each.total, priceCurrency);
  return {
    "@type": ["Offer", "LodgingReservation"],
    identifier: plan.id,
    name: `${roomType.name}, ${plan.name}`,
    url: new URL(hrefFor(view, asked, choiceOf(each)).slice(here.length), publicUrl).href,
    availability: "https://schema.org/InStock",
    price: totalText,
    priceCurrency,
    checkinTime: `${dateOf(checkInDay)}T${tree.checkin_time ?? DEFAULT_TIME.in}:00`,
    checkoutTime: `${dateOf(checkInDay + nights)}T${tree.checkout_time ?? DEFAULT_TIME.out}:00`,
    priceSpecification: {
      "@type": "CompoundPriceSpecification",
      price: totalText,
      priceCurrency,
      valueAddedTaxIncluded: true,
      priceComponent: [part("Base", each.base), part("Tax", each.tax), part("Fees", each.fees)],
    },
    itemOffered: {
      "@type": "HotelRoom",
      identifier: roomType.id,
      name: roomType.name,
      ...(roomType.bed_type !== null && { bed: roomType.bed_type }),
      occupancy: { "@type": "QuantitativeValue", maxValue: roomType.max_occupancy },
    },
  };
}
