-- Messages of assay.v1 are stored serialised in `content`; the columns beside
-- it are what is searched and ordered by. Times are microseconds since the
-- Unix epoch, UTC. Lists of words are joined by line feeds.

CREATE TABLE definitions (
  name TEXT NOT NULL PRIMARY KEY,
  op_type TEXT NOT NULL,
  digest TEXT NOT NULL,
  content BLOB NOT NULL,
  create_time_us INTEGER NOT NULL
) STRICT;

-- One row for each revision.
CREATE TABLE solutions (
  seq INTEGER NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  digest TEXT NOT NULL,
  definition TEXT NOT NULL REFERENCES definitions (name),
  author TEXT NOT NULL,
  is_latest INTEGER NOT NULL CHECK (is_latest IN (0, 1)),
  -- Without the sources' content: what lists show.
  summary BLOB NOT NULL,
  content BLOB NOT NULL,
  create_time_us INTEGER NOT NULL,
  UNIQUE (name, digest)
) STRICT;
CREATE UNIQUE INDEX solutions_latest ON solutions (name) WHERE is_latest = 1;
CREATE INDEX solutions_by_definition ON solutions (definition, name)
  WHERE is_latest = 1;

CREATE TABLE workloads (
  seq INTEGER NOT NULL PRIMARY KEY,
  uuid TEXT NOT NULL UNIQUE,
  definition TEXT NOT NULL REFERENCES definitions (name),
  digest TEXT NOT NULL,
  content BLOB NOT NULL,
  create_time_us INTEGER NOT NULL
) STRICT;
CREATE INDEX workloads_by_definition ON workloads (definition, seq);

CREATE TABLE submissions (
  seq INTEGER NOT NULL PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  -- Empty when the client gave none.
  request_id TEXT NOT NULL,
  definition TEXT NOT NULL REFERENCES definitions (name),
  solution TEXT NOT NULL,
  solution_digest TEXT NOT NULL,
  author TEXT NOT NULL,
  priority INTEGER NOT NULL,
  -- What a worker must build and run: numbers of BuildSpec's enums.
  language INTEGER NOT NULL,
  binding INTEGER NOT NULL,
  -- assay.v1.Submission without the counts.
  content BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX submissions_by_request ON submissions (request_id)
  WHERE request_id <> '';
CREATE INDEX submissions_by_solution ON submissions (solution, seq);

CREATE TABLE jobs (
  -- The place in the queue; kept when a job goes back.
  seq INTEGER NOT NULL PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  submission_id TEXT NOT NULL REFERENCES submissions (id),
  workload_uuid TEXT NOT NULL REFERENCES workloads (uuid),
  hardware TEXT NOT NULL,
  -- JobState: queued, running, completed, failed, cancelled.
  state INTEGER NOT NULL CHECK (state BETWEEN 1 AND 5),
  stage INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  -- Grows with every lease; a report with an older one is refused.
  fence INTEGER NOT NULL,
  -- The latest lease; `held` says whether it still has the job.
  lease_id TEXT NOT NULL,
  held INTEGER NOT NULL CHECK (held IN (0, 1)),
  -- Attempts that ended without a verdict through no wish of the worker.
  failures INTEGER NOT NULL,
  -- Worker on which the latest attempt failed.
  avoid_worker TEXT NOT NULL,
  failure_reason TEXT NOT NULL,
  failure_message TEXT NOT NULL,
  trace_id TEXT NOT NULL,
  -- Number of the latest change of this row, from one counter for all rows.
  change_seq INTEGER NOT NULL
) STRICT;
CREATE INDEX jobs_by_submission ON jobs (submission_id, seq);
CREATE INDEX jobs_by_change ON jobs (submission_id, change_seq);
CREATE INDEX jobs_by_latest_change ON jobs (change_seq);
CREATE INDEX jobs_by_lease ON jobs (lease_id) WHERE lease_id <> '';
CREATE INDEX jobs_waiting ON jobs (submission_id, hardware, avoid_worker, seq)
  WHERE state = 1 AND held = 0;
CREATE INDEX jobs_by_state ON jobs (submission_id, state);

-- When each author was last served, for the round between authors.
CREATE TABLE author_turns (
  author TEXT NOT NULL PRIMARY KEY,
  turn INTEGER NOT NULL
) STRICT;

CREATE TABLE workers (
  worker_id TEXT NOT NULL PRIMARY KEY,
  session_id TEXT NOT NULL,
  version TEXT NOT NULL,
  device BLOB NOT NULL,
  register_time_us INTEGER NOT NULL
) STRICT;

CREATE TABLE leases (
  seq INTEGER NOT NULL PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  worker_id TEXT NOT NULL REFERENCES workers (worker_id),
  session_id TEXT NOT NULL,
  request_id TEXT NOT NULL,
  submission_id TEXT NOT NULL REFERENCES submissions (id),
  -- Active, finished, expired (can be resumed), revoked.
  state INTEGER NOT NULL CHECK (state BETWEEN 1 AND 4),
  -- Latest report that is stored.
  last_number INTEGER NOT NULL,
  create_time_us INTEGER NOT NULL
) STRICT;
CREATE INDEX leases_active ON leases (worker_id, seq) WHERE state = 1;

CREATE TABLE traces (
  seq INTEGER NOT NULL PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  definition TEXT NOT NULL REFERENCES definitions (name),
  solution TEXT NOT NULL,
  solution_digest TEXT NOT NULL,
  workload_uuid TEXT NOT NULL,
  -- Empty when imported.
  submission_id TEXT NOT NULL,
  worker TEXT NOT NULL,
  status INTEGER NOT NULL,
  hardware TEXT NOT NULL,
  timer INTEGER NOT NULL,
  latency_ms REAL NOT NULL,
  speedup_factor REAL NOT NULL,
  imported INTEGER NOT NULL CHECK (imported IN (0, 1)),
  -- assay.v1.TraceRecord.
  content BLOB NOT NULL
) STRICT;
CREATE INDEX traces_by_definition ON traces (definition, hardware, seq);
CREATE INDEX traces_by_solution ON traces (solution, seq);
CREATE INDEX traces_by_workload ON traces (workload_uuid, seq);
CREATE INDEX traces_by_submission ON traces (submission_id, seq)
  WHERE submission_id <> '';
CREATE INDEX traces_boards ON traces (definition, hardware, timer)
  WHERE imported = 0;
