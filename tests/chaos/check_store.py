"""Holds a store against what clients were told.

Reads the SQLite file itself, not through the coordinator, so that a fault of
its reading code cannot hide one of its writing code.
"""

import collections
import pathlib
import re
import sqlite3

COMPLETED, FAILED, CANCELLED = 3, 4, 5
MARK = re.compile(rb"mark-[0-9a-f]{24}")


def read_logs(folder):
    """All lines of all logs, as lists of words. A line that a kill cut off was
    not written: each is one write."""
    events = []
    for path in sorted(pathlib.Path(folder).glob("*.events")):
        for line in path.read_text().splitlines():
            events.append(line.split("\t"))
    return events


class Store:
    def __init__(self, path):
        database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self.integrity = [row[0] for row in database.execute("PRAGMA integrity_check")]
        self.foreign_keys = database.execute("PRAGMA foreign_key_check").fetchall()
        self.jobs = {
            job: (submission, state, trace)
            for job, submission, state, trace in database.execute(
                "SELECT id, submission_id, state, trace_id FROM jobs"
            )
        }
        self.requests = dict(
            database.execute("SELECT request_id, id FROM submissions WHERE request_id <> ''")
        )
        self.submissions = {row[0] for row in database.execute("SELECT id FROM submissions")}
        # Trace id to the marks in it.
        self.traces = {}
        for trace, content in database.execute("SELECT id, content FROM traces"):
            self.traces[trace] = [mark.decode() for mark in MARK.findall(content)]
        database.close()


def check(path, log_folder):
    """The faults found, as sentences, and counts for people."""
    store = Store(path)
    faults = []
    counts = collections.Counter()
    if store.integrity != ["ok"]:
        faults.append(f"the file is damaged: {store.integrity[:3]}")
    if store.foreign_keys:
        faults.append(f"rows refer to rows that are not there: {store.foreign_keys[:3]}")

    stored = collections.Counter()
    for trace, marks in store.traces.items():
        if len(marks) != 1:
            faults.append(f"trace {trace} has {len(marks)} marks")
        stored.update(marks)
    for mark, times in stored.items():
        if times > 1:
            faults.append(f"evaluation {mark} is stored {times} times")

    # Every job has ended in one way, and every trace is of one job.
    named = collections.Counter()
    jobs_of = collections.Counter()
    for job, (submission, state, trace) in store.jobs.items():
        jobs_of[submission] += 1
        counts["jobs " + {3: "completed", 4: "failed", 5: "cancelled"}.get(state, "left")] += 1
        if state not in (COMPLETED, FAILED, CANCELLED):
            faults.append(f"job {job} has not ended: state {state}")
        if (state == COMPLETED) != (trace != ""):
            faults.append(f"job {job} of state {state} has the trace {trace!r}")
        if trace:
            named[trace] += 1
            if trace not in store.traces:
                faults.append(f"trace {trace} of job {job} is missing")
    for trace in store.traces:
        if named[trace] != 1:
            faults.append(f"trace {trace} belongs to {named[trace]} jobs")

    events = read_logs(log_folder)
    dropped = {event[1] for event in events if event[0] == "dropped"}
    mark_of = {
        job: store.traces.get(trace, [""])[0]
        for job, (_, state, trace) in store.jobs.items()
        if state == COMPLETED
    }
    for event in events:
        kind = event[0]
        counts[kind] += 1
        if kind == "acknowledged":
            _, job, mark = event
            if mark_of.get(job) == mark:
                continue
            if job in dropped:
                counts["acknowledged, then dropped"] += 1
                continue
            faults.append(f"evaluation {mark} of job {job} was acknowledged and is not stored")
        elif kind == "submitted":
            _, submission, request, jobs = event
            if submission not in store.submissions:
                faults.append(f"submission {submission} was acknowledged and is not stored")
            elif store.requests.get(request) != submission:
                faults.append(f"request {request} made {store.requests.get(request)} too")
            if jobs_of[submission] != int(jobs):
                faults.append(f"submission {submission} has {jobs_of[submission]} jobs, not {jobs}")
        elif kind == "cancelled":
            if event[1] not in store.submissions:
                faults.append(f"cancelled submission {event[1]} is not stored")
        elif kind == "refused":
            faults.append(f"a report was refused: {event[1:]}")
    return faults, dict(sorted(counts.items()))
