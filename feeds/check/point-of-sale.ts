/** Checks `pointofsale.xml`: landing page addresses and their variables. */
import { attributeOf, childrenOf, type Element, textIn } from "../reading/element.ts";
import type { Findings } from "./findings.ts";

/** Variables documented by Google or Microsoft. */
const VARIABLES: ReadonlySet<string> = new Set([
  ...["PARTNER-HOTEL-ID", "ALTERNATE-HOTEL-ID", "PARTNER-ROOM-ID", "RATE-PLAN-ID"],
  ...["CHECKINDAY", "CHECKINMONTH", "CHECKINYEAR", "CHECKINDAY-OF-WEEK"],
  ...["CHECKOUTDAY", "CHECKOUTMONTH", "CHECKOUTYEAR", "CHECKOUTDAY-OF-WEEK", "LENGTH"],
  ...["NUM-ADULTS", "NUM-CHILDREN", "NUM-GUESTS", "ADVANCE-BOOKING-WINDOW", "DATE-TYPE"],
  ...["CUSTOM1", "CUSTOM2", "CUSTOM3", "CUSTOM4", "CUSTOM5", "PARTNER-CURRENCY"],
  ...["USER-CURRENCY", "USER-LANGUAGE", "USER-COUNTRY", "USER-DEVICE", "GOOGLE-SITE"],
  ...["CLICK-TYPE", "CAMPAIGN-ID", "PRICE-DISPLAYED-TOTAL", "PRICE-DISPLAYED-TAX"],
  ...["VERIFICATION", "BING-SITE", "SLOT_TYPE", "SUBACCOUNT_ID", "HOTELGROUP_ID"],
  ...["IF-DEFAULT-DATE", "IF-AD-CLICK", "ELSE", "ENDIF"],
]);

export interface PointOfSaleFacts {
  readonly points_of_sale: number;
}

export class PointOfSaleCheck {
  readonly #findings: Findings;
  readonly #ids = new Set<string>();
  #count = 0;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  element(name: string, element: Element): void {
    if (name !== "PointOfSale") {
      this.#findings.fault("unknown_element", name);
      return;
    }
    this.#count += 1;
    const id = attributeOf(element, "id") ?? "";
    const place = `PointOfSale ${id}`;
    if (id === "") this.#findings.fault("missing", `${place}: id`);
    else if (this.#ids.has(id)) this.#findings.fault("repeated_id", place);
    this.#ids.add(id);
    if (childrenOf(element, "Match").length === 0) {
      this.#findings.fault("missing", `${place}: Match`);
    }
    const url = textIn(element, "URL");
    if (!/^https:\/\/\S+$/.test(url)) this.#findings.fault("invalid", `${place}: URL ${url}`);
    for (const [, variable = ""] of url.matchAll(/\(([^()]*)\)/g)) {
      if (VARIABLES.has(variable)) continue;
      this.#findings.warning("unknown_variable", `${place}: (${variable})`);
    }
  }

  end(): PointOfSaleFacts {
    if (this.#count === 0) this.#findings.fault("empty", "PointsOfSale");
    return { points_of_sale: this.#count };
  }
}
