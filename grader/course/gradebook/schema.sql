-- The gradebook, version 2 (PRAGMA user_version). Everything that exporters and reports say about a class comes from
-- here. Times of day are UTC, ISO 8601, and stand in `run` and `submission` only: all else is the same whenever and
-- wherever a class is graded.

-- What holds for the whole course, as texts: 'title', 'labs' (JSON list, in order), 'titles' (JSON, of the labs),
-- 'weights' (JSON, of labs whose weight in the course's total is not their points), 'policy' (course.json as it was
-- applied, or empty), 'rules' (JSON, by lab: a fingerprint of what it says about that lab), 'graded_by.<lab>' (the same,
-- when everybody was last graded in that lab), 'isolation', 'platform_ids' (JSON, by student: the ids by which Canvas and
-- Moodle find them, where the roster came from there), 'fingerprint.<lab>' (what graded the lab: test program, virtual GPU, compiler).
CREATE TABLE course (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE student (
  student TEXT PRIMARY KEY,
  name    TEXT NOT NULL,  -- Empty where no roster names it.
  email   TEXT NOT NULL,
  section TEXT NOT NULL
) STRICT;

-- Every attempt that was found; `chosen` is 1 for the one that counts.
CREATE TABLE submission (
  id           INTEGER PRIMARY KEY,
  student      TEXT NOT NULL,
  lab          TEXT NOT NULL,
  sha256       TEXT NOT NULL,  -- Of the student's file; OUT/files/<sha256>.<cu|cpp> holds it.
  job          TEXT NOT NULL,  -- Empty if it was not graded.
  submitted_at TEXT,           -- NULL: not known.
  attempt      INTEGER NOT NULL,
  origin       TEXT NOT NULL,  -- archive/member or path, as it came.
  chosen       INTEGER NOT NULL CHECK (chosen IN (0, 1)),
  UNIQUE (student, lab, attempt)
) STRICT;

-- What was unexpected. `student` and `lab` are empty where it belongs to none.
CREATE TABLE finding (
  student  TEXT NOT NULL,
  lab      TEXT NOT NULL,
  severity TEXT NOT NULL CHECK (severity IN ('note', 'suspicion', 'error')),
  code     TEXT NOT NULL,
  path     TEXT NOT NULL,
  message  TEXT NOT NULL
) STRICT;

-- One (lab, contents of the file) that was graded; students with the same file share it.
CREATE TABLE job (
  job        TEXT PRIMARY KEY,
  lab        TEXT NOT NULL,
  status     TEXT NOT NULL
             CHECK (status IN ('passed', 'failed', 'inconclusive', 'not_started', 'build_failed', 'not_graded')),
  reason     TEXT NOT NULL,
  points     REAL NOT NULL,
  max_points REAL NOT NULL,
  time_us    REAL,           -- Predicted time of the benchmark; NULL if it has none.
  isolation  TEXT NOT NULL   -- 'bubblewrap' or 'none'
) STRICT;

CREATE TABLE test (
  job        TEXT NOT NULL REFERENCES job (job) ON DELETE CASCADE,
  position   INTEGER NOT NULL,  -- The order in which the lab lists its tests.
  name       TEXT NOT NULL,     -- <lab>.<kind>.<sentence>
  kind       TEXT NOT NULL,     -- correctness, counters, time
  status     TEXT NOT NULL,     -- passed, failed, inconclusive, skipped, not_run
  points     REAL NOT NULL,     -- By the policy's points.
  max_points REAL NOT NULL,
  message    TEXT NOT NULL,
  hidden     INTEGER NOT NULL CHECK (hidden IN (0, 1)),
  finding_json TEXT NOT NULL,   -- What the message is a view of (docs/formats.md, findings), or empty.
  PRIMARY KEY (job, position)
) STRICT;

-- One row for every student and lab, whatever happened.
CREATE TABLE grade (
  student         TEXT NOT NULL,
  lab             TEXT NOT NULL,
  raw_points      REAL NOT NULL,  -- Of the tests, before lateness and curve.
  max_points      REAL NOT NULL,
  late_days       INTEGER NOT NULL,
  grace_days_used INTEGER NOT NULL,
  factor          REAL NOT NULL,  -- What is left after lateness: 1 is all.
  points          REAL NOT NULL,  -- What counts.
  status          TEXT NOT NULL   -- As of the job; 'missing': nothing was handed in; 'not_graded': the grader failed, or,
                                  -- without a chosen submission, a person must decide what counts.
                  CHECK (status IN ('passed', 'failed', 'inconclusive', 'not_started', 'build_failed', 'not_graded',
                                    'missing')),
  reason          TEXT NOT NULL,  -- Why not full points, lateness included; empty for full points.
  PRIMARY KEY (student, lab)
) STRICT;

CREATE TABLE similarity (
  lab     TEXT NOT NULL,
  a       TEXT NOT NULL,
  b       TEXT NOT NULL,
  score   REAL NOT NULL,     -- From 0 to 1.
  shared  INTEGER NOT NULL,  -- Fingerprints that both hold.
  cluster INTEGER NOT NULL,
  PRIMARY KEY (lab, a, b)
) STRICT;

CREATE TABLE run (
  run         INTEGER PRIMARY KEY,
  started_at  TEXT NOT NULL,
  finished_at TEXT,          -- NULL: interrupted; --resume goes on with it.
  options     TEXT NOT NULL  -- JSON: the options that decide what is graded.
) STRICT;

-- Every grade that a run gave, so that a later one can say what changed.
CREATE TABLE history (
  run     INTEGER NOT NULL REFERENCES run (run) ON DELETE CASCADE,
  student TEXT NOT NULL,
  lab     TEXT NOT NULL,
  points  REAL NOT NULL,
  status  TEXT NOT NULL,
  job     TEXT NOT NULL,
  PRIMARY KEY (run, student, lab)
) STRICT;

-- Grades that a run changed, and why.
CREATE TABLE change (
  run           INTEGER NOT NULL REFERENCES run (run) ON DELETE CASCADE,
  student       TEXT NOT NULL,
  lab           TEXT NOT NULL,
  points_before REAL NOT NULL,
  points        REAL NOT NULL,
  status_before TEXT NOT NULL,
  status        TEXT NOT NULL,
  why           TEXT NOT NULL,
  PRIMARY KEY (run, student, lab)
) STRICT;
