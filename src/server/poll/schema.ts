/** The tables, as steps from one version to the next. A step that was released never changes; a change is a new step. */

export const MIGRATIONS: readonly (readonly string[])[] = [
  [
    `CREATE TABLE polls (
      id INTEGER PRIMARY KEY,
      poll_hash BLOB NOT NULL UNIQUE,
      admin_hash BLOB NOT NULL UNIQUE,
      title TEXT NOT NULL,
      description TEXT NOT NULL,
      tiers TEXT NOT NULL,
      access TEXT NOT NULL CHECK (access IN ('open', 'codes')),
      results TEXT NOT NULL CHECK (results IN ('always', 'closed')),
      imported INTEGER NOT NULL DEFAULT 0,
      closed INTEGER NOT NULL DEFAULT 0,
      closes INTEGER,
      created INTEGER NOT NULL,
      ballots INTEGER NOT NULL DEFAULT 0,
      changes INTEGER NOT NULL DEFAULT 0
    )`,
    `CREATE TABLE items (
      poll INTEGER NOT NULL REFERENCES polls(id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      name TEXT NOT NULL,
      color TEXT NOT NULL,
      picture_type TEXT,
      picture BLOB,
      PRIMARY KEY (poll, number)
    )`,
    `CREATE TABLE ballots (
      id INTEGER PRIMARY KEY,
      poll INTEGER NOT NULL REFERENCES polls(id) ON DELETE CASCADE,
      voter_hash BLOB,
      request_hash BLOB,
      tiers TEXT NOT NULL,
      count INTEGER NOT NULL DEFAULT 1,
      change INTEGER NOT NULL
    )`,
    "CREATE UNIQUE INDEX ballots_by_voter ON ballots (poll, voter_hash)",
    "CREATE UNIQUE INDEX ballots_by_request ON ballots (poll, request_hash)",
    "CREATE INDEX ballots_by_change ON ballots (poll, change)",
    `CREATE TABLE codes (
      poll INTEGER NOT NULL REFERENCES polls(id) ON DELETE CASCADE,
      code_hash BLOB NOT NULL,
      PRIMARY KEY (poll, code_hash)
    )`,
    `CREATE TABLE fits (
      poll INTEGER PRIMARY KEY REFERENCES polls(id) ON DELETE CASCADE,
      utilities BLOB NOT NULL
    )`,
  ],
];
