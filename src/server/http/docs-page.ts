/** An OpenAPI document as a page: routes with their parameters, bodies and answers. Plain HTML with one style sheet, all text escaped. */

/** What is read of an OpenAPI document. */
export interface OpenApi {
  readonly info: { readonly title: string; readonly description?: string; readonly version: string };
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly description?: string }[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: unknown }>> };
  readonly responses?: Readonly<
    Record<string, { readonly description?: string; readonly content?: Readonly<Record<string, { readonly schema?: unknown }>> }>
  >;
}

const LETTERS: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text for HTML, also within attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (letter) => LETTERS[letter]!);

export function docsPage({ info, paths = {} }: OpenApi): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => section(path, method, operation)),
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(info.title)}</title>
<link rel="stylesheet" href="docs.css">
<main>
<h1>${escapeHtml(info.title)} <small>${escapeHtml(info.version)}</small></h1>
<p>${escapeHtml(info.description ?? "")} The same as a document for programs: <a href="openapi.json">openapi.json</a>.</p>
${operations.join("\n")}
</main>
</html>
`;
}

function section(
  path: string,
  method: string,
  { summary = "", description = "", parameters = [], requestBody, responses = {} }: Operation,
) {
  const contents = (what: string, content: Readonly<Record<string, { readonly schema?: unknown }>> = {}) =>
    Object.entries(content).map(
      ([type, { schema }]) =>
        `<details><summary>${escapeHtml(what)}, ${escapeHtml(type)}</summary><pre>${escapeHtml(JSON.stringify(schema ?? {}, null, 2))}</pre></details>`,
    );
  return [
    `<section><h2><code>${escapeHtml(method.toUpperCase())} ${escapeHtml(path)}</code></h2>`,
    `<p>${escapeHtml([summary, description].filter((text) => text !== "").join(". "))}</p>`,
    ...(parameters.length === 0
      ? []
      : [
          `<ul>${parameters.map(({ name, in: where, description: about = "" }) => `<li><code>${escapeHtml(name)}</code> (${escapeHtml(where)}) ${escapeHtml(about)}</li>`).join("")}</ul>`,
        ]),
    ...contents("body", requestBody?.content),
    ...Object.entries(responses).flatMap(([status, { content }]) => contents(`answer ${status}`, content)),
    "</section>",
  ].join("\n");
}

export const docsStyle = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 small { font-size: 1rem; font-weight: normal; }
h2 { margin-top: 2rem; font-size: 1.1rem; }
pre { overflow: auto; padding: 0.75rem; border: 1px solid #8884; border-radius: 4px; font-size: 0.85rem; }
summary { cursor: pointer; }
`;
