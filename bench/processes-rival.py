"""One process of LightGBM for bench/processes.ts: folder, threads, trees, own number, and the ports of all processes. Data-parallel trees over sockets on the
loopback device where there are several; the first process prints one line of JSON."""

import json
import sys
import time

import lightgbm as lgb
import numpy as np

folder, threads, trees, rank = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
ports = sys.argv[5:]
FEATURES = 136

starts = np.fromfile(f"{folder}/starts", dtype=np.uint32)
lists, size = len(starts) - 1, len(ports)
first, last = lists * rank // size, lists * (rank + 1) // size
begin, end = int(starts[first]), int(starts[last])
values = np.fromfile(f"{folder}/values", dtype=np.float32, count=(end - begin) * FEATURES, offset=begin * FEATURES * 4).reshape(-1, FEATURES)
labels = np.fromfile(f"{folder}/labels", dtype=np.float32, count=end - begin, offset=begin * 4)
params = {"objective": "lambdarank", "num_leaves": 31, "learning_rate": 0.1, "max_bin": 255, "num_threads": threads, "verbose": -1}
if size > 1:
    params |= {
        "tree_learner": "data",
        "num_machines": size,
        "machines": ",".join(f"127.0.0.1:{port}" for port in ports),
        "local_listen_port": int(ports[rank]),
        "pre_partition": True,
    }
booster = lgb.Booster(params, lgb.Dataset(values, labels, group=np.diff(starts[first : last + 1]), params=params))
booster.update()
start = time.perf_counter()
for _ in range(trees - 1):
    booster.update()
if rank == 0:
    print(json.dumps({"perTree": (time.perf_counter() - start) / (trees - 1)}))
booster.free_network()
