-- In the order of their end, so that the oldest can be forgotten: a worker that
-- is started again and again must not fill the store. Finished leases are
-- forgotten in the order of their making.
CREATE TABLE ordered_sessions (
  seq INTEGER NOT NULL PRIMARY KEY,
  worker_id TEXT NOT NULL REFERENCES workers (worker_id),
  session_id TEXT NOT NULL,
  UNIQUE (worker_id, session_id)
) STRICT;
INSERT INTO ordered_sessions (worker_id, session_id)
  SELECT worker_id, session_id FROM replaced_sessions
  ORDER BY worker_id, session_id;
DROP TABLE replaced_sessions;
ALTER TABLE ordered_sessions RENAME TO replaced_sessions;
CREATE INDEX replaced_sessions_by_worker ON replaced_sessions (worker_id, seq);
CREATE INDEX leases_ended ON leases (seq) WHERE state <> 1;
