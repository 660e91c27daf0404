/** Checks of texts that a pattern cannot express. */
import { Kind, Type, TypeRegistry } from "@sinclair/typebox";
import { describedInShort } from "./request-parts.ts";

/** ISO 4217, the currencies in use. */
const CURRENCIES: ReadonlySet<string> = new Set(
  (
    "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN " +
    "BWP BYN BZD CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN " +
    "ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD " +
    "JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT " +
    "MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG " +
    "QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT " +
    "TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAD XAF XCD XCG " +
    "XOF XPF YER ZAR ZMW ZWG"
  ).split(" "),
);

/** Whether a code is that of a currency in use. */
export function isCurrency(code: unknown): boolean {
  return typeof code === "string" && CURRENCIES.has(code);
}

TypeRegistry.Set("KnownCurrency", (_, value) => isCurrency(value));

/** A currency for new prices. */
export const KnownCurrency = Type.Unsafe<string>({
  [Kind]: "KnownCurrency",
  type: "string",
  pattern: "^[A-Z]{3}$",
  description: "three uppercase letters, a currency of ISO 4217",
});

/**
 * Control characters, line ends, and invisible or direction-changing characters. Joiners are
 * allowed, because some names need them.
 */
const UNWRITTEN = /[\p{Cc}\p{Zl}\p{Zp}\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]/u;

TypeRegistry.Set<{ maxLength: number }>("Name", ({ maxLength }, value) => {
  if (typeof value !== "string" || value.length > maxLength) return false;
  return value.trim() !== "" && !UNWRITTEN.test(value);
});

/** A display name: one non-blank line of at most `high` UTF-16 units. */
export function nameOf(high: number, what = "") {
  const description =
    `text of 1 to ${high} characters, not blank and without control characters` +
    (what === "" ? "" : `: ${what}`);
  const name = { [Kind]: "Name", type: "string", minLength: 1, maxLength: high, description };
  return describedInShort(Type.Unsafe<string>(name), what);
}
