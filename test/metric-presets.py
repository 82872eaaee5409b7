"""Makes test/passports.json: what other tools print for the same lists and scores, so that the tests need none of them.

    python test/passports.py [DATA-FOLDER]

With a folder that holds mq2008/S1.txt.gz and ohsumed/T1.txt.gz to T5.txt.gz, values of these are made too, and test/ohsumed-features.json:
all 25 features of OHSUMED as rankings, as the script of LETOR measures them (means over the 106 queries of all five parts).

Every tool that can be imported is run, and its values are replaced; values of the others stay as they are, so the script may be run
under several environments in turn. RankLib and the evaluation script of LETOR 4.0 are named by the environment, as is a wish for some cases only:

    RANKLIB_JAR   a jar of RankLib with its dependencies on the class path (java 11 or newer); ours is the build of org.codelibs
    LETOR_PERL    Eval-Score-4.0.pl, its output taken with ten decimals instead of four. Ours was retyped from a copy in a public
                  repository, without its usage texts and values per query, so it is not the publishers' file byte for byte

allRank was imported with empty stand-ins for packages that its metrics do not use.

    ONLY          words in the names of the cases to make anew; the values of the others stay

A value is the mean over the lists of a case. TensorFlow Ranking shuffles tied scores: its value is the mean over all orders of the ties.
ranx, allRank, and YDF in map and mrr, sort with a method that leaves tied items of longer lists in an order no rule tells: they are asked
only where no list of more than 16 items has ties.
"""
import gzip, itertools, json, math, os, random, re, subprocess, sys, tempfile
from importlib.metadata import version

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "passports.json")
CUTOFFS = [1, 3, 5, 10]
LETOR = "Eval-Score-4.0.pl, a shortened copy with the same computation"
ORDERS = 5000  # most orders of ties that are enumerated in one list


def at(name, cutoffs=CUTOFFS):
    return [(f"{name}@{k}", k) for k in cutoffs]


def settled(lists):
    """Whether every sort orders these lists alike."""
    return all(len(scores) <= 16 or len(set(scores)) == len(scores) for _, scores, _ in lists)


def mean(values):
    values = list(values)
    return sum(values) / len(values)


# The lists. Every list is (labels, scores, document ids), in the order of the data.


def case(*lists):
    return [(labels, scores, ids or [f"d{i + 1}" for i in range(len(labels))]) for labels, scores, ids in lists]


def draw(seed, lists, most, grades, steps):
    rng = random.Random(seed)
    made = []
    for _ in range(lists):
        n = rng.randint(2, most)
        ids = rng.sample(range(100, 1000), n)
        made.append(([rng.choice(grades) for _ in range(n)], [rng.randrange(steps) / 4 for _ in range(n)], [f"d{i}" for i in ids]))
    return made


