// The kernels: every export is a loop over addresses, with a plain fallback of the same name in ../plain.

export * from "./bins";
export * from "./digest";
export * from "./gram-hinge";
export * from "./hinge";
export * from "./histogram";
export * from "./index-values";
export * from "./lambda";
export * from "./matmul";
export * from "./network";
export * from "./partition";
export * from "./quickscorer";
export * from "./rows";
export * from "./split";
export * from "./tier-cost";
export * from "./tiers";
