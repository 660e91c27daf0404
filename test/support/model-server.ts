/** A chat completions endpoint on loopback that behaves, or misbehaves, as it is told. */
import http from "node:http";
import type { AddressInfo } from "node:net";

export type ModelAct =
  | { readonly is: "says"; readonly message: string; readonly used_facts: readonly string[] }
  /** `stalls` never answers; `half` and `dies` cut the answer off. */
  | { readonly is: "stalls" | "floods" | "half" | "dies" | "refuses" | "streams" };

const FLOOD = Buffer.alloc(64 * 1024, " ");

export class ModelServer {
  act: ModelAct = { is: "refuses" };
  /** Of the last request. */
  authorization = "";
  prompt = "";
  readonly #server = http.createServer((request, response) => {
    const chunks: Uint8Array[] = [];
    request.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    request.on("end", () => {
      this.authorization = request.headers.authorization ?? "";
      this.prompt = Buffer.concat(chunks).toString();
      this.#answer(response);
    });
  });

  constructor() {
    this.#server.listen(0, "127.0.0.1");
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/v1/chat/completions`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #answer(response: http.ServerResponse): void {
    const { act } = this;
    switch (act.is) {
      case "says": {
        const { message, used_facts } = act;
        const content = JSON.stringify({ message, used_facts });
        const choices = [{ message: { role: "assistant", content } }];
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ choices }));
        return;
      }
      case "stalls":
        return;
      case "floods": {
        const pour = () => {
          while (!response.destroyed && response.write(FLOOD));
          if (!response.destroyed) response.once("drain", pour);
        };
        pour();
        return;
      }
      case "half":
        response.write('{"choices": [{"message": {"content": "');
        setTimeout(() => response.destroy(), 50);
        return;
      case "dies":
        response.destroy();
        return;
      case "refuses":
        response.statusCode = 500;
        response.end("no");
        return;
      case "streams":
        response.setHeader("content-type", "text/event-stream");
        response.end('data: {"choices":[{"delta":{"content":"Check-in"}}]}\n\ndata: [DONE]\n\n');
    }
  }
}
