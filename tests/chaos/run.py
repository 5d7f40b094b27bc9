#!/usr/bin/env python3
"""Breaks a coordinator under load and checks that nothing is lost.

    tests/chaos/run.py --coordinator PROGRAM --client PROGRAM [--kills N] [SCENARIO...]

Simulated workers and a submitter, each a process of its own, note what the
coordinator answers. Then the store must hold exactly that, and every job must
have ended in one way. Scenarios:

    kill      kill -9 of the coordinator or a worker, at random points
    full      the file system of the store is full for a while
    busy      another process holds the store's write lock for a while
    network   the network is cut, without a word to either end, for a while

Prints what was done, and "N passed, N failed" last.
"""

import argparse
import errno
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import check_store  # noqa: E402
from stack import Stack  # noqa: E402

WORKERS = 6


class Skipped(Exception):
    """The machine does not allow the scenario."""


def start_all(stack):
    stack.start_coordinator()
    stack.start_submitter()
    for number in range(WORKERS):
        stack.start_worker(number)


def finish(stack):
    """Lets the work end, stops all; the faults and counts."""
    faults = [f"{name} ended by itself" for name in stack.ended_clients()]
    stack.kill_client("submit")
    waiting = stack.await_end(120)
    if waiting:
        faults.append(waiting)
    for name in list(stack.clients):
        stack.kill_client(name)
    code = stack.stop_coordinator()
    if code != 0:
        faults.append(f"the coordinator stopped with code {code}")
    more, counts = check_store.check(stack.store, stack.folder)
    if not more and not finds_a_loss(stack):
        faults.append("the check does not notice a lost evaluation")
    return faults + more, counts


def finds_a_loss(stack):
    """Whether the check fails once one acknowledged evaluation is taken away."""
    copy = stack.folder / "control.db"
    source = sqlite3.connect(stack.store)
    with sqlite3.connect(copy) as target:
        source.backup(target)
        target.execute("PRAGMA foreign_keys = OFF")
        trace = target.execute("SELECT id FROM traces LIMIT 1").fetchone()
        target.execute("DELETE FROM traces WHERE id = ?", trace)
        target.execute("UPDATE jobs SET state = 4, trace_id = '' WHERE trace_id = ?", trace)
    source.close()
    target.close()
    faults, _ = check_store.check(copy, stack.folder)
    return any("was acknowledged and is not stored" in fault for fault in faults)


def run_kill(stack, options, rng):
    start_all(stack)
    killed = {"coordinator": 0, "worker": 0}
    if not stack.wait_for_progress():
        return ["nothing was acknowledged in the beginning"], {}
    for _ in range(options.kills):
        time.sleep(rng.uniform(0.05, 1.0))
        if rng.random() < 0.6:
            stack.kill_coordinator()
            killed["coordinator"] += 1
            time.sleep(rng.choice([0, 0, rng.uniform(0, 1), 2.5]))
            stack.start_coordinator()
        else:
            number = rng.randrange(WORKERS)
            stack.kill_client(f"worker-{number}")
            killed["worker"] += 1
            time.sleep(rng.choice([0, rng.uniform(0, 1)]))
            stack.start_worker(number)
    faults = []
    if not stack.wait_for_progress():
        faults.append("nothing was acknowledged after the last kill")
    more, counts = finish(stack)
    return faults + more, {"kills": killed, **counts}


def free_bytes(folder):
    state = os.statvfs(folder)
    return state.f_bavail * state.f_frsize


def run_full(stack, options, rng):
    data = stack.folder / "data"
    data.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(data)]
    if subprocess.run(mount, stderr=subprocess.DEVNULL).returncode != 0:
        raise Skipped("mounting a small tmpfs is not allowed here")
    stack.data = data
    faults = []
    filler = data / "filler"
    try:
        start_all(stack)
        if not stack.wait_for_progress():
            return ["nothing was acknowledged in the beginning"], {}
        for _ in range(options.rounds):
            fill(filler, free_bytes(data) - rng.randrange(64, 512) * 1024)
            if not wait_for_full(stack):
                faults.append("the coordinator never said that there is no room")
            time.sleep(rng.uniform(0.5, 2))
            if stack.coordinator.poll() is not None:
                faults.append("the coordinator ended when there was no room")
                stack.start_coordinator()
            filler.unlink()
            if not stack.wait_for_progress():
                faults.append("nothing was acknowledged after there was room again")
                break
            # A kill while the disk is full must not hurt either.
        more, counts = finish(stack)
        shutil.copy(stack.store, stack.folder / "kept.db")
        return faults + more, {"times full": options.rounds, **counts}
    finally:
        stack.stop()
        subprocess.run(["umount", str(data)], check=False)


def fill(path, size):
    """Appends `size` zeros, or as many as there is room for: the coordinator takes room meanwhile."""
    # Unbuffered: what a buffer still held would fail once more when the file is closed.
    with open(path, "ab", buffering=0) as file:
        while size > 0:
            try:
                size -= file.write(b"\0" * min(size, 1 << 20))
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise
                return


