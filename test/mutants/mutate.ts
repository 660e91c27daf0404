/**
 * A seeded bug names a function and one mutation of it by its meaning, not lines of its source:
 * harmless edits leave it as it is. Code is compared token by token, so format does not count. A
 * mutation without a place in its function, or with more than one, is an error: a bug can neither
 * rot nor miss.
 */
import ts from "typescript";

/** What changes in the function. */
export type Mutation =
  /** Left out: the smallest statement, operand, member or element that contains this code. */
  | { readonly drop: string }
  /** Taken as true: the smallest condition that contains this code. */
  | { readonly holds: string }
  /** The function returns this at once; a constant has this value. */
  | { readonly always: string }
  /** Code, and what takes its place. */
  | { readonly instead: readonly [code: string, other: string] }
  /** A part of a text or pattern, and what takes its place; any white space equals any other. */
  | { readonly text: readonly [part: string, other: string] }
  /** A statement that contains the first code, and an earlier one before which it moves. */
  | { readonly before: readonly [moved: string, earlier: string] };

/** A bug on purpose, named by what it does. */
export type Bug = Mutation & {
  readonly name: string;
  /** Path of the file, then the `function`, `Class.method`, `outer.inner` or `CONSTANT` in it. */
  readonly in: string;
};

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The path of the file that has the bug, relative to the repository. */
export function fileOf(bug: Bug): string {
  return bug.in.split(" ")[0]!;
}

/** @throws Error when the function or the place of its mutation is missing or not the only one. */
export function mutated(source: string, bug: Bug): string {
  const file = ts.createSourceFile(fileOf(bug), source, ts.ScriptTarget.Latest, true);
  const name = bug.in.split(" ")[1]!;
  const root = only(declarationsOf(file, name.split(".")), `${bug.in}: the name`);
  const { in: _in, name: _name, ...mutation } = bug;
  const edits = new Map(editsOf(root, bug).map((edit) => [`${edit.start} ${edit.end}`, edit]));
  const { start, end, text } = only([...edits.values()], `${bug.in}: ${JSON.stringify(mutation)}`);
  return source.slice(0, start) + text + source.slice(end);
}

function only<T>(found: readonly T[], what: string): T {
  if (found.length === 1) return found[0]!;
  throw new Error(`${what} is there ${found.length} times, not once`);
}

/** Declarations whose path of names ends with this one. */
function declarationsOf(file: ts.SourceFile, path: readonly string[]): ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node, outer: readonly string[]): void => {
    const name = nameOf(node);
    const names = name === null ? outer : [...outer, name];
    if (name !== null && Bun.deepEquals(names.slice(-path.length), path)) found.push(node);
    ts.forEachChild(node, (child) => visit(child, names));
  };
  visit(file, []);
  return found;
}

/** Null for what has no code of its own: a local value, a member of a type, an overload. */
function nameOf(node: ts.Node): string | null {
  if (ts.isClassDeclaration(node)) return node.name?.text ?? null;
  if (ts.isVariableDeclaration(node)) {
    const isTop = ts.isSourceFile(node.parent.parent.parent);
    return isTop || bodyOf(node) ? node.name.getText() : null;
  }
  if (ts.isPropertyDeclaration(node)) return node.initializer ? node.name.getText() : null;
  if (!bodyOf(node)) return null;
  if (ts.isConstructorDeclaration(node)) return "constructor";
  return (node as ts.FunctionLikeDeclaration).name?.getText() ?? null;
}

function bodyOf(node: ts.Node): ts.ConciseBody | undefined {
  if (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node)) {
    return node.initializer && bodyOf(node.initializer);
  }
  return ts.isFunctionLike(node) ? (node as ts.FunctionLikeDeclaration).body : undefined;
}

function editsOf(root: ts.Node, bug: Mutation): Edit[] {
  if ("always" in bug) return [alwaysEdit(root, bug.always)];
  if ("text" in bug) return textEdits(root, ...bug.text);
  if ("instead" in bug) {
    return rangesOf(root, bug.instead[0]).map((range) => ({ ...range, text: bug.instead[1] }));
  }
  if ("before" in bug) {
    const [moved, earlier] = bug.before.map((code) => nodesWith(root, code));
    return moved!.flatMap((a) => earlier!.flatMap((b) => moveEdit(a, b) ?? []));
  }
  const code = "drop" in bug ? bug.drop : bug.holds;
  const editAt = "drop" in bug ? dropEdit : holdsEdit;
  return nodesWith(root, code).flatMap((node) => editAt(node) ?? []);
}

function alwaysEdit(root: ts.Node, value: string): Edit {
  const body = bodyOf(root);
  if (body && ts.isBlock(body)) {
    const start = body.getStart() + 1;
    return { start, end: start, text: ` return ${value};` };
  }
  return edit(body ?? (root as ts.VariableDeclaration).initializer!, `(${value})`);
}

