/** The gzipped WebAssembly of parquet-wasm in base64, which scripts/pages.mjs provides. */
declare module "virtual:parquet-wasm" {
  const packed: string;
  export default packed;
}
