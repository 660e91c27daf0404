/** Documents: the head of every page, the common frame, and elements as text. */
import type { ComponentChildren, VNode } from "preact";
import { render } from "preact-render-to-string";
import type { Page } from "./frame.ts";

interface HeadOf {
  readonly title: string;
  readonly description?: string | undefined;
  /** Address. */
  readonly icon: string;
  /** Addresses. */
  readonly styles?: readonly string[];
  readonly scripts?: readonly string[];
  /** No search engine keeps it. */
  readonly isUnlisted?: boolean;
  readonly children?: ComponentChildren;
}

/** The head of every page. */
export function Head(head: HeadOf) {
  const { title, description, icon, styles = [], scripts = [], isUnlisted, children } = head;
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      {isUnlisted && <meta name="robots" content="noindex" />}
      <title>{title}</title>
      {description !== undefined && <meta name="description" content={description} />}
      <link rel="icon" href={icon} />
      {styles.map((href) => (
        <link rel="stylesheet" href={href} />
      ))}
      {children}
      {scripts.map((src) => (
        <script src={src} defer />
      ))}
    </head>
  );
}

/** The first thing that a keyboard reaches. */
export function SkipLink() {
  return (
    <a class="skip" href="#main">
      To the content
    </a>
  );
}

/** Where HTML of ours goes that is not made of elements; `name` is a word. */
export function TrustedPlace({ name }: { readonly name: string }) {
  return <trusted-html id={name} />;
}

/** The renderer escapes `<` of every text and attribute: no text makes a place. */
const [PLACE, PLACE_END] = ['<trusted-html id="', '"></trusted-html>'];

/**
 * The elements as HTML. `trusted` goes into its places as it is: only what this service has made,
 * and never words of a person.
 */
export function htmlOf(root: VNode, trusted: Readonly<Record<string, string>> = {}): string {
  const [html = "", ...others] = render(root).split(PLACE);
  return others.reduce((before, each) => {
    const nameEnd = each.indexOf('"');
    return before + trusted[each.slice(0, nameEnd)] + each.slice(nameEnd + PLACE_END.length);
  }, html);
}

/** A whole document; `root` is an `html` element. */
export function documentText(root: VNode, trusted?: Readonly<Record<string, string>>): string {
  return `<!doctype html>${htmlOf(root, trusted)}`;
}

/** Addresses below the root of the service, and their names. */
type Links = readonly (readonly [path: string, name: string])[];

const FOR_READERS: Links = [
  ["/docs", "Reference"],
  ["/docs/guides", "Guides"],
  ["/docs/errors", "Errors"],
  ["/docs/events", "Events"],
];
const FOR_PROGRAMS: Links = [
  ["/openapi.json", "OpenAPI"],
  ["/llms.txt", "llms.txt"],
  ["/.well-known/agent-card.json", "Agent card"],
  ["/capabilities.json", "Capabilities"],
  ["/readyz", "Status"],
  ["/legal", "Legal"],
];

function navigation(label: string, root: string, links: Links) {
  return (
    <nav aria-label={label}>
      {links.map(([path, name]) => [<a href={root + path}>{name}</a>, " "])}
    </nav>
  );
}

/** A page in the common frame; `root` is from `rootPath`, `style` the address of its style. */
export function framedText(page: Page, root: string, style: string): string {
  const { title, description, main, layout, alternate, styles = [], scripts, isUnlisted } = page;
  const about = { title, description, scripts: scripts ?? [], isUnlisted: isUnlisted ?? false };
  return documentText(
    <html lang="en">
      <Head {...about} icon={`${root}/logo.svg`} styles={[style, ...styles]}>
        {alternate && <link rel="alternate" type={alternate.type} href={alternate.href} />}
      </Head>
      <body class={layout}>
        <SkipLink />
        <header class="top">
          <a class="brand" href={`${root}/`}>
            <img src={`${root}/logo.svg`} alt="" width="28" height="28" /> Innkeep
          </a>
          {navigation("Documentation", root, FOR_READERS)}
        </header>
        <main id="main" tabindex={-1}>
          {main}
        </main>
        <footer class="bottom">{navigation("For programs", root, FOR_PROGRAMS)}</footer>
      </body>
    </html>,
    page.trusted,
  );
}
