-- Whether a submission has jobs that have not ended, so that a list of those
-- does not go through all there are.
ALTER TABLE submissions ADD COLUMN active INTEGER NOT NULL DEFAULT 0
  CHECK (active IN (0, 1));
UPDATE submissions SET active = 1 WHERE id IN
  (SELECT submission_id FROM jobs WHERE state IN (1, 2));
CREATE INDEX submissions_active ON submissions (seq) WHERE active = 1;
