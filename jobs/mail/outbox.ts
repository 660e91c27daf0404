/**
 * Mails as files, for whoever has no mail server or tries things out: one `.eml` (RFC 5322) each,
 * in a directory of its own that only its owner may read.
 *
 * Maintained invariant: a file under its own name is whole and durable. Its name tells when and for
 * which booking, sorts by that, and holds nothing personal; the same mail has the same name, so a
 * mail that is written twice is one file.
 */
import { mkdir, open, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import nodemailer from "nodemailer";
import { isAddress, type Mail, type Mailer, type Sending } from "./mail.ts";
import { messageOf } from "./smtp.ts";

export class OutboxMailer implements Mailer {
  readonly via = "outbox";
  readonly #directory: string;
  readonly #transport = nodemailer.createTransport({
    ...{ streamTransport: true, buffer: true, newline: "windows" },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
  /** The last sync of the directory, and the one that waits for its end to begin. */
  #syncing: Promise<void> = Promise.resolve();
  #nextSync: Promise<void> | null = null;

  /** Writes into `directory`, which is made when the first mail is. */
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
    // What a killed process has left half written is written over by the next try.
    const temporary = join(this.#directory, `.${name}.partial`);
    const write = () => writeFile(temporary, bytes, { mode: 0o600, flush: true });
    await write().catch(async () => {
      await mkdir(this.#directory, { recursive: true, mode: 0o700 });
      await write();
    });
    await rename(temporary, join(this.#directory, name));
    await this.#synced();
  }

  /** Makes all that was renamed durable; what is while one sync runs shares the next. */
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
