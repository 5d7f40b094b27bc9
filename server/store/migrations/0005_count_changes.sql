-- The number of the latest change (jobs.change_seq), written once for each
-- transaction. An index, kept only to find the largest, cost two changes of
-- pages for every change of a job.
CREATE TABLE change_counter (
  -- The only row.
  id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  latest INTEGER NOT NULL
) STRICT;
INSERT INTO change_counter (id, latest)
  SELECT 1, COALESCE(MAX(change_seq), 0) FROM jobs;
DROP INDEX jobs_by_latest_change;
