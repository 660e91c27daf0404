/**
 * Mails as files, for installations without a mail server and for tests: one `.eml` (RFC 5322) per
 * mail, in a directory that only its owner may read.
 *
 * Invariant: a file with its final name is complete and durable. The name has time and booking,
 * sorts by time, and contains no personal data. A mail that is written twice is one file.
 */
import { mkdir, open, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import nodemailer from "nodemailer";
import { isAddress } from "../../src/lib/mailbox.ts";
import type { Mail, Mailer, Sending } from "./mail.ts";
import { messageOf } from "./smtp.ts";

export class OutboxMailer implements Mailer {
  readonly via = "outbox";
  readonly #directory: string;
  readonly #transport = nodemailer.createTransport({
    ...{ streamTransport: true, buffer: true, newline: "windows" },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
  /** The running sync of the directory, and the one that starts after it. */
  #syncing: Promise<void> = Promise.resolve();
  #nextSync: Promise<void> | null = null;

  /** Writes into `directory`, which the first mail creates. */
  constructor(directory: string) {
    this.#directory = directory;
  }

  async send(mail: Mail): Promise<Sending> {
    if (!isAddress(mail.to.address)) return { ok: false, reason: "address", status: null };
    try {
      const { message } = await this.#transport.sendMail(messageOf(mail));
      await this.#write(fileNameOf(mail), message as Buffer);
      return { ok: true };
    } catch {
      return { ok: false, reason: "disk", status: null };
    }
  }

  close(): void {}

  async #write(name: string, bytes: Uint8Array): Promise<void> {
    // The next try overwrites a file left by a killed process.
    const temporary = join(this.#directory, `.${name}.partial`);
    const write = () => writeFile(temporary, bytes, { mode: 0o600, flush: true });
    await write().catch(async () => {
      await mkdir(this.#directory, { recursive: true, mode: 0o700 });
      await write();
    });
    await rename(temporary, join(this.#directory, name));
    await this.#synced();
  }

  /** Makes all renames so far durable; renames during a sync share the next one. */
  #synced(): Promise<void> {
    this.#nextSync ??= this.#syncing.then(async () => {
      this.#nextSync = null;
      await using directory = await open(this.#directory, "r");
      await directory.sync();
    });
    const next = this.#nextSync;
    this.#syncing = next.catch(() => {});
    return next;
  }
}

/** `20261218T140000123Z-confirmation.bkg_01k….eml`. */
function fileNameOf({ dateMs, message_id }: Mail): string {
  const at = new Date(dateMs).toISOString().replace(/[-:.]/g, "");
  return `${at}-${message_id.slice(0, message_id.indexOf("@"))}.eml`;
}
