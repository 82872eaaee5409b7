// A stand-in for a libsql server (sqld, Turso): as much of the protocol Hrana over HTTP, version 3, as the package libsql speaks, over a file of SQLite.
//
//   node test/hrana-server.mjs FILE [TOKEN]      prints its URL
//
// Each stream has a connection of its own, as there, so settings and transactions of one stream are not those of another.

import { createServer } from "node:http";
import { createRequire } from "node:module";

const Database = createRequire(import.meta.url)("libsql");
const [file, token] = process.argv.slice(2);
const streams = new Map(); // connections by baton
let count = 0;

const toValue = ({ type, value, base64 }) =>
  type === "null" ? null : type === "integer" ? Number(value) : type === "blob" ? Buffer.from(base64, "base64") : value;
const fromValue = (value) => {
  if (value === null || value === undefined) return { type: "null" };
  if (typeof value === "string") return { type: "text", value };
  if (typeof value === "number")
    return Number.isInteger(value) ? { type: "integer", value: String(value) } : { type: "float", value };
  return { type: "blob", base64: Buffer.from(value).toString("base64") };
};

const NOTHING = { cols: [], rows: [], affected_row_count: 0, last_insert_rowid: null };

function execute(connection, { sql, args = [] }) {
  if (/^\s*(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/i.test(sql)) {
    connection.exec(sql); // a prepared one that failed would stay in progress
    return NOTHING;
  }
  const statement = connection.prepare(sql);
  const values = args.map(toValue);
  if (!statement.reader) {
    const { changes, lastInsertRowid } = statement.run(values);
    return { cols: [], rows: [], affected_row_count: changes, last_insert_rowid: String(lastInsertRowid) };
  }
  const cols = statement.columns().map(({ name, type }) => ({ name, decltype: type }));
  const rows = statement
    .raw()
    .all(values)
    .map((row) => row.map(fromValue));
  return { cols, rows, affected_row_count: 0, last_insert_rowid: null };
}

const errorOf = (error) => ({ message: error.message, code: error.code ?? "SQLITE_ERROR" });

/** The steps of a batch, each under its condition. */
function runBatch(connection, { steps }) {
  const [results, errors] = [[], []];
  const holds = (condition) => {
    if (!condition) return true;
    const { type, step, cond, conds } = condition;
    if (type === "ok") return results[step] !== null && results[step] !== undefined;
    if (type === "error") return errors[step] !== null && errors[step] !== undefined;
    if (type === "not") return !holds(cond);
    if (type === "and") return conds.every(holds);
    if (type === "or") return conds.some(holds);
    return !connection.inTransaction; // is_autocommit
  };
  for (const { stmt, condition } of steps) {
    let [result, error] = [null, null];
    if (holds(condition)) {
      try {
        result = execute(connection, stmt);
      } catch (problem) {
        error = errorOf(problem);
      }
    }
    results.push(result);
    errors.push(error);
  }
  return { step_results: results, step_errors: errors };
}

function answer(connection, request) {
  const { type } = request;
  if (type === "execute") return { type, result: execute(connection, request.stmt) };
  if (type === "batch") return { type, result: runBatch(connection, request.batch) };
  if (type === "get_autocommit") return { type, is_autocommit: !connection.inTransaction };
  if (type === "sequence") {
    connection.exec(request.sql);
    return { type };
  }
  if (type === "describe") {
    const statement = connection.prepare(request.sql);
    const cols = statement.reader ? statement.columns().map(({ name, type: decltype }) => ({ name, decltype })) : [];
    const params = [...request.sql.matchAll(/\?/g)].map(() => ({ name: null }));
    return { type, result: { params, cols, is_explain: false, is_readonly: statement.reader } };
  }
  if (type === "close") return { type };
  throw new Error(`the stand-in does not know ${type}`);
}

function open(baton) {
  if (baton) {
    const known = streams.get(baton);
    streams.delete(baton);
    if (!known) throw Object.assign(new Error("the stream has expired"), { status: 400 });
    return known;
  }
  const connection = new Database(file);
  connection.exec("PRAGMA busy_timeout=0"); // another stream can only finish if this one does not wait
  return connection;
}

function keep(connection) {
  const baton = `stream ${++count}`;
  streams.set(baton, connection);
  return baton;
}

function pipeline({ baton, requests }) {
  const connection = open(baton);
  const results = requests.map((request) => {
    try {
      return { type: "ok", response: answer(connection, request) };
    } catch (error) {
      return { type: "error", error: errorOf(error) };
    }
  });
  const closed = requests.some(({ type }) => type === "close");
  if (closed) connection.close();
  return JSON.stringify({ baton: closed ? null : keep(connection), base_url: null, results });
}

function cursor({ baton, batch }) {
  const connection = open(baton);
  const { step_results: results, step_errors: errors } = runBatch(connection, batch);
  const lines = results.flatMap((result, step) => {
    if (errors[step]) return [{ type: "step_error", step, error: errors[step] }];
    if (!result) return [];
    const { cols, rows, affected_row_count, last_insert_rowid } = result;
    return [
      { type: "step_begin", step, cols },
      ...rows.map((row) => ({ type: "row", row })),
      { type: "step_end", affected_row_count, last_insert_rowid },
    ];
  });
  return [{ baton: keep(connection), base_url: null }, ...lines].map((line) => JSON.stringify(line)).join("\n");
}

const server = createServer(async (request, response) => {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  if (process.env.HRANA_LOG) console.error(request.method, request.url, text.slice(0, 600));
  const end = (status, body) => {
    if (process.env.HRANA_LOG) console.error("  ", status, body.slice(0, 400));
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  };
  if (token !== undefined && request.headers.authorization !== `Bearer ${token}`) return end(401, '{"error":"Unauthorized"}');
  const route = { "/v3/pipeline": pipeline, "/v2/pipeline": pipeline, "/v3/cursor": cursor }[request.url];
  if (!route) return end(request.method === "GET" && /^\/v[23]$/.test(request.url) ? 200 : 404, "{}");
  try {
    end(200, route(JSON.parse(text)));
  } catch (error) {
    end(error.status ?? 500, JSON.stringify(errorOf(error)));
  }
}).listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
