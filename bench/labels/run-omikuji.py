"""Trains omikuji with its defaults (Parabel) for bench/labels/trees.ts. Arguments: training file, test file, threads, trees. Prints one JSON line."""
import json, resource, sys, time
import omikuji

train, test, threads = sys.argv[1], sys.argv[2], int(sys.argv[3])
settings = omikuji.Model.default_hyper_param()
settings.n_trees = int(sys.argv[4])
begun = time.perf_counter()
model = omikuji.Model.train_on_data(train, settings, threads)
trained = time.perf_counter() - begun
used = resource.getrusage(resource.RUSAGE_SELF)
model.init_prediction_thread_pool(1)
hits, rows, begun = {1: 0, 3: 0, 5: 0}, 0, time.perf_counter()
with open(test) as lines:
    next(lines)
    for line in lines:
        labels, *pairs = line.split()
        relevant = set(map(int, labels.split(",")))
        row = [(int(feature), float(value)) for feature, value in (pair.split(":") for pair in pairs)]
        top = [label for label, _ in model.predict(row, top_k=5)]
        rows += 1
        for k in hits:
            hits[k] += sum(label in relevant for label in top[:k])
print(json.dumps({"train": trained, "cpu": used.ru_utime + used.ru_stime, "test": time.perf_counter() - begun, "precision": [hits[k] / k / rows for k in hits]}))
