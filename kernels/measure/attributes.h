// Compiler attributes of the measuring kernels.

#ifndef ASSAY_KERNELS_MEASURE_ATTRIBUTES_H_
#define ASSAY_KERNELS_MEASURE_ATTRIBUTES_H_

// Marks what the CPU kernels and their CUDA twins compile from one source, so
// that both compute the same bits.
#if defined(__CUDACC__)
#define ASSAY_HOST_DEVICE __host__ __device__
#else
#define ASSAY_HOST_DEVICE
#endif

// Compiles a loop twice, for AVX2 and for any x86-64, and chooses at start-up.
// The results are the same bits: neither variant fuses a multiplication with an
// addition. Sanitizers cannot run the resolver, which is called before they are
// ready; ThreadSanitizer's own macro is taken back in .bazelrc.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__CUDACC__) && !defined(__SANITIZE_ADDRESS__) &&          \
    !defined(__SANITIZE_THREAD__) && !defined(ASSAY_TSAN)
#define ASSAY_VECTOR_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define ASSAY_VECTOR_CLONES
#endif

#endif  // ASSAY_KERNELS_MEASURE_ATTRIBUTES_H_
