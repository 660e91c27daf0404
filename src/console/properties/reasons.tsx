/** What prevents a hotel from going on sale, as a check-list. */

export interface Reason {
  readonly path: string;
  readonly severity?: string;
  readonly message: string;
  readonly expected?: string;
}

/** The reasons of a refused promotion or import, by any of the forms that they come in. */
export function reasonsOf(detail: unknown): readonly Reason[] {
  const { reasons, field_errors } = (detail ?? {}) as {
    readonly reasons?: readonly Reason[];
    readonly field_errors?: readonly Reason[];
  };
  return reasons ?? field_errors ?? [];
}

/** Without those of fields, which are shown with the problem. */
export function reasonsBesideFields(detail: unknown): readonly Reason[] {
  return ((detail ?? {}) as { readonly reasons?: readonly Reason[] }).reasons ?? [];
}

/** Each with where it is in the hotel's data. */
export function Reasons({ reasons }: { readonly reasons: readonly Reason[] }) {
  if (reasons.length === 0) return null;
  return (
    <ul class="reasons">
      {reasons.map(({ path, severity = "error", message, expected }) => (
        <li>
          {severity === "error" ? "✗" : "⚠"} {message}
          {expected !== undefined && `: ${expected}`} <code>{path}</code>
        </li>
      ))}
    </ul>
  );
}
