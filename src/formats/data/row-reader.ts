/**
 * Reads files of labeled rows with their side files into one dataset. Lists of different files are kept separate, also if they have the
 * same qid.
 */
import { counted } from "../../counted.ts";
import { Builder } from "../../data/builder.ts";
import { DirectionOfLetters, directionNotice, isLowerBetter } from "../../data/label-order.ts";
import { lastLabels } from "../../data/label-words.ts";
import { asBallots, lowerIsBetter, withoutDuplicates } from "../../data/opinions.ts";
import { LABEL } from "../../data/rounded.ts";
import { isPlain } from "../../data/table/encode.ts";
import type { SourceTable } from "../../data/table/source-table.ts";
import type { LabelTiers } from "../../data/tier-sources.ts";
import { InputError, quote } from "../../input-error.ts";
import { Heap } from "../../numeric/heap.ts";
import type { ColumnEncoding, Dataset } from "../../types.ts";
import type { DatasetReaderOptions, KindReader, SideFiles } from "./dataset-reader.ts";
import type { RowContext, RowFormat } from "./format.ts";
import { type Parser, type ParseSummary, roundedNotice, valuesIn } from "./parse-summary.ts";
import { contradictions, type FileNotice, fileNotices, noticeLines, roundedNames } from "./row-notices.ts";
import { checkWords, debiased, tiersOf, withoutUnlabelled } from "./row-tiers.ts";
import { applyWeights, groupFileHint, groupRows, positionsOf, withoutGzip } from "./side-files.ts";
import { TableList } from "./table-list.ts";

