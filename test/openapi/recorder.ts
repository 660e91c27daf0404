/**
 * Talks to a service and keeps what was said, by operation. The examples of the OpenAPI document
 * are made from it, and every answer is held against the document's schemas.
 */
import { ROUTES } from "../../src/app.ts";
import type { Route } from "../../src/http/route.ts";
import type { Answer } from "../support/answer.ts";
import type { Options, Service } from "../support/service.ts";

export interface Recorded {
  readonly route: Route;
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  /** JSON body of the request; undefined where it had none or was no JSON. */
  readonly request?: unknown;
  readonly answer: Answer;
  /** JSON, or text. */
  readonly response: unknown;
  /** Code of an error envelope; null for everything else. */
  readonly code: string | null;
}

/** The route that answers a call. */
function routeOf(method: string, path: string): Route {
  const [plain = ""] = path.split("?");
  const found = ROUTES.match(method, plain);
  if (!found) throw new Error(`no route ${method} ${path}`);
  return found;
}

export class Recorder {
  readonly service: Service;
  readonly all: Recorded[] = [];

  constructor(service: Service) {
    this.service = service;
  }

  /** Like `Service.api`, and remembers. */
  async call(method: string, path: string, options: Options = {}): Promise<Answer> {
    const answer = await this.service.api(method, path, options);
    const route = routeOf(method, path);
    const isJson = answer.headers.get("content-type")?.includes("json") ?? false;
    const response = isJson ? answer.json : answer.text;
    const code = (response as { error?: { code?: string } }).error?.code ?? null;
    const { body } = options;
    const request = body === undefined ? {} : { request: body };
    const { id: operationId } = route;
    this.all.push({ route, operationId, method, path, ...request, answer, response, code });
    return answer;
  }
}
