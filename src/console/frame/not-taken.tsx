/** The answer to a form that no page of this session sent. */
import type { Shown } from "./shown.ts";

/** 403: nothing was changed. */
export function notTaken(): Shown {
  const main = (
    <>
      <h1>Nothing was changed</h1>
      <p>
        The form was not sent by a page of this session: it may have been open since before you
        signed in. Open the page again and repeat it there.
      </p>
    </>
  );
  return { title: "Nothing was changed", place: "today", main, status: 403 };
}
