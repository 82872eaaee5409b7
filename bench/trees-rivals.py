"""One run of LightGBM or XGBoost for bench/trees.ts: folder, tool:objective or tool:load, threads. Prints one line of JSON."""

import json
import resource
import sys
import time

import numpy as np

folder, what, threads = sys.argv[1], sys.argv[2], int(sys.argv[3])
tool, objective = what.split(":", 1)
ROUNDS, FEATURES = 100, 136


def load(name):
    values = np.fromfile(f"{folder}/{name}.values", dtype=np.float32).reshape(-1, FEATURES)
    labels = np.fromfile(f"{folder}/{name}.labels", dtype=np.float32)
    return values, labels, np.diff(np.fromfile(f"{folder}/{name}.starts", dtype=np.uint32))


def ndcg(scores, labels, sizes, k):
    total, at, counted = 0.0, 0, 0
    for n in sizes:
        gains, s = 2.0 ** labels[at : at + n] - 1, scores[at : at + n]
        at += n
        discounts = 1 / np.log2(np.arange(2, min(k, n) + 2))
        ideal = (np.sort(gains)[::-1][:k] * discounts).sum()
        if ideal > 0:
            total += (gains[np.argsort(-s, kind="stable")][:k] * discounts).sum() / ideal
            counted += 1
    return total / counted


def main():
    result = {}
    if tool == "lightgbm":
        import lightgbm as lgb

        common = {"num_threads": threads, "verbose": -1, "max_bin": 255}
        if objective == "load":
            start = time.perf_counter()
            lgb.Dataset(f"{folder}/lightgbm.txt", params=common).construct()
            return {"load": time.perf_counter() - start}
        values, labels, sizes = load("train")
        data = lgb.Dataset(values, labels, group=sizes, params=common)
        booster = lgb.Booster({**common, "objective": objective, "num_leaves": 31, "learning_rate": 0.1}, data)
        step, predict = booster.update, lambda test: booster.predict(test, num_threads=threads)
    else:
        import xgboost as xgb

        values, labels, sizes = load("train")
        data = xgb.QuantileDMatrix(values, labels, group=sizes, max_bin=255, nthread=threads)
        booster = xgb.Booster(
            {
                "objective": objective,
                "eta": 0.1,
                "max_leaves": 31,
                "max_depth": 0,
                "grow_policy": "lossguide",
                "tree_method": "hist",
                "max_bin": 255,
                "nthread": threads,
                "verbosity": 0,
            },
            [data],
        )
        done = iter(range(ROUNDS))
        step, predict = lambda: booster.update(data, next(done)), lambda test: booster.predict(xgb.DMatrix(test))
    step()
    start, used = time.perf_counter(), time.process_time()
    for _ in range(ROUNDS - 1):
        step()
    result["perTree"] = (time.perf_counter() - start) / (ROUNDS - 1)
    result["cpu"] = (time.process_time() - used) / (ROUNDS - 1)
    test, grades, sizes = load("test")
    start = time.perf_counter()
    scores = predict(test)
    result["scored"] = len(grades) / (time.perf_counter() - start)
    result["ndcg"] = [ndcg(scores, grades, sizes, k) for k in (1, 5, 10)]
    return result


result = main()
result["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(json.dumps(result))
