/**
 * Messages of channel managers: three kinds of OpenTravel's `OTA_Hotel…NotifRQ`, bare or in the
 * body of a SOAP envelope. A message is about one hotel.
 */
import type { PropertyTree } from "../../engine/core/supply.ts";
import { attributeOf, attributesOf, childrenOf, type Element } from "../reading/element.ts";
import { readInventory, readStatus } from "./availability.ts";
import { RateReader } from "./rates.ts";
import { RecordedAri } from "./recorded-ari.ts";

/** The kinds of messages, with the element of their items. */
const KINDS = {
  OTA_HotelAvailNotifRQ: { container: "AvailStatusMessages", item: "AvailStatusMessage" },
  OTA_HotelRateAmountNotifRQ: { container: "RateAmountMessages", item: "RateAmountMessage" },
  OTA_HotelInvCountNotifRQ: { container: "Inventories", item: "Inventory" },
} as const;

export type OtaKind = keyof typeof KINDS;

export const OTA_KINDS = Object.keys(KINDS) as readonly OtaKind[];

export type SoapVersion = "1.1" | "1.2";

/** The namespaces of SOAP envelopes. */
export const SOAP_NAMESPACES: Readonly<Record<SoapVersion, string>> = {
  "1.1": "http://schemas.xmlsoap.org/soap/envelope/",
  "1.2": "http://www.w3.org/2003/05/soap-envelope",
};

/** A message, before its items are read. */
export interface OtaMessage {
  readonly kind: OtaKind;
  /** Null for a bare message. */
  readonly soap: SoapVersion | null;
  /** The sender's id of the message; null without one. */
  readonly echoToken: string | null;
  readonly timeStamp: string | null;
  readonly version: string;
  /** Null without one, or with several. */
  readonly hotelCode: string | null;
  readonly items: readonly Element[];
}

const VERSION = /^\d{1,3}(?:\.\d{1,3}){0,2}$/;

/** The message that a document has; null when it is none of the kinds. */
export function messageIn(name: string, root: Element): OtaMessage | null {
  const [kind, message, soap] = name === "Envelope" ? unwrapped(root) : [name, root, null];
  if (message === undefined || !isKind(kind)) return null;
  const { container, item } = KINDS[kind];
  const containers = childrenOf(message, container);
  const codes = new Set(containers.map((each) => attributeOf(each, "HotelCode")));
  const [hotelCode = null] = codes;
  const version = attributeOf(message, "Version") ?? "";
  return {
    ...{ kind, soap },
    echoToken: attributeOf(message, "EchoToken"),
    timeStamp: attributeOf(message, "TimeStamp"),
    version: VERSION.test(version) ? version : "1.0",
    hotelCode: codes.size === 1 ? hotelCode : null,
    items: containers.flatMap((each) => childrenOf(each, item)),
  };
}

function isKind(name: string): name is OtaKind {
  return Object.hasOwn(KINDS, name);
}

/** The one element of the envelope's body. */
function unwrapped(envelope: Element): [string, Element | undefined, SoapVersion] {
  const namespaces = Object.values(attributesOf(envelope));
  const soap = namespaces.includes(SOAP_NAMESPACES["1.2"]) ? "1.2" : "1.1";
  const [body = {}] = childrenOf(envelope, "Body");
  const [name = "", ...others] = OTA_KINDS.filter((kind) => childrenOf(body, kind).length > 0);
  const [message, ...more] = childrenOf(body, name);
  return [name, others.length + more.length > 0 ? undefined : message, soap];
}

/** Items between two turns: a few milliseconds. */
const SLICE_ITEMS = 500;

/**
 * The update of a message for the property that its hotel code names; yields between slices, so
 * that other requests are served in between.
 */
export function* ariOfMessage(
  { kind, items }: OtaMessage,
  tree: PropertyTree,
): Generator<undefined, RecordedAri, undefined> {
  const into = new RecordedAri();
  if (items.length === 0) into.fault("missing", null, `${KINDS[kind].item} is missing`);
  const rates = kind === "OTA_HotelRateAmountNotifRQ" ? new RateReader(tree, into) : null;
  for (const [i, item] of items.entries()) {
    const record = i + 1;
    if (rates) rates.read(item, record);
    else if (kind === "OTA_HotelInvCountNotifRQ") readInventory(item, record, into);
    else readStatus(item, record, into);
    if (record % SLICE_ITEMS === 0) yield;
  }
  return into;
}
