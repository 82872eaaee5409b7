/** The kernels that grow and walk trees, under one name. */
import type { BinKernels } from "./bins.ts";
import type { HistogramKernels } from "./histogram.ts";
import type { PartitionKernels } from "./partition.ts";
import type { QuickScorerKernels } from "./quickscorer.ts";
import type { SplitKernels } from "./split.ts";

export interface TreeKernels extends BinKernels, HistogramKernels, PartitionKernels, QuickScorerKernels, SplitKernels {}
