/** Test cards of the sandbox provider, as a person chooses among them. */

/** Value of the field; the words of each language have its name. */
export type CardId = "ok" | "declined" | "no-funds" | "late";

interface Card {
  readonly id: CardId;
  readonly token: string;
}

export const CARDS: readonly Card[] = [
  { id: "ok", token: "tok_test_ok" },
  { id: "declined", token: "tok_test_declined" },
  { id: "no-funds", token: "tok_test_insufficient_funds" },
  { id: "late", token: "tok_test_timeout_then_captured" },
];
