//===- Program.h - Executes the tables of a generated program -------------===//
// Knows kernels as function pointers, tiles and arguments; no operator.

#ifndef PI_RUNTIME_CORE_PROGRAM_H
#define PI_RUNTIME_CORE_PROGRAM_H

#include "runtime/abi/pi_abi.h"
#include "runtime/core/Arena.h"
#include "runtime/core/Format.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pi {

class Team;

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

  /// Runs all steps for `token` with `position` tokens in the KV cache before it.
  /// Earlier positions must have been run; position 0 starts anew. Does not allocate.
  /// Error: PI_ERROR_INPUT where token or position is out of range.
  int32_t step(int64_t token, int64_t position);

  /// [vocab()] f32, of the last step; valid until the next one.
  const float *logits() const { return logitsData; }
  /// Groups of neurons that the program counts, and how many of one's neurons were
  /// active for the last token.
  uint32_t numGroups() const { return hasActivity() ? tables.num_activity : 0; }
  const pi_activity &group(uint32_t i) const { return tables.activity[i]; }
  double activeNeurons(uint32_t i) const;
  uint32_t vocab() const { return tables.vocab; }
  /// Capacity of the KV cache in tokens.
  uint32_t context() const { return tables.context; }

private:
  struct Step {
    pi_kernel_fn kernel;
    void *const *args;
    int64_t tiles;
  };

  Program(const pi_program &tables, const Payload &payload, Team &team)
      : tables(tables), payload(payload), team(team) {}
  int32_t checkHeader(std::string &detail) const;
  int32_t checkActivity(std::string &detail) const;
  /// Tables made before activity was counted end before it.
  static constexpr size_t kActivityEnd =
      offsetof(pi_program, num_activity) + sizeof(pi_program::num_activity);
  bool hasActivity() const { return tables.struct_bytes >= kActivityEnd; }
  int32_t checkArg(const pi_arg &arg, uint64_t minBytes, const std::string &what,
                   std::string &detail) const;
  int32_t checkTables(std::string &detail) const;
  int32_t allocate(std::string &detail);
  void *resolve(const pi_arg &arg) const;
  void bind();
  static void runSteps(void *context, uint32_t thread);

  const pi_program &tables;
  const Payload &payload;
  Team &team;
  std::vector<Arena> arenas;
  std::vector<void *> args; // resolved argument table
  std::vector<Step> steps;
  const float *logitsData = nullptr;
  pi_call call = {};
};

} // namespace pi

#endif // PI_RUNTIME_CORE_PROGRAM_H
