"""The network of bench/labels.ts in PyTorch: samples a second as one JSON line a case. Arguments: shape as JSON, threads, steps, cases."""
import json, sys, time
import torch

shape, threads, steps, cases = json.loads(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4].split(",")
D, nnz, N, positives, hidden, batch = (shape[k] for k in ("features", "nonzero", "labels", "relevant", "hidden", "batch"))
torch.set_num_threads(threads)
torch.manual_seed(1)


def data():
    x = torch.stack([torch.randperm(D)[:nnz] for _ in range(batch)])
    y = torch.stack([torch.randperm(N)[:positives] for _ in range(batch)])
    return x, torch.rand(batch, nnz), y


def pl_lb(z, y):
    return (positives * z.logsumexp(1) - z.gather(1, y).sum(1)).mean()


NODES = 10000
u = (torch.arange(NODES) + 0.5) / NODES


def pl_partition(z, y):
    """The mid-point rule of the paper, P = integral of the product of 1 - u^exp(w_i - w_R)."""
    top = z.gather(1, y)
    rest = z.scatter(1, y, float("-inf")).logsumexp(1, keepdim=True)
    power = torch.exp((top - rest).clamp(-10, 10))
    logs = torch.log1p(-torch.exp(power.unsqueeze(2) * torch.log(u)).clamp(max=1 - 1e-7)).sum(1)
    return -(logs.logsumexp(1) - torch.log(torch.tensor(float(NODES)))).mean()


costs = {"pl-lb": pl_lb, "pl-partition": pl_partition}
for case in cases:
    name, adam = case.split("/")
    first = torch.nn.EmbeddingBag(D, hidden, mode="sum", sparse=adam == "sparse")
    bias = torch.nn.Parameter(torch.zeros(hidden))
    last = torch.nn.Linear(hidden, N)
    torch.nn.init.uniform_(first.weight, -(D**-0.5), D**-0.5)
    if adam == "sparse":
        optimizers = [torch.optim.SparseAdam(list(first.parameters()), 1e-3), torch.optim.Adam([bias, *last.parameters()], 1e-3)]
    else:
        optimizers = [torch.optim.Adam([*first.parameters(), bias, *last.parameters()], 1e-3)]
    times, work = [], []
    for step in range(steps + 2):
        x, v, y = data()
        begun, spent = time.perf_counter(), time.process_time()
        loss = costs[name](last(torch.relu(first(x, per_sample_weights=v) + bias)), y)
        for one in optimizers:
            one.zero_grad()
        loss.backward()
        for one in optimizers:
            one.step()
        if step >= 2:
            times.append(time.perf_counter() - begun)
            work.append(time.process_time() - spent)
    times.sort()
    work.sort()
    print(json.dumps({"case": case, "threads": threads, "median": batch / times[len(times) // 2], "best": batch / times[0], "work": batch / work[len(work) // 2]}), flush=True)
