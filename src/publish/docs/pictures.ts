/**
 * Pictures of the service's pages, each light and dark. `test/pictures/make-pictures.ts` takes
 * them.
 */
import { fileURLToPath } from "node:url";

const NAMES = ["today", "booking", "calendar", "incident", "dead-letter", "figures", "checkout"];
const WIDTH = 1_280;
const HEIGHT = 800;

/** The files, by name. */
export const PICTURES = NAMES.flatMap((name) => [`${name}-light.webp`, `${name}-dark.webp`]);

/** A picture; read when it is asked for, because few are. */
export function picture(file: string): Promise<Uint8Array<ArrayBuffer>> {
  return Bun.file(fileURLToPath(import.meta.resolve(`./pictures/${file}`))).bytes();
}

/** Markdown for readers of the repository names files; the service has them at an address. */
export function servedPictures(markdown: string): string {
  return markdown.replace(
    /(!\[[^\]]+\])\(\.\.\/pictures\/([\w-]+\.webp)\)/g,
    "$1(/docs/assets/$2)",
  );
}

/** Light pictures in HTML, exchanged for the dark ones where the reader prefers them. */
export function withDarkPictures(html: string, root: string): string {
  return html.replace(
    /<img src="(\/docs\/assets\/[\w-]+)-light\.webp" alt="([^"]*)"[^>]*>/g,
    (_, path: string, alt: string) => {
      const dark = `<source srcset="${root}${path}-dark.webp" media="(prefers-color-scheme: dark)">`;
      const size = `width="${WIDTH}" height="${HEIGHT}" loading="lazy"`;
      return `<picture>${dark}<img src="${root}${path}-light.webp" alt="${alt}" ${size}></picture>`;
    },
  );
}
