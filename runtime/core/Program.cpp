//===- Program.cpp - Executes the tables of a generated program -----------===//

#include "runtime/core/Program.h"

#include "runtime/abi/pi_abi.h"
#include "runtime/core/Arena.h"
#include "runtime/core/Format.h"
#include "runtime/core/Status.h"
#include "runtime/cpu/Team.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace pi {

/// Size of pi_program as first published; fields are only appended.
static constexpr uint32_t kFirstProgramBytes = 88;

int32_t Program::load(const pi_program &tables, const Payload &payload, Team &team,
                      std::unique_ptr<Program> &out, std::string &detail) {
  std::unique_ptr<Program> program(new Program(tables, payload, team));
  if (int32_t status = program->checkHeader(detail))
    return status;
  if (int32_t status = program->checkTables(detail))
    return status;
  if (int32_t status = program->allocate(detail))
    return status;
  program->bind();
  out = std::move(program);
  return PI_OK;
}

int32_t Program::check(const pi_program &tables, const Payload &payload, std::string &detail) {
  Team nobody(1);
  Program program(tables, payload, nobody);
  int32_t status = program.checkHeader(detail);
  return status ? status : program.checkTables(detail);
}

int32_t Program::checkHeader(std::string &detail) const {
  if (tables.abi_version != PI_ABI_VERSION || tables.struct_bytes < kFirstProgramBytes)
    return fail(PI_ERROR_PROGRAM, detail,
                "ABI version " + std::to_string(tables.abi_version) + ", this runtime has " +
                    std::to_string(PI_ABI_VERSION));
  if ((tables.num_kernels && !tables.kernels) || (tables.num_arenas && !tables.arenas) ||
      (numGroups() && !tables.activity) || (tables.num_args && !tables.args) ||
      (tables.num_steps && !tables.steps))
    return fail(PI_ERROR_PROGRAM, detail, "a table is missing");
  if (tables.vocab == 0 || tables.vocab > INT32_MAX || tables.context == 0)
    return fail(PI_ERROR_PROGRAM, detail, "no vocabulary or no context");
  if (tables.num_weights != payload.numWeights())
    return fail(PI_ERROR_PROGRAM, detail,
                "it uses " + std::to_string(tables.num_weights) + " weights, the file has " +
                    std::to_string(payload.numWeights()));
  return PI_OK;
}

int32_t Program::checkArg(const pi_arg &arg, uint64_t minBytes, const std::string &what,
                          std::string &detail) const {
  uint64_t bytes;
  if (arg.space == PI_SPACE_ARENA && arg.index < tables.num_arenas)
    bytes = tables.arenas[arg.index].bytes;
  else if (arg.space == PI_SPACE_WEIGHT && arg.index < tables.num_weights)
    bytes = payload.weight(arg.index).bytes;
  else
    return fail(PI_ERROR_PROGRAM, detail, what + " names no arena and no weight");
  if (arg.offset > bytes || minBytes > bytes - arg.offset)
    return fail(PI_ERROR_PROGRAM, detail, what + " is out of range");
  return PI_OK;
}

int32_t Program::checkActivity(std::string &detail) const {
  for (uint32_t i = 0; i < numGroups(); ++i) {
    const pi_activity &activity = tables.activity[i];
    std::string what = "activity " + std::to_string(i);
    if (activity.counts.space != PI_SPACE_ARENA || activity.counts.offset % sizeof(float) != 0 ||
        activity.neurons == 0)
      return fail(PI_ERROR_PROGRAM, detail, what + " is out of range");
    if (int32_t status =
            checkArg(activity.counts, uint64_t(activity.tiles) * sizeof(float), what, detail))
      return status;
  }
  return PI_OK;
}

int32_t Program::checkTables(std::string &detail) const {
  for (uint32_t i = 0; i < tables.num_kernels; ++i)
    if (!tables.kernels[i].fn)
      return fail(PI_ERROR_PROGRAM, detail, "kernel " + std::to_string(i) + " has no code");
  for (uint32_t i = 0; i < tables.num_args; ++i)
    if (int32_t status = checkArg(tables.args[i], 1, "argument " + std::to_string(i), detail))
      return status;
  for (uint32_t i = 0; i < tables.num_steps; ++i) {
    const pi_step &step = tables.steps[i];
    if (step.kernel >= tables.num_kernels || step.first_arg > tables.num_args ||
        step.num_args > tables.num_args - step.first_arg || step.tiles < 0 ||
        step.tiles > kMaxTiles)
      return fail(PI_ERROR_PROGRAM, detail, "step " + std::to_string(i) + " is out of range");
  }
  if (int32_t status = checkActivity(detail))
    return status;
  if (tables.logits.space != PI_SPACE_ARENA || tables.logits.offset % sizeof(float) != 0)
    return fail(PI_ERROR_PROGRAM, detail, "the logits lie in no arena");
  return checkArg(tables.logits, uint64_t(tables.vocab) * sizeof(float), "logits", detail);
}

int32_t Program::allocate(std::string &detail) {
  arenas.resize(tables.num_arenas);
  for (uint32_t i = 0; i < tables.num_arenas; ++i)
    if (int32_t status = Arena::allocate(tables.arenas[i].bytes, arenas[i])) {
      const char *name = tables.arenas[i].name;
      return fail(status, detail,
                  std::string(name ? name : "an arena") + " takes " +
                      std::to_string(tables.arenas[i].bytes) +
                      " bytes; compile the model with a smaller --context");
    }
  return PI_OK;
}

void *Program::resolve(const pi_arg &arg) const {
  if (arg.space == PI_SPACE_ARENA)
    return arenas[arg.index].data() + arg.offset;
  // Mapped read-only; kernels take all pointers through one type.
  return const_cast<uint8_t *>(payload.weight(arg.index).data) + arg.offset;
}

void Program::bind() {
  args.reserve(tables.num_args);
  for (uint32_t i = 0; i < tables.num_args; ++i)
    args.push_back(resolve(tables.args[i]));
  steps.reserve(tables.num_steps);
  for (uint32_t i = 0; i < tables.num_steps; ++i) {
    const pi_step &step = tables.steps[i];
    steps.push_back({tables.kernels[step.kernel].fn, args.data() + step.first_arg, step.tiles});
  }
  logitsData = static_cast<const float *>(resolve(tables.logits));
  call.struct_bytes = sizeof call;
}

double Program::activeNeurons(uint32_t i) const {
  const pi_activity &activity = tables.activity[i];
  const float *counts = static_cast<const float *>(resolve(activity.counts));
  double sum = 0;
  for (uint32_t tile = 0; tile < activity.tiles; ++tile)
    sum += counts[tile];
  return sum;
}

void Program::runSteps(void *context, uint32_t thread) {
  auto &program = *static_cast<Program *>(context);
  uint32_t threads = program.team.size();
  for (const Step &step : program.steps) {
    if (&step != program.steps.data())
      program.team.meet(); // a step sees all tiles of the steps before it
    TileSpan span = tileSpan(step.tiles, thread, threads);
    if (span.begin < span.end)
      step.kernel(&program.call, step.args, span.begin, span.end);
  }
}

int32_t Program::step(int64_t token, int64_t position) {
  if (token < 0 || token >= tables.vocab || position < 0 || position >= tables.context)
    return PI_ERROR_INPUT;
  call.token = token;
  call.position = position;
  team.run(runSteps, this);
  return PI_OK;
}

} // namespace pi
