/** The sinks of rows that threads make for themselves when they read a file together. */
import type { RowSink } from "../../data/row-sink.ts";
import type { Heap } from "../../numeric/heap.ts";
import { type BinJob, binSink } from "./bin-sink.ts";
import { type SampleJob, sampleSink } from "./sample-sink.ts";

/** Plain data that can be sent to another thread. */
export type SinkJob = SampleJob | BinJob;

/** `heap` has what the sink needs while it takes rows. */
export const sinkFor = (job: SinkJob, heap: Heap): RowSink => (job.kind === "sample" ? sampleSink(job) : binSink(job, heap));
