/** Columns of times: what comes first in 1:23, numbers and words among them, data to score, labels. */
import { describe, expect, it } from "vitest";
import { rowsOf } from "../../../test/rows.ts";
import { fit } from "../../fit.ts";
import { linear } from "../../models/index.ts";
import { below, random } from "../../numeric/random.ts";
import type { ColumnEncoding, Random } from "../../types.ts";
import { parseModel, serializeModel } from "../models/native.ts";
import type { DatasetReaderOptions } from "./dataset-reader.ts";
import { parseData } from "./parse.ts";

const gone = Number.NaN;
const two = (value: number) => String(value).padStart(2, "0");

/** A table with the cells as a column of features. */
const table = (cells: readonly string[], separator = ";") =>
  `q${separator}y${separator}t\n${cells.map((cell, i) => `a${separator}${i}${separator}${cell}\n`).join("")}`;

type Options = Partial<DatasetReaderOptions>;
const read = (cells: readonly string[], options: Options = {}, separator?: string) =>
  parseData([{ name: "a.csv", content: table(cells, separator) }], { qid: "q", label: "y", storage: "dense", ...options });

const valuesOf = (...given: Parameters<typeof read>) => rowsOf(read(...given).data.features).map(([value]) => value);
const encodingOf = (...given: Parameters<typeof read>) => read(...given).data.names.encoding;
const noticesOf = (...given: Parameters<typeof read>) => read(...given).notices.filter((text) => text.includes('column "t"'));
const times = (more: Partial<ColumnEncoding> = {}) => [{ name: "t", kind: "time", ...more }];

describe("a column of times", () => {
  it("is a feature in seconds", () => {
    const cells = ["1:32:10.5", "0:00:00", "", "14:05:09", "NaT"];
    expect(valuesOf(cells)).toEqual([5530.5, 0, gone, 50_709, gone]);
    expect(encodingOf(cells)).toEqual(times());
    expect(noticesOf(cells)).toEqual(['column "t": times, in seconds']);
  });

  it("may be written in several ways at once, as long as hours, minutes and seconds are clear", () => {
    expect(valuesOf(["0 days 00:01:30", "PT1M31S", "1 day 02:03:04", "-00:00:05", "1 day, 0:00:00"])).toEqual([90, 91, 93_784, -5, 86_400]); // biome-ignore format: cells
  });

  it("needs all of its cells to be times or numbers, or nine tenths; what else is there is missing, and told", () => {
    const laps = Array.from({ length: 18 }, (_, i) => `1:0${i % 10}.5`);
    expect(valuesOf([...laps, "DNF", "DNS"]).slice(-3)).toEqual([67.5, gone, gone]);
    expect(noticesOf([...laps, "DNF", "DNS"])).toEqual([
      'column "t": times, in seconds; 2 cells with other text ("DNF", "DNS") read as missing values, the first at a.csv:20',
    ]);
    expect(encodingOf([...laps, "DNF", "DNS", "DSQ"])![0]!.kind).toBe("none");
    expect(encodingOf([...laps, ...laps, "DNF", "DNS", "1:2:75"])![0]!.kind).toBe("category"); // of hundredths, perhaps
  });

  it("and a date, a truth value or a word in each of its cells is something else", () => {
    expect(encodingOf(["1:02:03", "2024-01-01"])![0]!.kind).toBe("none");
    expect(encodingOf(["3:1", "2:0", "3:1", "2:0"])).toEqual([{ name: "t", kind: "category", categories: ["2:0", "3:1"] }]);
    expect(encodingOf(["1:02:03", "yes"])![0]!.kind).toBe("none");
  });
});

