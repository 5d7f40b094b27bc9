-- What a token may do, as assay.v1.TokenQuota; empty: no limits.
ALTER TABLE tokens ADD COLUMN quota BLOB NOT NULL DEFAULT x'';

-- Submissions with jobs that may be open, by the token that made them.
CREATE TABLE submission_tokens (
  token_id TEXT NOT NULL REFERENCES tokens (id),
  submission_id TEXT NOT NULL REFERENCES submissions (id),
  PRIMARY KEY (token_id, submission_id)
) STRICT, WITHOUT ROWID;
