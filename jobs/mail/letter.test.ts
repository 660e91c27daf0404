/**
 * Goal: a letter matches its booking, with the property's local dates, and names are plain text in
 * it. Method: letters on bookings made by hand, read as text and as HTML.
 */
import { expect, test } from "bun:test";
import type { Booking, Cancellation } from "../../engine/core/records.ts";
import { propertyTree } from "../../test/support/builders.ts";
import { bookingOf } from "../../test/support/mail.ts";
import { LETTER_KINDS, type LetterKind, letterOf, linkLetterOf, nameToShow } from "./letter.ts";

const tree = propertyTree({
  name: "Hôtel & Sons",
  address: { line1: "1 Calle Mayor", postal_code: "28001", city: "Madrid", country: "ES" },
});

function bookingAt(cancelled_at: number | null = null): Booking {
  return bookingOf(tree, { cancelled_at });
}

function lines(kind: LetterKind, booking: Booking, name = "Ada Lovelace") {
  const { text } = letterOf(kind, { booking, tree, name });
  const facts = text.split("\n").map((line) => /^([A-Z][\w ]+): +(.+)$/.exec(line));
  return Object.fromEntries(facts.flatMap((fact) => (fact ? [[fact[1]!, fact[2]!]] : [])));
}

test("a confirmation contains stay, guests, money, terms and code, with local dates", () => {
  expect(lines("confirmation", bookingAt())).toEqual({
    "Confirmation code": "BCDFGH23",
    Property: "Hôtel & Sons",
    Address: "1 Calle Mayor, 28001 Madrid, ES",
    Room: "Double, Flexible",
    Arrival: "Sun, 20 Dec 2026, from 15:00",
    Departure: "Tue, 22 Dec 2026, until 11:00",
    Nights: "2",
    Guests: "2 adults, 1 child (age 4)",
    "Total price": "EUR 1,234.50",
    "Paid at booking": "EUR 1,200.00",
    "Due at the property": "EUR 34.50",
    Cancellation:
      "Free cancellation until 18 Dec 2026, 15:00 (Madrid time); then it costs 50 % of the prepaid amount, and 100 % from 20 Dec 2026, 15:00 (Madrid time).",
  });
});

test("a cancellation contains its local time, its fee and its refund", () => {
  const cancelled = bookingAt(Date.parse("2026-12-19T23:30:00Z"));
  expect(lines("cancellation", cancelled)).toMatchObject({
    "Cancelled on": "20 Dec 2026, 00:30 (Madrid time)",
    "Paid at booking": "EUR 1,200.00",
    "Cancellation fee": "EUR 600.00",
    "Paid back": "EUR 600.00",
  });
  expect(() => letterOf("cancellation", { booking: bookingAt(), tree, name: "A" })).toThrow();
});

test("a cancellation says what becomes of its refund", () => {
  const booking = bookingAt(Date.parse("2026-12-19T23:30:00Z"));
  const textOf = (over: Partial<Cancellation>) => {
    const cancellation = { ...booking.cancellation!, ...over };
    const about = { booking: { ...booking, cancellation }, tree, name: "A" };
    return letterOf("cancellation", about).text;
  };
  expect(textOf({})).toContain("your original payment method");
  expect(textOf({ refund: 0 })).toContain("By the cancellation terms");
  const withheld = textOf({ refund: 0, withheld: "dispute" });
  expect(withheld).toContain("Your bank decides.");
  expect(withheld).not.toContain("By the cancellation terms");
});

test("of a booking that is paid at the property nothing is kept and nothing paid back", () => {
  const booking = bookingAt(Date.parse("2026-12-19T23:30:00Z"));
  const fees = { ...booking.quote.fees, after: 0, no_show: 0 };
  const unpaid = { due_now: 0, due_at_property: booking.quote.total, fees };
  const quote = { ...booking.quote, ...unpaid };
  const cancellation = { ...booking.cancellation!, fee: 0, refund: 0, refund_id: null };
  const at = { ...booking, quote, cancellation };
  expect(lines("confirmation", at)).toMatchObject({
    ...{ "Paid at booking": "EUR 0.00", "Due at the property": "EUR 1,234.50" },
    Cancellation: "Free cancellation at any time.",
  });
  const said = ["en", "de", "es", "fr", "it", "pt"].map((language) => {
    return letterOf("cancellation", { booking: at, tree, name: "A", language }).text;
  });
  expect(said[0]).toContain("Nothing was paid for the booking, so there is nothing to refund.");
  expect(said[0]).not.toContain("By the cancellation terms");
  expect(new Set(said).size).toBe(6);
});

