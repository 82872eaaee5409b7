"""One run of LightGBM for bench/two-round.ts: file, trees, threads. Reads in two rounds, trains, and prints one line of JSON."""

import json
import resource
import sys
import time

import lightgbm as lgb

path, rounds, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
common = {"two_round": True, "max_bin": 255, "num_threads": threads, "verbose": -1}
start = time.perf_counter()
data = lgb.Dataset(path, params=common).construct()
loaded = time.perf_counter()
booster = lgb.Booster({**common, "objective": "lambdarank", "num_leaves": 31, "learning_rate": 0.1}, data)
for _ in range(rounds):
    booster.update()
ended = time.perf_counter()
used = resource.getrusage(resource.RUSAGE_SELF)
print(
    json.dumps(
        {
            "load": loaded - start,
            "train": ended - loaded,
            "cpu": used.ru_utime + used.ru_stime,
            "peak": used.ru_maxrss * 1024,
            "rows": data.num_data(),
        }
    )
)
