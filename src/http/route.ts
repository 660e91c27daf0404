/** A route: its contract and its handler, declared together. */
import type { Answer, Refusal, RendererName } from "./answer.ts";
import type { Call, PublicCall } from "./call.ts";
import type { Access, Contract } from "./contract.ts";
import type { Body } from "./validate.ts";

type Awaitable<T> = T | Promise<T>;

/** Checks path and caller before query and body are read. */
type Guard<C> = (call: C) => Awaitable<Refusal | null>;

export interface PublicRoute extends Contract {
  readonly access: "public";
  readonly guard?: Guard<PublicCall>;
  handle(call: PublicCall): Awaitable<Answer>;
}

export interface ProtectedRoute extends Contract {
  readonly access: Access;
  handle(call: Call): Awaitable<Answer>;
}

export type Route = PublicRoute | ProtectedRoute;

type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

type Declaration<
  Path extends string,
  A extends "public" | Access,
  B,
  R extends RendererName,
> = Omit<Contract, "path" | "access" | "body" | "renderer"> & {
  readonly path: Path;
  readonly access: A;
  readonly body?: Body<B>;
  readonly renderer?: R;
  readonly guard?: A extends "public" ? Guard<PublicCall<unknown, NamesIn<Path>>> : never;
  readonly handle: (
    call: A extends "public" ? PublicCall<B, NamesIn<Path>> : Call<B, NamesIn<Path>>,
  ) => Awaitable<Answer<R>>;
};

/** Declares a route; types the handler by its path, body and renderer. */
export function route<
  const Path extends string,
  const A extends "public" | Access,
  B = undefined,
  R extends RendererName = "envelope",
>(declaration: Declaration<Path, A, B, R>): Route {
  return declaration as unknown as Route;
}
