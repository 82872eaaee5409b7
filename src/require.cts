/**
 * What `require("tierwise")` finds in versions of Node that cannot load ES modules that way; those that can use the condition "module-sync" of
 * package.json and never come here.
 */
throw Object.assign(
  new Error(
    `tierwise is an ES module, which require() can load from Node 20.19, 22.12 or newer on, and this is ${process.version}; use import, or await import("tierwise")`,
  ),
  { code: "ERR_REQUIRE_ESM" },
);
