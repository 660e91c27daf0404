/** What a terminal shows better than a file: colour, and only there. */

export interface Paint {
  dim(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  green(text: string): string;
}

const plain = (text: string) => text;
const coloured = (code: number) => (text: string) => `\x1b[${code}m${text}\x1b[0m`;

const PLAIN: Paint = { dim: plain, red: plain, yellow: plain, green: plain };
const COLOURED: Paint = {
  dim: coloured(2),
  red: coloured(31),
  yellow: coloured(33),
  green: coloured(32),
};

/** Colours for `stream`, unless it is no terminal or `NO_COLOR` is set (no-color.org). */
export function paintOf(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): Paint {
  return stream.isTTY && !env.NO_COLOR && env.TERM !== "dumb" ? COLOURED : PLAIN;
}
