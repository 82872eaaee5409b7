"""Trains LightGBM, XGBoost and CatBoost on the folds of the leaderboard and writes the scores of the test lists, which `tierwise papers
leaderboard` evaluates beside its own rows.

  python3 -m venv venv && venv/bin/pip install numpy lightgbm==4.7.0 xgboost==3.2.0 catboost==1.2.10
  npm run bench folds -- --data DIR --out folds
  venv/bin/python bench/score-files.py folds papers/scores [--tools catboost-yetirank,...] [--sets mq2008,...]

Every tool trains with its defaults on one thread: at most 1,000 rounds, of which the one with the best NDCG@10 of the validation lists is kept,
and none after 50 rounds without a better one. The seed is the number of the fold.

A file DATA-TOOL.json.gz is gzipped JSON: format "tierwise scores", version 1, tool, toolVersion, objective, settings (those that differ from
the defaults), data (the id of the data set), and folds, each with the digest of its data (from folds.json), rounds (that were trained), best
(the round that was kept), seconds and processor (that building the data and training took; the second is processor time), and lists, the
scores of each test list in the order of the data. Scores are rounded to the fewest digits that keep the order and the ties of their list, so
metrics of the order are exact and the files small.
"""

import argparse
import gzip
import json
import os
import time

import numpy as np

ROUNDS, PATIENCE = 1000, 50


def load(folder, data, fold, part, features):
    path = os.path.join(folder, f"{data}-{fold}-{part}")
    values = np.fromfile(f"{path}.values", dtype=np.float32).reshape(-1, features)
    labels = np.fromfile(f"{path}.labels", dtype=np.float32)
    return values, labels, np.diff(np.fromfile(f"{path}.starts", dtype=np.uint32).astype(np.int64))


def lightgbm(objective):
    import lightgbm as tool

    settings = {"objective": objective, "metric": "ndcg", "eval_at": [10], "num_threads": 1, "verbose": -1}

    def run(train, valid, test, seed):
        data = tool.Dataset(train[0], train[1], group=train[2])
        held = data.create_valid(valid[0], valid[1], group=valid[2])
        history = {}
        after = [tool.early_stopping(PATIENCE, verbose=False), tool.record_evaluation(history)]
        booster = tool.train({**settings, "seed": seed}, data, ROUNDS, valid_sets=[held], valid_names=["valid"], callbacks=after)
        best = booster.best_iteration
        return len(history["valid"]["ndcg@10"]), best, lambda: booster.predict(test[0], num_iteration=best)

    return "LightGBM", tool.__version__, objective, {**settings, "num_boost_round": ROUNDS, "early_stopping": PATIENCE}, run


def xgboost(objective):
    import xgboost as tool

    settings = {"objective": objective, "eval_metric": "ndcg@10", "nthread": 1}

    def run(train, valid, test, seed):
        data, held = (tool.DMatrix(part[0], part[1], group=part[2], nthread=1) for part in (train, valid))
        booster = tool.train(
            {**settings, "seed": seed},
            data,
            ROUNDS,
            evals=[(held, "valid")],
            early_stopping_rounds=PATIENCE,
            verbose_eval=False,
        )
        best = booster.best_iteration + 1
        return (
            booster.num_boosted_rounds(),
            best,
            lambda: booster.predict(tool.DMatrix(test[0], nthread=1), iteration_range=(0, best)),
        )

    return "XGBoost", tool.__version__, objective, {**settings, "num_boost_round": ROUNDS, "early_stopping_rounds": PATIENCE}, run


def catboost(objective):
    import catboost as tool

    settings = {
        "loss_function": objective,
        "eval_metric": "NDCG:top=10;type=Exp",
        "iterations": ROUNDS,
        "early_stopping_rounds": PATIENCE,
        "thread_count": 1,
    }
    quiet = {"allow_writing_files": False, "logging_level": "Silent"}

    def run(train, valid, test, seed):
        data, held = (
            tool.Pool(part[0], part[1], group_id=np.repeat(np.arange(len(part[2])), part[2]), thread_count=1)
            for part in (train, valid)
        )
        model = tool.CatBoost({**settings, **quiet, "random_seed": seed}).fit(data, eval_set=held)
        rounds = len(next(iter(model.get_evals_result()["validation"].values())))
        return rounds, model.get_best_iteration() + 1, lambda: model.predict(test[0], thread_count=1)

    return "CatBoost", tool.__version__, objective, settings, run


TOOLS = {
    "catboost-yetirank": (catboost, "YetiRank"),
    "lightgbm-lambdarank": (lightgbm, "lambdarank"),
    "lightgbm-xendcg": (lightgbm, "rank_xendcg"),
    "xgboost-ndcg": (xgboost, "rank:ndcg"),
}


def rounded(scores):
    """The scores of a list with the fewest digits that keep their order and ties."""
    order = np.argsort(scores, kind="stable")
    rises = np.diff(scores[order]) > 0
    for digits in range(2, 17):
        short = np.array([float(f"{score:.{digits}g}") for score in scores])
        if np.array_equal(np.diff(short[order]) > 0, rises):
            return short.tolist()
    return scores.tolist()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folds", help="the folder that npm run bench folds wrote")
    parser.add_argument("out", help="folder for the score files")
    parser.add_argument("--tools", default=",".join(TOOLS), help=f"some of {', '.join(TOOLS)}")
    parser.add_argument("--sets", help="some of the data sets, by id")
    args = parser.parse_args()
    with open(os.path.join(args.folds, "folds.json")) as file:
        folds = json.load(file)
    sets = list(dict.fromkeys(fold["data"] for fold in folds))
    wanted = args.sets.split(",") if args.sets else sets
    tools = args.tools.split(",")
    for name, known in [*((one, TOOLS) for one in tools), *((one, sets) for one in wanted)]:
        if name not in known:
            parser.error(f"{name!r} is none of {', '.join(known)}")
    os.makedirs(args.out, exist_ok=True)
    for data in wanted:
        for name in tools:
            make, objective = TOOLS[name]
            tool, version, objective, settings, run = make(objective)
            done = []
            for fold in (one for one in folds if one["data"] == data):
                parts = [load(args.folds, data, fold["fold"], part, fold["features"]) for part in ("train", "valid", "test")]
                begun, used = time.perf_counter(), time.process_time()
                rounds, best, predict = run(*parts, fold["fold"])
                spent = {"seconds": round(time.perf_counter() - begun, 3), "processor": round(time.process_time() - used, 3)}
                scores = np.asarray(predict(), dtype=np.float64)
                lists = [rounded(one) for one in np.split(scores, np.cumsum(parts[2][2])[:-1])]
                done.append({"digest": fold["digest"], "rounds": rounds, "best": best, **spent, "lists": lists})
                print(f"{data} {name} fold {fold['fold']}: round {best} of {rounds}, {spent['processor']} s", flush=True)
            head = {"format": "tierwise scores", "version": 1, "tool": tool, "toolVersion": version, "objective": objective}
            text = json.dumps({**head, "settings": settings, "data": data, "folds": done}, separators=(",", ":"))
            with open(os.path.join(args.out, f"{data}-{name}.json.gz"), "wb") as file:
                file.write(gzip.compress(f"{text}\n".encode(), 9, mtime=0))


main()
