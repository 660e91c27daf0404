/**
 * A question to the hotel's advisor, as a plain form; the question is part of the address and not
 * stored. Only rules answer, so strangers cost no model calls.
 */
import { dateOf } from "../../../engine/core/calendar.ts";
import { advise } from "../../advisor/advise.ts";
import { keptFields } from "./parts.tsx";
import type { View } from "./view.ts";

export const QUESTION_MAX = 500;

/** The answer for the stay that the page shows. */
function answerTo(view: View, text: string): string {
  const { property, asked, nowMs, locale } = view;
  const { checkInDay, nights, adults, partner } = asked;
  const stay = `${dateOf(checkInDay)} to ${dateOf(checkInDay + nights)} for ${adults} adults`;
  const { message } = advise(
    { property, agentId: partner.name, nowMs },
    { text, earlier: [{ text: stay, atMs: nowMs }], locale: locale.tag },
  );
  return message;
}

/** The form, with the question and answer above it. */
export function questionsOf(view: View) {
  const { words, here, question } = view;
  return (
    <section id="ask" aria-labelledby="ask-title">
      <h2 id="ask-title">{words.askTitle}</h2>
      {question !== null && (
        <>
          <p class="faint" dir="auto">
            {question}
          </p>
          <p role="status">{linesOf(answerTo(view, question))}</p>
        </>
      )}
      <form class="search" method="get" action={`${here}#ask`}>
        {keptFields(view)}
        <label>
          <span>{words.askLabel}</span>
          <input type="text" name="ask" required maxlength={QUESTION_MAX} dir="auto" />
        </label>
        <button type="submit">{words.askButton}</button>
      </form>
    </section>
  );
}

function linesOf(text: string) {
  return text.split("\n").map((line, i) => [i > 0 && <br />, line]);
}
