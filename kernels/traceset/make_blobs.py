#!/usr/bin/env python3
"""Writes the tensors under blob/ that the workloads of the starter set refer to.

    python3 make_blobs.py

Needs numpy only. Every file is a function of its own path and of the tables
below, so a run changes nothing unless a table changed.
"""

import json
import pathlib
import struct
import zlib

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent / "blob" / "workloads"

DTYPE_NAMES = {"float32": "F32", "int32": "I32", "int64": "I64"}


class Bfloat16:
    """A float32 array that is stored as bfloat16, which numpy does not have."""

    def __init__(self, values):
        bits = np.ascontiguousarray(values, dtype=np.float32).view(np.uint32)
        self.bits = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def write_safetensors(path, tensors):
    """Writes a length, a JSON header padded to 8 bytes, and the raw tensors."""
    header, payload = {}, b""
    for name, tensor in tensors.items():
        if isinstance(tensor, Bfloat16):
            dtype, array = "BF16", tensor.bits
        else:
            dtype, array = DTYPE_NAMES[tensor.dtype.name], tensor
        data = np.ascontiguousarray(array).tobytes()
        header[name] = {
            "dtype": dtype,
            "shape": list(array.shape),
            "data_offsets": [len(payload), len(payload) + len(data)],
        }
        payload += data
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(struct.pack("<Q", len(text)) + text + payload)


def generator(path):
    # RandomState, unlike numpy's newer generators, promises the same numbers in
    # every version.
    return np.random.RandomState(zlib.crc32(path.encode()))


# Lengths of the sequences in the paged KV cache, per workload of a decode
# definition. A length of zero is a sequence that has no cache yet.
PAGED = {
    "gqa_paged/gqa_paged_decode_h32_kv8_d128_ps1": {
        "b4_short": [1, 17, 64, 130],
        "b3_empty": [0, 200, 3],
        "b1_n512": [512],
        "b16_n1024": [1024] * 16,
        "b64_mixed": [256 + 24 * i for i in range(64)],
        "b1_n16384": [16384],
    },
    "gqa_paged/gqa_paged_decode_h28_kv4_d128_ps1": {
        "b3_short": [33, 128, 5],
        "b1_n256": [256],
        "b32_mixed": [128 + 24 * i for i in range(32)],
        "b8_n4096": [4096] * 8,
    },
    "mla_paged/mla_paged_decode_h16_ckv512_kpe64_ps1": {
        "b2_short": [64, 128],
        "b3_empty": [7, 0, 99],
        "b1_n256": [256],
        "b32_n1024": [1024] * 32,
        "b128_mixed": [64 + 7 * i for i in range(128)],
    },
    "mla_paged/mla_paged_decode_h128_ckv512_kpe64_ps1": {
        "b2_short": [32, 16],
        "b1_n48": [48],
        "b16_n2048": [2048] * 16,
        "b64_mixed": [16 + 15 * i for i in range(64)],
    },
}


def paged_axes(lengths):
    """The var axes of a decode workload over sequences of these lengths."""
    total = sum(lengths)
    return {
        "batch_size": len(lengths),
        "num_pages": total + 16,
        "len_indptr": len(lengths) + 1,
        "num_kv_indices": total,
    }


def paged_tensors(path, lengths):
    """Pages are handed out in random order, as after hours of serving."""
    axes = paged_axes(lengths)
    pages = generator(path).permutation(axes["num_pages"])
    return {
        "kv_indptr": np.cumsum([0] + lengths).astype(np.int32),
        "kv_indices": pages[: axes["num_kv_indices"]].astype(np.int32),
    }


def cos_sin_cache(max_seq_len, rotary_dim, theta):
    """Row p: cos(p * f) for all rotary_dim / 2 frequencies f, then sin(p * f)."""
    exponents = np.arange(0, rotary_dim, 2, dtype=np.float64) / rotary_dim
    angles = np.arange(max_seq_len)[:, None] * theta ** -exponents[None, :]
    return np.hstack([np.cos(angles), np.sin(angles)]).astype(np.float32)


