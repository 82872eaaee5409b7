/** What a search engine is given beside a model, and what is refused. */
import { describe, expect, it } from "vitest";
import { InputError } from "../../input-error.ts";
import { type FeatureDefinition, featureStore, parseFeatureDefinitions } from "./feature-store.ts";

const template = ["{!field f=title}$", "{keywords}"].join(""); // Solr's, and none of JavaScript
const price: FeatureDefinition = { name: "price", field: "price" };
const title: FeatureDefinition = { name: "title", query: template, params: ["keywords"] };
const match: FeatureDefinition = { name: "title", query: { match: { title: "{{keywords}}" } }, params: ["keywords"] };
const stores = (definitions: readonly FeatureDefinition[], to: string) => {
  const { store, query } = featureStore(definitions, { to, name: "m", rerank: 20 });
  return { store: JSON.parse(store), query: JSON.parse(query) };
};

describe("features of", () => {
  it("Solr are fields and queries, and parameters go to the reranking query", () => {
    expect(stores([price, title], "solr")).toEqual({
      store: [
        { name: "price", class: "org.apache.solr.ltr.feature.FieldValueFeature", params: { field: "price" } },
        { name: "title", class: "org.apache.solr.ltr.feature.SolrFeature", params: { q: template } },
      ],
      query: { q: "*:*", rq: "{!ltr model=m reRankDocs=20 efi.keywords='...'}", fl: "id,score", rows: 20 },
    });
  });

  it.each(["opensearch", "opensearch-ranklib"])("%s are templates, and a field is its value or 0", (to) => {
    const { store, query } = stores([price, match], to);
    expect(store.featureset.name).toBe("m");
    expect(store.featureset.features[0].template.function_score).toMatchObject({
      field_value_factor: { field: "price", missing: 0 },
      boost_mode: "replace",
    });
    expect(store.featureset.features[1]).toMatchObject({ params: ["keywords"], template: { match: { title: "{{keywords}}" } } });
    expect(query.rescore).toMatchObject({
      window_size: 20,
      query: { rescore_query: { sltr: { params: { keywords: "..." }, model: "m" } }, query_weight: 0 },
    });
  });

  it("Elasticsearch are extractors", () => {
    const { store, query } = stores([price, match], "elasticsearch");
    expect(
      store.learning_to_rank.feature_extractors.map(
        (one: { query_extractor: { feature_name: string } }) => one.query_extractor.feature_name,
      ),
    ).toEqual(["price", "title"]);
    expect(query.rescore).toEqual({ window_size: 20, learning_to_rank: { model_id: "m", params: { keywords: "..." } } });
  });

  it("Vespa are functions of a rank profile", () => {
    const { store, query } = featureStore([price, { name: "title", query: "bm25(title)" }], { to: "vespa", name: "m" });
    expect(store).toContain("function price() {\n        expression: attribute(price)");
    expect(store).toContain("expression: bm25(title)");
    expect(store).toContain('expression: lightgbm("m.json")\n        rerank-count: 50');
    expect(JSON.parse(query)).toMatchObject({ "ranking.profile": "m", hits: 50 });
  });
});

describe("refused in one line:", () => {
  const said = (definitions: unknown, options: unknown): string => {
    try {
      featureStore(definitions as FeatureDefinition[], options as { to: string });
    } catch (error) {
      if (error instanceof InputError) return error.message;
      throw error;
    }
    return "written";
  };
  it.each<[string, unknown, unknown, string]>([
    ["an unknown engine", [price], { to: "lucene" }, 'and not for "lucene"'],
    ["no engine", [price], {}, "to"],
    ["definitions that are none", "price", { to: "solr" }, "an array of feature definitions"],
    ["a definition without a name", [{ field: "a" }], { to: "solr" }, "an array of feature definitions"],
    ["two of a name", [price, price], { to: "solr" }, "two feature definitions have the same name"],
    ["neither field nor query", [{ name: "a" }], { to: "solr" }, 'feature "a": expected a field or a query'],
    ["both", [{ name: "a", field: "a", query: "b" }], { to: "solr" }, 'feature "a": expected a field or a query'],
    ["a query of the wrong kind for Solr", [match], { to: "solr" }, "Solr takes a query as text"],
    ["and for OpenSearch", [title], { to: "opensearch" }, "OpenSearch takes a query as an object"],
    ["and for Elasticsearch", [title], { to: "elasticsearch" }, "Elasticsearch takes a query as an object"],
    ["and for Vespa", [match], { to: "vespa" }, "Vespa takes a query as text"],
    ["a name that Vespa cannot have", [{ name: "a-b", field: "a" }], { to: "vespa" }, "names of letters, digits and _"],
    ["a feature of the model that is not defined", [price], { to: "solr", features: ["prize"] }, 'uses the feature "prize"'],
    ["a window of none", [price], { to: "solr", rerank: 0 }, "rerank"],
  ])("%s", (_, definitions, options, message) => {
    expect(said(definitions, options)).toContain(message);
  });

  it("a file that is no list of definitions, with its name", () => {
    const bad = [
      "",
      "{",
      "{}",
      '[{"name":3}]',
      '[{"name":"a","query":7}]',
      '[{"name":"a","field":1}]',
      '[{"name":"a","params":[1]}]',
    ];
    for (const text of bad)
      expect(() => parseFeatureDefinitions(text, "f.json"), text).toThrow(text === "" ? InputError : /^f\.json(:\d+)?: /);
    expect(parseFeatureDefinitions(JSON.stringify([price, match]), "f.json")).toEqual([price, match]);
  });
});
