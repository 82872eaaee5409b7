// A plugin of TypeDoc: what a file is named after is documented by its own comment and then the head of the file, so that no formula is
// written twice.
import { readFileSync } from "node:fs";
import { Comment, Converter, ReflectionKind } from "typedoc";

const kinds = ReflectionKind.Variable | ReflectionKind.Function | ReflectionKind.Class;

export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const one of project.getReflectionsByKind(kinds)) {
      const file = project.getSymbolIdFromReflection(one)?.fileName;
      if (!file || plain(file.replace(/.*\/|\.ts$/g, "")) !== plain(one.name)) continue;
      const head = headOf(file);
      if (head) for (const bearer of one.signatures ?? [one]) addHead(bearer, head);
    }
  });
}

const plain = (name) => name.toLowerCase().replace(/-/g, "");

function addHead(bearer, head) {
  bearer.comment ??= new Comment([]);
  const own = Comment.combineDisplayParts(bearer.comment.summary).trim();
  if (own !== head) bearer.comment.summary.push({ kind: "text", text: own === "" ? head : `\n\n${head}` });
}

/** The comment at the top of a file as Markdown: what it indents are formulas. */
function headOf(file) {
  const [, text] = /^\/\*\*([\s\S]*?)\*\//.exec(readFileSync(file, "utf8")) ?? [];
  const lines = text?.split("\n").map((line) => line.replace(/^\s*\* ?/, "").replace(/^ {2,}(?=\S)/, "    "));
  return lines?.join("\n").trim();
}
