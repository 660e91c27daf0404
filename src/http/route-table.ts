/** Look-up of routes by path, method or id, with the router that Elysia uses. */
import { Memoirist } from "memoirist";
import type { RendererName } from "./answer.ts";
import type { Contract } from "./contract.ts";

export class RouteTable<R extends Contract> {
  /** All routes, in the order of the table. */
  readonly all: readonly R[];
  /** Those for programs, which the documents describe. */
  readonly published: readonly R[];
  readonly #router = new Memoirist<R>();
  readonly #byId = new Map<string, R>();
  readonly #methods: ReadonlySet<string>;
  /** Route → its position among all, those with fewer parameters first. */
  readonly #order: ReadonlyMap<R, number>;
  /** Every path of every route. */
  readonly #paths: readonly { readonly route: R; readonly segments: readonly string[] }[];

  /** @throws Error when two routes have one id. */
  constructor(routes: readonly R[]) {
    this.all = routes;
    this.published = routes.filter(({ isPage }) => isPage !== true);
    for (const route of routes) {
      if (this.#byId.has(route.id)) throw new Error(`two routes have the id ${route.id}`);
      this.#byId.set(route.id, route);
      for (const path of pathsOf(route)) this.#router.add(route.method, path, route);
    }
    this.#methods = new Set(routes.map(({ method }) => method));
    const parameters = ({ path }: R) => path.split(":").length;
    const ordered = routes.toSorted((a, b) => parameters(a) - parameters(b));
    this.#order = new Map(ordered.map((route, i) => [route, i]));
    this.#paths = routes.flatMap((route) => {
      return pathsOf(route).map((path) => ({ route, segments: path.split("/") }));
    });
  }

  /** The route of that id. Throws when there is none. */
  byId(id: string): R {
    const route = this.#byId.get(id);
    if (!route) throw new Error(`no route ${id}`);
    return route;
  }

  /** The routes of a concrete path, one per method; those without parameters come first. */
  at(path: string): readonly R[] {
    const found = [...this.#methods].flatMap((method) => this.match(method, path) ?? []);
    return found.sort((a, b) => this.#order.get(a)! - this.#order.get(b)!);
  }

  /** The route that answers a method on a concrete path. */
  match(method: string, path: string): R | undefined {
    return this.#router.find(method, path)?.store;
  }

  /**
   * How refusals look around a path that has no route: as those of all routes below the last known
   * segment, the envelope where these differ. Pages count only where there is nothing else.
   */
  rendererNear(path: string): RendererName {
    let near = this.#paths;
    for (const [i, segment] of path.split("/").entries()) {
      const named = near.filter(({ segments }) => segments[i] === segment);
      const next = named[0] ? named : near.filter(({ segments }) => segments[i]?.startsWith(":"));
      if (next.length === 0) break;
      near = next;
    }
    const forPrograms = near.filter(({ route }) => !route.isPage);
    const seen = forPrograms.length > 0 ? forPrograms : near;
    const renderers = seen.map(({ route: { renderer = "envelope" } }) => renderer);
    const [only = "envelope", ...others] = new Set(renderers);
    return others.length > 0 ? "envelope" : only;
  }
}

/** Every path that a route answers at, the published one first. */
export function pathsOf({ path, formerPath }: Pick<Contract, "path" | "formerPath">): string[] {
  return formerPath === undefined ? [path] : [path, formerPath];
}

/** The table as those see it who describe the routes. */
export type Routes = RouteTable<Contract>;
