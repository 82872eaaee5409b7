/** What the lab uses of apache-arrow, whose own types would make those of Node known to the pages. */
import type { ArrowPackage } from "../../src/formats/data/columnar/imported-packages.ts";

export const tableFromIPC: ArrowPackage["tableFromIPC"];
export const Vector: ArrowPackage["Vector"];
