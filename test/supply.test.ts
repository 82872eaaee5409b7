/** What an installation brings along: the runtime dependencies as the lock file records them, and what is said about them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "./cli.ts";

interface Locked {
  readonly dev?: true;
  readonly devOptional?: true;
  readonly peer?: true;
  readonly optional?: true;
  readonly link?: true;
  readonly license?: string;
  readonly hasInstallScript?: true;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const text = (name: string) => readFileSync(join(root, name), "utf8");
const manifest = JSON.parse(text("package.json")) as {
  dependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
  scripts: Record<string, string>;
};
const locked = Object.entries(JSON.parse(text("package-lock.json")).packages as Record<string, Locked>);
const runtime = locked.filter(
  ([path, { dev, devOptional, link }]) => path.startsWith("node_modules/") && !dev && !devOptional && !link,
);

it("the runtime tree is commander alone, at one version, without scripts", () => {
  expect(Object.keys(manifest.dependencies)).toEqual(["commander"]);
  expect(manifest.dependencies.commander).toMatch(/^\d+\.\d+\.\d+$/);
  expect(runtime.map(([path]) => path)).toEqual(["node_modules/commander"]);
  for (const [path, { dependencies, hasInstallScript, license, integrity }] of runtime)
    expect({ path, dependencies, hasInstallScript, license, integrity }).toEqual({
      ...{ path, dependencies: undefined, hasInstallScript: undefined, license: "MIT" },
      integrity: expect.stringMatching(/^sha512-/),
    });
});

it("the package runs nothing when it is installed", () => {
  for (const script of ["preinstall", "install", "postinstall", "prepare"]) expect(manifest.scripts).not.toHaveProperty(script);
});

it("THIRD-PARTY.md names every runtime dependency and optional peer with its licence", () => {
  const page = text("THIRD-PARTY.md");
  for (const [path, { license }] of runtime) expect(page).toMatch(new RegExp(`\\| \`${path.slice(13)}\` +\\| ${license} +\\|`));
  for (const name of Object.keys(manifest.peerDependencies)) {
    const { license } = JSON.parse(text(`node_modules/${name}/package.json`)) as { license: string };
    expect(page).toContain(`\`${name}\` (${license})`);
  }
  const { license } = JSON.parse(text("node_modules/assemblyscript/package.json")) as { license: string };
  expect(page).toContain(`(${license}, Copyright`);
});
