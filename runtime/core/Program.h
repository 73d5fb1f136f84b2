//===- Program.h - Executes the tables of a generated program -------------===//
// Knows kernels as function pointers, tiles and arguments; no operator.

#ifndef PI_RUNTIME_CORE_PROGRAM_H
#define PI_RUNTIME_CORE_PROGRAM_H

#include "runtime/abi/pi_abi.h"
#include "runtime/core/Arena.h"
#include "runtime/core/Format.h"
#include "runtime/cpu/Team.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pi {

/// Whether lanes work on one KV cache (tokens of one text) or on one each.
enum class LaneCaches { Shared, Own };

inline constexpr uint32_t kMaxLanes = 64;

/// The first step from which on nothing is done but for the logits: the rest may be left
/// out for a token whose logits nobody asks for. num_steps where there is no such step.
/// `tables` must have been checked. O(arguments).
uint32_t firstLogitsStep(const pi_program &tables);

/// A pi_program bound to its weights, arenas and threads.
class Program {
public:
  /// Checks every table of `tables` against the others and against `payload`,
  /// allocates the arenas (zeroed) and resolves all arguments. The tables, the
  /// payload's file and `team` must outlive the result. O(tables).
  /// Errors: PI_ERROR_PROGRAM, PI_ERROR_MEMORY.
  static int32_t load(const pi_program &tables, const Payload &payload, Team &team,
                      std::unique_ptr<Program> &out, std::string &detail);

  /// Only the checks of load(). O(tables). Error: PI_ERROR_PROGRAM.
  static int32_t check(const pi_program &tables, const Payload &payload, std::string &detail);

  /// Makes `count` lanes, in [1, kMaxLanes]. A lane runs one token; all lanes of a call
  /// pass through the program together, a few tiles at a time, so that weights are read
  /// from memory once for all of them. Each has activations of its own. Lane 0, which
  /// is always there, keeps its state; the others begin zeroed.
  /// Error: PI_ERROR_MEMORY; there is one lane then.
  int32_t setLanes(uint32_t count, LaneCaches caches, std::string &detail);
  uint32_t numLanes() const { return static_cast<uint32_t>(lanes.size()); }

  /// What a lane runs.
  struct Input {
    int64_t token = 0;
    int64_t position = 0;    // tokens in the lane's KV cache before it
    bool wantsLogits = true; // else logits() of the lane are not touched
  };
  /// Runs all steps, inputs[i] in lane i; count in [1, numLanes()]. Positions before a
  /// lane's must have been run, or be those of earlier lanes of this call where lanes
  /// share a cache; position 0 starts anew. Gives the same bits as one call per token.
  /// Does not allocate. Error: PI_ERROR_INPUT where a token or position is out of range.
  int32_t stepLanes(const Input *inputs, uint32_t count);
  /// The same for one token in lane 0.
  int32_t step(int64_t token, int64_t position) {
    Input input{token, position, true};
    return stepLanes(&input, 1);
  }

  /// [vocab()] f32, of the lane's last step; valid until its next one.
  const float *logits(uint32_t lane = 0) const { return lanes[lane].logits; }
  /// Groups of neurons that the program counts, and how many of one's neurons were
  /// active for the lane's last token.
  uint32_t numGroups() const { return hasActivity() ? tables.num_activity : 0; }
  const pi_activity &group(uint32_t i) const { return tables.activity[i]; }
  double activeNeurons(uint32_t i, uint32_t lane = 0) const;
  /// Blocks of neurons that an instrumented program shows, and for the lane's last token
  /// [neurons] |activation|, below 0 of inactive ones, and [hidden] the block's input.
  uint32_t numTraces() const { return hasTraces() ? tables.num_traces : 0; }
  const pi_trace &trace(uint32_t i) const { return tables.traces[i]; }
  const float *tracedActivations(uint32_t i, uint32_t lane) const {
    return static_cast<const float *>(resolve(tables.traces[i].activations, lanes[lane]));
  }
  const float *tracedInput(uint32_t i, uint32_t lane) const {
    return static_cast<const float *>(resolve(tables.traces[i].input, lanes[lane]));
  }
  uint32_t vocab() const { return tables.vocab; }
  /// Capacity of the KV cache in tokens.
  uint32_t context() const { return tables.context; }

private:
  struct Step {
    pi_kernel_fn kernel;
    uint32_t firstArg;
    bool onlyForLogits;
    int64_t tiles;
    int64_t chunkTiles; // run in one lane before the next lane's turn
  };
  struct Lane {
    std::vector<Arena> arenas; // empty ones are those of lane 0
    std::vector<void *> args;  // resolved argument table
    const float *logits = nullptr;
    pi_call call = {};
    bool wantsLogits = true;
  };

  Program(const pi_program &tables, const Payload &payload, Team &team)
      : tables(tables), payload(payload), team(team) {}
  int32_t checkHeader(std::string &detail) const;
  int32_t checkActivity(std::string &detail) const;
  int32_t checkTraces(std::string &detail) const;
  /// Tables made before activity was counted end before it.
  static constexpr size_t kActivityEnd =
      offsetof(pi_program, num_activity) + sizeof(pi_program::num_activity);
  bool hasActivity() const { return tables.struct_bytes >= kActivityEnd; }
  static constexpr size_t kTracesEnd = offsetof(pi_program, traces) + sizeof(pi_program::traces);
  bool hasTraces() const { return tables.struct_bytes >= kTracesEnd; }
  int32_t checkArg(const pi_arg &arg, uint64_t minBytes, const std::string &what,
                   std::string &detail) const;
  int32_t checkTables(std::string &detail) const;
  int32_t addLane(LaneCaches caches, std::string &detail);
  void *resolve(const pi_arg &arg, const Lane &lane) const;
  int64_t chunkTiles(const pi_step &step) const;
  void bindSteps();
  void runTiles(const Step &step, TileSpan span);
  static void runSteps(void *context, uint32_t thread);

  const pi_program &tables;
  const Payload &payload;
  Team &team;
  std::vector<Lane> lanes;
  std::vector<Step> steps;
  uint32_t running = 1; // lanes of the current call
};

} // namespace pi

#endif // PI_RUNTIME_CORE_PROGRAM_H