describe("1:23", () => {
  it.each([
    ["a fraction shows minutes", ["1:23", "1:23.5"], [83, 83.5], "minutes"],
    ["days do not, but a fraction beside them", ["1:23", "1 day 02:03:04", "1:23.5"], [83, 93_784, 83.5], "minutes"],
    ["AM shows hours", ["1:23", "1:23 AM", "2:05 pm"], [4980, 4980, 50_700], "hours"],
  ] as const)("%s, without more words", (_, cells, values, start) => {
    expect(valuesOf(cells)).toEqual(values);
    expect(encodingOf(cells)).toEqual(times({ start }));
    expect(noticesOf(cells)).toEqual(['column "t": times, in seconds']);
  });

  it("beside longer times or numbers is minutes and seconds, which is told", () => {
    expect(valuesOf(["59:40", "1:02:10"])).toEqual([3580, 3730]);
    expect(noticesOf(["59:40", "1:02:10"])).toEqual([
      'column "t": times, in seconds; beside "1:02:10", "59:40" is read as minutes and seconds (--time-columns t:hours reads hours and minutes)',
    ]);
    expect(valuesOf(["59.8", "1:02", "45"])).toEqual([59.8, 62, 45].map(Math.fround));
    expect(noticesOf(["59.8", "1:02", "45"])).toEqual([
      'column "t": times, in seconds, as are 2 numbers; beside numbers of seconds, "1:02" is read as minutes and seconds (--time-columns t:hours reads hours and minutes)',
    ]);
    expect(valuesOf(["59:40", "1:02:10"], { timeColumns: ["t:hours"] })).toEqual([214_800, 3730]);
    expect(noticesOf(["59:40", "1:02:10"], { timeColumns: ["t:hours"] })).toEqual(['column "t": times, in seconds']);
  });

  it("alone is hours up to 23, else minutes, which the model remembers as not shown", () => {
    expect(valuesOf(["09:05", "23:59"])).toEqual([32_700, 86_340]);
    expect(encodingOf(["09:05", "23:59"])).toEqual(times({ start: "hours", assumed: true }));
    expect(noticesOf(["09:05", "23:59"])).toEqual([
      'column "t": times, in seconds; in "09:05" hours or minutes may come first, and hours are taken (--time-columns t:minutes takes minutes)',
    ]);
    expect(valuesOf(["3:45", "24:00"])).toEqual([225, 1440]);
    expect(noticesOf(["3:45", "24:00"])[0]).toContain("minutes are taken (--time-columns t:hours takes hours)");
    expect(encodingOf(["09:05", "23:59"], { timeColumns: ["t:minutes"] })).toEqual(times({ start: "minutes" }));
    expect(encodingOf(["3:45", "24:00"], { timeColumns: ["t:Hours"] })).toEqual(times({ start: "hours" }));
  });

  it("is in the same order either way", () => {
    const draw = random(31, 1, 0);
    const cells = Array.from({ length: 50 }, () => `${below(draw, 24)}:${two(below(draw, 60))}`);
    const order = (start: string) => {
      const values = valuesOf(cells, { timeColumns: [`t:${start}`] }) as number[];
      return cells.map((_, i) => i).sort((a, b) => values[a]! - values[b]! || a - b);
    };
    expect(order("hours")).toEqual(order("minutes"));
  });

  it("of all files together is decided by all files", () => {
    const files = [["59:40", "58:00"], ["59:00", "1:02:10"]].map((cells, i) => ({ name: `${i}.csv`, content: table(cells) })); // biome-ignore format: files
    expect(rowsOf(parseData(files, { qid: "q", label: "y" }).data.features)).toEqual([[3580], [3480], [3540], [3730]]);
  });
});