/** `source` makes tiers of the labels. */
export function rowReader(options: DatasetReaderOptions, source: LabelTiers | undefined): KindReader<RowFormat> {
  const { labels = "required", storage = "auto", heap, sink, columns: asColumns = false } = options;
  checkWords(options, source);
  const drops = labels === "required" && options.labelMissing.length > 0;
  const scratch = new Heap();
  const heaps = { storage, scratch, ...(heap && { heap }), ...(sink && { sink }) };
  const summaries: ((base: number) => FileNotice[])[] = [];
  const qids = new Set<string>();
  const tables = new TableList();
  let shared = 0;
  let [labelledRows, unlabelled] = [0, 0];
  let weighted = false;
  let inWords = false; // labels are words, in an order of their own
  let positionNames: readonly string[] = []; // those of the first file come first
  const positionFiles: string[] = [];
  let first: { name: string; named: boolean; builder: Builder } | undefined;
  let now: (RowFile & { parser: Parser }) | undefined;

  const begin = (name: string, named: boolean) => {
    const absent = named ? { absent: "missing" as const } : { absent: options.absent, base: options.indexBase };
    first ??= { name, named, builder: new Builder({ ...absent, ...heaps }) };
    if (named !== first.named)
      throw new InputError(
        `${name}: its features ${featureNaming(named)}, but those of ${first.name} ${featureNaming(first.named)}; they cannot be combined`,
      );
    return first.builder;
  };
  const contextOf = (sideFiles: SideFiles): RowContext => ({
    ...options,
    ...{ labels, scratch, grouped: sideFiles.groups !== undefined, missingLabels: source?.missing ?? "error" },
  });
  const closeFile = ({ name, sides, named, row, list }: RowFile, summary: ParseSummary) => {
    const { builder } = first!;
    if (summary.rows === 0) throw noRows(name, named);
    checkLabelWords(name, summary.labelWords ?? false);
    if (!sides.groups && !summary.grouped)
      throw new InputError(
        `${name}: no qid and no ${withoutGzip(name)}.query or .group beside it; add qid:ID to each row, or ${groupFileHint(name)}`,
      );
    if (sides.groups) summary.lists = groupRows(builder, row, name, sides.groups, summary);
    const weights = sides.weights && applyWeights(builder, row, list, name, sides.weights, summary);
    weighted ||= summary.weighted;
    labelledRows += summary.rows - summary.unlabelled;
    unlabelled += summary.unlabelled;
    if (sides.positions && options.positions === "debias" && sink)
      throw new InputError(
        `${sides.positions.name}: weights by position need the values of features, and reading in two rounds keeps only their bins; leave the positions out (--positions ignore)`,
      );
    if (sides.positions && options.positions === "debias" && labels === "required") {
      const found = positionsOf(name, sides.positions, builder.rows - row);
      positionNames = [...new Set([...positionNames, ...found.names])];
      const places = found.names.map((position) => positionNames.indexOf(position));
      builder.positionRows(row, found.places.map((place) => places[place]!)); // biome-ignore format: one step
      positionFiles.push(sides.positions.name);
    }
    if (!options.joinLists)
      for (const qid of builder.sectionNames()) {
        if (qids.has(qid)) shared++;
        qids.add(qid);
      }
    const groups = `${counted(summary.rows, "row")} in ${counted(builder.lists - list, "list")} (${summary.lists})`;
    const file = { name, summary, groups, scattered: builder.scatteredHere, weights, named };
    summaries.push((base) => fileNotices(file, base, options.absent));
  };
  /** Rows of a table that repeat an item of their list are counted, or left out if an option says so. */
  const singleItems = (data: Dataset) => {
    const { duplicates } = options;
    if (labels !== "required" || sink) return { data, notices: [] };
    if (duplicates !== "refuse" && !data.names.entries)
      throw new InputError(`${first!.name}: --duplicates needs the column of the item; choose it with --item NAME`);
    return withoutDuplicates(data, duplicates);
  };
  const checkLabelWords = (name: string, words: boolean) => {
    if (words && (options.lowerIsBetter || options.higherIsBetter)) throw new DirectionOfLetters(name, options);
    if (labels === "required" && summaries.length > 0 && words !== inWords)
      throw new InputError(
        `${name}: its labels are ${words ? "words" : "numbers"}, but those of ${first!.name} are ${words ? "numbers" : "words"}; they cannot be combined`,
      );
    inWords = words;
  };
  const addTable = (table: SourceTable, sides: SideFiles) => {
    begin(table.name, true);
    tables.add(table, contextOf(sides), sides);
  };

  return {
    open({ name, format, size, sideFiles }) {
      const named = format.features === "named";
      const builder = begin(name, named);
      builder.beginSection(options.joinLists);
      const parser = format.parser(name, builder, {
        ...contextOf(sideFiles),
        ...(size !== undefined && { size }),
        ...(asColumns && format.table && { collect: (table) => addTable(table, sideFiles) }),
      });
      now = { name, parser, sides: sideFiles, named, row: builder.rows, list: builder.lists };
      return parser;
    },

    addTable: (table, sides = {}) => addTable(table, sides),
    addSide: (role, table) => tables.addSide(role, table),

    reserve() {
      first!.builder.cells.seal();
      return first!.builder.cells.reserve;
    },

    rows: () => first?.builder.rows ?? 0,

    join(chunks) {
      const { builder } = first!;
      const { summary } = now!.parser;
      const findings = chunks.map((chunk) => chunk.findings);
      if (!addSummaries(summary, findings)) return false;
      for (const { rows } of chunks) builder.join(rows);
      return true;
    },

    close() {
      const { parser, name, named } = now!;
      const before = tables.count;
      parser.end();
      if (parser.summary.rows === 0) throw noRows(name, named);
      if (tables.count === before) closeFile(now!, parser.summary);
    },

    facts: () => first?.builder.facts(),

    finish(agreed) {
      if (!first) throw new InputError("expected at least one data file, got none");
      const { builder } = first;
      const decided = tables.build(builder, closeFile);
      const finished = withEncoding(builder.finish(agreed), decided?.encoding);
      const read = labelledRows === 0 && unlabelled > 0 ? { ...finished, unlabelled: true } : finished;
      const flipped =
        !inWords && isLowerBetter(options.label, options) ? lowerIsBetter(read) : { data: lastLabels(read), notices: [] };
      const clicks = debiased(flipped.data, builder.finishedPositions, positionNames, positionFiles);
      const labelled = drops
        ? withoutUnlabelled(first.name, clicks.data, options.labelMissing)
        : { data: clicks.data, notices: [] };
      const { data: tiered, notices: tierNotices } = tiersOf(first.name, labelled.data, source);
      const notices = noticeLines(summaries.flatMap((summary) => summary(tiered.base)));
      const nameOf = (number: number) =>
        number === LABEL ? "the label" : builder.features ? `column ${quote(builder.features[number]!)}` : `feature ${number}`;
      notices.push(...clicks.notices);
      if (!inWords && !decided?.label && labels === "required" && source?.id !== "clicks")
        notices.push(...directionNotice(options.label, options));
      notices.push(
        ...(decided?.notices ?? []),
        ...roundedNotice(builder.cells.rounded.columns, nameOf, sink ? () => undefined : valuesIn(finished)),
        ...flipped.notices,
        ...labelled.notices,
        ...tierNotices,
      );
      if (shared > 0)
        notices.push(
          `${counted(shared, "qid")} ${shared === 1 ? "occurs" : "occur"} in several files; lists of different files are kept separate (--join-lists makes one list of those with the same qid)`,
        );
      const isBallots =
        options.ballots === "always" ||
        (options.ballots === "auto" && decided?.encoding.length === 0 && tiered.names.entries !== undefined);
      const ballots = isBallots
        ? asBallots(first.name, tiered, { ...options, keepLists: options.scorer !== undefined })
        : undefined;
      const single = ballots ?? (first.named ? singleItems(tiered) : { data: tiered, notices: [] });
      const { data } = single;
      notices.push(...roundedNames(tiered), ...single.notices);
      if (!ballots && labels === "required" && first.named) notices.push(...contradictions(data));
      if (weighted && !ballots)
        notices.push(
          data.itemWeights
            ? "row weights are used as item weights"
            : "row weights are equal within every list and are used as list weights",
        );
      return { data, notices, ...(decided && { describe: decided.describe }) };
    },

    drop: () => scratch.close(),
  };
}

