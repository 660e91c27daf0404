/** Look-up of routes by path, method or id. */
import type { RendererName } from "./answer.ts";
import type { Contract } from "./contract.ts";

/** What lies at a path, segment by segment; `:name` segments share one child. */
interface Place<R> {
  readonly children: Map<string, Place<R>>;
  parameter: Place<R> | null;
  readonly routes: R[];
}

function place<R>(): Place<R> {
  return { children: new Map(), parameter: null, routes: [] };
}

export class RouteTable<R extends Contract> {
  /** All routes, in the order of the table. */
  readonly all: readonly R[];
  readonly #root: Place<R> = place();
  readonly #byId = new Map<string, R>();
  /** By a path without parameters and method: what answers offer most, and ask `match` for. */
  readonly #literal = new Map<string, Map<string, R>>();

  /** @throws Error when two routes have one id. */
  constructor(routes: readonly R[]) {
    this.all = routes;
    for (const route of routes) {
      if (this.#byId.has(route.id)) throw new Error(`two routes have the id ${route.id}`);
      this.#byId.set(route.id, route);
      for (const path of pathsOf(route)) this.#placeOf(path).routes.push(route);
      if (route.path.includes(":")) continue;
      const byMethod = this.#literal.get(route.path) ?? new Map<string, R>();
      if (!byMethod.has(route.method)) byMethod.set(route.method, route);
      this.#literal.set(route.path, byMethod);
    }
  }

  #placeOf(path: string): Place<R> {
    let at = this.#root;
    for (const segment of path.split("/")) {
      if (segment.startsWith(":")) {
        at.parameter ??= place();
        at = at.parameter;
      } else {
        if (!at.children.has(segment)) at.children.set(segment, place());
        at = at.children.get(segment)!;
      }
    }
    return at;
  }

  /** The route of that id. Throws when there is none. */
  byId(id: string): R {
    const route = this.#byId.get(id);
    if (!route) throw new Error(`no route ${id}`);
    return route;
  }

  /** The routes of a concrete path, whatever their method; those that name it whole come first. */
  at(path: string): readonly R[] {
    const found: R[] = [];
    this.#collect(this.#root, path, 0, found);
    return found;
  }

  /** The route that answers a method on a concrete path. */
  match(method: string, path: string): R | undefined {
    const literal = this.#literal.get(path)?.get(method);
    return literal ?? this.at(path).find((route) => route.method === method);
  }

  /**
   * How refusals look around a path that has no route: as those of all routes below the last known
   * segment, the envelope where these differ.
   */
  rendererNear(path: string): RendererName {
    let near = this.#root;
    for (const segment of path.split("/")) {
      const next = near.children.get(segment) ?? near.parameter;
      if (!next) break;
      near = next;
    }
    const [only = "envelope", ...others] = new Set(renderersBelow(near));
    return others.length > 0 ? "envelope" : only;
  }

  /** Adds the routes that lie at `path` from the character `from` on, below `at`. */
  #collect(at: Place<R>, path: string, from: number, found: R[]): void {
    if (from > path.length) {
      found.push(...at.routes);
      return;
    }
    const slash = path.indexOf("/", from);
    const end = slash < 0 ? path.length : slash;
    const own = at.children.get(path.slice(from, end));
    if (own) this.#collect(own, path, end + 1, found);
    if (at.parameter && end > from) this.#collect(at.parameter, path, end + 1, found);
  }
}

/** Every path that a route answers at, the published one first. */
export function pathsOf({ path, formerPath }: Pick<Contract, "path" | "formerPath">): string[] {
  return formerPath === undefined ? [path] : [path, formerPath];
}

function* renderersBelow<R extends Contract>(at: Place<R>): Generator<RendererName> {
  for (const { renderer = "envelope" } of at.routes) yield renderer;
  for (const child of at.children.values()) yield* renderersBelow(child);
  if (at.parameter) yield* renderersBelow(at.parameter);
}

/** The table as those see it who describe the routes. */
export type Routes = RouteTable<Contract>;