describe("cells that contradict each other", () => {
  it("leave the column out, with the reason and the line", () => {
    expect(noticesOf(["2:05 PM", "1:23.5"])).toEqual([
      'column "t" is left out: "2:05 PM" has hours first, and "1:23.5" minutes (a.csv:3)',
    ]);
    expect(noticesOf(["1:32:10.5", "+5.478", "+1:02.345"])).toEqual([
      'column "t" is left out: "+5.478" beside "1:32:10.5" looks like a gap to the first, which would be the shortest time; write times in all cells, or gaps (a.csv:3)',
    ]);
    expect(noticesOf(["5530.5", "+5.478", "+1:02.345"])[0]).toContain('"+5.478" beside "5530.5" looks like a gap');
    expect(noticesOf(["1:32:10,5", "+5,478"])[0]).toContain('"+5.478" beside "1:32:10,5" looks like a gap');
    expect(valuesOf(["0", "+5.478", "+1:02.345", "-0:00.5"])).toEqual([0, 5.478, 62.345, -0.5].map(Math.fround));
  });

  it("are an error where the user has named the column", () => {
    const said =
      (cells: readonly string[], ...timeColumns: string[]) =>
      () =>
        read(cells, { timeColumns });
    expect(said(["1:23.5", "1:20"], "t:hours")).toThrow(
      'a.csv:2: column "t": "1:23.5" has minutes first, where --time-columns says hours',
    );
    expect(said(["1:23", "2:05 PM"], "t:minutes")).toThrow(
      'a.csv:3: column "t": "2:05 PM" has hours first, where --time-columns says minutes',
    );
    expect(said(["1:23", "soon"], "t")).toThrow(
      'a.csv:3: column "t": expected a time such as 1:02:03.4, got "soon"; --missing-values soon reads it as a missing value',
    );
    expect(said(["1:32:10.5", "+5.478"], "t")).toThrow('a.csv:3: column "t": "+5.478" beside "1:32:10.5" looks like a gap');
    expect(said(["1:23", "1:24"], "u:minutes")).toThrow('a.csv:1: no column is called "u" (--time-columns)');
    expect(said(["1:23", "1:24"], "t:seconds")).toThrow('a.csv:1: no column is called "t:seconds" (--time-columns)');
    expect(encodingOf(["59.8", "60"], { timeColumns: ["t"] })).toEqual(times());
  });

  it("by --categories the column is one of categories whatever its cells are", () => {
    expect(encodingOf(["1:23", "1:24"], { categories: ["t"] })).toEqual([
      { name: "t", kind: "category", categories: ["1:23", "1:24"] },
    ]);
  });
});

describe("numbers among times have the decimal mark of the times", () => {
  it.each([
    [["1:02,300", "59,800"], [62.3, 59.8], ";"],
    [['"1:02,300"', '"59,800"'], [62.3, 59.8], ","],
    [["1:02.300", "59.800"], [62.3, 59.8], ";"],
  ] as const)("%j", (cells, values, separator) => {
    expect(valuesOf(cells, {}, separator)).toEqual(values.map(Math.fround));
  });
  it("also against other columns", () => {
    const content = "q;y;t;p\na;0;1:02.300;3,5\na;1;59.800;4,25\n";
    expect(rowsOf(parseData([{ name: "a.csv", content }], { qid: "q", label: "y" }).data.features)).toEqual([[62.3, 3.5], [59.8, 4.25]].map((row) => row.map(Math.fround))); // biome-ignore format: rows
  });
  it("and the model remembers a comma", () => {
    const trained = encodingOf(['"1:02,300"', '"59,800"'], {}, ",")!;
    expect(trained).toEqual(times({ start: "minutes", decimal: "," }));
    expect(valuesOf(['"59,800"', '"58,100"'], { scorer: { encoding: trained } }, ",")).toEqual([59.8, 58.1].map(Math.fround));
  });
});

