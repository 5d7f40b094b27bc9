-- Who may make calls. Rows are never deleted: a store that has any asks for a
-- token.
CREATE TABLE tokens (
  seq INTEGER NOT NULL PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  -- assay.v1.TokenRole: submit, worker, admin.
  role INTEGER NOT NULL CHECK (role IN (1, 2, 3)),
  -- SHA-256 of the secret, in hex.
  secret_sha256 TEXT NOT NULL,
  create_time_us INTEGER NOT NULL,
  -- To a minute; 0: not used yet.
  last_use_time_us INTEGER NOT NULL,
  -- 0: not revoked.
  revoke_time_us INTEGER NOT NULL
) STRICT;

-- The token that registered a worker: no other one speaks for it.
CREATE TABLE worker_tokens (
  worker_id TEXT NOT NULL PRIMARY KEY REFERENCES workers (worker_id),
  token_id TEXT NOT NULL REFERENCES tokens (id)
) STRICT, WITHOUT ROWID;
