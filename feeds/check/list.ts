/** Checks `hotel-list.xml`: every listing once, with the elements that partners require. */
import {
  attributeOf,
  childOf,
  childrenOf,
  type Element,
  emptyIn,
  textIn,
  textOf,
} from "../reading/element.ts";
import type { Findings } from "./findings.ts";

const NAME_MAX = 200;
const COMPONENTS = ["addr1", "addr2", "addr3", "city", "province", "postal_code"] as const;

export interface ListFacts {
  readonly listings: number;
  readonly language: string;
}

export class ListCheck {
  readonly #findings: Findings;
  readonly #ids = new Set<string>();
  /** Address or coordinates, with the first listing that has them. */
  readonly #addresses = new Map<string, string>();
  readonly #places = new Map<string, string>();
  #language = "";
  #listings = 0;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  element(name: string, element: Element): void {
    if (name === "language") this.#language = textOf(element);
    else if (name === "listing") this.#listing(element);
    else if (name !== "datum") this.#findings.fault("unknown_element", name);
  }

  end(): ListFacts {
    if (this.#listings === 0) this.#findings.fault("empty", "listings");
    if (!/^[a-z]{2}$/.test(this.#language)) {
      this.#findings.fault("invalid", `language ${this.#language}`);
    }
    return { listings: this.#listings, language: this.#language };
  }

  /** Ids of the listings. */
  ids(): Iterable<string> {
    return this.#ids;
  }

  #listing(listing: Element): void {
    this.#listings += 1;
    const id = textIn(listing, "id");
    const place = `listing ${id}`;
    const lacks = (what: string) => this.#findings.fault("missing", `${place}: ${what}`);
    const wrong = (what: string) => this.#findings.fault("invalid", `${place}: ${what}`);
    if (id === "") lacks("id");
    else if (this.#ids.has(id)) this.#findings.fault("repeated_id", place);
    this.#ids.add(id);
    const name = textIn(listing, "name");
    if (name === "") lacks("name");
    if ([...name].length > NAME_MAX) wrong(`name of more than ${NAME_MAX} characters`);
    for (const each of emptyIn(listing)) this.#findings.fault("empty_element", `${place}: ${each}`);
    const country = textIn(listing, "country");
    if (country === "") lacks("country");
    else if (!/^[A-Z]{2}$/.test(country)) wrong(`country ${country}`);
    this.#address(listing, id, { lacks, wrong });
    this.#reached(listing, id, { lacks, wrong });
  }

  #address(listing: Element, id: string, { lacks, wrong }: Telling): void {
    const components = childrenOf(childOf(listing, "address") ?? {}, "component");
    const named = components.map((each) => [attributeOf(each, "name"), textOf(each)] as const);
    const parts = new Map(named);
    if (!parts.has("addr1")) lacks("address component addr1");
    if (!parts.has("city")) lacks("address component city");
    if (parts.size < named.length) wrong("a repeated address component");
    const known: readonly (string | null)[] = COMPONENTS;
    for (const name of parts.keys()) if (!known.includes(name)) wrong(`address component ${name}`);
    const address = JSON.stringify([textIn(listing, "country"), ...parts]);
    const first = firstOf(this.#addresses, address, id);
    if (first !== id) this.#findings.warning("repeated_address", `${id}: same as ${first}`);
  }

  #reached(listing: Element, id: string, { lacks, wrong }: Telling): void {
    const [latitude, longitude] = [textIn(listing, "latitude"), textIn(listing, "longitude")];
    const phones = childrenOf(listing, "phone");
    if (latitude === "" && longitude === "" && phones.length === 0) {
      lacks("coordinates or a phone number");
    }
    for (const phone of phones) {
      if (!/^\+?[\d() .-]{5,30}( ?(x|ext|extn) ?\d{1,7})?$/.test(textOf(phone))) wrong("phone");
    }
    if (latitude === "" && longitude === "") return;
    if (!isWithin(latitude, 90) || !isWithin(longitude, 180)) {
      wrong(`coordinates ${latitude}, ${longitude}`);
      return;
    }
    const first = firstOf(this.#places, `${latitude} ${longitude}`, id);
    if (first !== id) this.#findings.warning("repeated_place", `${id}: same as ${first}`);
  }
}

interface Telling {
  readonly lacks: (what: string) => void;
  readonly wrong: (what: string) => void;
}

function firstOf(known: Map<string, string>, key: string, id: string): string {
  const digest = Bun.hash(key).toString(36);
  const first = known.get(digest) ?? id;
  known.set(digest, first);
  return first;
}

/** Decimal notation without exponent. */
function isWithin(degrees: string, most: number): boolean {
  return /^-?\d{1,3}(?:\.\d+)?$/.test(degrees) && Math.abs(Number(degrees)) <= most;
}
