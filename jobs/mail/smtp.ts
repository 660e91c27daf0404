/**
 * Sends mails by SMTP. Certificates are always verified. A login requires TLS unless the server is
 * on this machine, so that removing `STARTTLS` from an answer does not expose the password. Without
 * a login, TLS is used if the server offers it.
 */
import nodemailer from "nodemailer";
import type { MailFailure } from "../../engine/core/mail-failure.ts";
import { isAddress } from "../../src/lib/mailbox.ts";
import type { Mail, Mailer, Sending } from "./mail.ts";

/** Mails in flight; each may use a connection. */
export const SMTP_IN_FLIGHT_MAX = 5;

const CONNECT_MS_MAX = 10_000;
const SILENCE_MS_MAX = 20_000;
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[?::1\]?)$/;

/** A mail server, from `SMTP_URL`. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte (`smtps://`). */
  readonly isTls: boolean;
  readonly login: { readonly user: string; readonly pass: string } | null;
}

/** Parses `smtp[s]://[user:password@]host[:port]`; null for anything else. */
export function smtpServerIn(address: string): SmtpServer | null {
  const url = URL.parse(address);
  const isTls = url?.protocol === "smtps:";
  if (!url?.hostname || !(isTls || url.protocol === "smtp:")) return null;
  if (!["", "/"].includes(url.pathname) || url.search || url.hash) return null;
  if ((url.username === "") !== (url.password === "") || url.port === "0") return null;
  try {
    const [user, pass] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
    const port = Number(url.port) || (isTls ? 465 : 587);
    return { host: url.hostname, port, isTls, login: user === "" ? null : { user, pass } };
  } catch {
    // Invalid percent-encoding.
    return null;
  }
}

export class SmtpMailer implements Mailer {
  readonly via = "smtp";
  readonly #transport;

  constructor({ host, port, isTls, login }: SmtpServer) {
    this.#transport = nodemailer.createTransport({
      ...{ pool: true, maxConnections: SMTP_IN_FLIGHT_MAX, maxRequeues: 0 },
      // Only a URL has brackets around an IPv6 address.
      ...{ host: host.replace(/^\[|\]$/g, ""), port, secure: isTls },
      ...(login ? { auth: login, requireTLS: !LOOPBACK.test(host) } : {}),
      ...{ connectionTimeout: CONNECT_MS_MAX, greetingTimeout: CONNECT_MS_MAX },
      ...{ dnsTimeout: CONNECT_MS_MAX, socketTimeout: SILENCE_MS_MAX },
      // Mails never include files or remote content.
      ...{ disableFileAccess: true, disableUrlAccess: true },
    });
    // The next mail opens a new connection.
    this.#transport.on("error", () => {});
  }

  async send(mail: Mail, signal: AbortSignal): Promise<Sending> {
    if (!isAddress(mail.to.address)) return { ok: false, reason: "address", status: null };
    try {
      await this.#transport.sendMail({ ...messageOf(mail), signal });
      return { ok: true };
    } catch (error) {
      return { ok: false, ...failureIn(error) };
    }
  }

  close(): void {
    this.#transport.close();
  }
}

/** A mail in the form of the library. */
export function messageOf({ message_id, dateMs, from, to, ...content }: Mail) {
  return {
    ...content,
    from: { name: from.name ?? "", address: from.address },
    to: { name: to.name ?? "", address: to.address },
    // Explicit, so that no header determines the recipient.
    envelope: { from: from.address, to: [to.address] },
    messageId: `<${message_id}>`,
    date: new Date(dateMs),
    // Prevents automatic replies (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated" },
  };
}

/** Statuses about the login, in answer to any command (RFC 4954 §6, RFC 3207 §4). */
const LOGIN_STATUSES = [432, 454, 530, 534, 535, 538];

const BY_CODE: Readonly<Record<string, MailFailure>> = {
  ...{ EDNS: "dns", ETLS: "tls", EREQUIRETLS: "tls", EAUTH: "auth", ENOAUTH: "auth" },
  ...{ ETIMEDOUT: "timeout", EABORT: "timeout", EENVELOPE: "address" },
};
const OF_TLS = /certificate|CERT_|TLS|SSL|self.signed|UNABLE_TO_VERIFY/i;

/**
 * Classifies an error of the library. Its message is dropped because it may contain the address.
 */
function failureIn(error: unknown): {
  readonly reason: MailFailure;
  readonly status: number | null;
} {
  const {
    code = "",
    responseCode,
    message,
  } = error as Partial<Record<string, string>> & {
    readonly responseCode?: number;
  };
  const status = responseCode ?? null;
  if (code === "EAUTH" || (status !== null && LOGIN_STATUSES.includes(status))) {
    return { reason: "auth", status };
  }
  // The server is shutting down.
  if (status === 421) return { reason: "connect", status };
  if ((code === "EENVELOPE" || code === "EMESSAGE") && status !== null) {
    return { reason: status >= 500 ? "rejected" : "deferred", status };
  }
  if (code === "ESOCKET" && OF_TLS.test(message ?? "")) return { reason: "tls", status };
  return { reason: BY_CODE[code] ?? "connect", status };
}
