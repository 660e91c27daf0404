/**
 * What the handler of each route reaches, by the source: every function and constant that it names,
 * that those name, and so on, as far as the modules of the resources and documents go. Nothing is
 * run, so no branch is missed; what is named but never used counts as well.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import ts from "typescript";

const ROOT = join(import.meta.dir, "..", "..");

/** A declaration at the top of a module. */
export interface Declared {
  readonly name: string;
  readonly text: string;
  /** A rendering of outcomes: from it on the outcome is known. */
  readonly isRendering: boolean;
  readonly names: ReadonlySet<string>;
}

/** Before the outcome, and from it on. */
export interface Reached {
  readonly handling: ReadonlySet<Declared>;
  readonly rendering: ReadonlySet<Declared>;
}

interface Module {
  readonly declared: ReadonlyMap<string, Declared>;
  /** Local name → path of the module and name there. */
  readonly imported: ReadonlyMap<string, readonly [string, string]>;
  /** Route id → names in its `handle`. */
  readonly handlers: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Identifiers below a node; for `a.b.c` only `a`, whose members are not names of the module. */
function namesIn(node: ts.Node): Set<string> {
  const names = new Set<string>();
  const visit = (at: ts.Node): void => {
    if (ts.isPropertyAccessExpression(at)) return visit(at.expression);
    if (ts.isIdentifier(at)) names.add(at.text);
    ts.forEachChild(at, visit);
  };
  visit(node);
  return names;
}

function declaredBy(statement: ts.Statement, file: ts.SourceFile): Declared[] {
  if (ts.isFunctionDeclaration(statement) && statement.name) {
    const text = statement.getText(file);
    return [{ name: statement.name.text, text, isRendering: false, names: namesIn(statement) }];
  }
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.map((each) => ({
    name: each.name.getText(file),
    text: each.getText(file),
    isRendering: each.type?.getText(file).startsWith("Rendering<") ?? false,
    names: namesIn(each),
  }));
}

/** `id` of each `route({…})` and the names in its `handle`, which may come from what is spread. */
function handlersIn(file: ts.SourceFile): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const visit = (at: ts.Node): void => {
    const isRoute = ts.isCallExpression(at) && at.expression.getText(file) === "route";
    const declaration = isRoute ? at.arguments[0] : undefined;
    if (declaration && ts.isObjectLiteralExpression(declaration)) {
      const own = (name: string) =>
        declaration.properties.find((each) => each.name?.getText(file) === name);
      const id = own("id")
        ?.getText(file)
        .match(/"(\w+)"/)?.[1];
      if (id) found.set(id, namesIn(own("handle") ?? declaration));
    }
    ts.forEachChild(at, visit);
  };
  visit(file);
  return found;
}

function moduleAt(path: string): Module {
  const text = readFileSync(join(ROOT, path), "utf8");
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const imported = new Map<string, readonly [string, string]>();
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement)) continue;
    const target = (statement.moduleSpecifier as ts.StringLiteral).text;
    const bindings = statement.importClause?.namedBindings;
    if (!target.startsWith(".") || !bindings || !ts.isNamedImports(bindings)) continue;
    for (const { name, propertyName } of bindings.elements) {
      const there = normalize(join(dirname(path), target));
      imported.set(name.text, [there, (propertyName ?? name).text]);
    }
  }
  const declared = file.statements.flatMap((statement) => declaredBy(statement, file));
  return {
    declared: new Map(declared.map((each) => [each.name, each])),
    imported,
    handlers: handlersIn(file),
  };
}

export class Reach {
  readonly #modules = new Map<string, Module>();

  /** Reads the modules below these folders. */
  constructor(folders: readonly string[]) {
    for (const folder of folders) {
      for (const name of readdirSync(join(ROOT, folder), { recursive: true }) as string[]) {
        if (!name.endsWith(".ts") || name.endsWith(".test.ts")) continue;
        const path = join(folder, name);
        this.#modules.set(path, moduleAt(path));
      }
    }
  }

  /** What the handler of each route reaches, by the route's id. */
  ofRoutes(): Map<string, Reached> {
    const reached = new Map<string, Reached>();
    for (const [path, { handlers }] of this.#modules) {
      for (const [id, names] of handlers) reached.set(id, this.#from(path, names));
    }
    return reached;
  }

  #from(path: string, names: ReadonlySet<string>): Reached {
    const found = { handling: new Set<Declared>(), rendering: new Set<Declared>() };
    const follow = (at: string, name: string, as: keyof Reached): void => {
      const module = this.#modules.get(at);
      const [elsewhere, nameThere] = module?.imported.get(name) ?? [];
      if (elsewhere && nameThere) return follow(elsewhere, nameThere, as);
      const declared = module?.declared.get(name);
      const part = declared?.isRendering ? "rendering" : as;
      if (!declared || found[part].has(declared)) return;
      found[part].add(declared);
      for (const next of declared.names) follow(at, next, part);
    };
    for (const name of names) follow(path, name, "handling");
    return found;
  }
}
