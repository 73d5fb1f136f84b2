/* pi_format.h - what is appended to the ELF file of an executable.
 *
 *   [ELF][pad][weights][manifest][footer: last 64 bytes of the file]
 *
 * Weights begin at a multiple of 64 KiB; each weight at a multiple of 256 bytes.
 * All integers are little-endian, all offsets count from the start of the file
 * unless said otherwise. Standalone C11. */
#ifndef PI_RUNTIME_ABI_PI_FORMAT_H
#define PI_RUNTIME_ABI_PI_FORMAT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PI_FORMAT_VERSION 1u
#define PI_PAYLOAD_ALIGN 65536u
#define PI_WEIGHT_ALIGN 256u
/** "pi-exe\r\n" read as a little-endian integer: text-mode copies damage it visibly. */
#define PI_FOOTER_MAGIC 0x0a0d6578652d6970ull
/** Name of an ELF note without contents: the program was made to have a payload, also where
 *  that was cut off. */
#define PI_NOTE_NAME "pi-compile"

enum pi_dtype { PI_F32 = 1, PI_F16 = 2, PI_BF16 = 3 };

/** The last 64 bytes of the file. */
typedef struct pi_footer {
  uint64_t payload_offset;
  uint64_t payload_bytes;
  uint64_t manifest_offset;
  uint64_t manifest_bytes;
  uint64_t file_bytes;         /* whole file, footer included */
  uint64_t manifest_checksum;  /* pi_checksum of the manifest's bytes */
  uint32_t format_version;     /* PI_FORMAT_VERSION */
  uint32_t footer_checksum;    /* low 32 bits of pi_checksum of the 52 bytes before it */
  uint64_t magic;              /* PI_FOOTER_MAGIC */
} pi_footer;

/** First bytes of the manifest; sections follow in this order, each 8-byte aligned:
 *  entries, strings, info, tokenizer. Section offsets count from the manifest's start. */
typedef struct pi_manifest {
  uint32_t num_weights;
  uint32_t reserved;
  uint64_t entries_offset;   /* num_weights x pi_weight_entry, in the order of indices */
  uint64_t strings_offset;   /* names, NUL-terminated */
  uint64_t strings_bytes;
  uint64_t info_offset;      /* JSON object: what `info --json` prints, and bos, eos */
  uint64_t info_bytes;
  uint64_t tokenizer_offset; /* tokenizer.json as it was */
  uint64_t tokenizer_bytes;
} pi_manifest;

typedef struct pi_weight_entry {
  uint64_t name;     /* offset into strings */
  uint64_t offset;   /* from payload_offset; entries with equal content may share it */
  uint64_t bytes;
  uint64_t checksum; /* pi_checksum of the bytes */
  uint64_t rows;     /* 1 for vectors */
  uint64_t cols;
  uint32_t dtype;    /* enum pi_dtype */
  uint32_t layer;    /* UINT32_MAX where it belongs to none */
} pi_weight_entry;

/** Constants of pi_checksum (pi_checksum.h: definition and implementation): 64-bit
 *  FNV-1a over 8-byte little-endian words with one more mixing step. */
#define PI_CHECKSUM_INIT 0xcbf29ce484222325ull
#define PI_CHECKSUM_PRIME 0x100000001b3ull

#ifdef __cplusplus
} /* extern "C" */
static_assert(sizeof(pi_footer) == 64, "pi_footer layout");
static_assert(sizeof(pi_manifest) == 64, "pi_manifest layout");
static_assert(sizeof(pi_weight_entry) == 56, "pi_weight_entry layout");
#else
_Static_assert(sizeof(pi_footer) == 64, "pi_footer layout");
_Static_assert(sizeof(pi_weight_entry) == 56, "pi_weight_entry layout");
#endif

#endif /* PI_RUNTIME_ABI_PI_FORMAT_H */
