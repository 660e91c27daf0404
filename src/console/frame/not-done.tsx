/** The answer to a deed that the API refused, or to a page whose subject cannot be read. */
import type { ApiError } from "./api.ts";
import { Crumbs, Problem } from "./parts.tsx";
import type { Origin, Shown } from "./shown.ts";
import type { Visit } from "./visit.ts";

/**
 * 404 for a page that cannot be read. 409 for a deed, with the way back to its form as it was
 * filled in. `heading` says what was tried or cannot be shown, without words of people.
 */
export function notDone(visit: Visit, origin: Origin, heading: string, error: ApiError): Shown {
  const back = visit.root + origin.back;
  const isDeed = visit.call.method === "POST";
  const main = (
    <>
      <Crumbs to={back}>{origin.backName}</Crumbs>
      <h1>{heading}</h1>
      <Problem error={error} />
      {isDeed && (
        <p>
          <a href={back} data-goes-back>
            Go back
          </a>
        </p>
      )}
    </>
  );
  const title = isDeed ? "Not done" : heading;
  return { title, place: origin.place, main, status: isDeed ? 409 : 404 };
}