CASES = {
    "no ties": case(
        ([0, 2, 1, 0, 1], [0.1, 0.5, 0.9, 0.3, 0.2], None),
        ([1, 0, 2], [3, 2, 1], None),
        ([0, 0, 0, 1, 2, 0, 1], [7, 6, 5, 4, 3, 2, 1], None),
    ),
    "all tied": case(
        ([2, 1, 0, 0], [1, 1, 1, 1], ["b", "d", "a", "c"]),
        ([0, 0, 1, 2], [0, 0, 0, 0], ["b", "d", "a", "c"]),
        ([0, 1, 0, 2, 1], [-3, -3, -3, -3, -3], ["e", "a", "d", "c", "b"]),
    ),
    "lists without a relevant item": case(
        ([0, 0, 0], [3, 2, 1], None),
        ([1, 0, 2], [1, 2, 3], None),
        ([0, 0], [1, 1], None),
        ([0, 2], [2, 1], None),
    ),
    "only lists without a relevant item": case(([0, 0, 0], [3, 2, 1], None), ([0, 0], [1, 1], None)),
    "one item": case(([1], [0.5], None), ([2], [7], None), ([0], [1], None)),
    "ties across the cutoff": case(
        (
            [0, 1, 0, 2, 0, 0, 1, 0, 2, 0, 1, 2, 0, 0, 1],
            [9, 8, 8, 8, 7, 6, 5, 4, 4, 4, 4, 4, 4, 3, 2],
            [f"x{(7 * i) % 15:02d}" for i in range(15)],
        ),
        ([1, 2, 0, 0, 2, 1], [2, 1, 1, 1, 1, 0], ["f", "b", "a", "e", "d", "c"]),
        ([0, 0, 0, 0, 1], [5, 5, 5, 5, 5], ["k", "j", "l", "m", "i"]),
    ),
    "cutoff longer than the list": case(([0, 1], [2, 1], None), ([2, 0, 1, 0], [1, 4, 2, 3], None), ([1, 1, 0], [1, 3, 2], None)),
    "relevant and not": case(
        ([0, 1, 1, 0, 1, 0], [3, 3, 2, 2, 2, 1], ["a", "c", "b", "f", "e", "d"]),
        ([1, 0, 0, 1], [1, 1, 1, 1], None),
        ([0, 0], [1, 2], None),
        ([1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], None),
    ),
    "grades to 4": case(
        ([4, 0, 3, 1, 2, 0], [1, 2, 3, 3, 5, 6], ["a", "c", "b", "f", "e", "d"]),
        ([0, 3, 0, 4, 4], [2, 2, 2, 1, 1], None),
        ([1, 0, 2], [1, 1, 2], None),
    ),
    "short lists with many ties": draw(4, 30, 12, [0, 0, 0, 1, 2], 8),
    "short lists with many ties, relevant and not": draw(5, 30, 12, [0, 0, 0, 1], 8),
    "many ties, grades to 2": draw(1, 40, 25, [0, 0, 0, 1, 2], 12),
    "many ties, grades to 4": draw(2, 40, 25, [0, 0, 0, 1, 2, 3, 4], 12),
    "many ties, relevant and not": draw(3, 40, 25, [0, 0, 0, 1], 12),
}


def mq2008(folder):
    """A part of MQ2008 scored by feature 18, which has many ties: with grades, with relevant and not, and with ties broken by the data's order."""
    lists = {}
    for line in gzip.open(os.path.join(folder, "mq2008/S1.txt.gz"), "rt"):
        row, comment = line.split("#", 1)
        label, qid, *pairs = row.split()
        labels, scores, docs = lists.setdefault(qid, ([], [], []))
        labels.append(int(label))
        scores.append(float(pairs[17].split(":")[1]))
        docs.append(re.match(r"docid = (\S+)", comment).group(1))

    def places(scores):
        placed = [0] * len(scores)
        for place, item in enumerate(sorted(range(len(scores)), key=lambda i: -scores[i])):
            placed[item] = -place
        return placed

    return {
        "grades": list(lists.values()),
        "relevant and not": [([min(1, label) for label in labels], scores, docs) for labels, scores, docs in lists.values()],
        "grades without ties": [(labels, places(scores), docs) for labels, scores, docs in lists.values()],
    }


# The tools. Each gives {metric: value} for the lists of one case, or nothing where it refuses them.


def lightgbm(lists):
    import lightgbm as lgb
    import numpy as np

    labels = np.concatenate([np.array(l, float) for l, _, _ in lists])
    scores = np.concatenate([np.array(s, float) for _, s, _ in lists])
    data = lgb.Dataset(
        np.zeros((len(labels), 1)), labels, group=[len(l) for l, _, _ in lists], init_score=scores, params={"verbose": -1}
    )
    cutoffs = CUTOFFS + [100000]
    # No split is possible, so that after a round the scores are still those given.
    params = dict(objective="lambdarank", metric=["ndcg", "map"], eval_at=cutoffs, verbose=-1, feature_pre_filter=False)
    found = {}
    lgb.train(params, data, 1, valid_sets=[data], callbacks=[lgb.record_evaluation(found)])
    values = {name: value[-1] for name, value in next(iter(found.values())).items()}
    return {name.replace("@100000", ""): value for name, value in values.items()}


