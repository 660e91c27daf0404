/** Colours for terminals. */

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

/** Colours if `stream` is a terminal and `NO_COLOR` is not set (no-color.org). */
export function paintOf(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): Paint {
  return stream.isTTY && !env.NO_COLOR && env.TERM !== "dumb" ? COLOURED : PLAIN;
}
