/** The answer to a deed that the API refused, or to a page whose subject cannot be read. */
import type { ApiError } from "./api.ts";
import { Crumbs, Problem } from "./parts.tsx";
import type { Place, Shown } from "./shown.ts";
import type { Visit } from "./visit.ts";

interface Refused {
  readonly place: Place;
  /** What was tried, or what cannot be shown. */
  readonly heading: string;
  readonly error: ApiError;
  /** Path below the root of the service. */
  readonly back: string;
  readonly backTo: string;
}

/** 404 for what is not there, else 409. */
export function notDone(visit: Visit, { place, heading, error, back, backTo }: Refused): Shown {
  const main = (
    <>
      <Crumbs to={visit.root + back}>{backTo}</Crumbs>
      <h1>{heading}</h1>
      <Problem error={error} />
    </>
  );
  const status = error.code.endsWith("_not_found") ? 404 : 409;
  return { title: "Not done", place, main, status };
}
