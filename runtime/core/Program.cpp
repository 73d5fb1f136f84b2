//===- Program.cpp - Executes the tables of a generated program -----------===//

#include "runtime/core/Program.h"

#include "runtime/abi/pi_abi.h"
#include "runtime/core/Arena.h"
#include "runtime/core/Format.h"
#include "runtime/core/Status.h"
#include "runtime/cpu/Team.h"

#include <algorithm>
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
  if (int32_t status = program->addLane(LaneCaches::Own, detail))
    return status;
  program->bindSteps();
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
      (numGroups() && !tables.activity) || (numTraces() && !tables.traces) ||
      (tables.num_args && !tables.args) || (tables.num_steps && !tables.steps))
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

int32_t Program::checkTraces(std::string &detail) const {
  for (uint32_t i = 0; i < numTraces(); ++i) {
    const pi_trace &trace = tables.traces[i];
    std::string what = "trace " + std::to_string(i);
    if (trace.neurons > UINT32_MAX)
      return fail(PI_ERROR_PROGRAM, detail, what + " is out of range");
    for (auto [arg, count] : {std::pair(trace.activations, trace.neurons),
                              std::pair(trace.input, uint64_t(trace.hidden))}) {
      if (arg.space != PI_SPACE_ARENA || arg.offset % sizeof(float) != 0)
        return fail(PI_ERROR_PROGRAM, detail, what + " is out of range");
      if (int32_t status = checkArg(arg, count * sizeof(float), what, detail))
        return status;
    }
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
  if (int32_t status = checkTraces(detail))
    return status;
  if (tables.logits.space != PI_SPACE_ARENA || tables.logits.offset % sizeof(float) != 0)
    return fail(PI_ERROR_PROGRAM, detail, "the logits lie in no arena");
  return checkArg(tables.logits, uint64_t(tables.vocab) * sizeof(float), "logits", detail);
}

uint32_t firstLogitsStep(const pi_program &tables) {
  auto touches = [&](const pi_step &step, auto &&test) {
    for (uint32_t a = step.first_arg; a < step.first_arg + step.num_args; ++a)
      if (tables.args[a].space == PI_SPACE_ARENA && test(tables.args[a]))
        return true;
    return false;
  };
  auto isLogits = [&](const pi_arg &arg) {
    return arg.index == tables.logits.index && arg.offset == tables.logits.offset;
  };
  auto isCache = [&](const pi_arg &arg) {
    return tables.arenas[arg.index].kind == PI_ARENA_KV_CACHE;
  };
  // The logits' bytes may have served others before: the last step that names them.
  uint32_t first = tables.num_steps;
  while (first > 0 && !touches(tables.steps[first - 1], isLogits))
    --first;
  if (first == 0)
    return tables.num_steps;
  for (uint32_t i = --first; i < tables.num_steps; ++i)
    if (touches(tables.steps[i], isCache))
      return tables.num_steps;
  return first;
}

int32_t Program::addLane(LaneCaches caches, std::string &detail) {
  Lane lane;
  lane.arenas.resize(tables.num_arenas);
  for (uint32_t i = 0; i < tables.num_arenas; ++i) {
    bool shared = caches == LaneCaches::Shared && tables.arenas[i].kind == PI_ARENA_KV_CACHE;
    if (shared && !lanes.empty())
      continue;
    if (int32_t status = Arena::allocate(tables.arenas[i].bytes, lane.arenas[i])) {
      const char *name = tables.arenas[i].name;
      return fail(status, detail,
                  std::string(name ? name : "an arena") + " takes " +
                      std::to_string(tables.arenas[i].bytes) +
                      " bytes; compile the model with a smaller --context");
    }
  }
  lane.args.reserve(tables.num_args);
  for (uint32_t i = 0; i < tables.num_args; ++i)
    lane.args.push_back(resolve(tables.args[i], lane));
  lane.logits = static_cast<const float *>(resolve(tables.logits, lane));
  lane.call.struct_bytes = sizeof lane.call;
  lanes.push_back(std::move(lane));
  return PI_OK;
}

int32_t Program::setLanes(uint32_t count, LaneCaches caches, std::string &detail) {
  lanes.erase(lanes.begin() + 1, lanes.end());
  lanes.reserve(count);
  while (lanes.size() < count)
    if (int32_t status = addLane(caches, detail)) {
      lanes.erase(lanes.begin() + 1, lanes.end());
      return status;
    }
  return PI_OK;
}

void *Program::resolve(const pi_arg &arg, const Lane &lane) const {
  if (arg.space == PI_SPACE_ARENA) {
    const Arena &own = lane.arenas[arg.index];
    return (own.data() ? own : lanes.front().arenas[arg.index]).data() + arg.offset;
  }
  // Mapped read-only; kernels take all pointers through one type.
  return const_cast<uint8_t *>(payload.weight(arg.index).data) + arg.offset;
}

/// So many tiles that their weights stay in a core's second-level cache while the lanes
/// take turns, and no fewer than that: what a kernel prepares per call costs, too.
int64_t Program::chunkTiles(const pi_step &step) const {
  constexpr uint64_t chunkBytes = 256u << 10;
  uint64_t bytes = 1;
  for (uint32_t a = step.first_arg; a < step.first_arg + step.num_args; ++a)
    if (tables.args[a].space == PI_SPACE_WEIGHT)
      bytes += payload.weight(tables.args[a].index).bytes;
  uint64_t perTile = bytes / std::max<uint64_t>(uint64_t(step.tiles), 1) + 1;
  return int64_t(std::max<uint64_t>(chunkBytes / perTile, 1));
}

void Program::bindSteps() {
  uint32_t logitsStep = firstLogitsStep(tables);
  steps.reserve(tables.num_steps);
  for (uint32_t i = 0; i < tables.num_steps; ++i) {
    const pi_step &step = tables.steps[i];
    steps.push_back({tables.kernels[step.kernel].fn, step.first_arg, i >= logitsStep, step.tiles,
                     chunkTiles(step)});
  }
}

double Program::activeNeurons(uint32_t i, uint32_t lane) const {
  const pi_activity &activity = tables.activity[i];
  const float *counts = static_cast<const float *>(resolve(activity.counts, lanes[lane]));
  double sum = 0;
  for (uint32_t tile = 0; tile < activity.tiles; ++tile)
    sum += counts[tile];
  return sum;
}

/// A thread's tiles of a step, for all lanes of the call. Lanes that share a cache come
/// in the order of their positions, for a tile may read what it wrote in an earlier lane.
void Program::runTiles(const Step &step, TileSpan span) {
  int64_t chunk = running == 1 ? span.end - span.begin : step.chunkTiles;
  for (int64_t begin = span.begin; begin < span.end; begin += chunk)
    for (uint32_t i = 0; i < running; ++i)
      if (const Lane &lane = lanes[i]; lane.wantsLogits || !step.onlyForLogits)
        step.kernel(&lane.call, lane.args.data() + step.firstArg, begin,
                    std::min(begin + chunk, span.end));
}

void Program::runSteps(void *context, uint32_t thread) {
  auto &program = *static_cast<Program *>(context);
  uint32_t threads = program.team.size();
  for (const Step &step : program.steps) {
    if (&step != program.steps.data())
      program.team.meet(); // a step sees all tiles of the steps before it
    program.runTiles(step, tileSpan(step.tiles, thread, threads));
  }
}

int32_t Program::stepLanes(const Input *inputs, uint32_t count) {
  if (count == 0 || count > lanes.size())
    return PI_ERROR_INPUT;
  for (uint32_t i = 0; i < count; ++i)
    if (inputs[i].token < 0 || inputs[i].token >= tables.vocab || inputs[i].position < 0 ||
        inputs[i].position >= tables.context)
      return PI_ERROR_INPUT;
  for (uint32_t i = 0; i < count; ++i) {
    lanes[i].call.token = inputs[i].token;
    lanes[i].call.position = inputs[i].position;
    lanes[i].wantsLogits = inputs[i].wantsLogits;
  }
  running = count;
  team.run(runSteps, this);
  return PI_OK;
}

} // namespace pi
