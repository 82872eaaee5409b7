"""Makes model files with the real tools, each with the scores that its own tool gives.

    python3 -m venv venv && venv/bin/pip install lightgbm xgboost catboost scikit-learn onnxruntime onnxmltools skl2onnx
    venv/bin/python scripts/model-fixtures.py test/fixtures/models --ranklib jars   # the fixtures of the tests
    venv/bin/python scripts/model-fixtures.py many --random 50 --rows 2000   # other models, at random
    TIERWISE_MODELS=many npx vitest run src/formats/models/tools.test.ts

For each model NAME.EXT there is NAME.case.json: the tool and its version, the settings, the file of rows (float32, row after row,
little-endian) and the scores, or "refused", and for the first rows "shap": what each feature adds by the tool's own account, and the expected
score last. Rows hold missing values, zeros, values that meet thresholds, unseen and odd categories. LightGBM and XGBoost models also come as dumps.
RankLib: mvn dependency:copy-dependencies of org.codelibs:ranklib:2.10.1, in the folder of --ranklib; without it there are no such models.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

COLUMNS = 10
CATEGORIES = [5, 6]
EXPLAINED = 8  # rows


def data(rng, n):
    x = rng.normal(size=(n, COLUMNS)).astype(np.float32)
    x[:, 1] = rng.integers(0, 6, n)
    x[rng.random(n) < 0.25, 2] = np.nan
    x[rng.random(n) < 0.6, 3] = 0
    x[:, 4] = np.round(x[:, 4] * 4) / 4
    x[rng.random(n) < 0.2, 4] = np.nan
    x[rng.random(n) < 0.2, 4] = 0
    x[:, 5] = rng.integers(0, 40, n)
    x[rng.random(n) < 0.05, 5] = np.nan
    x[:, 6] = rng.integers(0, 4, n)
    x[:, 7] = rng.choice(np.float32([-0.5, -0.25, -1e-34, -1e-36, 0, 0, 1e-36, 1e-34, 0.25, 0.5]), n)
    x[:, 9] = 1
    worth = (np.nan_to_num(x[:, 0]) + 0.7 * np.isin(x[:, 5], [3, 7, 8, 21, 33]) - 0.5 * np.isnan(x[:, 2]) + 0.6 * (x[:, 3] == 0)
             + 0.3 * x[:, 1] * (x[:, 6] == 2) + 0.5 * np.sign(x[:, 7]) + np.nan_to_num(x[:, 4]) + rng.normal(size=n) * 0.5)
    y = np.digitize(worth, np.quantile(worth, [0.4, 0.65, 0.85, 0.95])).astype(np.float64)
    return x, y


def odd(rng, x, infinities):
    """Puts values that are out of the ordinary into some rows."""
    x = x.copy()
    n = len(x)
    special = [np.nan, 0, -0.0, 1e-36, -1e-36, 1e-30, -1e-30] + ([np.inf, -np.inf] if infinities else [])
    for c in range(COLUMNS):
        which = rng.random(n) < 0.06
        x[which, c] = rng.choice(np.float32(special), which.sum())
    for c in CATEGORIES:
        which = rng.random(n) < 0.1
        x[which, c] = rng.choice(np.float32([41, 300, -1, 2.7, -0.5, 3.999]), which.sum())
    return x


class Out:
    def __init__(self, folder):
        self.folder = folder
        os.makedirs(folder, exist_ok=True)

    def dumps(self, tool, name):
        """Of the fixtures only some models are dumped too; of random models all."""
        return name.startswith("random") or name in {"lightgbm": ["categories", "zero-as-missing", "no-missing", "forest"],
                                                     "xgboost": ["categories", "onehot", "base-score", "dart"]}[tool]

    def rows(self, name, x):
        x.astype("<f4").tofile(os.path.join(self.folder, name))
        return name

    def case(self, name, ext, tool, settings, rows, scores, format, shap=None, tolerance=0):
        case = {"file": f"{name}.{ext}", "format": format, "tool": tool, "settings": settings, "columns": COLUMNS, "rows": rows,
                "scores": scores if isinstance(scores, str) else [float(s) for s in scores]}
        if tolerance:
            case["tolerance"] = tolerance
        if shap is not None:
            case["shap"] = [[float(v) for v in row] for row in shap]
        with open(os.path.join(self.folder, f"{name}.case.json"), "w") as f:
            json.dump(case, f)
            f.write("\n")


LIGHTGBM = {
    "plain": dict(objective="lambdarank"),
    "categories": dict(objective="lambdarank", categorical=True),
    "onehot": dict(objective="rank_xendcg", categorical=True, max_cat_to_onehot=40, min_data_per_group=1),
    "zero-as-missing": dict(objective="lambdarank", zero_as_missing=True),
    "no-missing": dict(objective="regression", use_missing=False),
    "dart": dict(objective="lambdarank", boosting="dart", drop_rate=0.5),
    "forest": dict(objective="regression", boosting="rf", bagging_freq=1, bagging_fraction=0.6),
    "monotone": dict(objective="regression", monotone_constraints=[1, -1, 0, 0, 1, 0, 0, 0, 0, 0], boost_from_average=True),
    "binary": dict(objective="binary", is_unbalance=True),
    "one-leaf": dict(objective="regression", min_data_in_leaf=100000),
    "linear-tree": dict(objective="regression", linear_tree=True),
    "multiclass": dict(objective="multiclass", num_class=5),
}


def lightgbm_case(out, name, given, rng, x, y, group, rows, test, rounds, leaves):
    import lightgbm as lgb
    given = dict(given)
    categorical = given.pop("categorical", False)
    params = {"verbose": -1, "num_threads": 1, "num_leaves": leaves, "min_data_in_leaf": 5, "seed": int(rng.integers(1 << 30)), **given}
    ranked = params["objective"] in ("lambdarank", "rank_xendcg")
    label = (y > 1).astype(float) if params["objective"] in ("binary", "cross_entropy") else y + (1 if params["objective"] in ("gamma", "poisson", "tweedie") else 0)
    train = lgb.Dataset(x.astype(np.float64) if given.get("float64") else x, label, group=group if ranked else None,
                        categorical_feature=CATEGORIES if categorical else [], free_raw_data=False, params={"feature_pre_filter": False})
    params.pop("float64", None)
    booster = lgb.train(params, train, rounds)
    # The file is what is checked, so it is what predicts.
    path = os.path.join(out.folder, f"lightgbm-{name}.txt")
    booster.save_model(path)
    again = lgb.Booster(model_file=path)
    refused = "refused" if params.get("linear_tree") or params.get("num_class") else None
    average = params.get("boosting") == "rf"
    scores = refused or (again.predict(test, raw_score=not average) if not average else average_of(again, test))
    # LightGBM gives the contributions to the sum of a forest, not to the mean.
    shap = None if refused else again.predict(test[:EXPLAINED], pred_contrib=True) / (again.num_trees() if average else 1)
    tool = f"lightgbm {lgb.__version__}"
    out.case(f"lightgbm-{name}", "txt", tool, {**given, "categorical": categorical}, rows, scores, "lightgbm", shap)
    if out.dumps("lightgbm", name):
        with open(os.path.join(out.folder, f"lightgbm-dump-{name}.json"), "w") as f:
            json.dump(again.dump_model(), f)
        out.case(f"lightgbm-dump-{name}", "json", tool, {**given, "categorical": categorical}, rows, scores, "lightgbm-json", shap)


def average_of(booster, test):
    """predict() of a forest also transforms; the raw sum over the number of trees is the same before that."""
    return booster.predict(test, raw_score=True) / booster.num_trees()


XGBOOST = {
    "plain": dict(objective="rank:ndcg"),
    "categories": dict(objective="rank:pairwise", categorical=True, max_cat_to_onehot=1),
    "onehot": dict(objective="reg:squarederror", categorical=True, max_cat_to_onehot=50),
    "dart": dict(objective="rank:ndcg", booster="dart", rate_drop=0.5),
    "forest": dict(objective="rank:ndcg", num_parallel_tree=3, subsample=0.6),
    "base-score": dict(objective="reg:squarederror", base_score=2.5),
    "logistic": dict(objective="binary:logistic", base_score=0.3),
    "poisson": dict(objective="count:poisson"),
    "lossguide": dict(objective="rank:map", grow_policy="lossguide", max_leaves=15, max_depth=0, tree_method="hist"),
    "exact": dict(objective="reg:squarederror", tree_method="exact"),
    "monotone": dict(objective="reg:squarederror", monotone_constraints=(1, -1, 0, 0, 1, 0, 0, 0, 0, 0)),
    "pruned": dict(objective="reg:squarederror", gamma=5.0, tree_method="exact"),
    "multiclass": dict(objective="multi:softprob", num_class=5),
    "linear": dict(objective="reg:squarederror", booster="gblinear"),
}


def xgboost_case(out, name, given, rng, x, y, group, rows, test, rounds, leaves, ext):
    import xgboost as xgb
    given = dict(given)
    categorical = given.pop("categorical", False)
    params = {"nthread": 1, "max_depth": 4, "eta": 0.3, "seed": int(rng.integers(1 << 30)), "verbosity": 0, **given}
    kind = params["objective"]
    label = (y > 1).astype(float) if kind in ("binary:logistic", "rank:map", "binary:logitraw", "reg:logistic", "binary:hinge") else y + (1 if kind in ("reg:gamma", "reg:tweedie") else 0)
    types = ["c" if categorical and c in CATEGORIES else "float" for c in range(COLUMNS)]
    if categorical:
        x = x.copy()
    make = lambda values, **more: xgb.DMatrix(values, feature_types=types, enable_categorical=categorical, **more)
    train = make(x, label=label)
    if kind.startswith("rank:"):
        train.set_group(group)
    booster = xgb.train(params, train, rounds)
    path = os.path.join(out.folder, f"xgboost-{name}.{ext}")
    booster.save_model(path)
    again = xgb.Booster(model_file=path)
    refused = "refused" if params.get("num_class") or params.get("booster") == "gblinear" else None
    scores = refused or again.predict(make(test), output_margin=True)
    shap = None if refused else again.predict(make(test[:EXPLAINED]), pred_contribs=True)
    tool = f"xgboost {xgb.__version__}"
    out.case(f"xgboost-{name}", ext, tool, {**given, "categorical": categorical}, rows, scores, "xgboost-ubj" if ext == "ubj" else "xgboost", shap)
    if refused or not out.dumps("xgboost", name):
        return
    again.dump_model(os.path.join(out.folder, f"xgboost-dump-{name}.json"), dump_format="json", with_stats=True)
    # A dump has no base_score and no weights of dart, so neither has what is expected.
    saved = json.loads(again.save_raw("json"))
    saved["learner"]["learner_model_param"]["base_score"] = "[0E0]"
    saved["learner"]["objective"] = {"name": "reg:squarederror", "reg_loss_param": {"scale_pos_weight": "1"}}
    if params.get("booster") == "dart":
        saved["learner"]["gradient_booster"]["weight_drop"] = [1.0] * len(saved["learner"]["gradient_booster"]["weight_drop"])
    bare = xgb.Booster()
    bare.load_model(bytearray(json.dumps(saved), "utf8"))
    out.case(f"xgboost-dump-{name}", "json", tool, {**given, "categorical": categorical}, rows, bare.predict(make(test), output_margin=True), "xgboost-dump")


CATBOOST = {
    "plain": dict(loss_function="QueryRMSE"),
    "nan-max": dict(loss_function="RMSE", nan_mode="Max"),
    "depthwise": dict(loss_function="YetiRank", grow_policy="Depthwise"),
    "lossguide": dict(loss_function="RMSE", grow_policy="Lossguide", max_leaves=12),
    "deep": dict(loss_function="RMSE", depth=7),
    "logloss": dict(loss_function="Logloss"),
    "onehot": dict(loss_function="RMSE", categorical=True, one_hot_max_size=50),
    "ctr": dict(loss_function="RMSE", categorical=True, one_hot_max_size=2),
    "multiclass": dict(loss_function="MultiClass"),
}


def catboost_case(out, name, given, rng, x, y, group, rows, test, rounds, leaves):
    import catboost as cb
    given = dict(given)
    categorical = given.pop("categorical", False)
    params = {"iterations": rounds, "depth": 4, "thread_count": 1, "random_seed": int(rng.integers(1 << 30)), "logging_level": "Silent",
              "allow_writing_files": False, "train_dir": "/tmp", **given}
    label = (y > 1).astype(int) if params["loss_function"] == "Logloss" else y
    ids = np.repeat(np.arange(len(group)), group)

    def pool(values, label=None):
        if not categorical:
            return cb.Pool(values, label, group_id=ids if label is not None else None)
        import pandas as pd
        frame = pd.DataFrame(np.nan_to_num(values))
        for c in CATEGORIES:
            frame[c] = frame[c].astype(int).astype(str)
        return cb.Pool(frame, label, cat_features=CATEGORIES)

    model = cb.CatBoost(params)
    model.fit(pool(x, label))
    refused = "refused" if categorical or params["loss_function"] == "MultiClass" else None
    path = os.path.join(out.folder, f"catboost-{name}.json")
    model.save_model(path, format="json")
    scores = refused
    if not refused:
        # The model that was trained: CatBoost's own JSON reader rounds some numbers of the file wrongly in the last digit.
        scores = model.predict(pool(test), prediction_type="RawFormulaVal")
    shap = None if refused else model.get_feature_importance(pool(test[:EXPLAINED]), type="ShapValues")
    # For trees grown by Lossguide, CatBoost 1.2.10 gives values that do not add up to its own scores; those are left out.
    if shap is not None and not np.allclose(shap.sum(axis=1), scores[:EXPLAINED], rtol=1e-9, atol=1e-9):
        print(f"catboost {name}: ShapValues are off by {np.abs(shap.sum(axis=1) - scores[:EXPLAINED]).max():.2g} from the scores", file=sys.stderr)
        shap = None
    # What is not read: build and paths of the machine.
    with open(path) as f:
        saved = json.load(f)
    saved["model_info"] = {"params": {"loss_function": saved["model_info"]["params"]["loss_function"]}}
    with open(path, "w") as f:
        json.dump(saved, f)
    out.case(f"catboost-{name}", "json", f"catboost {cb.__version__}", {**given, "categorical": categorical}, rows, scores, "catboost", shap)


RANKLIB = {
    "lambdamart": dict(ranker=6, tree=5, leaf=6, shrinkage=0.3),
    "mart": dict(ranker=0, tree=5, leaf=6),
    "forest": dict(ranker=8, bag=6, leaf=8),
    "forest-of-lambdamart": dict(ranker=8, rtype=6, bag=3, tree=3, leaf=5),
    "linear": dict(ranker=9),
    "coordinate-ascent": dict(ranker=4, r=1, i=5),
    "ranknet": dict(ranker=1, epoch=2),
    "rankboost": dict(ranker=2, round=3),
    "adarank": dict(ranker=3, round=3),
    "listnet": dict(ranker=7, epoch=2),
}


def ranklib_case(out, name, given, jars, x, y, group, rows, test):
    """RankLib has no missing values: what is not in a row counts as 0."""
    folder = tempfile.mkdtemp()

    def text(values, labels, file):
        path = os.path.join(folder, file)
        with open(path, "w") as f:
            for i, row in enumerate(values):
                pairs = " ".join(f"{c + 1}:{float(v)!r}" for c, v in enumerate(row) if not np.isnan(v))
                f.write(f"{int(labels[i])} qid:{i // group[0] + 1} {pairs} # {i}\n")
        return path

    def run(*words):
        path = ":".join(os.path.join(jars, jar) for jar in sorted(os.listdir(jars)))
        subprocess.run(["java", "-Xmx512m", "-cp", path, "ciir.umass.edu.eval.Evaluator", *map(str, words), "-missingZero"], check=True, capture_output=True)

    model = os.path.join(out.folder, f"ranklib-{name}.txt")
    run("-train", text(x, y, "train.txt"), "-metric2t", "NDCG@10", "-save", model, *[word for key, value in given.items() for word in (f"-{key}", value)])
    scores = "refused"
    if name not in ("ranknet", "rankboost", "adarank", "listnet"):
        run("-load", model, "-rank", text(test, np.zeros(len(test)), "test.txt"), "-score", os.path.join(folder, "scores.txt"))
        with open(os.path.join(folder, "scores.txt")) as f:
            scores = [float(line.split("\t")[2]) for line in f]
    # Sums within a bag are float32 in RankLib, and float64 where the model is read; weighted sums are taken in another order there.
    out.case(f"ranklib-{name}", "txt", "ranklib 2.10.1", given, rows, scores, "ranklib", tolerance=1e-6 if given.get("rtype") else 1e-13 if given["ranker"] in (4, 9) else 0)


ONNX = ["lightgbm", "boosting", "forest", "tree", "linear", "pipeline"]


def onnx_case(out, name, rng, x, y, rows, test):
    """Models of other libraries, as their converters write them, and as ONNX Runtime scores them."""
    import onnxruntime
    from skl2onnx import to_onnx
    from sklearn import ensemble, linear_model, pipeline, preprocessing, tree
    filled = np.nan_to_num(x)
    seed = int(rng.integers(1 << 30))
    if name == "lightgbm":
        import lightgbm as lgb
        from onnxmltools import convert_lightgbm
        from onnxmltools.convert.common.data_types import FloatTensorType
        booster = lgb.train({"verbose": -1, "num_threads": 1, "num_leaves": 7, "objective": "regression"}, lgb.Dataset(x, y), 6)
        graph = convert_lightgbm(booster, initial_types=[("x", FloatTensorType([None, COLUMNS]))])
    else:
        model = {
            "boosting": ensemble.GradientBoostingRegressor(n_estimators=6, max_depth=3, random_state=seed),
            "forest": ensemble.RandomForestRegressor(n_estimators=5, max_depth=4, random_state=seed),
            "tree": tree.DecisionTreeRegressor(max_depth=4, random_state=seed),
            "linear": linear_model.LinearRegression(),
            "pipeline": pipeline.make_pipeline(preprocessing.StandardScaler(), linear_model.Ridge()),
        }[name]
        model.fit(filled, y)
        graph = to_onnx(model, filled[:1].astype(np.float32))
    path = os.path.join(out.folder, f"onnx-{name}.onnx")
    with open(path, "wb") as f:
        f.write(graph.SerializeToString())
    scores = "refused"
    if name != "pipeline":
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        given = test if name != "linear" else np.nan_to_num(test)
        scores = np.concatenate([session.run(None, {session.get_inputs()[0].name: given[at:at + 50]})[0].ravel() for at in range(0, len(given), 50)])
    # ONNX Runtime takes the sum of a linear model in another order.
    out.case(f"onnx-{name}", "onnx", f"onnxruntime {onnxruntime.__version__}", {"model": name}, rows, scores, "onnx", tolerance=1e-6 if name == "linear" else 0)


def random_settings(rng):
    pick = lambda *options: options[rng.integers(len(options))]
    lightgbm = dict(objective=pick("lambdarank", "rank_xendcg", "regression", "regression_l1", "huber", "binary", "poisson", "quantile", "gamma", "tweedie", "cross_entropy", "mape"),
                    boosting=pick("gbdt", "gbdt", "dart", "rf"), categorical=pick(True, False), zero_as_missing=pick(True, False, False),
                    use_missing=pick(True, True, False), max_bin=int(pick(5, 15, 63, 255)), max_cat_to_onehot=int(pick(1, 4, 50)), min_data_per_group=int(pick(1, 10, 100)),
                    boost_from_average=pick(True, False), learning_rate=float(pick(0.05, 0.3, 1.0)), extra_trees=pick(True, False), path_smooth=float(pick(0, 1.5)),
                    bagging_freq=1, bagging_fraction=0.7, feature_fraction=float(pick(0.5, 1.0)), float64=pick(True, False), reg_sqrt=False, enable_bundle=pick(True, False),
                    cat_smooth=float(pick(1, 10)), lambda_l2=float(pick(0, 1, 10)), max_depth=int(pick(-1, 3, 6)), num_leaves=int(pick(2, 7, 31, 80)))
    xgboost = dict(objective=pick("rank:ndcg", "rank:pairwise", "rank:map", "reg:squarederror", "reg:absoluteerror", "binary:logistic", "binary:logitraw", "count:poisson",
                                  "reg:tweedie", "reg:gamma", "reg:pseudohubererror", "reg:logistic", "binary:hinge", "reg:quantileerror"),
                   booster=pick("gbtree", "gbtree", "dart"), categorical=pick(True, False), max_cat_to_onehot=int(pick(1, 5, 50)), grow_policy=pick("depthwise", "lossguide"),
                   max_depth=int(pick(1, 3, 6, 9)), max_bin=int(pick(4, 64, 256)), num_parallel_tree=int(pick(1, 1, 4)), rate_drop=0.4, gamma=float(pick(0, 1)),
                   min_child_weight=float(pick(0, 1, 5)), subsample=0.8, eta=float(pick(0.05, 0.3, 1.0)), tree_method="hist")
    if rng.random() < 0.3:
        xgboost["base_score"] = float(pick(0.2, 0.7))
    if xgboost["objective"] == "reg:quantileerror":
        xgboost["quantile_alpha"] = 0.3
    catboost = dict(loss_function=pick("RMSE", "QueryRMSE", "YetiRank", "Logloss", "Quantile", "Poisson", "PairLogit", "QuerySoftMax"), nan_mode=pick("Min", "Max"), depth=int(pick(1, 4, 7)),
                    grow_policy=pick("SymmetricTree", "Depthwise", "Lossguide"), border_count=int(pick(4, 32, 254)), boost_from_average=False,
                    learning_rate=float(pick(0.05, 0.5)), l2_leaf_reg=float(pick(1, 10)), bootstrap_type="Bernoulli", random_strength=float(pick(0, 1)))
    if catboost["loss_function"] in ("YetiRank", "PairLogit") and catboost["grow_policy"] == "Lossguide":
        catboost["grow_policy"] = "Depthwise"
    return {"lightgbm": lightgbm, "xgboost": xgboost, "catboost": catboost}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--rows", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--ranklib", default="", help="folder with the jars of RankLib")
    args = parser.parse_args()
    rng = np.random.default_rng(args.seed)
    out = Out(args.folder)
    group = np.full(60, 10)
    x, y = data(rng, 600)
    test = odd(rng, data(rng, args.rows)[0], infinities=True)
    finite = odd(rng, data(rng, args.rows)[0], infinities=False)
    rows = {"lightgbm": (out.rows("rows.f32", test), test), "finite": (out.rows("rows-finite.f32", finite), finite)}

    def one(tool, name, given, rounds, leaves, ext="json"):
        if args.only and args.only != tool:
            return
        try:
            if tool == "lightgbm":
                lightgbm_case(out, name, given, rng, x, y, group, *rows["lightgbm"], rounds, leaves)
            elif tool == "xgboost":
                xgboost_case(out, name, given, rng, x, y, group, *rows["finite"], rounds, leaves, ext)
            else:
                catboost_case(out, name, given, rng, x, y, group, *rows["finite"], rounds, leaves)
        except Exception as error:  # settings that the tool itself refuses
            if not args.random:
                raise
            print(f"{tool} {name}: {str(error).splitlines()[0][:150]}", file=sys.stderr)

    if args.random:
        for i in range(args.random):
            for tool, given in random_settings(rng).items():
                one(tool, f"random-{args.seed}-{i}", given, int(rng.integers(1, 30)), 15, ["json", "ubj"][i % 2])
        return
    for name, given in LIGHTGBM.items():
        one("lightgbm", name, given, 6, 10)
    for i, (name, given) in enumerate(XGBOOST.items()):
        one("xgboost", name, given, 4, 10, ["json", "ubj"][i % 2])
    for name, given in CATBOOST.items():
        one("catboost", name, given, 5, 10)
    for name in ONNX if args.only in ("", "onnx") else []:
        onnx_case(out, name, rng, x, y, *rows["finite"])
    if args.ranklib and args.only in ("", "ranklib"):
        # Some whole numbers, some zeros, no infinities, which RankLib does not read.
        for name, given in RANKLIB.items():
            ranklib_case(out, name, given, args.ranklib, x, y, group, *rows["finite"])


main()