function textEdits(root: ts.Node, part: string, text: string): Edit[] {
  const pattern = part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+");
  const { FirstLiteralToken, LastTemplateToken } = ts.SyntaxKind;
  return leavesOf(root)
    .filter(({ kind }) => kind >= FirstLiteralToken && kind <= LastTemplateToken)
    .flatMap((leaf) =>
      [...leaf.getText().matchAll(new RegExp(pattern, "g"))].map((match) => {
        const start = leaf.getStart() + match.index;
        return { start, end: start + match[0].length, text };
      }),
    );
}

/** Leaves out the smallest part with this node that can be left out. */
function dropEdit(node: ts.Node): Edit | null {
  for (let at = node; !ts.isFunctionLike(at) && !ts.isSourceFile(at); at = at.parent) {
    const { parent } = at;
    if (isLogical(parent) && at !== parent.operatorToken) {
      return edit(parent, (parent.left === at ? parent.right : parent.left).getText());
    }
    if (ts.isObjectLiteralElementLike(at) || ts.isArrayLiteralExpression(parent)) {
      const comma = /^\s*,/.exec(at.getSourceFile().text.slice(at.end))?.[0] ?? "";
      return { start: at.getStart(), end: at.end + comma.length, text: "" };
    }
    // The first kind of statement declares variables, which others need.
    const { FirstStatement, LastStatement } = ts.SyntaxKind;
    if (at.kind > FirstStatement && at.kind <= LastStatement) return edit(at, ";");
  }
  return null;
}

/** Makes the smallest condition with this node true. */
function holdsEdit(node: ts.Node): Edit | null {
  for (let at = node; !ts.isStatement(at) && !ts.isSourceFile(at); at = at.parent) {
    if (isComparison(at) || isTest(at)) return edit(at, "true");
  }
  return null;
}

function isLogical(node: ts.Node, signs = ["&&", "||", "??"]): node is ts.BinaryExpression {
  return ts.isBinaryExpression(node) && signs.includes(node.operatorToken.getText());
}

function isComparison(node: ts.Node): boolean {
  if (!ts.isBinaryExpression(node)) return false;
  return /^(?:[!=]==?|[<>]=?|in|instanceof)$/.test(node.operatorToken.getText());
}

/** Whether its value decides what is done next. */
function isTest(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isIfStatement(parent) || ts.isWhileStatement(parent)) return parent.expression === node;
  if (ts.isConditionalExpression(parent)) return parent.condition === node;
  return isLogical(parent, ["&&", "||"]) && node !== parent.operatorToken;
}

/** Moves the statement with `moved` before the one of its block with `earlier`. */
function moveEdit(moved: ts.Node, earlier: ts.Node): Edit | null {
  for (let at = moved; !ts.isSourceFile(at); at = at.parent) {
    const place = ts.isBlock(at.parent) && at.parent.statements.find((one) => isIn(earlier, one));
    if (!place || place.pos >= at.pos) continue;
    const [start, source] = [place.getStart(), at.getSourceFile().text];
    const text = `${at.getText()}\n${source.slice(start, at.getStart())}`;
    return { start, end: at.end, text };
  }
  return null;
}

function isIn({ pos, end }: ts.Node, outer: ts.Node): boolean {
  return outer.pos <= pos && end <= outer.end;
}

function edit(node: ts.Node, text: string): Edit {
  return { start: node.getStart(), end: node.end, text };
}

/** The smallest node around each place with this code. */
function nodesWith(root: ts.Node, code: string): ts.Node[] {
  return rangesOf(root, code).map(({ start, end }) => {
    const within = (child: ts.Node) =>
      child.getStart() <= start && end <= child.end ? child : undefined;
    let node = root;
    for (let inner: ts.Node | undefined = root; inner; inner = ts.forEachChild(node, within)) {
      node = inner;
    }
    return node;
  });
}

/** The places with this code, token by token. */
function rangesOf(root: ts.Node, code: string): { readonly start: number; readonly end: number }[] {
  const sought = tokensOf(code);
  const leaves = leavesOf(root);
  const texts = leaves.map((leaf) => leaf.getText());
  // Formatters put a comma behind the last of several lines.
  const isMeant = (i: number) => texts[i] !== "," || !/^[)\]}]$/.test(texts[i + 1] ?? "");
  const meant = leaves.keys().filter(isMeant).toArray();
  return meant.flatMap((first, at) => {
    if (!sought.every((token, i) => texts[meant[at + i] ?? -1] === token)) return [];
    const last = leaves[meant[at + sought.length - 1]!]!;
    return [{ start: leaves[first]!.getStart(), end: last.end }];
  });
}

function leavesOf(node: ts.Node): ts.Node[] {
  if (ts.isJSDoc(node) || node.getWidth() === 0) return [];
  const children = node.getChildren();
  return children.length === 0 ? [node] : children.flatMap(leavesOf);
}

function tokensOf(code: string): string[] {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, ts.LanguageVariant.Standard, code);
  const tokens: string[] = [];
  while (scanner.scan() !== ts.SyntaxKind.EndOfFileToken) {
    // The scanner leaves `>=` and `>>` to the parser, which knows type arguments.
    scanner.reScanGreaterToken();
    tokens.push(scanner.getTokenText());
  }
  return tokens;
}
