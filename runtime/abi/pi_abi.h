/* pi_abi.h - what generated code and the runtime agree on.
 *
 * A generated object exports one symbol, `pi_program_v1` of type pi_program: constant
 * tables of kernels, arenas, arguments and steps. The runtime walks the steps; it knows no
 * operator. Standalone C11. Fields are only ever appended; PI_ABI_VERSION counts changes. */
#ifndef PI_RUNTIME_ABI_PI_ABI_H
#define PI_RUNTIME_ABI_PI_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PI_ABI_VERSION 1u
/** Alignment in bytes of arenas, of buffers inside them and of kernel scratch. */
#define PI_BUFFER_ALIGN 64u

/** CPU features the generated kernels may use; checked before the first call. Bits are
 *  only ever appended: programs made before one of them existed do not ask for it.
 *  x86-64-v4 of the psABI has all of them, x86-64-v3 all but AVX512. */
enum pi_cpu_feature {
  PI_CPU_AVX2 = 1u << 0,
  PI_CPU_FMA = 1u << 1,
  PI_CPU_F16C = 1u << 2,
  PI_CPU_AVX512F = 1u << 3,
  PI_CPU_AVX512BW = 1u << 4,
  PI_CPU_AVX512VL = 1u << 5,
  PI_CPU_AVX512DQ = 1u << 6,
  PI_CPU_AVX512CD = 1u << 7,
  PI_CPU_AVX = 1u << 8,
  PI_CPU_BMI1 = 1u << 9,
  PI_CPU_BMI2 = 1u << 10,
  PI_CPU_LZCNT = 1u << 11,
  PI_CPU_MOVBE = 1u << 12,
  PI_CPU_POPCNT = 1u << 13,
  PI_CPU_SSE42 = 1u << 14,
  PI_CPU_CX16 = 1u << 15,
  PI_CPU_LAHF = 1u << 16,
  PI_CPU_XSAVE = 1u << 17, /* and OSXSAVE */
  PI_CPU_SSE3 = 1u << 18,
  PI_CPU_SSSE3 = 1u << 19,
  PI_CPU_SSE41 = 1u << 20
};

/** What every kernel call of one token shares. */
typedef struct pi_call {
  uint32_t struct_bytes; /* sizeof(pi_call) of the caller */
  uint32_t reserved;
  int64_t token;    /* token id, in [0, vocab) */
  int64_t position; /* tokens already in the KV cache, in [0, context) */
} pi_call;

/** Runs tiles [begin, end) of a step. `args` holds the step's pointers in the order
 *  of the argument table. Does not allocate, keep state or call out. */
typedef void (*pi_kernel_fn)(const pi_call *call, void *const *args, int64_t begin,
                             int64_t end);

typedef struct pi_kernel {
  const char *name; /* NUL-terminated, unique */
  pi_kernel_fn fn;
} pi_kernel;

enum pi_arena_kind { PI_ARENA_ACTIVATIONS = 0, PI_ARENA_KV_CACHE = 1 };

/** One allocation of `bytes` zero bytes, PI_BUFFER_ALIGN aligned. */
typedef struct pi_arena {
  const char *name;
  uint64_t bytes;
  uint32_t kind; /* enum pi_arena_kind */
  uint32_t reserved;
} pi_arena;

/** `index` for PI_SPACE_WEIGHT is the entry of the file's weight table, `offset` a
 *  byte offset into that weight; for PI_SPACE_ARENA the arena and the offset in it. */
enum pi_space { PI_SPACE_ARENA = 0, PI_SPACE_WEIGHT = 1 };
typedef struct pi_arg {
  uint32_t space; /* enum pi_space */
  uint32_t index;
  uint64_t offset; /* bytes */
} pi_arg;

/** One dispatch: kernel over `tiles` tiles, args[first_arg .. first_arg + num_args). */
typedef struct pi_step {
  uint32_t kernel;
  uint32_t first_arg;
  uint32_t num_args;
  uint32_t reserved;
  int64_t tiles;
} pi_step;

/** Counts of active neurons of a group for the last token: `tiles` f32 numbers at
 *  `counts`, to be added up; the group has `neurons`. */
typedef struct pi_activity {
  pi_arg counts;
  uint32_t tiles;
  uint32_t layer;
  uint64_t neurons;
} pi_activity;

/** What a layer's feed-forward block did for the last token, for profiles: `neurons` f32
 *  numbers at `activations`, |activation| of an active neuron and less than 0 of any other;
 *  the block's input, `hidden` f32 numbers, at `input`. Only instrumented programs say so. */
typedef struct pi_trace {
  pi_arg activations;
  pi_arg input;
  uint32_t layer;
  uint32_t hidden;
  uint64_t neurons;
} pi_trace;

typedef struct pi_program {
  uint32_t abi_version; /* PI_ABI_VERSION */
  uint32_t struct_bytes; /* sizeof(pi_program) of the generator */
  uint32_t cpu_features; /* bits of enum pi_cpu_feature */
  uint32_t num_kernels;
  const pi_kernel *kernels;
  uint32_t num_arenas;
  uint32_t num_args;
  const pi_arena *arenas;
  const pi_arg *args;
  const pi_step *steps;
  uint32_t num_steps;
  uint32_t num_weights;  /* entries the file's weight table must have */
  uint32_t vocab;        /* logits per token */
  uint32_t context;      /* capacity of the KV cache in tokens */
  pi_arg logits;         /* [vocab] f32 after the last step */
  const pi_activity *activity;
  uint32_t num_activity;
  uint32_t num_traces;
  const pi_trace *traces;
} pi_program;

/** The one symbol a generated object exports. */
extern const pi_program pi_program_v1;

#ifdef __cplusplus
} /* extern "C" */
static_assert(sizeof(pi_call) == 24, "pi_call layout");
static_assert(sizeof(pi_kernel) == 16, "pi_kernel layout");
static_assert(sizeof(pi_arena) == 24, "pi_arena layout");
static_assert(sizeof(pi_arg) == 16, "pi_arg layout");
static_assert(sizeof(pi_step) == 24, "pi_step layout");
static_assert(sizeof(pi_activity) == 32, "pi_activity layout");
static_assert(sizeof(pi_trace) == 48, "pi_trace layout");
static_assert(sizeof(pi_program) == 112, "pi_program layout");
#else
_Static_assert(sizeof(pi_call) == 24, "pi_call layout");
_Static_assert(sizeof(pi_kernel) == 16, "pi_kernel layout");
_Static_assert(sizeof(pi_arena) == 24, "pi_arena layout");
_Static_assert(sizeof(pi_arg) == 16, "pi_arg layout");
_Static_assert(sizeof(pi_step) == 24, "pi_step layout");
_Static_assert(sizeof(pi_activity) == 32, "pi_activity layout");
_Static_assert(sizeof(pi_trace) == 48, "pi_trace layout");
_Static_assert(sizeof(pi_program) == 112, "pi_program layout");
#endif

#endif /* PI_RUNTIME_ABI_PI_ABI_H */