def xgboost(lists):
    import numpy as np
    import xgboost as xgb

    labels = np.concatenate([np.array(l, float) for l, _, _ in lists])
    scores = np.concatenate([np.array(s, float) for _, s, _ in lists])
    binary = labels.max() <= 1
    names = ["ndcg", "map"] if binary else ["ndcg"]  # without a cutoff, XGBoost takes that of its objective
    names = names + [f"{name}@{k}{end}" for name in names for k in CUTOFFS for end in ("", "-")] + [f"{name}-" for name in names]
    names += [f"pre@{k}" for k in CUTOFFS] if binary else []
    found = {}
    for name in names:
        data = xgb.DMatrix(np.zeros((len(labels), 1)), labels, base_margin=scores, group=[len(l) for l, _, _ in lists])
        ours = name.rstrip("-").replace("pre@", "precision@")
        tool = "xgboost-" if name.endswith("-") else "xgboost"
        # A round without effect: what it records has all decimals.
        values = {}
        xgb.train(
            {"objective": "rank:ndcg", "eval_metric": name, "eta": 0, "verbosity": 0, "max_depth": 1, "gamma": 1e9},
            data,
            1,
            evals=[(data, "x")],
            evals_result=values,
            verbose_eval=False,
        )
        found[f"{ours}:{tool}"] = next(iter(values["x"].values()))[-1]
    return found


def catboost(lists):
    from catboost.utils import eval_metric

    labels = [float(label) for l, _, _ in lists for label in l]
    scores = [float(score) for _, s, _ in lists for score in s]
    groups = [q for q, (l, _, _) in enumerate(lists) for _ in l]
    names = {}
    for ours, k in [("", -1)] + [(f"@{k}", k) for k in CUTOFFS]:
        names[f"ndcg{ours}"] = f"NDCG:top={k}"
        names[f"ndcg{ours}:catboost;gain=exp"] = f"NDCG:top={k};type=Exp"
        names[f"ndcg{ours}:catboost;discount=place"] = f"NDCG:top={k};denominator=Position"
        names[f"dcg{ours}"] = f"DCG:top={k}"
        names[f"map{ours}"] = f"MAP:top={k}"
        names[f"mrr{ours}"] = f"MRR:top={k}"
        names[f"precision{ours}"] = f"PrecisionAt:top={k}"
        names[f"recall{ours}"] = f"RecallAt:top={k}"
        if max(labels) <= 1:
            names[f"err{ours}"] = f"ERR:top={k}"
    return {ours: eval_metric(labels, scores, theirs, group_id=groups)[0] for ours, theirs in names.items()}


def sklearn(lists):
    from sklearn.metrics import dcg_score, ndcg_score

    if any(len(labels) < 2 for labels, _, _ in lists):
        return {}
    found = {}
    for name, score in (("ndcg", ndcg_score), ("dcg", dcg_score)):
        for ours, k in at(name) + [(name, None)]:
            found[ours] = mean(score([labels], [scores], k=k) for labels, scores, _ in lists)
    return found


def trec(lists):
    import pytrec_eval

    names = {"ndcg": "ndcg", "map": "map", "recip_rank": "mrr"}
    for theirs, ours in (("ndcg_cut", "ndcg"), ("map_cut", "map"), ("P", "precision"), ("recall", "recall")):
        names.update({f"{theirs}_{k}": f"{ours}@{k}" for k in CUTOFFS})
    qrels = {f"q{q}": dict(zip(ids, labels)) for q, (labels, _, ids) in enumerate(lists)}
    run = {f"q{q}": dict(zip(ids, map(float, scores))) for q, (_, scores, ids) in enumerate(lists)}
    measures = {re.sub(r"_(\d+)$", r".\1", name) for name in names}
    values = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run).values()
    return {ours: mean(value[theirs] for value in values) for theirs, ours in names.items()}


def ranx(lists):
    from ranx import Qrels, Run, evaluate

    if not settled(lists):
        return {}

    names = {}
    for end, theirs in [("", "")] + [(f"@{k}", f"@{k}") for k in CUTOFFS]:
        for ours, name in (("ndcg", "ndcg"), ("map", "map"), ("mrr", "mrr"), ("precision", "precision"), ("recall", "recall")):
            names[f"{name}{theirs}"] = f"{ours}{end}"
        names[f"ndcg_burges{theirs}"] = f"ndcg{end}:ranx;gain=exp"
    qrels = Qrels({f"q{q}": dict(zip(ids, labels)) for q, (labels, _, ids) in enumerate(lists)})
    run = Run({f"q{q}": dict(zip(ids, map(float, scores))) for q, (_, scores, ids) in enumerate(lists)})
    values = evaluate(qrels, run, list(names))
    return {ours: float(values[theirs]) for theirs, ours in names.items()}


