/** The stay that is shown to who has said none: two nights, a month ahead. */
const DAY_MS = 86_400_000;
/** Far enough ahead that most rates can be cancelled for nothing. */
const IN_DAYS = 30;
const NIGHTS = 2;

/** Days of the stay, and today's. */
export function firstStay(engineNowMs: number) {
  const todayDay = Math.floor(engineNowMs / DAY_MS);
  const fromDay = todayDay + IN_DAYS;
  return { todayDay, fromDay, toDay: fromDay + NIGHTS };
}
