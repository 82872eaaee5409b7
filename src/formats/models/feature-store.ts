/**
 * How a search engine computes the features of a model: from definitions, the upload for its feature store and the query that reranks by the
 * model. Solr 8.11.4 was run with what this writes; the forms for OpenSearch, Elasticsearch and Vespa follow their documentation.
 */
import { check, checkOptions, type Kinds, required, someName, someText, someTexts, wholeFrom } from "../../arguments.ts";
import { InputError, quote } from "../../input-error.ts";
import { suggest } from "../../part.ts";
import { Json, jsonOf } from "./shared/text.ts";

/** One feature as a search engine computes it: the value of a field, or what a query or an expression gives. */
export interface FeatureDefinition {
  /** As the model calls the feature. */
  readonly name: string;
  /** A numeric field of documents. */
  readonly field?: string;
  /** In place of a field: for Solr a query as text, for OpenSearch and Elasticsearch a query as an object, for Vespa an expression. */
  readonly query?: string | Readonly<Record<string, unknown>>;
  /** Parameters that the query takes, such as "keywords". Default: none. */
  readonly params?: readonly string[];
}

/** Options of `featureStore`. */
export interface FeatureStoreOptions {
  /** The engine: "solr", "opensearch", "elasticsearch" or "vespa". */
  readonly to: string;
  /** The name of the model. Default: "tierwise". */
  readonly name?: string;
  /** Number of top documents that are reranked. Default: 50. */
  readonly rerank?: number;
  /** Features that the model uses, each of which must be defined. Default: those that are defined. */
  readonly features?: readonly string[];
}

/** What goes to the search engine beside the model. */
export interface FeatureStore {
  /** The features: a body to upload, or for Vespa a rank profile. */
  readonly store: string;
  /** Parameters or body of a query that reranks by the model. */
  readonly query: string;
}

type Writer = (features: readonly FeatureDefinition[], name: string, rerank: number) => FeatureStore;

