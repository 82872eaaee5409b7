// Type errors of a changed source, since the build of `npm test` fails on them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** A compiler that checks one changed file after another without starting again. */
export function typeChecker(root) {
  const config = ts.readConfigFile(join(root, "tsconfig.build.json"), ts.sys.readFile).config;
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const changed = new Map(); // texts by path
  const versions = new Map();
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => fileNames,
    getScriptVersion: (path) => String(versions.get(path) ?? 0),
    getScriptSnapshot: (path) =>
      ts.sys.fileExists(path) ? ts.ScriptSnapshot.fromString(changed.get(path) ?? readFileSync(path, "utf8")) : undefined,
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    ...{ fileExists: ts.sys.fileExists, readFile: ts.sys.readFile, readDirectory: ts.sys.readDirectory },
    ...{ directoryExists: ts.sys.directoryExists, getDirectories: ts.sys.getDirectories },
  });
  const set = (path, text) => {
    if (text === undefined) changed.delete(path);
    else changed.set(path, text);
    versions.set(path, (versions.get(path) ?? 0) + 1);
  };
  return {
    program: () => service.getProgram(),
    /** The first error of the file with another text, or undefined. */
    errorOf(file, text) {
      const path = join(root, file);
      set(path, text);
      const [first] = [...service.getSyntacticDiagnostics(path), ...service.getSemanticDiagnostics(path)];
      set(path, undefined);
      return first && ts.flattenDiagnosticMessageText(first.messageText, " ");
    },
  };
}
