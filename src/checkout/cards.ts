/** Test cards of the sandbox provider, as a person chooses among them. */

interface Card {
  /** Value of the field. */
  readonly id: string;
  readonly label: string;
  readonly token: string;
}

export const CARDS: readonly Card[] = [
  { id: "ok", label: "Test card that is charged", token: "tok_test_ok" },
  { id: "declined", label: "Test card that is declined", token: "tok_test_declined" },
  {
    id: "no-funds",
    label: "Test card with insufficient funds",
    token: "tok_test_insufficient_funds",
  },
  {
    id: "late",
    label: "Test card that is charged after more than ten seconds",
    token: "tok_test_timeout_then_captured",
  },
];
