-- Findings with the effect HOLD keep a trace from ranking until it is reviewed.
-- No worker reported any before this column, so older traces have none; whether
-- older results were unstable is not told on boards.
ALTER TABLE traces ADD COLUMN held INTEGER NOT NULL DEFAULT 0
  CHECK (held IN (0, 1));
ALTER TABLE traces ADD COLUMN unstable INTEGER NOT NULL DEFAULT 0
  CHECK (unstable IN (0, 1));
CREATE INDEX traces_held ON traces (seq) WHERE held = 1;

-- Decisions of operators about traces. Rows are only added; of a trace the last
-- one counts.
CREATE TABLE reviews (
  seq INTEGER NOT NULL PRIMARY KEY,
  trace_id TEXT NOT NULL REFERENCES traces (id),
  -- Review.State: approved, rejected.
  decision INTEGER NOT NULL CHECK (decision IN (2, 3)),
  -- assay.v1.Review.
  content BLOB NOT NULL
) STRICT;
CREATE INDEX reviews_by_trace ON reviews (trace_id, seq);

-- With the solution, so that boards are listed without those of probes from the
-- index alone.
DROP INDEX traces_boards;
CREATE INDEX traces_boards ON traces (definition, hardware, timer, solution)
  WHERE imported = 0;
