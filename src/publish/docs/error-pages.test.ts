/** Goal: the page of a code that no call answers says so before the remedy. */
import { expect, test } from "bun:test";
import { REFUSAL_CODES } from "../../../engine/core/refusals.ts";
import { ROUTES } from "../../app.ts";
import { refusalCodesOf } from "../../http/refusal-codes.ts";
import { htmlOf } from "../../pages/document.tsx";
import { errorFacts } from "./error-facts.ts";
import { errorMarkdown, errorPage } from "./error-page.tsx";

const NOTICE = "No call of this version answers this code.";

test("exactly the pages of codes that no route answers begin with that notice", () => {
  for (const code of REFUSAL_CODES) {
    const isAnswered = ROUTES.all.some((route) => refusalCodesOf(route).includes(code));
    const facts = errorFacts(code, ROUTES);
    for (const text of [htmlOf(errorPage(facts, "").main), errorMarkdown(facts)]) {
      const [beforeWhatToDo = ""] = text.split("What to do");
      expect({ code, said: beforeWhatToDo.includes(NOTICE) }).toEqual({ code, said: !isAnswered });
    }
  }
});
