/**
 * A mail server for tests (RFC 5321, as much as a client needs), on a free port of this machine.
 * What it answers can be changed at any time, and it remembers every mail that it was handed.
 */
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, TLSSocket } from "node:tls";
import type { Certificate } from "./certificate.ts";

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The message as it came, without the dots that SMTP adds. */
  readonly text: string;
  readonly isTls: boolean;
}

/** Where a conversation is when the server answers. */
export type Stage = "greeting" | "hello" | "login" | "sender" | "recipient" | "data" | "message";

/** The answer at a stage; null says nothing, for ever. Absent: what makes the client go on. */
export type Script = Partial<Readonly<Record<Stage, string | null>>>;

const USUAL: Readonly<Record<Stage, string>> = {
  greeting: "220 mail.test ESMTP",
  hello: "250 mail.test",
  login: "235 2.7.0 welcome",
  sender: "250 2.1.0 ok",
  recipient: "250 2.1.5 ok",
  data: "354 go on",
  message: "250 2.0.0 taken",
};

export class SmtpServer {
  readonly received: ReceivedMail[] = [];
  /** What clients said to log in, decoded. */
  readonly logins: string[] = [];
  connections = 0;
  script: Script = {};
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  readonly #certificate: Certificate | undefined;

  private constructor(certificate?: Certificate, isTls = false) {
    this.#certificate = certificate;
    const serve = (socket: Socket) => this.#serve(socket);
    this.#server = isTls ? createTlsServer({ ...certificate }, serve) : createServer(serve);
    this.#server.on("tlsClientError", () => {});
  }

  /** With a certificate it offers `STARTTLS`, or speaks TLS from the first byte on. */
  static async start(certificate?: Certificate, isTls = false): Promise<SmtpServer> {
    const started = new SmtpServer(certificate, isTls);
    await new Promise<void>((resolve) => {
      started.#server.listen(0, "127.0.0.1", resolve);
    });
    return started;
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  /** Breaks every connection off. */
  hangUp(): void {
    for (const socket of this.#open) socket.destroy();
  }

  stop(): void {
    this.#server.close();
    this.hangUp();
  }

  #serve(socket: Socket): void {
    this.connections += 1;
    this.#open.add(socket);
    socket.on("close", () => this.#open.delete(socket));
    const talk = new Conversation(this, socket, this.#certificate);
    talk.answer("greeting");
  }
}

/** What is said on one connection; after `STARTTLS` another one begins on it. */
class Conversation {
  readonly #server: SmtpServer;
  readonly #socket: Socket;
  readonly #certificate: Certificate | undefined;
  #heard = "";
  #from = "";
  #to: string[] = [];
  #isMessage = false;

  constructor(server: SmtpServer, socket: Socket, certificate: Certificate | undefined) {
    this.#server = server;
    this.#socket = socket;
    this.#certificate = certificate;
    socket.on("error", () => {});
    socket.on("data", (chunk) => this.#hear(chunk.toString("latin1")));
  }

  get #isTls(): boolean {
    return this.#socket instanceof TLSSocket;
  }

  /** Says what the script has for a stage; `more` lines only when it has nothing. */
  answer(stage: Stage, more: readonly string[] = []): void {
    const said = this.#server.script[stage];
    if (said === null) return;
    const [code, ...words] = (said ?? USUAL[stage]).split(" ");
    const lines = [words.join(" "), ...(said === undefined ? more : [])];
    const text = lines.map((line, i) => `${code}${i < lines.length - 1 ? "-" : " "}${line}\r\n`);
    this.#socket.write(text.join(""));
  }

  #hear(text: string): void {
    this.#heard += text;
    for (;;) {
      const mark = this.#isMessage ? "\r\n.\r\n" : "\r\n";
      const end = this.#heard.indexOf(mark);
      if (end < 0) return;
      const said = this.#heard.slice(0, end);
      this.#heard = this.#heard.slice(end + mark.length);
      if (this.#isMessage) this.#take(said);
      else this.#command(said);
    }
  }

  #take(message: string): void {
    this.#isMessage = false;
    const text = `${message.replace(/^\./gm, "")}\r\n`;
    this.#server.received.push({ from: this.#from, to: this.#to, text, isTls: this.#isTls });
    this.answer("message");
  }

  #command(line: string): void {
    const [verb = "", , second = ""] = line.split(" ");
    const named = /<([^>]*)>/.exec(line)?.[1] ?? "";
    switch (verb.toUpperCase()) {
      case "EHLO": {
        const isOpen = this.#isTls || !this.#certificate;
        return this.answer("hello", isOpen ? ["AUTH PLAIN", "SMTPUTF8"] : ["STARTTLS"]);
      }
      case "STARTTLS":
        return this.#secure();
      case "AUTH":
        this.#server.logins.push(Buffer.from(second, "base64").toString());
        return this.answer("login");
      case "MAIL":
        this.#from = named;
        this.#to = [];
        return this.answer("sender");
      case "RCPT":
        this.#to.push(named);
        return this.answer("recipient");
      case "DATA":
        this.#isMessage = true;
        return this.answer("data");
      case "QUIT":
        this.#socket.end("221 bye\r\n");
        return;
      default:
        this.#socket.write("250 ok\r\n");
    }
  }

  #secure(): void {
    this.#socket.write("220 go ahead\r\n");
    this.#socket.removeAllListeners("data");
    const terms = { isServer: true, ...this.#certificate };
    new Conversation(this.#server, new TLSSocket(this.#socket, terms), this.#certificate);
  }
}

/** Header fields of a message by their names in lower case, unfolded, and what follows them. */
export function messageIn(text: string) {
  const end = text.indexOf("\r\n\r\n");
  const head = text.slice(0, end).replace(/\r\n[ \t]+/g, " ");
  const fields = head.split("\r\n").map((line) => {
    const [, name = "", value = ""] = /^([!-9;-~]+): ?(.*)$/.exec(line) ?? [];
    if (name === "") throw new Error(`no header field: ${JSON.stringify(line)}`);
    return [name.toLowerCase(), value] as const;
  });
  const names = fields.map(([name]) => name);
  const body = text.slice(end + 4);
  const boundary = /boundary="([^"]+)"/.exec(head)?.[1] ?? "";
  const parts = body.split(`--${boundary}`).slice(1, -1).map(partIn);
  return { names, fields: Object.fromEntries(fields) as Record<string, string>, parts };
}

/** One part of a multipart message, decoded. */
function partIn(part: string) {
  const end = part.indexOf("\r\n\r\n");
  const head = part.slice(0, end).toLowerCase();
  const body = part.slice(end + 4).replace(/\r\n$/, "");
  const type = /content-type: ([^;\r\n]+)/.exec(head)?.[1] ?? "";
  if (head.includes("base64")) return { type, text: Buffer.from(body, "base64").toString() };
  const bytes = body
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  const isPrintable = head.includes("quoted-printable");
  return { type, text: Buffer.from(isPrintable ? bytes : body, "latin1").toString() };
}
