/** Every format of model files besides the own one, and how a file's format is found. */
import { InputError, quote } from "../../input-error.ts";
import { suggest } from "../../part.ts";
import { catboost } from "./catboost.ts";
import { c, js } from "./code.ts";
import { elasticsearch } from "./elasticsearch.ts";
import type { ModelFormat } from "./format.ts";
import { lightgbm } from "./lightgbm.ts";
import { lightgbmJson } from "./lightgbm-json.ts";
import { onnx, onnxFloat } from "./onnx.ts";
import { opensearch, opensearchRanklib } from "./opensearch.ts";
import { ranklib } from "./ranklib.ts";
import { solr } from "./solr.ts";
import { vespa } from "./vespa.ts";
import { xgboost, xgboostUbj } from "./xgboost.ts";
import { xgboostDump } from "./xgboost-dump.ts";

/** Every format of other tools that models are read from or written to. */
export const modelFormats: readonly ModelFormat[] = [
  lightgbm,
  lightgbmJson,
  xgboost,
  xgboostUbj,
  xgboostDump,
  catboost,
  ranklib,
  onnx,
  onnxFloat,
  solr,
  opensearch,
  opensearchRanklib,
  elasticsearch,
  vespa,
  js,
  c,
];

/** The format of that name, or an error that names those that come near. */
export function modelFormat(id: string): ModelFormat {
  const found = modelFormats.find((format) => format.id === id);
  if (found) return found;
  const names = ["tierwise", ...modelFormats.map((format) => format.id)];
  throw new InputError(`no model format is called ${quote(id)}; ${suggest(id, names)}`);
}

const HEAD = 4096;

/** The format that bytes look like, if any. */
export function sniff(bytes: Uint8Array): ModelFormat | undefined {
  const head = new TextDecoder().decode(bytes.subarray(0, HEAD));
  return modelFormats.find((format) => format.read && format.sniff?.(head, bytes));
}

/** The format that writes files of such a name: the one with the longest ending that fits. */
export function formatForName(name: string): ModelFormat | undefined {
  const fits = modelFormats.flatMap((format) =>
    format.endings.filter((ending) => name.endsWith(ending)).map((ending) => ({ format, ending })),
  );
  return fits.sort((a, b) => b.ending.length - a.ending.length)[0]?.format;
}
