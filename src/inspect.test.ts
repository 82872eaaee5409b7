import { describe, expect, it } from "vitest";
import { build } from "./data/build.ts";
import { parseData } from "./formats/data/parse.ts";
import { InputError } from "./input-error.ts";
import { idNotices, inspect } from "./inspect.ts";
import { rankSum } from "./inspect-drift.ts";
import { ndcg } from "./metrics/index.ts";
import { below, random } from "./numeric/random.ts";

const kindsOf = (data: ReturnType<typeof build>, test?: ReturnType<typeof build>) =>
  inspect(data, test ? { test } : {}).warnings.map(({ kind, names }) => [kind, ...names].join(" "));

/** Lists of `size` items with random labels and features. */
function drawn(seed: number, lists: number, size: number, feature: (label: number, draw: () => number) => number[], from = 0) {
  const draw = random(seed, 0, 0);
  return build(
    Array.from({ length: lists * size }, (_, i) => {
      const label = below(draw, 3);
      return { list: from + Math.floor(i / size), label, features: feature(label, draw) };
    }),
  );
}

describe("inspect", () => {
  it("warns of data without features, but not of rankings, which need none", () => {
    const of = (content: string) => inspect(parseData([{ name: "a.csv", content }], {}).data).warnings;
    expect(of("qid,label\nu,1\nu,0\n")).toEqual([{ kind: "no features", names: [], text: "the data have no features, from which scores of items could follow" }]); // biome-ignore format: one line
    expect(of("qid,docid,label\nu,a,1\nu,b,0\n")).toEqual([]);
  });

  it("warns of items that a list has more than once", () => {
    const of = (text: string) =>
      inspect(parseData([{ name: "a.csv", content: `qid,docid,label,x\n${text}` }], {}).data).warnings.filter(
        ({ kind }) => kind === "repeated items",
      );
    expect(of("u,a,1,1\nu,b,0,2\nv,a,1,3\nv,,1,4\nv,,2,5\n")).toEqual([]);
    expect(of("u,a,1,1\nu,b,0,2\nu,a,1,3\nv,b,1,4\n")).toEqual([
      { kind: "repeated items", names: ["u"], text: "1 row repeats an item of its list, with the same label, such as a in list u; keep one row of each item, or name the lists more exactly (--list user,day)" }, // biome-ignore format: one line
    ]);
    const [warning] = of("u,a,1,1\nv,b,0,2\nu,a,0,3\nv,b,0,4\nv,b,2,4\n");
    expect(warning).toMatchObject({ names: ["u", "v"], text: expect.stringContaining("3 rows repeat an item of their list, 2 with another label, such as a in list u;") }); // biome-ignore format: one line
  });

  it("finds features that give the label away, in either direction, also with missing values", () => {
    const data = drawn(1, 6, 5, (label, draw) => [label + draw() / 2, -label, draw(), draw() < 0.2 ? Number.NaN : label * 2]);
    expect(kindsOf(data).filter((one) => one.startsWith("leak"))).toEqual(["leak 1", "leak 2", "leak 4"]);
    expect(kindsOf(drawn(1, 1, 3, (label) => [label]))).not.toContain("leak 1"); // too few pairs to say so
  });

  it("counts pairs of different labels, of which eight are enough", () => {
    const first = (others: number) =>
      build(Array.from({ length: 1 + others }, (_, i) => ({ list: 1, label: i === 0 ? 1 : 0, features: [-i] })));
    expect(kindsOf(first(7))).not.toContain("leak 1"); // seven pairs, and 21 of equal labels
    expect(kindsOf(first(8))).toContain("leak 1");
  });

  it("finds features that are filled in where labels are high, such as the price of a sale", () => {
    const draw = random(1, 0, 0);
    const sale = (i: number) => ({
      list: i % 6,
      label: i < 6 ? 1 : 0,
      features: [i < 6 ? 9 + draw() : Number.NaN, draw() < 0.5 ? Number.NaN : 1],
    });
    const data = build(Array.from({ length: 30 }, (_, i) => sale(i)));
    const leaks = inspect(data).warnings.filter(({ kind }) => kind === "leak");
    expect(leaks.map(({ text }) => text)).toEqual([
      expect.stringContaining(
        "feature 1 orders every list exactly as the labels do (ascending, and missing where they are lowest)",
      ),
    ]);
    expect(kindsOf(data)).toContain("constant 2");
  });

  it("finds words that stand for labels", () => {
    const words = ["bad", "fair", "good"];
    const table = (wrong: number, usual = 3) =>
      Array.from({ length: 60 }, (_, i) => {
        const label = i % usual === 0 ? i % 3 : 0;
        return `q${i % 6},${label},${words[i < wrong ? (label + 1) % 3 : label]},${["red", "blue"][(i * 7) % 2]},n${i % 30}`;
      });
    const leaksOf = (rows: readonly string[]) => {
      const { data } = parseData([{ name: "a.csv", content: `qid,label,said,color,name\n${rows.join("\n")}\n` }]);
      return inspect(data).warnings.filter(({ kind }) => kind === "leak").map(({ text }) => text); // biome-ignore format: one chain
    };
    const mixed = (wrong: number) => Array.from({ length: 300 }, (_, i) => `q${i % 6},${i % 3},${words[i < wrong ? (i + 1) % 3 : i % 3]},${["red", "blue"][(i >> 2) % 2]},n${i % 150}`); // biome-ignore format: one table
    const text = (share: string) =>
      `column said gives the label away: each of its 3 words goes with one label in ${share} rows; if it is known only after the fact, leave it out (--ignore said)`;
    expect(leaksOf(mixed(0))).toContain(text("all"));
    expect(leaksOf(mixed(2))).toContain(text("nearly all"));
    expect(leaksOf(mixed(9)).join()).not.toContain("gives the label away");
    expect(leaksOf(table(0, 30)).join()).not.toContain("gives the label away"); // nearly all rows have one label
    expect(leaksOf(mixed(0)).filter((one) => one.includes("said"))).toHaveLength(1); // not its features one by one
  });

  it("finds features that are filled in only from some label on", () => {
    const data = (wrong: number) => {
      const draw = random(4, 0, 0);
      return build(
        Array.from({ length: 200 }, (_, i) => ({
          list: i % 8,
          label: i % 5,
          features: [
            i % 5 >= 3 !== i < wrong ? draw() : Number.NaN,
            i % 5 < 2 ? draw() : Number.NaN,
            draw() < 0.4 ? Number.NaN : draw(),
          ],
        })),
      );
    };
    const leaksOf = (wrong: number) => inspect(data(wrong)).warnings.filter(({ kind }) => kind === "leak").map(({ text }) => text.split(";")[0]); // biome-ignore format: one chain
    expect(leaksOf(0)).toEqual(["feature 1 is filled in only in the 80 rows with the better labels", "feature 2 is filled in only in the 80 rows with the worse labels"]); // biome-ignore format: two texts
    expect(leaksOf(2)[0]).toBe("feature 1 is filled in nearly only in the 80 rows with the better labels");
    expect(leaksOf(3)).toEqual(["feature 2 is filled in only in the 80 rows with the worse labels"]);
  });

  it("finds features that order nearly all lists, where lists are many and long", () => {
    const leaky = (lists: number, size: number, wrong: number) => {
      let row = 0;
      return drawn(3, lists, size, (label) => [row++ < wrong * size ? -label : label]);
    };
    const texts = inspect(leaky(60, 6, 2))
      .warnings.filter(({ kind }) => kind === "leak")
      .map(({ text }) => text);
    expect(texts).toEqual([
      expect.stringMatching(/^feature 1 orders (58 of 60|57 of 59|56 of 58) lists exactly as the labels do \(ascending\)/),
    ]);
    expect(kindsOf(leaky(40, 6, 3))).not.toContain("leak 1");
    expect(kindsOf(leaky(10, 6, 1))).not.toContain("leak 1"); // too few lists
    expect(kindsOf(leaky(40, 2, 1))).not.toContain("leak 1"); // too short ones
  });

  it("finds ids of which a few are there twice", () => {
    let next = 0;
    const ids = (again: number) => drawn(2, 20, 5, (_, draw) => [Math.max(next++, again), draw()]);
    expect(inspect(ids(2)).warnings[0]!.text).toMatch(
      /^feature 1 looks like an id: whole numbers that differ in nearly all rows/,
    );
    next = 0;
    expect(kindsOf(ids(10))).not.toContain("id 1");
  });

  it("finds ids beside repeated rows, which are told where items have names", () => {
    const rows = Array.from({ length: 200 }, (_, i) => `q${Math.floor(i / 10)},i${i},${i % 3},${1000 + i},${(i * 7) % 11}`);
    const { data } = parseData([{ name: "a.csv", content: `qid,docid,label,row,x\n${[...rows, ...rows.slice(20, 30)].join("\n")}\n` }]); // biome-ignore format: one line
    const texts = inspect(data).warnings.map(({ text }) => text);
    expect(texts[0]).toMatch(/^feature row looks like an id/);
    expect(texts.join()).toContain("10 of 210 rows repeat the features, label and item of another row of their list");
  });

  it("takes whole numbers that differ for ids only if their name, their length or their range says so", () => {
    const revenue = (i: number) => 1000 + 37 * i ** 3; // four to eight digits
    const named = (name: string, value: (i: number) => number | string) => {
      const rows = Array.from({ length: 60 }, (_, i) => `q${i % 6},${i % 3},"${value(i)}",${i % 7}`);
      const { data } = parseData([{ name: "a.csv", content: `list,label,${name},x\n${rows.join("\n")}\n` }]);
      return inspect(data).warnings.some(({ kind, names }) => kind === "id" && names[0] === name);
    };
    for (const name of ["revenue", "volcano", "nominee", "decode", "keys"]) expect([name, named(name, revenue)]).toEqual([name, false]); // biome-ignore format: one line
    for (const name of ["shop_id", "SHOP_ID", "product_code", "House No", "houseNr", "ticket number", "key"]) expect([name, named(name, revenue)]).toEqual([name, true]); // biome-ignore format: one line
    const far = (i: number) => 100_000_007 + i * 9_876_543;
    expect(named("revenue", far)).toBe(true);
    expect(named("revenue", (i) => `$${far(i).toLocaleString("en")}`)).toBe(false);
    expect(named("revenue", (i) => 7 - ((i * 17) % 60))).toBe(true); // consecutive
  });

  it("takes no dates and no counts with missing values for ids", () => {
    const day = (i: number) => new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10);
    const rows = Array.from({ length: 60 }, (_, i) => `q${i % 6},${i % 3},${day(i)},${i % 20 ? 100 + 7 * i : ""}`);
    const { data } = parseData([{ name: "a.csv", content: `qid,label,day,views\n${rows.join("\n")}\n` }]);
    expect(inspect(data).warnings.filter(({ kind }) => kind === "id")).toEqual([]);
  });

  it("says once that two columns of categories are copies, and labels as people wrote them", () => {
    const rows = Array.from({ length: 60 }, (_, i) => `q${i % 6},${(i % 3) / 10},${"abcd"[i % 4]},${"ABCD"[i % 4]},${i % 7}`);
    const { data } = parseData([{ name: "a.csv", content: `qid,label,c,d,x\n${rows.join("\n")}\n` }]);
    const { warnings, labels } = inspect(data);
    expect(warnings.filter(({ kind }) => kind === "copied")).toHaveLength(1);
    expect(Object.keys(labels)).toEqual(["0", "0.1", "0.2"]);
  });

  it("finds ids, constant and copied features", () => {
    let next = 1000;
    const data = drawn(2, 5, 5, (_, draw) => {
      const x = draw();
      return [next++, 7, x, x, draw()];
    });
    expect(kindsOf(data)).toEqual(["id 1", "copied 3 4", "constant 2"]);
  });

  it("counts lists that say nothing", () => {
    const { warnings } = inspect(build([{ list: "a", label: 1, features: [1] }, { list: "b", label: 2, features: [2] }, { list: "b", label: 2, features: [3] }, { list: "c", label: 0, features: [1] }, { list: "c", label: 1, features: [0] }])); // biome-ignore format: rows
    expect(warnings.map(({ text }) => text)).toEqual([
      "1 of 3 lists have one item, from which no order is learned",
      "1 of 3 lists have equal labels, from which no order is learned",
    ]);
  });

  it("the ceiling is the best value over all orders of groups of equal rows", () => {
    for (let seed = 0; seed < 20; seed++) {
      const data = drawn(seed, 1, 5, (_, draw) => [below(draw, 3)]);
      const values = [...data.features.values];
      let best = Number.NaN;
      for (const scores of [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
      ]) {
        // biome-ignore format: orders
        const value = ndcg().measure(Float64Array.from(values, (x) => scores[x]!), data.labels);
        if (!(value <= best)) best = value;
      }
      const { ceiling } = inspect(data);
      if (Number.isNaN(best)) expect(ceiling).toEqual({});
      else expect(ceiling.ndcg).toBeCloseTo(best, 12);
    }
    const twins = build([{ list: 1, label: 1, features: [3, 4] }, { list: 1, label: 0, features: [3, 4] }]); // biome-ignore format: rows
    expect(inspect(twins).ceiling.ndcg).toBeCloseTo((1 + 1 / Math.log2(3)) / 2, 12);
    expect(kindsOf(twins)).toContain("duplicates");
  });

  it("finds drift by list, and no more than 5 in 100 where there is none", () => {
    const test = drawn(8, 40, 4, (_, draw) => [draw() + 0.3, draw(), draw() < 0.5 ? Number.NaN : draw()], 100);
    expect(
      kindsOf(
        drawn(7, 40, 4, (_, draw) => [draw(), draw(), draw()]),
        test,
      ),
    ).toEqual(["one tier", "drift 3", "drift 1"]); // the most certain first
    let false_ = 0;
    for (let seed = 0; seed < 100; seed++) {
      // Rows of a list are equal, so a test by rows would find drift everywhere.
      const equal = (from: number) => {
        const draw = random(seed, from, 1);
        const lists = Array.from({ length: 20 }, () => [draw(), draw()]);
        return build(lists.flatMap((features, list) => [0, 1, 1, 0, 2].map((label) => ({ list: from + list, label, features })))); // biome-ignore format: one line
      };
      if (inspect(equal(0), { test: equal(500) }).drift.some(({ p }) => p < 0.05)) false_++;
    }
    expect(false_).toBeLessThanOrEqual(10); // 5 are expected at most; 10 or more of 100 have a chance of 3 %
  });

  it("the rank sum test agrees with a value worked by hand", () => {
    // U = 9 of 9, variance 9 / 12 * 7, so z = (4.5 - 0.5) / 2.2913 = 1.7457
    expect(rankSum([1, 2, 3], [4, 5, 6])).toEqual({ higher: 1, p: expect.closeTo(0.0809, 4) });
    expect(rankSum([1, 1], [1, 1])).toEqual({ higher: 0.5, p: 1 });
    expect(rankSum([], [1])).toEqual({ higher: 0.5, p: 1 });
  });

  it("warns of lists that are in both data, and takes ballots", () => {
    const csv = (text: string) => parseData([{ name: "a.csv", content: text }]).data;
    const data = csv("qid,label,x\na,1,2\na,0,3\nb,1,1\nb,0,2\n");
    expect(kindsOf(data, csv("qid,label,x\nb,1,2\nb,0,3\nc,1,1\nc,0,2\n"))).toContain("shared lists b");
    expect(inspect(parseData([{ name: "a.orders", content: "a > b\nb > c\n" }]).data)).toMatchObject({ lists: 2, features: 0 });
  });

  it("refuses wrong arguments", () => {
    expect(() => inspect(5 as never)).toThrow(InputError);
    expect(() =>
      inspect(
        drawn(1, 2, 2, () => [1]),
        { tests: 1 } as never,
      ),
    ).toThrow(InputError);
    expect(() =>
      inspect(
        drawn(1, 2, 2, () => [1]),
        { test: 1 as never },
      ),
    ).toThrow(InputError);
  });
});