# Tokens, and the length of the cache their positions point into.
ROPE = {
    "rope/rope_neox_h32_kv8_d128": {
        "t1": (1, 64),
        "t16": (16, 64),
        "t64": (64, 64),
        "t256": (256, 4096),
        "t8192": (8192, 8192),
    },
    "rope/rope_interleaved_h16_kv1_d64": {
        "t4": (4, 64),
        "t32": (32, 64),
        "t512": (512, 4096),
        "t8192": (8192, 8192),
    },
}

ROPE_CACHES = {
    "rope/rope_neox_h32_kv8_d128": (64, 128, 500000.0),
    "rope/rope_interleaved_h16_kv1_d64": (64, 64, 10000.0),
}

# Values of k, repeated over the batch. All are small: after renormalization the
# kept probabilities must stay well above the tolerance of the comparison.
TOP_K = {
    "sampling/top_k_renorm_probs_v32000": {"b1": 1, "b4": 4, "b64": 64},
    "sampling/top_k_renorm_probs_v128256": {"b1": 1, "b2": 2, "b16": 16, "b256": 256},
    "sampling/top_k_sampling_from_probs_v128256": {"b1": 1, "b4": 4, "b16": 16, "b256": 256},
    "sampling/top_k_sampling_from_probs_v151936": {"b1": 1, "b3": 3, "b64": 64},
}
TOP_K_VALUES = [10, 1, 40, 5, 20, 50, 2, 30]


def special_values():
    """Values whose class, sign or exponent a careless kernel loses."""
    values = generator("special_values").standard_normal(1003).astype(np.float32)
    values[:8] = [np.inf, -np.inf, np.nan, 0.0, -0.0, 3.4e38, 1e-38, -1e-42]
    values[-1] = np.inf
    return values


def main():
    write_safetensors(ROOT / "scale/scale_f32/special_values.safetensors",
                      {"x": special_values()})

    # Gains as training leaves them: positive, scattered around a half.
    gain = generator("gain").gamma(8.0, 0.0625, 4096)
    write_safetensors(ROOT / "rmsnorm/rmsnorm_h4096/weight.safetensors",
                      {"weight": Bfloat16(gain)})

    for definition, workloads in PAGED.items():
        for name, lengths in workloads.items():
            path = f"{definition}/{name}"
            write_safetensors(ROOT / f"{path}.safetensors",
                              paged_tensors(path, lengths))

    for definition, workloads in ROPE.items():
        write_safetensors(ROOT / f"{definition}/cos_sin_cache.safetensors",
                          {"cos_sin_cache": cos_sin_cache(*ROPE_CACHES[definition])})
        for name, (num_tokens, max_seq_len) in workloads.items():
            path = f"{definition}/{name}"
            positions = generator(path).randint(0, max_seq_len, num_tokens)
            write_safetensors(ROOT / f"{path}.safetensors",
                              {"positions": positions.astype(np.int64)})

    for definition, workloads in TOP_K.items():
        for name, batch_size in workloads.items():
            path = f"{definition}/{name}"
            top_k = np.resize(TOP_K_VALUES, batch_size).astype(np.int32)
            tensors = {"top_k": top_k}
            if "sampling_from" in definition:
                uniform = generator(path).random_sample(batch_size)
                # Rounding to float32 could reach 1.0, which selects nothing.
                uniform = np.minimum(uniform, 1 - 2.0 ** -24)
                tensors["uniform"] = uniform.astype(np.float32)
            write_safetensors(ROOT / f"{path}.safetensors", tensors)

    # DeepSeek-V3's balancing bias: small beside the spread of the scores.
    bias = generator("bias").normal(0.0, 0.05, 256).astype(np.float32)
    write_safetensors(
        ROOT / "moe/moe_routing_ds_e256_k8_g8_kg4/routing_bias.safetensors",
        {"routing_bias": bias})


if __name__ == "__main__":
    main()
