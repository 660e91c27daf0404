/** Strict parsing of a command's options; errors name the option. */
import { parseArgs } from "node:util";

export interface Option {
  /** Placeholder of the value in the help text; undefined for a switch. */
  readonly value?: string;
  readonly help: string;
}

export type Options = Readonly<Record<string, Option>>;

/** An invalid command line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The message of a `parseArgs` error, without its advice on leading dashes. */
export function parseProblem(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\. To specify .*/s, "");
}

export class Arguments {
  readonly #values: Readonly<Record<string, string | boolean | undefined>>;
  readonly #operands: readonly string[];

  /**
   * Throws a UsageError for unknown options, missing values, and more than `operandsMax` operands.
   */
  constructor(args: readonly string[], options: Options, operandsMax = 0) {
    const known = Object.entries(options).map(([name, { value }]) => {
      return [name, { type: value === undefined ? "boolean" : "string" }] as const;
    });
    try {
      const config = { args: [...args], options: Object.fromEntries(known) };
      const { values, positionals } = parseArgs({ ...config, allowPositionals: operandsMax > 0 });
      this.#values = values;
      this.#operands = positionals;
      const unexpected = positionals[operandsMax];
      if (unexpected !== undefined) throw new Error(`unexpected ${unexpected}`);
    } catch (error) {
      throw new UsageError(parseProblem(error));
    }
  }

  isSet(name: string): boolean {
    return this.#values[name] !== undefined;
  }

  /** The first operand. */
  operand(fallback: string): string {
    return this.#operands[0] ?? fallback;
  }

  operands(): readonly string[] {
    return this.#operands;
  }

  /** Text of 1 to 200 characters; required without a `fallback`. */
  text(name: string, fallback?: string): string {
    const value = this.#values[name] ?? fallback;
    if (value === undefined) throw new UsageError(`--${name} is missing`);
    if (typeof value === "string" && value.length >= 1 && value.length <= 200) return value;
    throw new UsageError(`--${name} must have 1 to 200 characters`);
  }

  oneOf<const T extends string>(name: string, words: readonly T[], fallback: T): T {
    const value = this.#values[name] ?? fallback;
    const found = words.find((word) => word === value);
    if (found !== undefined) return found;
    throw new UsageError(`--${name} must be one of ${words.join(", ")}`);
  }

  /** A whole number from 1 to `most`; null when the option is not given. */
  count(name: string, most: number): number | null {
    const text = this.#values[name];
    if (text === undefined) return null;
    const value = typeof text === "string" && /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= 1 && value <= most) return value;
    throw new UsageError(`--${name} must be a whole number from 1 to ${most}`);
  }
}
