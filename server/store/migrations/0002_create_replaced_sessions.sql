-- Sessions of a worker that a newer one has replaced; they stay refused.
CREATE TABLE replaced_sessions (
  worker_id TEXT NOT NULL REFERENCES workers (worker_id),
  session_id TEXT NOT NULL,
  PRIMARY KEY (worker_id, session_id)
) STRICT, WITHOUT ROWID;
