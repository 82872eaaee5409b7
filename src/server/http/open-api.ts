/** The OpenAPI document of a server, from the schemas of its routes: GET /openapi.json, and a page /docs that needs no script and no network. */
import type {} from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import { VERSION } from "../../version.ts";
import { docsPage, docsStyle, type OpenApi } from "./docs-page.ts";
import { importPackage } from "./import-package.ts";
import { addStaticFile, staticFile } from "./static-files.ts";

export interface OpenApiOptions {
  readonly command: string;
  readonly title: string;
  readonly description: string;
  /** Whether requests need a token. */
  readonly token: boolean;
}

/** To be called before the routes are added. */
export async function addOpenApi(app: FastifyInstance, { command, title, description, token }: OpenApiOptions): Promise<void> {
  const packages = ["fastify", "@fastify/swagger", "typebox"] as const;
  const { fastifySwagger } = await importPackage({ command, packages }, () => import("@fastify/swagger"));
  await app.register(fastifySwagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title, description, version: VERSION },
      ...(token && {
        components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
        security: [{ token: [] }],
      }),
    },
  });
  let page: string | undefined;
  app.get("/openapi.json", { schema: { hide: true } }, async () => app.swagger());
  app.get("/docs", { schema: { hide: true } }, async (_, reply) => {
    page ??= docsPage(app.swagger() as OpenApi);
    return reply.type("text/html; charset=utf-8").send(page);
  });
  addStaticFile(app, "/docs.css", staticFile("docs.css", docsStyle));
}
