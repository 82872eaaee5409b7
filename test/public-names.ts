/** The names that the package exports and the members of their types, found in its declaration files, which are what an editor shows. */
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("..", import.meta.url));

/** A public name or member: `Dataset.labels`, its doc comment, and where it is declared. */
export interface PublicName {
  readonly name: string;
  readonly comment: string;
  readonly place: string;
}

const declarations = `${root}dist/src/`;
const entries = ["index", "browser", "report/report", "testing/index"].map((name) => `${declarations}${name}.d.ts`);

const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  lib: ["lib.es2023.d.ts"],
  types: ["node"],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  noEmit: true,
};

const declared = ts.createProgram(entries, compilerOptions);
const checker = declared.getTypeChecker();

const commentOf = (symbol: ts.Symbol) => ts.displayPartsToString(symbol.getDocumentationComment(checker));

function placeOf(node: ts.Node): string {
  const file = node.getSourceFile();
  return `${file.fileName.slice(root.length)}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

/** Everything that the entries export, with what an alias stands for. */
const exportedSymbols = () =>
  entries.flatMap((entry) =>
    checker.getExportsOfModule(checker.getSymbolAtLocation(declared.getSourceFile(entry)!)!).map((exported) => ({
      name: exported.name,
      symbol: exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported,
    })),
  );

/** Every name that the entries export and, reachable from those, every member that the library declares, each once. */
export function publicNames(): PublicName[] {
  const found: PublicName[] = [];
  const symbols = new Set<ts.Symbol>();
  const places = new Set<ts.Node>(); // several symbols may stem from one declaration, in instantiations of a generic type
  const types = new Set<ts.Type>();

  const ours = (node: ts.Node) => node.getSourceFile().fileName.startsWith(declarations);

  const add = (symbol: ts.Symbol, name: string) => {
    const node = symbol.declarations?.find(ours);
    if (!node || places.has(node)) return;
    places.add(node);
    found.push({ name, comment: commentOf(symbol), place: placeOf(node) });
  };

  const walkType = (type: ts.Type, name: string): void => {
    if (types.has(type)) return;
    types.add(type);
    const own = type.aliasSymbol ?? type.symbol;
    const at = own && !/^__/.test(own.name) && own.declarations?.some(ours) ? own.name : name;
    for (const one of type.aliasTypeArguments ?? []) walkType(one, name);
    if (type.isUnionOrIntersection()) for (const one of type.types) walkType(one, name);
    if (checker.isArrayType(type) || checker.isTupleType(type) || (type as ts.TypeReference).target)
      for (const one of checker.getTypeArguments(type as ts.TypeReference)) walkType(one, name);
    for (const property of type.getProperties()) {
      if (/^#|^__#/.test(property.name) || !property.declarations?.some(ours)) continue; // a private member has no other name
      if (property.declarations.some((node) => ts.getCombinedModifierFlags(node as ts.Declaration) & ts.ModifierFlags.Private))
        continue;
      add(property, `${at}.${property.name}`);
      walkType(checker.getTypeOfSymbol(property), `${at}.${property.name}`);
    }
    for (const signature of [...type.getCallSignatures(), ...type.getConstructSignatures()]) {
      if (!signature.declaration || !ours(signature.declaration)) continue;
      for (const parameter of signature.parameters) walkType(checker.getTypeOfSymbol(parameter), `${at}(${parameter.name})`);
      walkType(signature.getReturnType(), `${at}()`);
    }
    for (const index of checker.getIndexInfosOfType(type)) walkType(index.type, `${at}[]`);
  };

  for (const { name, symbol } of exportedSymbols()) {
    if (symbols.has(symbol)) continue;
    symbols.add(symbol);
    add(symbol, name);
    if (symbol.flags & ts.SymbolFlags.Type) walkType(checker.getDeclaredTypeOfSymbol(symbol), name);
    if (symbol.flags & ts.SymbolFlags.Value) walkType(checker.getTypeOfSymbol(symbol), name);
  }
  return found;
}

/** An option of a public function or of a part, with its doc comment and where it is declared. */
export interface PublicOption extends PublicName {
  readonly option: string;
  /** Whether it may be left out. */
  readonly optional: boolean;
}

function optionsOf(kind: "functions" | "parts"): PublicOption[] {
  const found = new Map<string, PublicOption>();
  for (const { name, symbol } of exportedSymbols()) {
    const type = symbol.flags & ts.SymbolFlags.Value ? checker.getTypeOfSymbol(symbol) : undefined;
    if (!type || (type.getProperty("fields") !== undefined) !== (kind === "parts")) continue;
    for (const parameter of type.getCallSignatures().flatMap((signature) => [...signature.parameters])) {
      const whole = checker.getNonNullableType(checker.getTypeOfSymbol(parameter));
      for (const one of whole.isUnion() ? whole.types : [whole]) {
        const isOptions = parameter.name === "options" || /Options$/.test((one.aliasSymbol ?? one.symbol)?.name ?? "");
        if (!isOptions || !(one.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) continue;
        for (const property of one.getProperties()) {
          const optional = (property.flags & ts.SymbolFlags.Optional) !== 0;
          const place = placeOf(property.declarations![0]!);
          found.set(`${name} ${property.name}`, { name, option: property.name, optional, comment: commentOf(property), place });
        }
      }
    }
  }
  return [...found.values()];
}

/** Every option of every public function: parameters whose type is an interface of options. Those of parts are declared as their fields. */
export const functionOptions = (): PublicOption[] => optionsOf("functions");

/** Every public name and member that is no option of a function or part. */
export function otherMembers(): PublicName[] {
  const options = new Set([...optionsOf("functions"), ...optionsOf("parts")].map(({ place }) => place));
  return publicNames().filter(({ place }) => !options.has(place));
}

/** What an editor shows as documentation when the mouse rests on `position` of a file with this code, which imports the package. */
export function hovers(code: string, positions: readonly number[]): string[] {
  const file = `${root}test/hover-example.ts`;
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => compilerOptions,
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot(name) {
      const text = name === file ? code : ts.sys.readFile(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  };
  const service = ts.createLanguageService(host);
  return positions.map((position) =>
    ts.displayPartsToString(service.getQuickInfoAtPosition(file, position)?.documentation ?? []),
  );
}