test("amounts have the decimals of their currency", () => {
  const { quote, ...booking } = bookingAt();
  for (const [currency, shown] of [
    ["JPY", "JPY 123,450"],
    ["KWD", "KWD 123.450"],
    ["EUR", "EUR 1,234.50"],
  ] as const) {
    const said = lines("confirmation", { ...booking, quote: { ...quote, currency } });
    expect(said["Total price"]).toBe(shown);
  }
});

test("foreign text cannot add a tag, a line or a change of text direction", () => {
  const evil = "Eve <img src=x onerror=\"go()\"> & 'co'\r\nX: y\u202etxt\u0000";
  const named = { ...tree, name: evil };
  const { subject, text, html } = letterOf("confirmation", {
    ...{ booking: bookingAt(), tree: named, name: "Eve <b>Bold</b" },
  });
  for (const part of [subject, text, html]) {
    for (const sign of ["\r", "\u202e", "\u0000"]) expect(part).not.toContain(sign);
    expect(part).not.toMatch(/^X: y/m);
  }
  expect(subject).not.toContain("\n");
  expect(html).not.toMatch(/<img|<b>|"go\(\)"/);
  expect(html).toContain("Eve &lt;img src=x onerror=&quot;go()&quot;&gt; &amp; &#39;co&#39; X: y");
});

test("a name that is an address is hidden; joiners that scripts need are kept", () => {
  for (const name of [
    ...["https://evil.example", "Win at evil.example", "a@b", "evil.example/win", "Ａ www.x.io"],
    ...["x".repeat(101), " \u0000 "],
    // Read as evil.example, whatever lies between or stands for the full stop.
    ...["evil.\u200bexample", "evil\u00ad.\u200dexample"],
    ...["evil\u3002example", "evil\uff0eexample", "evil\uff61example", "evil\u2024example"],
    ...["a\uff20b", "evil\uff0fwin"],
  ]) {
    expect([name, nameToShow(name)]).toEqual([name, null]);
  }
  for (const name of ["J.R.R. Tolkien", "Dr. Nó", "O'Neil-Šmíd, Jr.", "علی\u200cرضا", "李 小龙"]) {
    expect([name, nameToShow(name)]).toEqual([name, name]);
  }
});

test("each letter is in the guest's language, and in English for another", () => {
  const url = "https://inn.example/guest";
  const booking = bookingAt(Date.parse("2026-12-19T23:30:00Z"));
  const data = { booking, tree, name: "Ada", guestUrl: url };
  const english = ["Booking", "Arrival", "Your booking", "see your", "undefined"];
  for (const language of ["de", "es", "fr", "it", "pt-BR"]) {
    const link = linkLetterOf({ ...data, language }, { url, code: "012345" });
    const all = LETTER_KINDS.map((kind) => letterOf(kind, { ...data, language }));
    for (const { subject, text, html } of [...all, link]) {
      expect(html).toContain(`<html lang="${language.slice(0, 2)}">`);
      for (const word of english) expect(subject + text).not.toContain(word);
    }
    expect(link.text).toContain("012345");
    expect(link.html).toContain(`<a href="${url}">`);
  }
  const { subject } = letterOf("confirmation", { ...data, language: "de" });
  expect(subject).toBe("Buchung bestätigt: Hôtel & Sons, So., 20. Dez. 2026 (BCDFGH23)");
  for (const language of ["nl", "en-US", undefined]) {
    const { text } = letterOf("confirmation", { ...data, language });
    expect(text).toContain(`at:\n${url}`);
    expect(text).toContain("EUR 1,234.50");
  }
});