describe("the encoding of a model", () => {
  const model = (cells: readonly string[], options?: Options) => {
    const { data } = read(cells, options);
    const { model, training } = fit(data, { model: linear({ l2: 1 }) });
    const { encoding } = parseModel(serializeModel({ model, training, metrics: {} })).model.columns;
    expect(encoding).toEqual(data.names.encoding);
    return (others: readonly string[], more: Options = {}) =>
      read(others, { labels: "optional", scorer: { encoding: encoding! }, ...more });
  };
  const scored = (by: ReturnType<typeof model>, ...given: Parameters<ReturnType<typeof model>>) =>
    rowsOf(by(...given).data.features).map(([value]) => value);

  it("reads other data alike", () => {
    const minutes = model(["1:23.5", "1:20", "2:00"]);
    expect(scored(minutes, ["1:23", "2:00", "", "1:02:03", "0 days 00:00:07"])).toEqual([83, 120, gone, 3723, 7]);
    const hours = model(["1:23 PM", "2:00 PM", "14:00"]);
    expect(scored(hours, ["1:23", "3:00 AM"])).toEqual([4980, 10_800]);
    const shown = model(["59:40", "1:02:10", "1:00:00"]);
    expect(scored(shown, ["59:40", "58:00"])).toEqual([3580, 3480]);
  });

  it("refuses times of the other start", () => {
    expect(() => model(["1:23.5", "1:20", "2:00"])(["1:23", "2:05 PM"])).toThrow(
      'a.csv:3: column "t": "2:05 PM" has hours first, where the training data have minutes',
    );
    expect(() => model(["1:23 PM", "2:00 PM", "14:00"])(["1:23", "2:05.5"])).toThrow(
      'a.csv:3: column "t": "2:05.5" has minutes first, where the training data have hours',
    );
    expect(() => model(["1:23.5", "1:20", "2:00"])(["1:23", "1:23:75"])).toThrow(
      'a.csv:3: column "t": expected a time such as 1:02:03.4, got "1:23:75"',
    );
    expect(() => model(["1:23.5", "1:20", "2:00"])(["1:23", "+1:25"])).toThrow("looks like a gap to the first");
    expect(() => model(["1:23.5", "1:20", "2:00"])(["1:23", "soon"])).toThrow(
      'a.csv:3: column "t": expected a time, got "soon"; the column has times in the training data',
    );
  });

  it("knows the start of times with fractions alone, or with AM and PM alone", () => {
    expect(scored(model(["1:23.5", "1:20.0"]), ["1:23"])).toEqual([83]);
    expect(scored(model(["1:23 PM", "2:00 AM"]), ["1:23"])).toEqual([4980]);
    expect(() => model(["1:23 PM", "2:00 AM"])(["1:23.5"])).toThrow("where the training data have hours");
  });

  it("where nothing showed the start takes times of two parts only, until the user says it", () => {
    const open = model(["09:05", "10:30", "23:59"]);
    const advice = "train with --time-columns t:hours or --time-columns t:minutes";
    expect(scored(open, ["14:05", "", "75:00"])).toEqual([50_700, gone, 270_000]);
    expect(scored(open, ["14:05", "2:05 PM"])).toEqual([50_700, 50_700]);
    for (const [
      cell,
      shown,
    ] of [["14:05:09", '"14:05:09"'], ["14:05.5", '"14:05.5"'], ["45.5", "numbers or times with seconds"]] as const) // biome-ignore format: pairs
      expect(() => open(["14:05", cell])).toThrow(
        `column "t": in the training data nothing showed whether hours or minutes come first in times such as 1:23, and here are ${shown}; ${advice}`,
      );
    expect(() => open(["14:05"], { timeColumns: ["t:minutes"] })).toThrow(advice);
    expect(scored(open, ["14:05", "14:05:09"], { timeColumns: ["t:hours"] })).toEqual([50_700, 50_709]);
    expect(scored(model(["09:05", "10:30"], { timeColumns: ["t:hours"] }), ["14:05", "14:05:09"])).toEqual([50_700, 50_709]);
  });

  it("without such times asks what comes first in them, unless the data to score show it", () => {
    const whole = model(["1:32:10", "1:02:03", "0:59:00"]);
    expect(() => whole(["59:40", "58:00"])).toThrow(
      'a.csv:2: column "t": in "59:40" hours or minutes may come first; --time-columns t:hours or --time-columns t:minutes says which',
    );
    expect(scored(whole, ["59:40", "58:00"], { timeColumns: ["t:minutes"] })).toEqual([3580, 3480]);
    expect(scored(whole, ["59:40", "58:00.5"])).toEqual([3580, 3480.5]);
    expect(scored(whole, ["59:40", "1:02:10"])).toEqual([3580, 3730]);
    expect(whole(["59:40", "1:02:10"]).notices).toContain(
      'a.csv: column "t": times; beside "1:02:10", "59:40" is read as minutes and seconds (--time-columns t:hours reads hours and minutes)',
    );
  });

  it("takes numbers as seconds, which is told", () => {
    const whole = model(["1:32:10", "1:02:03", "0:59:00"]);
    expect(scored(whole, ["3600", "0.25"])).toEqual([3600, 0.25]);
    expect(whole(["3600", "0:00:01"]).notices).toContain('a.csv: column "t": 1 number read as seconds');
  });

  it("words among times to score are missing values while they are few", () => {
    const whole = model(["1:32:10", "1:02:03", "0:59:00"]);
    const some = [...Array.from({ length: 19 }, () => "0:59:59"), "DNF"];
    expect(scored(whole, some).slice(-2)).toEqual([3599, gone]);
    expect(whole(some).notices).toContain('a.csv: column "t": 1 cell ("DNF") that are no times, read as missing values');
  });
});

