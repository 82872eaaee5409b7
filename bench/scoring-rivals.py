"""One run of another tool for bench/scoring.ts: folder, model, tool. Prints one line of JSON; the first run of lleaves compiles the model."""

import hashlib
import json
import os
import sys
import time

import numpy as np

folder, name, tool = sys.argv[1:4]
FEATURES = 136
text = f"{folder}/{name}.lightgbm.txt"
values = np.fromfile(f"{folder}/{'categories' if name.startswith('categories') else 'numbers'}.values", dtype=np.float32)
values = values.reshape(-1, FEATURES)


def prepare():
    if tool == "lightgbm":
        import lightgbm

        booster = lightgbm.Booster(model_file=text)
        return lambda rows: booster.predict(rows, raw_score=True, num_threads=1), values.astype(np.float64)
    if tool == "lleaves":
        import lightgbm
        import lleaves

        whole = f"{folder}/{name}.whole.txt"  # as LightGBM writes it, with the sizes of trees that lleaves asks for
        lightgbm.Booster(model_file=text).save_model(whole)
        model = lleaves.Model(model_file=whole)
        model.compile(cache=f"{folder}/{name}.lleaves")
        return lambda rows: model.predict(rows, n_jobs=1), values.astype(np.float64)
    import lightgbm
    import onnxruntime
    from onnxmltools import convert_lightgbm
    from onnxmltools.convert.common.data_types import FloatTensorType

    path = f"{folder}/{name}.onnx"
    if not os.path.exists(path):
        graph = convert_lightgbm(lightgbm.Booster(model_file=text), initial_types=[("x", FloatTensorType([None, FEATURES]))])
        with open(path, "wb") as file:
            file.write(graph.SerializeToString())
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return lambda rows: session.run(None, {"x": rows})[0].ravel(), values


def main():
    predict, rows = prepare()
    scores = predict(rows)
    best = float("inf")
    for _ in range(5):
        used = time.process_time()
        predict(rows)
        best = min(best, time.process_time() - used)
    small = {}
    for n in (1, 10, 100):
        times = []
        few = rows[:n]
        for _ in range(300):
            start = time.perf_counter()
            predict(few)
            times.append(time.perf_counter() - start)
        small[n] = sorted(times)[150] * 1000
    digest = hashlib.md5(scores.astype(np.float64).tobytes()).hexdigest()
    return {"rate": len(rows) / best, "small": small, "sum": float(np.sum(scores, dtype=np.float64)), "digest": digest}


print(json.dumps(main()))
