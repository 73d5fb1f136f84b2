/* pi_checksum.h - the checksum of pi_format.h: quick, not cryptographic.
 *
 * Per 8-byte little-endian word w (the tail padded with zeros), then for the length in
 * bytes as one more word:
 *   state = (state ^ w) * PI_CHECKSUM_PRIME;  state ^= state >> 32;
 * FNV-1a over words with one more mixing step: without it, changes in the high halves
 * of two words could cancel, and the low 32 bits would never see the high ones.
 * Standalone C11; little-endian machines only. */
#ifndef PI_RUNTIME_ABI_PI_CHECKSUM_H
#define PI_RUNTIME_ABI_PI_CHECKSUM_H

#include "runtime/abi/pi_format.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A checksum being computed over bytes that arrive in pieces of any length. */
typedef struct pi_checksum_state {
  uint64_t hash;
  uint64_t bytes; /* so far */
  uint64_t word;  /* the bytes % 8 bytes not mixed in yet, low byte first */
} pi_checksum_state;

static inline uint64_t pi_checksum_mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * PI_CHECKSUM_PRIME;
  return hash ^ (hash >> 32);
}

static inline void pi_checksum_begin(pi_checksum_state *state) {
  state->hash = PI_CHECKSUM_INIT;
  state->bytes = 0;
  state->word = 0;
}

/** Adds `bytes` bytes at `data` (any alignment; may be null where bytes is 0). */
static inline void pi_checksum_update(pi_checksum_state *state, const void *data, size_t bytes) {
  const unsigned char *at = (const unsigned char *)data;
  for (; bytes && state->bytes % 8 != 0; --bytes) {
    state->word |= (uint64_t)*at++ << 8 * (state->bytes % 8);
    if (++state->bytes % 8 == 0) {
      state->hash = pi_checksum_mix(state->hash, state->word);
      state->word = 0;
    }
  }
  for (; bytes >= 8; bytes -= 8, at += 8, state->bytes += 8) {
    uint64_t word;
    memcpy(&word, at, 8);
    state->hash = pi_checksum_mix(state->hash, word);
  }
  for (; bytes; --bytes, ++state->bytes)
    state->word |= (uint64_t)*at++ << 8 * (state->bytes % 8);
}

/** The checksum of all bytes added; the state stays usable. */
static inline uint64_t pi_checksum_end(const pi_checksum_state *state) {
  uint64_t hash = state->hash;
  if (state->bytes % 8 != 0)
    hash = pi_checksum_mix(hash, state->word);
  return pi_checksum_mix(hash, state->bytes);
}

/** The checksum of `bytes` bytes at `data`. O(bytes). */
static inline uint64_t pi_checksum(const void *data, size_t bytes) {
  pi_checksum_state state;
  pi_checksum_begin(&state);
  pi_checksum_update(&state, data, bytes);
  return pi_checksum_end(&state);
}

/** What `footer_checksum` must be for the other fields of `footer`. */
static inline uint32_t pi_footer_checksum(const pi_footer *footer) {
  return (uint32_t)pi_checksum(footer, offsetof(pi_footer, footer_checksum));
}

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* PI_RUNTIME_ABI_PI_CHECKSUM_H */
