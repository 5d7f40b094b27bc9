-- Whether a worker gets jobs: open, drained, quarantined; and why it does not.
ALTER TABLE workers ADD COLUMN admission INTEGER NOT NULL DEFAULT 1
  CHECK (admission IN (1, 2, 3));
ALTER TABLE workers ADD COLUMN hold_reason TEXT NOT NULL DEFAULT '';
