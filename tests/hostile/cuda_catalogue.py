"""Attacks on a worker that owns a GPU, and honest solutions for one."""

from entries import (
    CRASH, DOUBLE, DTYPE, HELD, NO_GAIN, RUNNING, SLOW, STORED, STORED_SLOW, SUMS, TIMEOUT,
    TINY, TWO, WRONG, Covered, make_attack, make_honest,
)

attack = make_attack("cuda")
honest = make_honest("cuda")

RETURNING = {"destination_passing_style": False}
TVM_FFI = {"binding": "tvm-ffi"}
TRITON = {"language": "triton"}

FOREIGN = "process_left_running"
CLAIMS = "impossible_times"
UNACCOUNTED = "time_unaccounted"
DEVICE_TIME = "device_time_unaccounted"
FLOOR = "below_floor"
HELD_ANSWERS = "stored_answers"
OUTSIDE = "work_outside_call"
BUSY = "device_busy_after_call"
NOTHING = "no_device_work"
MODIFIED = "input_modified"

ATTACKS = (
    # A. Work not done in the timed call.
    attack(1, "replay_pointer.cu", SLOW, WRONG),
    attack(1, "replay_pair.cu", SLOW, WRONG),
    attack(1, "replay_pointer.py", SLOW, WRONG),
    attack(1, "replay_object.py", SLOW, WRONG),
    attack(2, "replay_content.cu", SLOW, NO_GAIN),
    attack(2, "replay_content.py", SLOW, NO_GAIN),
    attack(3, "call_counter.cu", SLOW, WRONG),
    attack(3, "device_call_counter.cu", SLOW, WRONG),
    attack(3, "call_counter.py", SLOW, WRONG),
    attack(4, "last_call_does_all.cu", SLOW, WRONG),
    attack(4, "defer_to_next_call.py", SLOW, WRONG),
    attack(5, "skip_rows.cu", SLOW, WRONG),
    attack(5, "skip_last_element.cu", DOUBLE, WRONG, texts=["1 of "]),
    attack(5, "one_of_two_outputs.cu", TWO, WRONG, texts=['output "z"']),
    attack(5, "triton_skips_last_block.py", DOUBLE, WRONG, **TRITON),
    attack(6, "zeros.cu", SLOW, WRONG),
    attack(6, "copy_of_input.cu", DOUBLE, WRONG),
    attack(6, "zeros.py", SLOW, WRONG),
    attack(7, "return_input.py", DOUBLE, WRONG, **RETURNING),
    attack(7, "expanded.py", DOUBLE, WRONG, **RETURNING),
    attack(7, "wrong_strides.py", DOUBLE, WRONG, **RETURNING),
    attack(7, "returned_later.py", SLOW, WRONG, OUTSIDE, BUSY, **RETURNING),
    attack(8, "stale_memory.cu", SLOW, WRONG),
    attack(8, "uninitialised.py", SLOW, WRONG, **RETURNING),
    attack(9, "receive_hook.cu", SLOW, OUTSIDE, UNACCOUNTED),
    attack(9, "thread_between_calls.cu", SLOW, OUTSIDE, BUSY, WRONG, RUNNING),
    attack(9, "work_at_import.py", SLOW, WRONG),
    # B. Work where the timer does not look.
    attack(10, "side_stream.cu", SLOW, NO_GAIN, OUTSIDE, BUSY, WRONG),
    attack(10, "third_stream.cu", SLOW, NO_GAIN, OUTSIDE, BUSY, WRONG),
    attack(10, "side_stream_tvm_ffi.cu", DOUBLE, NO_GAIN, OUTSIDE, BUSY, WRONG, **TVM_FFI),
    attack(10, "second_context.cu", SLOW, OUTSIDE, BUSY, WRONG, RUNNING, CLAIMS, NO_GAIN),
    attack(10, "second_context_polling.cu", SLOW, OUTSIDE, BUSY, WRONG, TIMEOUT, RUNNING),
    attack(10, "second_context_waiting.cu", SLOW, OUTSIDE, BUSY, WRONG, TIMEOUT, RUNNING),
    attack(10, "unrecorded_waiting.cu", SLOW, OUTSIDE, BUSY, WRONG, TIMEOUT, NO_GAIN),
    attack(10, "forked_child.cu", SLOW, FOREIGN),
    attack(10, "side_stream.py", SLOW, NO_GAIN, OUTSIDE, BUSY, WRONG),
    attack(11, "thread_after_return.cu", SLOW, OUTSIDE, BUSY, WRONG),
    attack(11, "host_function.cu", SLOW, OUTSIDE, BUSY, WRONG, NO_GAIN, RUNNING),
    attack(11, "persistent_kernel.cu", SLOW, BUSY, OUTSIDE, TIMEOUT),
    attack(11, "thread_after_return.py", SLOW, OUTSIDE, BUSY, WRONG),
    attack(12, "tensor_subclass.py", DOUBLE, CRASH, texts=["Lazy"], **RETURNING),
    attack(12, "lazy_key.py", SLOW, WRONG, NO_GAIN, **RETURNING),
    attack(12, "function_mode.py", SLOW, NO_GAIN, WRONG, **RETURNING),
    attack(12, "flushed_stdout.py", SLOW, NO_GAIN),
    attack(13, "host_computes.cu", DOUBLE, NO_GAIN),
    # C. Timer, checker and result channel.
    attack(14, "cupti_paused.cu", SLOW, FLOOR, DEVICE_TIME, UNACCOUNTED, OUTSIDE),
    attack(14, "cupti_paused_above_floor.cu", SLOW, DEVICE_TIME, UNACCOUNTED, OUTSIDE),
    attack(14, "cupti_finalized.cu", SLOW, CRASH, NOTHING, NO_GAIN),
    attack(14, "cupti_forged.cu", SLOW, FLOOR, DEVICE_TIME, UNACCOUNTED, NO_GAIN),
    attack(
        14, "no_waiting.cu", SLOW, BUSY, OUTSIDE, UNACCOUNTED, FLOOR, WRONG, NO_GAIN, RUNNING,
        CLAIMS,
    ),
    attack(14, "patched_driver.cu", SLOW, NO_GAIN, FLOOR),
    attack(14, "cupti_paused.py", SLOW, FLOOR, DEVICE_TIME, UNACCOUNTED, OUTSIDE),
    attack(14, "timers_patched.py", SLOW, NO_GAIN),
    attack(15, "patched_checker.py", DOUBLE, WRONG),
    attack(15, "patched_runner.py", SLOW, NO_GAIN),
    attack(17, "scan_device.cu", SLOW, CRASH, WRONG),
    attack(17, "object_hunt.py", SLOW, WRONG),
    attack(18, "writes_input.cu", DOUBLE, CRASH, texts=["illegal memory access"]),
    attack(18, "grants_itself_writing.cu", DOUBLE, MODIFIED, CRASH),
    attack(18, "writes_input.py", DOUBLE, CRASH, texts=["illegal memory access"]),
    attack(
        19, "forged_reply.cu", SLOW, DEVICE_TIME, FLOOR, UNACCOUNTED,
        compile_options=["-DREPEATS=1"],
    ),
    attack(
        19, "forged_reply.cu", SLOW, DEVICE_TIME, UNACCOUNTED, name="forged_reply_above_floor",
        compile_options=["-DREPEATS=20"],
    ),
    attack(19, "forged_reply.py", SLOW, CRASH, WRONG),
    attack(20, "exits.cu", SLOW, CRASH, texts=["exit"]),
    attack(20, "aborts_after_answer.cu", SLOW, CRASH, texts=["signal 6"]),
    attack(20, "blames_worker.py", SLOW, CRASH),
    # D. Knowing the test.
    attack(23, "knows_cupti.cu", SLOW, WRONG),
    attack(23, "knows_poison.cu", SLOW, WRONG),
    attack(24, "patched_generator.py", DOUBLE, WRONG),
    attack(25, "hard_coded.cu", SUMS, WRONG),
    attack(25, "hard_coded_fixed.py", STORED, HELD_ANSWERS),
    attack(25, "stored_or_raises.py", STORED_SLOW, HELD_ANSWERS),
    # E. Persistence, environment, hardware.
    attack(27, "keeps_memory.cu", SLOW, NO_GAIN, CRASH),
    attack(27, "keeps_all_memory.cu", SLOW, NO_GAIN, CRASH),
    attack(27, "patched_library.py", SLOW, NO_GAIN),
    attack(28, "daemon_kernel.cu", SLOW, FOREIGN, CRASH),
    attack(29, "triton_cache_poisoned.py", SLOW, NO_GAIN),
    attack(31, "l2_set_aside.cu", DOUBLE, NO_GAIN),
    attack(32, "sleeps.cu", SLOW, NO_GAIN),
    attack(33, "slow_flags.py", SLOW, NO_GAIN),
    attack(34, "half_precision_sum.cu", SUMS, WRONG),
    attack(34, "half_output.py", DOUBLE, DTYPE, **RETURNING),
    attack(34, "bfloat16_compute.py", SLOW, WRONG),
    attack(35, "all_nan.cu", DOUBLE, WRONG, texts=["NaN"]),
    attack(35, "last_nan.cu", DOUBLE, WRONG, texts=["1 are NaN"]),
    attack(35, "all_nan.py", DOUBLE, WRONG, texts=["NaN"]),
    attack(37, "writes_past_end.cu", DOUBLE, "out_of_bounds_write"),
    attack(37, "traps_after_answer.cu", SLOW, CRASH),
    attack(37, "endless_kernel.py", DOUBLE, TIMEOUT, **TRITON),
    attack(2, "graph_of_old_inputs.cu", SLOW, WRONG),
    attack(2, "graph_of_old_inputs.py", SLOW, WRONG),
)

