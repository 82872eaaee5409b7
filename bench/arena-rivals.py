"""Seconds that another tool takes from a file of battles to ratings: arena-rivals.py TOOL FILE. The first line is the version, the second seconds."""
import sys
import time
from importlib.metadata import version

tool, path = sys.argv[1:]
begun = time.process_time()
import numpy as np
import pandas as pd

if tool == "evalica":
    import evalica

    rows = pd.read_csv(path)
    winners = {"model_a": evalica.Winner.X, "model_b": evalica.Winner.Y}
    evalica.bradley_terry(rows["model_a"], rows["model_b"], rows["winner"].map(lambda one: winners.get(one, evalica.Winner.Draw)))
elif tool == "arena-rank":
    from arena_rank.models.bradley_terry import BradleyTerry
    from arena_rank.utils.data_utils import PairDataset

    data = PairDataset.from_pandas(pd.read_csv(path))
    BradleyTerry(n_competitors=len(data.competitors)).compute_ratings_and_cis(data)
elif tool == "choix":
    import choix

    rows = pd.read_csv(path)
    items = {name: i for i, name in enumerate(sorted(set(rows["model_a"]) | set(rows["model_b"])))}
    a, b = rows["model_a"].map(items).to_numpy(), rows["model_b"].map(items).to_numpy()
    wins = np.zeros((len(items), len(items)))
    for winner, one, other in [("model_a", a, b), ("model_b", b, a)]:
        kept = (rows["winner"] == winner).to_numpy()
        np.add.at(wins, (one[kept], other[kept]), 1)
    choix.ilsr_pairwise_dense(wins)
print(version(tool))
print(time.process_time() - begun)
