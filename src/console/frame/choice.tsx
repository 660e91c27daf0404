/** A field whose value is chosen from a list. */
import { wordsOf } from "./parts.tsx";

/** A value of the field and what people read. */
export type Option = readonly [value: string, words: string];

interface ChoiceOf {
  readonly label: string;
  readonly name: string;
  readonly options: readonly Option[];
  /** Absent, the first one. */
  readonly chosen?: string | undefined;
  /** Names the choice of none; absent where one must be chosen. */
  readonly any?: string;
}

/** A `select` with its label. */
export function Choice({ label, name, options, chosen, any }: ChoiceOf) {
  const all: readonly Option[] = any === undefined ? options : [["", any], ...options];
  return (
    <label>
      {label}
      <select name={name}>
        {all.map(([value, words]) => (
          <option value={value} selected={value === chosen}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Names of the API, as people read them. */
export function optionsOf(names: readonly string[]): Option[] {
  return names.map((name) => [name, wordsOf(name)]);
}