describe("labels", () => {
  const labels = (cells: readonly string[], options: Options = {}) => {
    const content = `q;y;x\n${cells.map((cell, i) => `a;${cell};${i}\n`).join("")}`;
    const { data, notices } = parseData([{ name: "a.csv", content }], { qid: "q", label: "y", ...options });
    return { labels: [...data.labels], notices: notices.filter((text) => /"y": |labels that tie/.test(text)) };
  };

  it("may be times, of which the longest is the best unless the user says so, with a notice", () => {
    const finish = ["1:32:10.5", "59:40", "1:31:59.75"];
    expect(labels(finish, { higherIsBetter: true }).labels).toEqual([5530.5, 3580, 5519.75]);
    expect(labels(finish, { lowerIsBetter: true }).labels).toEqual([0, 1950.5, 10.75]);
    expect(labels(["59.5", "1:02.25"], { lowerIsBetter: true }).labels).toEqual([2.75, 0]);
    const beside = 'column "y": times, in seconds; beside "1:32:10.5", "59:40" is read as minutes and seconds (--time-columns y:hours reads hours and minutes)'; // biome-ignore format: one line
    expect(labels(finish, { lowerIsBetter: true }).notices).toEqual([beside]);
    expect(labels(finish).notices).toEqual([
      `${beside}; the longest is taken as the best label (--lower-is-better takes the shortest, --higher-is-better confirms the longest)`,
    ]);
    expect(labels(finish, { labels: "optional" }).notices).toEqual([]);
    expect(labels(["1:02:10", "59:40"], { higherIsBetter: true, timeColumns: ["y:hours"] }).labels).toEqual([3730, 214_800]);
  });

  it("that are neither times nor numbers, or contradict each other, are an error", () => {
    expect(() => labels(["1:32:10", "soon"])).toThrow(
      /^a\.csv:3: column "y": expected a time such as 1:02:03\.4, got "soon"; if/,
    );
    expect(() => labels(["1:32:10", "1:32:75"])).toThrow('a.csv:3: column "y": expected a time such as 1:02:03.4, got "1:32:75"');
    expect(() => labels(["1:32:10.5", "+5.478"])).toThrow('a.csv:3: column "y": "+5.478" beside "1:32:10.5" looks like a gap');
    expect(() => labels(["2:05 PM", "1:23.5"])).toThrow('a.csv:3: column "y": "2:05 PM" has hours first, and "1:23.5" minutes');
    expect(labels(["1:32:10", "", "soon"], { missingValues: ["soon"], tiers: "ratings" }).labels).toEqual([5530]);
  });

  it("that 32-bit floats do not tell apart are told", () => {
    expect(labels(["5:23:45.1231", "5:23:45.1232"], { higherIsBetter: true }).notices).toContain(
      'a.csv: label "y": times such as 05:23:45.1231 and 05:23:45.1232 are equal as 32-bit floats, so that they tie; subtract an offset',
    );
    expect(labels(["59.812", "59.813", "24:00:00"], { lowerIsBetter: true }).notices.join()).toContain(
      "1 list with labels that tie because 32-bit floats do not tell them apart when they are subtracted from the worst label, such as 59.812 and 59.813 of list a, whose worst is 86400",
    );
  });

  it("order ballots of races by finishing time", () => {
    const content = "race,driver,time\nm,ann,59.8\nm,ben,1:02.3\nm,cleo,1:00.1\ns,ben,1:40.0\ns,ann,1:41.5\ns,cleo,1:41.5\n";
    const { data } = parseData([{ name: "a.csv", content }], { qid: "race", id: "driver", label: "time", lowerIsBetter: true });
    const lists = Array.from(data.starts.slice(0, -1), (start, q) => {
      const at = Array.from({ length: data.starts[q + 1]! - start }, (_, i) => start + i);
      return at.sort((a, b) => data.labels[b]! - data.labels[a]!).map((entry) => data.names.items![data.items![entry]!]);
    });
    expect(lists[0]).toEqual(["ann", "cleo", "ben"]);
    expect(lists[1]![0]).toBe("ben");
  });
});