def wait_for_full(stack, patience=30):
    """Until the coordinator's log tells of a full disk."""
    log = stack.folder / "coordinator.log"
    begin = log.stat().st_size
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        with open(log, "rb") as file:
            file.seek(begin)
            text = file.read()
        if b"full" in text:
            return True
        time.sleep(0.1)
    return False


def run_busy(stack, options, rng):
    start_all(stack)
    if not stack.wait_for_progress():
        return ["nothing was acknowledged in the beginning"], {}
    faults = []
    for turn in range(options.rounds):
        # The coordinator waits for 5 s, then answers UNAVAILABLE.
        hold = rng.uniform(0.5, 3) if turn % 2 else rng.uniform(6, 9)
        holder = sqlite3.connect(stack.store, isolation_level=None, timeout=30)
        holder.execute("BEGIN IMMEDIATE")
        time.sleep(hold)
        holder.execute("ROLLBACK")
        holder.close()
        if not stack.wait_for_progress():
            faults.append("nothing was acknowledged after the lock was gone")
    more, counts = finish(stack)
    return faults + more, {"times locked": options.rounds, **counts}


def set_loopback(state):
    return subprocess.run(["ip", "link", "set", "lo", state], stderr=subprocess.DEVNULL).returncode


def run_network(stack, options, rng):
    if os.environ.get("ASSAY_CHAOS_NAMESPACE") != "1":
        raise Skipped("network namespaces are not allowed here")
    if set_loopback("up") != 0:
        raise Skipped("there is no `ip` program")
    start_all(stack)
    if not stack.wait_for_progress():
        return ["nothing was acknowledged in the beginning"], {}
    faults = []
    for turn in range(options.rounds):
        set_loopback("down")
        # Shorter and longer than a lease lives.
        time.sleep(rng.uniform(0.2, 1.5) if turn % 2 else rng.uniform(3, 6))
        set_loopback("up")
        if not stack.wait_for_progress():
            faults.append("nothing was acknowledged after the cut")
    more, counts = finish(stack)
    return faults + more, {"cuts": options.rounds, **counts}


SCENARIOS = {"kill": run_kill, "full": run_full, "busy": run_busy, "network": run_network}


def enter_namespace():
    """Runs the rest in a network namespace of its own, where that is allowed."""
    if os.environ.get("ASSAY_CHAOS_NAMESPACE"):
        return
    prefix = ["unshare", "--net", "--mount"]
    if os.geteuid() != 0:
        prefix = ["unshare", "--net", "--mount", "--map-root-user"]
    allowed = subprocess.run([*prefix, "true"], stderr=subprocess.DEVNULL).returncode == 0
    os.environ["ASSAY_CHAOS_NAMESPACE"] = "1" if allowed else "0"
    if allowed:
        os.execvp(prefix[0], [*prefix, sys.executable, *sys.argv])


def run_scenario(name, options):
    seed = options.seed if options.seed is not None else random.randrange(1 << 32)
    folder = tempfile.mkdtemp(prefix=f"assay-chaos-{name}.")
    stack = Stack(options.coordinator, options.client, folder)
    begin = time.monotonic()
    try:
        faults, counts = SCENARIOS[name](stack, options, random.Random(seed))
    except Skipped as reason:
        print(f"{name}: skipped: {reason}")
        shutil.rmtree(folder)
        return None
    except Exception:
        traceback.print_exc()
        faults, counts = ["the test itself failed"], {}
    finally:
        stack.stop()
    result = {
        "scenario": name, "seed": seed, "seconds": round(time.monotonic() - begin, 1),
        "faults": len(faults), **counts,
    }  # fmt: skip
    print(json.dumps(result), flush=True)
    for fault in faults[:20]:
        print(f"  FAULT: {fault}")
    if options.results:
        with open(options.results, "a") as file:
            file.write(json.dumps(result) + "\n")
    if faults:
        print(f"  kept: {folder}")
    else:
        shutil.rmtree(folder)
    return not faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--coordinator", required=True)
    parser.add_argument("--client", required=True, help="assay-chaos")
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=2, help="of each scenario but kill")
    parser.add_argument("--seed", type=int, help="default: another one each time")
    parser.add_argument("--results", help="file that gets a line of JSON for each scenario")
    parser.add_argument("scenario", nargs="*", default=list(SCENARIOS))
    options = parser.parse_args()
    unknown = set(options.scenario) - set(SCENARIOS)
    if unknown:
        parser.error(f"unknown scenario {sorted(unknown)[0]!r}: use {', '.join(SCENARIOS)}")
    enter_namespace()
    if os.environ["ASSAY_CHAOS_NAMESPACE"] == "1":
        set_loopback("up")
    outcomes = [run_scenario(name, options) for name in options.scenario]
    passed = outcomes.count(True)
    failed = outcomes.count(False)
    print(f"{passed} passed, {failed} failed")
    sys.exit(0 if failed == 0 and passed > 0 else 1)


if __name__ == "__main__":
    main()
