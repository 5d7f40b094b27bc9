-- What leaderboards need, kept up to date with every trace, so that a board
-- costs by its cells and not by the traces behind them.

-- The results that are ranked together, and how many there are.
CREATE TABLE boards (
  definition TEXT NOT NULL,
  hardware TEXT NOT NULL,
  timer INTEGER NOT NULL,
  -- Measured traces, those of probes aside.
  traces INTEGER NOT NULL,
  PRIMARY KEY (definition, hardware, timer)
) STRICT, WITHOUT ROWID;

-- One revision of a solution on one workload of a board.
CREATE TABLE board_cells (
  definition TEXT NOT NULL,
  hardware TEXT NOT NULL,
  solution TEXT NOT NULL,
  solution_digest TEXT NOT NULL,
  workload_uuid TEXT NOT NULL,
  timer INTEGER NOT NULL,
  -- Measured traces of the cell.
  traces INTEGER NOT NULL,
  -- The latest of them.
  trace_seq INTEGER NOT NULL,
  trace_id TEXT NOT NULL,
  worker TEXT NOT NULL,
  status INTEGER NOT NULL,
  latency_ms REAL NOT NULL,
  speedup_factor REAL NOT NULL,
  unstable INTEGER NOT NULL CHECK (unstable IN (0, 1)),
  PRIMARY KEY (definition, hardware, solution, solution_digest, workload_uuid,
    timer)
) STRICT, WITHOUT ROWID;

-- Measured traces that a finding holds or that were reviewed: a board looks at
-- all of them, not only at the latest.
CREATE TABLE contested_traces (
  definition TEXT NOT NULL,
  hardware TEXT NOT NULL,
  trace_seq INTEGER NOT NULL REFERENCES traces (seq),
  PRIMARY KEY (definition, hardware, trace_seq)
) STRICT, WITHOUT ROWID;

-- The columns that are not aggregated come from the row with the largest seq,
-- as SQLite promises where there is one MAX.
INSERT INTO board_cells
  SELECT definition, hardware, solution, solution_digest, workload_uuid, timer,
    COUNT(*), MAX(seq), id, worker, status, latency_ms, speedup_factor, unstable
  FROM traces WHERE imported = 0 AND solution NOT GLOB 'assay-lint-*'
  GROUP BY definition, hardware, solution, solution_digest, workload_uuid,
    timer;
INSERT INTO boards
  SELECT definition, hardware, timer, SUM(traces) FROM board_cells
  GROUP BY definition, hardware, timer;
INSERT INTO contested_traces
  SELECT definition, hardware, seq FROM traces
  WHERE imported = 0 AND solution NOT GLOB 'assay-lint-*'
    AND (held = 1 OR id IN (SELECT trace_id FROM reviews));

DROP INDEX traces_boards;
-- Lists of a definition are in the order of seq, which the hardware in between
-- kept the index from giving. What they are filtered by is in it, so that rows,
-- which are large, are read for matches alone.
DROP INDEX traces_by_definition;
CREATE INDEX traces_by_definition
  ON traces (definition, seq, status, hardware, solution);