const json = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`;
const paramsOf = (features: readonly FeatureDefinition[]) => [...new Set(features.flatMap(({ params = [] }) => params))];

const textOnly = ({ name, query }: FeatureDefinition, engine: string): string => {
  if (typeof query === "string") return query;
  throw new InputError(`feature ${quote(name)}: ${engine} takes a query as text, got ${quote(JSON.stringify(query))}`);
};

const objectOnly = ({ name, field, query }: FeatureDefinition, engine: string): unknown => {
  if (field !== undefined)
    return { function_score: { query: { match_all: {} }, field_value_factor: { field, missing: 0 }, boost_mode: "replace" } };
  if (typeof query === "object") return query;
  throw new InputError(`feature ${quote(name)}: ${engine} takes a query as an object, got ${quote(String(query))}`);
};

const solr: Writer = (features, name, rerank) => {
  const efi = paramsOf(features).map((param) => ` efi.${param}='...'`);
  return {
    store: json(
      features.map((feature) =>
        feature.field !== undefined
          ? { name: feature.name, class: "org.apache.solr.ltr.feature.FieldValueFeature", params: { field: feature.field } }
          : { name: feature.name, class: "org.apache.solr.ltr.feature.SolrFeature", params: { q: textOnly(feature, "Solr") } },
      ),
    ),
    query: json({ q: "*:*", rq: `{!ltr model=${name} reRankDocs=${rerank}${efi.join("")}}`, fl: "id,score", rows: rerank }),
  };
};

const opensearch: Writer = (features, name, rerank) => {
  const template = (feature: FeatureDefinition) => ({
    name: feature.name,
    params: feature.params ?? [],
    template_language: "mustache",
    template: objectOnly(feature, "OpenSearch"),
  });
  const params = Object.fromEntries(paramsOf(features).map((param) => [param, "..."]));
  const rescore = { rescore_query: { sltr: { params, model: name } }, query_weight: 0, rescore_query_weight: 1 };
  return {
    store: json({ featureset: { name, features: features.map(template) } }),
    query: json({ query: { match_all: {} }, rescore: { window_size: rerank, query: rescore } }),
  };
};

const elasticsearch: Writer = (features, name, rerank) => {
  const extractor = (feature: FeatureDefinition) => ({
    query_extractor: { feature_name: feature.name, query: objectOnly(feature, "Elasticsearch") },
  });
  const params = Object.fromEntries(paramsOf(features).map((param) => [param, "..."]));
  return {
    store: json({ learning_to_rank: { feature_extractors: features.map(extractor) } }),
    query: json({ query: { match_all: {} }, rescore: { window_size: rerank, learning_to_rank: { model_id: name, params } } }),
  };
};

const vespa: Writer = (features, name, rerank) => {
  const odd = features.find((feature) => !/^[A-Za-z_]\w*$/.test(feature.name));
  if (odd) throw new InputError(`feature ${quote(odd.name)}: Vespa takes names of letters, digits and _`);
  const functions = features.flatMap((feature) => [
    `    function ${feature.name}() {`,
    `        expression: ${feature.field === undefined ? textOnly(feature, "Vespa") : `attribute(${feature.field})`}`,
    "    }",
  ]);
  const phase = [
    "    second-phase {",
    `        expression: lightgbm("${name}.json")`,
    `        rerank-count: ${rerank}`,
    "    }",
  ];
  return {
    store: [`rank-profile ${name} {`, ...functions, ...phase, "}", ""].join("\n"),
    query: json({ yql: "select * from sources * where true", "ranking.profile": name, hits: rerank }),
  };
};

const writers: Readonly<Record<string, Writer>> = { solr, opensearch, "opensearch-ranklib": opensearch, elasticsearch, vespa };

const kinds: Kinds<FeatureStoreOptions> = { to: required(someText), name: someName, rerank: wholeFrom(1), features: someTexts };

/** What a search engine needs besides the model: its features, and a query that reranks documents by the model. */
export function featureStore(definitions: readonly FeatureDefinition[], options: FeatureStoreOptions): FeatureStore {
  check("featureStore", definitions, {
    wanted: "an array of feature definitions",
    fits: (value) => Array.isArray(value) && value.every((one) => typeof one === "object" && typeof one?.name === "string"),
  });
  checkOptions("featureStore", options, kinds);
  const { to, name = "tierwise", rerank = 50, features } = options;
  const write = Object.hasOwn(writers, to) ? writers[to] : undefined;
  if (!write) throw new InputError(`feature definitions are for ${Object.keys(writers).join(", ")}, and not for ${quote(to)}`);
  const known = new Map(definitions.map((one) => [one.name, one]));
  if (known.size < definitions.length) throw new InputError("two feature definitions have the same name");
  const wrong = definitions.find(({ field, query }) => (field === undefined) === (query === undefined));
  if (wrong) throw new InputError(`feature ${quote(wrong.name)}: expected a field or a query`);
  const lacking = features?.find((feature) => !known.has(feature));
  if (lacking !== undefined)
    throw new InputError(
      `the model uses the feature ${quote(lacking)}, which is not defined; ${suggest(lacking, [...known.keys()])}`,
    );
  if (!Number.isSafeInteger(rerank) || rerank < 1)
    throw new InputError(`featureStore, option rerank: expected a whole number above 0, got ${rerank}`);
  return write(definitions, name, rerank);
}

/** The feature definitions in a JSON text: a list of {name, field} or {name, query, params}. */
export function parseFeatureDefinitions(text: string, path: string): FeatureDefinition[] {
  check("parseFeatureDefinitions", text, someText);
  check("parseFeatureDefinitions, the path", path, someText);
  return new Json(jsonOf(text, path), path).list().map((one): FeatureDefinition => {
    const { value: query } = one.at("query");
    if (query !== undefined && typeof query !== "string" && (typeof query !== "object" || query === null || Array.isArray(query)))
      throw one.at("query").error("a text or an object");
    return {
      name: one.at("name").text(),
      ...(one.has("field") ? { field: one.at("field").text() } : {}),
      ...(query === undefined ? {} : { query: query as string | Record<string, unknown> }),
      ...(one.has("params")
        ? {
            params: one
              .at("params")
              .list()
              .map((param) => param.text()),
          }
        : {}),
    };
  });
}