describe("features that name the items", () => {
  const table = (lists: number) => {
    const rows = ["user,item,stars,number,title,size,sold,revenue"];
    for (let u = 0; u < lists; u++)
      for (let i = 0; i < 12; i++)
        rows.push(
          `u${u},i${i},${(u * i) % 4},${101 + i},title ${i},${i / 7},${7 * i ** 3},"$${(126_744_557 + i).toLocaleString("en")}"`,
        );
    const content = `${rows.join("\n")}\n`;
    return parseData([{ name: "a.csv", content }], { qid: "user", id: "item", label: "stars", categories: ["title"] }).data;
  };
  it("are warned of where lists share items, words and whole numbers but no other numbers, counts and amounts", () => {
    const named = (lists: number) => inspect(table(lists)).warnings.filter(({ kind }) => kind === "id").flatMap(({ names }) => names); // biome-ignore format: one chain
    expect(named(4)).toEqual(["title", "number"]);
    expect(named(1)).toEqual([]);
  });
});

it("columns of whole numbers that differ, or have the name of an id, are told before a training", () => {
  const rows = Array.from({ length: 40 }, (_, i) => ({
    ...{ list: i % 4, label: i % 3 },
    features: [1000 + i, i % 25, i / 3, i % 5, i % 20],
  }));
  const data = build(rows);
  const named = (...features: string[]) => idNotices({ ...data, names: { ...data.names, features } });
  expect(named("a", "shop_id", "b", "c_id", "d")).toEqual([
    'columns "a", "shop_id" are features and look like ids (whole numbers); if they are, leave them out (--ignore a,shop_id)',
  ]);
  expect(named("a", "b", "c", "d", "e")).toEqual([
    'column "a" is a feature and looks like an id (whole numbers); if it is one, leave it out (--ignore a)',
  ]);
});

it("counts that differ in all rows are not told as ids, and ids of one length and consecutive ones in any order are", () => {
  const rows = Array.from({ length: 40 }, (_, i) => ({
    ...{ list: i % 4, label: i % 3 },
    features: [Math.round(1.3 ** (i + 12)), 4_000_000 + ((i * 98_765) % 999_983), (i * 17) % 40, 5 * i * i + 7, -40 + i],
  }));
  const data = build(rows);
  const features = ["views", "product", "row", "sold", "place"];
  const encoding = features.map((name) => ({ name, kind: "number" as const, ...(name === "product" && { unit: "$" }) }));
  expect(idNotices({ ...data, names: { ...data.names, features, encoding } }).join()).toContain('columns "row", "place" are');
  expect(idNotices({ ...data, names: { ...data.names, features: ["views", "product", "row", "sold", "place"] } })).toEqual([
    'columns "product", "row", "place" are features and look like ids (whole numbers); if they are, leave them out (--ignore product,row,place)',
  ]);
});