/** A file whose rows were added to the builder, from row `row` and list `list` on. */
export interface RowFile {
  readonly name: string;
  readonly sides: SideFiles;
  readonly named: boolean;
  readonly row: number;
  readonly list: number;
}

const noRows = (name: string, named: boolean) =>
  new InputError(`${name}: no rows, only ${named ? "a header" : "blank lines and comments"}`);

/** Says how features were made of columns, where that is more than numbers as they are. */
function withEncoding(data: Dataset, encoding: readonly ColumnEncoding[] | undefined): Dataset {
  if (!encoding?.some((column) => !isPlain(column))) return data;
  return { ...data, names: { ...data.names, encoding } };
}

/** Adds the summaries of parts of a file; false if they disagree on what rows have, and nothing is added. */
function addSummaries(summary: ParseSummary, parts: readonly ParseSummary[]): boolean {
  const full = parts.filter(({ rows }) => rows > 0);
  const [model = summary] = summary.rows > 0 ? [] : full;
  if (!full.every(({ grouped, weighted }) => grouped === model.grouped && weighted === model.weighted)) return false;
  summary.grouped = model.grouped;
  summary.weighted = model.weighted;
  for (const { rows, missing, unlabelled, empty = 0 } of parts) {
    if (empty > 0) summary.empty = (summary.empty ?? 0) + empty;
    summary.rows += rows;
    summary.missing += missing;
    summary.unlabelled += unlabelled;
  }
  return true;
}

const featureNaming = (named: boolean) => (named ? "have names" : "have numbers");
