/** The pages around a deed: the question before it, and the refusal after it. */
import type { ComponentChildren } from "preact";
import type { ApiError } from "./api.ts";
import { ActionForm, Crumbs, Problem } from "./parts.tsx";
import type { Place, Shown } from "./shown.ts";
import type { Visit } from "./visit.ts";

/** Where a deed belongs. */
export interface Origin {
  readonly place: Place;
  /** Path below the root of the service. */
  readonly back: string;
  readonly backName: string;
}

interface Question extends Origin {
  /** Of the page: nothing that people wrote. */
  readonly title: string;
  /** Words of people, such as a name. */
  readonly about: string;
  /** Where the form leads. */
  readonly to: string;
  readonly button: string;
  readonly children: ComponentChildren;
}

/** Asks before a deed; nothing has happened yet. */
export function askedPage<Name extends string>(visit: Visit<Name>, question: Question): Shown {
  const { title, about, place, to, button, children } = question;
  const main = (
    <>
      <Crumbs to={visit.root + question.back}>{question.backName}</Crumbs>
      <h1>{title}</h1>
      <p class="lead">
        <bdi>{about}</bdi>
      </p>
      <ActionForm visit={visit} to={to} class="card">
        {children}
        <button type="submit" class="danger">
          {button}
        </button>
      </ActionForm>
    </>
  );
  return { title, place, main };
}

/** A deed that the API has refused: `title` says which. */
export function refusedPage(
  { root }: Visit,
  origin: Origin,
  title: string,
  error: ApiError,
): Shown {
  const main = (
    <>
      <Crumbs to={root + origin.back}>{origin.backName}</Crumbs>
      <h1>{title}: not done</h1>
      <Problem error={error} />
      <p>
        <a href={root + origin.back} data-goes-back>
          Back to the form
        </a>
      </p>
    </>
  );
  return { title: "Not done", place: origin.place, main, status: 409 };
}

/** A page whose subject cannot be read. */
export function unreadPage({ root }: Visit, origin: Origin, title: string, error: ApiError): Shown {
  const main = (
    <>
      <Crumbs to={root + origin.back}>{origin.backName}</Crumbs>
      <h1>{title}</h1>
      <Problem error={error} />
    </>
  );
  return { title, place: origin.place, main, status: 404 };
}
