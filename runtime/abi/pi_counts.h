/* pi_counts.h - what `count` writes: a program's own numbers, for the tool that called it.
 *
 * A temporary file between two programs of one build on one machine: this struct, then
 * per layer a pi_counts_layer, u64 counts[neurons] and u64 mass[neurons], then `samples`
 * samples: u64 priority, sequence and position, and per layer f32 input[hidden] and u8
 * mask[(neurons + 7) / 8], bit i % 8 of byte i / 8 for neuron i. Native byte order, no padding.
 * Standalone C11. */
#ifndef PI_RUNTIME_ABI_PI_COUNTS_H
#define PI_RUNTIME_ABI_PI_COUNTS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PI_COUNTS_MAGIC "PICOUNT1"
/** A sum of |activation| is kept in units of 1 / PI_COUNTS_MASS_UNITS. */
#define PI_COUNTS_MASS_UNITS 16777216.0

typedef struct pi_counts {
  char magic[8];
  uint64_t tokens; /* that were counted */
  uint64_t seed;
  uint32_t window; /* tokens per sequence, with the first */
  uint32_t shard;  /* this one of `shards`: sequences i with i % shards == shard */
  uint32_t shards;
  uint32_t layers;
  uint32_t samples;
  uint32_t sample_capacity; /* the samples of the smallest priorities are kept */
  uint32_t complete;        /* 0 where it was interrupted */
  uint32_t self_sampled;    /* 1 where the model wrote the text */
} pi_counts;

typedef struct pi_counts_layer {
  uint32_t layer;
  uint32_t hidden;
  uint64_t neurons;
} pi_counts_layer;

#ifdef __cplusplus
} /* extern "C" */
static_assert(sizeof(pi_counts) == 56, "pi_counts layout");
static_assert(sizeof(pi_counts_layer) == 16, "pi_counts_layer layout");
#endif

#endif /* PI_RUNTIME_ABI_PI_COUNTS_H */