def ydf(lists):
    import numpy as np
    import ydf

    labels = np.concatenate([np.array(l, np.float32) for l, _, _ in lists])
    scores = np.concatenate([np.array(s, np.float32) for _, s, _ in lists])
    groups = np.concatenate([np.full(len(l), q + 1) for q, (l, _, _) in enumerate(lists)])
    found = {}
    for k in CUTOFFS + [None]:
        cut = dict(ndcg_truncation=k, mrr_truncation=k, map_truncation=k) if k else {}
        end = f"@{k}" if k else ""
        got = ydf.evaluate_predictions(scores, labels, ydf.Task.RANKING, ranking_groups=groups, **cut)
        found.update({f"ndcg{end}": got.ndcg})
        if settled(lists):
            found.update({f"mrr{end}": got.mrr, f"map{end}": got.map})
    return {name: value for name, value in found.items() if value is not None}


def allrank(lists):
    import torch
    from allrank.models.metrics import mrr, ndcg

    if not settled(lists):
        return {}
    # A padded batch, as allRank makes it.
    width = max(len(labels) for labels, _, _ in lists)
    padded = lambda rows, value: torch.tensor([list(row) + [value] * (width - len(row)) for row in rows], dtype=torch.float64)
    scores, labels = padded([s for _, s, _ in lists], 0.0), padded([l for l, _, _ in lists], -1.0)
    found = {}
    # A batch without any relevant item has an mrr of 0 there, though each such list has 1 in any other batch.
    some = any(max(labels) > 0 for labels, _, _ in lists)
    for name, metric in (("ndcg", ndcg), ("mrr", mrr))[: 2 if some else 1]:
        values = metric(scores.clone(), labels.clone(), ats=CUTOFFS + [width]).mean(dim=0).tolist()
        found.update(zip([ours for ours, _ in at(name)] + [name], values))
    return found


def orders(scores):
    """Scores without ties, one for each order that tied scores may take; nothing where they are too many."""
    groups = {}
    for i, score in enumerate(scores):
        groups.setdefault(score, []).append(i)
    ranks = [groups[score] for score in sorted(groups, reverse=True)]
    if math.prod(math.factorial(len(group)) for group in ranks) > ORDERS:
        return None
    all_orders = itertools.product(*(itertools.permutations(group) for group in ranks))
    made = []
    for order in all_orders:
        placed = [0.0] * len(scores)
        for place, item in enumerate(itertools.chain(*order)):
            placed[item] = float(-place)
        made.append(placed)
    return made


def tfr(lists):
    import tensorflow as tf
    import tensorflow_ranking as ranking

    spread = [orders(scores) for _, scores, _ in lists]
    if any(one is None for one in spread):
        return {}
    kinds = ranking.keras.metrics
    names = {}
    for ours, k in [("", None)] + [(f"@{k}", k) for k in CUTOFFS]:
        for name, kind in (
            ("ndcg", kinds.NDCGMetric),
            ("dcg", kinds.DCGMetric),
            ("map", kinds.MeanAveragePrecisionMetric),
            ("mrr", kinds.MRRMetric),
            ("precision", kinds.PrecisionMetric),
            ("recall", kinds.RecallMetric),
        ):
            names[f"{name}{ours}"] = kind(topn=k)
    if all(len(one) == 1 for one in spread):
        # One padded batch, so that the mean over lists is the tool's own.
        width = max(len(labels) for labels, _, _ in lists)
        pad = lambda rows, value: [[float(x) for x in row] + [value] * (width - len(row)) for row in rows]
        labels, scores = pad([l for l, _, _ in lists], -1.0), pad([one[0] for one in spread], -1e6)
        return {name: float(metric(labels, scores)) for name, metric in names.items()}
    values = {name: [] for name in names}
    for (labels, _, _), one in zip(lists, spread):
        for name, metric in names.items():
            metric.reset_state()
            values[name].append(float(metric([[float(x) for x in labels]] * len(one), one)))
    return {name: mean(found) for name, found in values.items()}