HONEST = (
    honest("honest_log_softmax.cu", SLOW),
    honest("honest_double.cu", DOUBLE),
    honest("honest_double_tvm_ffi.cu", DOUBLE, **TVM_FFI),
    honest("honest_autotuned.cu", SLOW),
    honest("honest_multi_stream.cu", SLOW),
    honest("honest_graph.cu", SLOW),
    honest("honest_allocates.cu", SLOW),
    honest("honest_atomics.cu", SUMS),
    honest("honest_scratch.cu", DOUBLE),
    honest("honest_very_fast.cu", TINY),
    honest("honest_table.cu", DOUBLE),
    honest("honest_host_bound.cu", DOUBLE),
    honest("honest_synchronises.cu", SLOW),
    honest("honest_thread.cu", SLOW),
    honest("honest_lazy_start.cu", SLOW),
    honest("honest_prints.cu", SLOW),
    honest("honest_log_softmax.py", SLOW),
    honest("honest_double.py", DOUBLE),
    honest("honest_triton.py", DOUBLE, **TRITON),
    honest("honest_streams.py", SLOW),
    honest("honest_host_bound.py", DOUBLE),
    honest("honest_non_contiguous.py", DOUBLE, **RETURNING),
    honest("honest_graph.py", SLOW),
    honest("honest_library.py", SUMS),
)

SOLUTIONS = ATTACKS + HONEST

# What has nothing of a GPU in it is shown on a CPU, by the solution named.
COVERED = tuple(
    Covered(entry, "cuda", "as on a CPU", "tests/hostile/cpu_catalogue.py", solution)
    for entry, solution in (
        (16, "proc_self_mem.cpp"),
        (22, "incbin.cpp"),
        (26, "reads_environments.cpp"),
        (30, "network.cpp"),
        (36, "forbidden_library"),
    )
) + (
    Covered(
        21,
        "cuda",
        "a solution that lacks a workload does not rank",
        "ranking/rank_test.cc",
        "WhatDoesNotRankSaysWhyAndComesLast",
    ),
)
