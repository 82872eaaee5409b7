"""Scores what scripts/export-models.mjs wrote with the tools themselves: LightGBM, XGBoost, ONNX Runtime, RankLib, Node, a C compiler.

    venv/bin/pip install lightgbm xgboost onnx onnxruntime
    node scripts/export-models.mjs exports && venv/bin/python scripts/check-exports.py exports [--ranklib folder of jars]

RankLib: mvn dependency:copy-dependencies with org.codelibs:ranklib:2.10.1. Solr: scripts/solr.
"""
import argparse
import collections
import json
import os
import subprocess
import tempfile

import numpy as np

parser = argparse.ArgumentParser()
parser.add_argument("folder")
parser.add_argument("--ranklib", default="")
args = parser.parse_args()
cases = json.load(open(os.path.join(args.folder, "cases.json")))


def lightgbm(path, x, case):
    import lightgbm as lgb
    booster = lgb.Booster(model_file=path)
    scores = booster.predict(x, raw_score=True)
    return scores / booster.num_trees() if "average_output" in open(path).read().split("Tree=0")[0] else scores


def xgboost(path, x, case):
    import xgboost as xgb
    booster = xgb.Booster(model_file=path)
    types = booster.feature_types
    return booster.predict(xgb.DMatrix(x, feature_types=types, feature_names=booster.feature_names, enable_categorical=True), output_margin=True)


def onnx(path, x, case):
    import onnx
    import onnxruntime
    onnx.checker.check_model(onnx.load(path), full_check=True)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return np.concatenate([session.run(None, {"features": x[at:at + 50]})[0][:, 0] for at in range(0, len(x), 50)])


def c(path, x, case):
    program = os.path.join(tempfile.mkdtemp(), "score")
    subprocess.run(["cc", "-O1", "-DTIERWISE_CHECK", "-o", program, path, "-lm"], check=True)
    text = " ".join("nan" if np.isnan(v) else repr(float(v)) for v in x.ravel())
    out = subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout
    return np.array([float(line) for line in out.split()])


def js(path, x, case):
    code = f"import {{ score }} from {json.dumps('file://' + os.path.abspath(path))}; import {{ readFileSync }} from 'node:fs';" \
        f"const rows = JSON.parse(readFileSync(0, 'utf8')); console.log(JSON.stringify(rows.map((row) => score(row))));"
    text = json.dumps([[None if np.isnan(v) else float(v) for v in row] for row in x])
    out = subprocess.run(["node", "--input-type=module", "-e", code], input=text, capture_output=True, text=True, check=True).stdout
    return np.array(json.loads(out))


def ranklib(path, x, case):
    if not args.ranklib:
        return None
    folder = tempfile.mkdtemp()
    with open(os.path.join(folder, "rows.txt"), "w") as f:
        for i, row in enumerate(x):
            f.write(f"0 qid:1 {' '.join(f'{c + 1}:{float(v)!r}' for c, v in enumerate(row))} # {i}\n")
    out = os.path.join(folder, "scores.txt")
    jars = ":".join(os.path.join(args.ranklib, name) for name in os.listdir(args.ranklib))
    subprocess.run(["java", "-Xmx256m", "-cp", jars, "ciir.umass.edu.eval.Evaluator", "-load", path, "-rank", os.path.join(folder, "rows.txt"), "-score", out],
                   check=True, capture_output=True)
    return np.array([float(line.split()[2]) for line in open(out)])


tools = {"lightgbm": lightgbm, "xgboost": xgboost, "xgboost-ubj": xgboost, "onnx": onnx, "onnx-float": onnx, "c": c, "js": js, "ranklib": ranklib}
totals = collections.Counter()
for case in cases:
    tool = tools.get(case["format"])
    if not tool:
        continue
    x = np.fromfile(os.path.join(args.folder, case["rows"]), "<f4").reshape(-1, 10)[:, :len(case["features"])]
    expected = np.array(case["scores"])
    try:
        scores = tool(os.path.join(args.folder, case["file"]), x, case)
    except Exception as error:
        print(f"{case['file']}: {str(error).splitlines()[0][:200]}")
        totals[case["format"], "failed"] += 1
        continue
    if scores is None:
        continue
    same = int((scores == expected).sum())
    worst = float(np.abs(scores - expected).max() / (1 + np.abs(expected).max()))
    totals[case["format"], "files"] += 1
    totals[case["format"], "rows"] += len(x)
    totals[case["format"], "identical"] += same
    if worst > case["tolerance"]:
        totals[case["format"], "beyond tolerance"] += 1
        print(f"{case['file']}: {same} of {len(x)} identical, worst {worst:.2g} (tolerance {case['tolerance']})")
for key, value in sorted(totals.items()):
    print(*key, value)