JAVA = """
import ciir.umass.edu.learning.*; import ciir.umass.edu.metric.*; import ciir.umass.edu.utilities.MergeSorter;
import java.util.*; import java.nio.file.*;
public class Harness {
  public static void main(String[] args) throws Exception {
    List<RankList> ranked = new ArrayList<>();
    for (String line : Files.readAllLines(Paths.get(args[0]))) {
      String[] cells = line.split(" ");
      List<DataPoint> points = new ArrayList<>();
      double[] scores = new double[cells.length - 1];
      for (int i = 1; i < cells.length; i++) {
        String[] pair = cells[i].split(",");
        points.add(new DenseDataPoint(pair[0] + " qid:" + cells[0] + " 1:0 # d"));
        scores[i - 1] = Double.parseDouble(pair[1]);
      }
      ranked.add(new RankList(new RankList(points), MergeSorter.sort(scores, false)));
    }
    MetricScorerFactory factory = new MetricScorerFactory();
    for (int i = 1; i < args.length; i++)
      System.out.println(args[i] + " " + factory.createScorer(args[i]).score(ranked));
  }
}
"""


def ranklib(lists):
    # Without a cutoff RankLib takes its own, which is ten places except for MAP.
    kinds = {"NDCG": "ndcg", "DCG": "dcg", "ERR": "err", "RR": "mrr", "P": "precision"}
    names = {"MAP": "map", **{theirs: ours for theirs, ours in kinds.items() if theirs != "RR"}}  # RR alone looks at no place
    for theirs, ours in kinds.items():
        names.update({f"{theirs}@{k}": f"{ours}@{k}" for k in CUTOFFS})
        if theirs != "P":
            names[f"{theirs}@1000"] = f"{ours}@all"
    with tempfile.TemporaryDirectory() as folder:
        source, data = os.path.join(folder, "Harness.java"), os.path.join(folder, "lists.txt")
        open(source, "w").write(JAVA)
        with open(data, "w") as out:
            for q, (labels, scores, _) in enumerate(lists):
                out.write(" ".join([f"{q + 1}"] + [f"{label},{score!r}" for label, score in zip(labels, scores)]) + "\n")
        command = ["java", "-cp", os.environ["RANKLIB_JAR"], source, data, *names]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return {names[theirs]: float(value) for theirs, value in (line.split() for line in printed.strip().split("\n"))}


def letor(lists, cutoffs=CUTOFFS):
    if max(max(labels) for labels, _, _ in lists) > 2:
        return {}
    script = open(os.environ["LETOR_PERL"]).read().replace("%.4f", "%.10f")
    with tempfile.TemporaryDirectory() as folder:
        path = lambda name: os.path.join(folder, name)
        open(path("eval.pl"), "w").write(script)
        with open(path("data"), "w") as data, open(path("scores"), "w") as scored:
            for q, (labels, scores, ids) in enumerate(lists):
                for label, score, doc in zip(labels, scores, ids):
                    data.write(f"{label} qid:{q + 1} 1:0 #docid = {doc} inc = 1 prob = 1\n")
                    scored.write(f"{score!r}\n")
        command = ["perl", path("eval.pl"), path("data"), path("scores"), path("out"), "0"]
        subprocess.run(command, check=True, capture_output=True)
        rows = [line.split("\t") for line in open(path("out")).read().strip().split("\n") if line]
    found = {}
    for head, values in zip(rows[::2], rows[1::2]):
        for name, value in zip(head[1:], values[1:]):
            ours = name.strip().lower().replace("p@", "precision@") if name.startswith("P@") else name.strip().lower()
            if ours in {one for one, _ in at("precision", cutoffs) + at("ndcg", cutoffs)} | {"map"}:
                found[ours] = float(value)
    return found


