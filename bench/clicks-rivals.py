"""LightGBM on the impressions that bench/clicks.ts has written: lambdarank on clicks alone, with positions, and on true labels."""

import sys

import lightgbm as lgb
import numpy as np

folder, *columns = sys.argv[1:]


def array(name, kind):
    return np.fromfile(f"{folder}/{name}", dtype=kind)


def judged(name, count):
    return array(f"{name}.features", np.float32).reshape(-1, int(count)), array(f"{name}.labels", np.float32), array(f"{name}.groups", np.uint32)


width = max(int(count) for count in columns)


def padded(features):
    return np.pad(features, ((0, 0), (0, width - features.shape[1])))


train, valid, test = ((padded(x), y, g) for x, y, g in (judged(name, count) for name, count in zip(["train", "valid", "test"], columns)))
rows, clicks, positions, groups = (array(name, kind) for name, kind in [("rows", np.uint32), ("clicks", np.float32), ("positions", np.uint32), ("groups", np.uint32)])
params = {"objective": "lambdarank", "metric": "ndcg", "eval_at": [10], "verbosity": -1, "num_threads": 1, "seed": 1, "deterministic": True, "learning_rate": 0.1}
shown = train[0][rows]
for name, (x, y, g), position in [("naive", (shown, clicks, groups), None), ("positions", (shown, clicks, groups), positions), ("labels", train, None)]:
    data = lgb.Dataset(x, y, group=g, position=position)
    held = lgb.Dataset(valid[0], valid[1], group=valid[2], reference=data)
    model = lgb.train(params, data, 200, valid_sets=[held], callbacks=[lgb.early_stopping(30, verbose=False)])
    model.predict(test[0]).astype(np.float64).tofile(f"{folder}/{name}")