/** A column of random times in one way to write them, with the seconds they are. */
function randomColumn(draw: Random): { readonly cells: readonly string[]; readonly seconds: readonly number[] } {
  const style = below(draw, 7);
  const all = Array.from({ length: 2 + below(draw, 30) }, () => {
    if (draw() < 0.1) return { cell: ["", "NaT", "NA"][below(draw, 3)]!, seconds: gone };
    const whole = below(draw, style === 1 ? 86_400 : 7200);
    const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60), whole % 60];
    const thousandths = below(draw, 1000);
    const three = `${two(hours)}:${two(minutes % 60)}:${two(rest)}`;
    if (style === 0) return { cell: three, seconds: whole };
    if (style === 1)
      return { cell: `${1 + ((hours + 11) % 12)}:${two(minutes % 60)} ${hours < 12 ? "AM" : "PM"}`, seconds: whole - rest };
    const fraction = `.${String(thousandths).padStart(3, "0")}`;
    const seconds = Number(`${whole}${fraction}`);
    if (style === 2) return { cell: `${minutes}:${two(rest)}${fraction}`, seconds };
    if (style === 3) return { cell: minutes === 0 ? `${rest}${fraction}` : `${minutes}:${two(rest)}${fraction}`, seconds };
    if (style === 4) return { cell: `0 days ${three}${fraction}000`, seconds };
    if (style === 5) return { cell: `PT${minutes}M${rest}${fraction}S`, seconds };
    return { cell: hours === 0 ? `${minutes}:${two(rest)}${fraction}` : `${three}${fraction}`, seconds };
  });
  return { cells: all.map(({ cell }) => cell), seconds: all.map(({ seconds }) => seconds) };
}

it("random columns are read as the seconds that they were written from, also by the encoding of their model", () => {
  for (let number = 0; number < Number(process.env.TIERWISE_CASES ?? 200); number++) {
    const { cells, seconds } = randomColumn(random(41, number, 0));
    const where = `case ${number}: ${cells.join(" ")}`;
    const wanted = seconds.map(Math.fround);
    expect(valuesOf(cells), where).toEqual(wanted);
    const encoding = encodingOf(cells);
    if (encoding) expect(valuesOf(cells, { scorer: { encoding } }), where).toEqual(wanted);
  }
});