def ohsumed(folder):
    """Every feature of OHSUMED as a ranking: P@1 to P@10, MAP, NDCG@1 to NDCG@10."""
    lists = {}
    for part in range(1, 6):
        for line in gzip.open(os.path.join(folder, f"ohsumed/T{part}.txt.gz"), "rt"):
            row, comment = line.split("#", 1)
            label, qid, *pairs = row.split()
            rows = lists.setdefault(qid, [])
            rows.append((int(label), [float(pair.split(":")[1]) for pair in pairs], re.match(r"docid = (\S+)", comment).group(1)))
    told = []
    for feature in range(25):
        cases = [([l for l, _, _ in rows], [v[feature] for _, v, _ in rows], [d for _, _, d in rows]) for rows in lists.values()]
        found = letor(cases, range(1, 11))
        told.append({name.split(":")[0]: round(value, 10) for name, value in found.items()})
    with open(os.path.join(HERE, "ohsumed-features.json"), "w") as out:
        rows = ",\n".join("    " + json.dumps(one) for one in told)
        out.write('{\n  "tool": "' + LETOR + '",\n  "features": [\n' + rows + "\n  ]\n}\n")


def lookup(package):
    return lambda: version(package)


TOOLS = {
    "lightgbm": (lightgbm, lookup("lightgbm")),
    "xgboost": (xgboost, lookup("xgboost")),
    "catboost": (catboost, lookup("catboost")),
    "sklearn": (sklearn, lookup("scikit-learn")),
    "trec": (trec, lambda: f"pytrec-eval-terrier {version('pytrec-eval-terrier')}"),
    "ranx": (ranx, lookup("ranx")),
    "ydf": (ydf, lookup("ydf")),
    "allrank": (allrank, lookup("allRank")),
    "tfr": (tfr, lookup("tensorflow-ranking")),
    "ranklib": (ranklib, lambda: re.search(r"(\d+(\.\d+)+)", os.path.basename(os.environ["RANKLIB_JAR"].split(":")[0])).group(1) + " (org.codelibs)"),
    "letor": (letor, lambda: LETOR if os.path.exists(os.environ["LETOR_PERL"]) else ""),
}


def main():
    if len(sys.argv) > 1 and "LETOR_PERL" in os.environ:
        ohsumed(sys.argv[1])
    old = json.load(open(OUT)) if os.path.exists(OUT) else {"tools": {}, "cases": [], "mq2008": []}
    before = {one["name"]: one["expected"] for one in old["cases"] + old["mq2008"]}
    cases = dict(CASES)
    if len(sys.argv) > 1:
        large = mq2008(sys.argv[1])
        cases.update({f"MQ2008, {name}": lists for name, lists in large.items()})
    expected = {name: dict(before.get(name, {})) for name in cases}
    tools = dict(old["tools"])
    for tool, (run, its_version) in TOOLS.items():
        try:
            tools[tool] = its_version()
        except (ImportError, KeyError, AttributeError) as absent:
            print(f"{tool}: not here ({absent!r}), its values stay")
            continue
        for name, lists in cases.items():
            if os.environ.get("ONLY", "") not in name:
                continue
            kept = {key: value for key, value in expected[name].items() if not re.search(f":{tool}-?(;|$)", key)}
            values = run(lists)
            print(f"{tool}, {name}: {len(values)} values", file=sys.stderr, flush=True)
            expected[name] = {**kept, **{(key if ":" in key else f"{key}:{tool}"): value for key, value in values.items()}}
        print(f"{tool} {tools[tool]}", flush=True)
    rounded = lambda values: {key: round(value, 10) for key, value in sorted(values.items())}
    told = [
        {
            "name": name,
            "lists": [{"labels": l, "scores": s, "ids": i} for l, s, i in lists],
            "expected": rounded(expected[name]),
        }
        for name, lists in CASES.items()
    ]
    big = [
        {"name": name, "file": "mq2008/S1.txt.gz", "feature": 18, "expected": rounded(expected[name])}
        for name in cases
        if name not in CASES
    ] or old["mq2008"]
    dump = lambda value: json.dumps(value, separators=(", ", ": "))
    row = lambda one: "    " + dump(one)
    with open(OUT, "w") as out:
        out.write('{\n  "tools": ' + dump(tools) + ',\n  "cases": [\n')
        out.write(",\n".join(map(row, told)) + '\n  ],\n  "mq2008": [\n' + ",\n".join(map(row, big)) + "\n  ]\n}\n")


main()
