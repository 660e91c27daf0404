/** Answers to messages of channel managers. They are sent with 200; `Errors` means: not applied. */
import { escapedAttribute, escapedText } from "../xml.ts";
import type { OtaFault } from "./faults.ts";
import { type OtaMessage, SOAP_NAMESPACES } from "./message.ts";

/** Faults of one answer: a message may have one in each of thousands of items. */
const FAULTS_MAX = 100;

/** What became of a message. */
export interface OtaResult {
  readonly errors: readonly OtaFault[];
  readonly warnings: readonly OtaFault[];
}

/** `OTA_Hotel…NotifRS`, in an envelope if the message was; `atMs` is the time of the answer. */
export function otaAnswer(
  { kind, soap, echoToken, version }: OtaMessage,
  { errors, warnings }: OtaResult,
  atMs: number,
): string {
  const name = `${kind.slice(0, -"RQ".length)}RS`;
  const echo = echoToken === null ? "" : ` EchoToken="${escapedAttribute(echoToken)}"`;
  const at = `${new Date(atMs).toISOString().slice(0, 19)}Z`;
  const about = `${echo} TimeStamp="${at}" Version="${version}"`;
  const said =
    errors.length > 0
      ? listOf("Error", errors)
      : `<Success/>${warnings.length > 0 ? listOf("Warning", warnings) : ""}`;
  const answer = `<${name} xmlns="http://www.opentravel.org/OTA/2003/05"${about}>${said}</${name}>`;
  return `<?xml version="1.0" encoding="UTF-8"?>${wrapped(answer, soap)}`;
}

/** The media type of an answer. */
export function otaContentType({ soap }: Pick<OtaMessage, "soap">): string {
  if (soap === null) return "application/xml; charset=utf-8";
  return `${soap === "1.2" ? "application/soap+xml" : "text/xml"}; charset=utf-8`;
}

function wrapped(answer: string, soap: OtaMessage["soap"]): string {
  if (soap === null) return answer;
  const opening = `<soap:Envelope xmlns:soap="${SOAP_NAMESPACES[soap]}">`;
  return `${opening}<soap:Body>${answer}</soap:Body></soap:Envelope>`;
}

function listOf(element: "Error" | "Warning", faults: readonly OtaFault[]): string {
  const each = faults.slice(0, FAULTS_MAX).map(({ type, code, record, text }) => {
    const at = record === null ? "" : ` RecordID="${record}"`;
    return `<${element} Type="${type}" Code="${code}"${at}>${escapedText(text)}</${element}>`;
  });
  return `<${element}s>${each.join("")}</${element}s>`;
}
