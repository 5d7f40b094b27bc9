-- What the coordinator notes of itself, one value a name.
CREATE TABLE coordinator_state (
  name TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
