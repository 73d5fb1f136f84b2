//===- Placement.cpp - Which blocks and neurons go to the GPU -===//
// A price per byte of device memory (the Lagrange multiplier of the budget) makes layers
// independent but for the crossings between them: a shortest path with two states. The
// dual gives the bound. Where its own choices do not come close, memory is counted in
// units, and dynamic programming chooses; local search over the places of blocks follows.
// For given places of blocks rows are shared out to the byte: that part is convex.

#include "compiler/Analysis/Placement.h"

#include "compiler/Analysis/PlacementCosts.h"

#include <array>
#include <cassert>
#include <limits>
#include <numeric>
#include <optional>

using namespace pi;

namespace {

/// How many of a layer's rows are on the GPU: none, all, or as many as are worth it.
enum class Rows : uint8_t { None, Some, All };

/// The discrete part of a placement.
struct Choices {
  std::vector<Side> attention;
  std::vector<Rows> rows;
  Side head = Side::Cpu;
};

constexpr double kNever = std::numeric_limits<double>::infinity();

class Solver {
public:
  explicit Solver(const PlacementProblem &problem);
  Placement solve();

private:
  struct Relaxed {
    double value = 0; ///< time + price * bytes
    double bytes = 0;
    Choices choices;
  };
  Relaxed relax(double price) const;
  std::pair<double, int64_t> cheapest(const LayerModel &layer, Side side, double price) const;

  std::optional<Placement> fill(const Choices &choices) const;
  void topUp(const Choices &choices, uint64_t left, std::vector<int64_t> &hot) const;
  double timeOf(const Choices &choices, const std::vector<int64_t> &hot) const;
  struct Option;
  std::vector<Option> listOptions(const LayerModel &layer, Side side, uint64_t unit,
                                  size_t units) const;
  uint64_t chooseUnit() const;
  Choices chooseInUnits(std::vector<int64_t> &hot) const;
  Placement makePlacement(const Choices &choices, const std::vector<int64_t> &hot) const;
  bool tryBetter(const Choices &choices);
  bool keepIfBetter(const Choices &choices, Placement placement);
  void tryUnits();
  bool improveOnce();
  void improveLayer(size_t layer, bool &improved);

  const PlacementProblem &problem;
  std::vector<LayerModel> layers;
  uint64_t room = 0; // bytes for weights and caches
  double bound = 0;
  Placement best;
  Choices bestChoices;
};

} // namespace

Solver::Solver(const PlacementProblem &problem) : problem(problem) {
  for (const PlacementLayer &layer : problem.layers)
    layers.emplace_back(layer, problem.machine);
  if (problem.budgetBytes > problem.scratchBytes)
    room = problem.budgetBytes - problem.scratchBytes;
}

//===----------------------------------------------------------------------===//
// The relaxation
//===----------------------------------------------------------------------===//

/// The least time + price * bytes of a layer with attention at `side`, and its hot rows.
/// Between no row and the point where both sides take as long, the time is convex.
std::pair<double, int64_t> Solver::cheapest(const LayerModel &layer, Side side,
                                            double price) const {
  std::pair<double, int64_t> least{kNever, 0};
  int64_t worth = layer.rowsWorth(price);
  int64_t most = layer.mostHotRows(); // its last row may save less than it reads
  for (int64_t hot : {int64_t(0), worth, std::max<int64_t>(most - 1, 0), most, layer.rows()}) {
    double value = layer.totalUs(side, hot) + price * double(layer.deviceBytes(side, hot));
    if (value < least.first)
      least = {value, hot};
  }
  return least;
}

/// The shortest path through layers and head, each at one of two sides.
Solver::Relaxed Solver::relax(double price) const {
  const double crossing = problem.machine.crossingUs;
  size_t count = layers.size();
  std::vector<std::array<std::pair<double, int64_t>, 2>> own(count);
  std::vector<std::array<uint8_t, 2>> from(count + 1);
  std::array<double, 2> reached{0, kNever}; // the embedding is on the CPU
  auto step = [&](size_t i, std::array<double, 2> costs) {
    std::array<double, 2> next;
    for (uint8_t side : {0, 1}) {
      double stay = reached[side], change = reached[1 - side] + crossing;
      from[i][side] = change < stay ? 1 - side : side;
      next[side] = std::min(stay, change) + costs[side];
    }
    reached = next;
  };
  for (size_t i = 0; i < count; ++i) {
    own[i] = {cheapest(layers[i], Side::Cpu, price), cheapest(layers[i], Side::Gpu, price)};
    step(i, {own[i][0].first, own[i][1].first});
  }
  double head = double(problem.headBytes);
  step(count, {head / problem.machine.cpuBytesPerUs,
               head / problem.machine.gpuBytesPerUs + crossing + price * head});

  Relaxed result;
  uint8_t side = reached[1] < reached[0];
  result.value = reached[side];
  result.choices.head = static_cast<Side>(side);
  result.bytes = side ? head : 0;
  result.choices.attention.resize(count);
  result.choices.rows.resize(count);
  for (size_t i = count; i-- > 0;) {
    side = from[i + 1][side];
    int64_t hot = own[i][side].second;
    result.choices.attention[i] = static_cast<Side>(side);
    result.choices.rows[i] = hot == 0                  ? Rows::None
                             : hot == layers[i].rows() ? Rows::All
                                                       : Rows::Some;
    result.bytes += double(layers[i].deviceBytes(static_cast<Side>(side), hot));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Rows for given places of blocks
//===----------------------------------------------------------------------===//

double Solver::timeOf(const Choices &choices, const std::vector<int64_t> &hot) const {
  const PlacementMachine &machine = problem.machine;
  double time = 0;
  Side home = Side::Cpu;
  for (size_t i = 0; i < layers.size(); ++i) {
    time += layers[i].totalUs(choices.attention[i], hot[i]);
    time += choices.attention[i] != home ? machine.crossingUs : 0;
    home = choices.attention[i];
  }
  time += choices.head != home ? machine.crossingUs : 0;
  double head = double(problem.headBytes);
  return time + (choices.head == Side::Gpu ? head / machine.gpuBytesPerUs + machine.crossingUs
                                           : head / machine.cpuBytesPerUs);
}

/// Gives what is left to the rows that gain most per byte, ties by layer.
void Solver::topUp(const Choices &choices, uint64_t left, std::vector<int64_t> &hot) const {
  while (true) {
    size_t bestLayer = layers.size();
    double bestGain = 0;
    for (size_t i = 0; i < layers.size(); ++i) {
      const LayerModel &layer = layers[i];
      if (choices.rows[i] != Rows::Some || hot[i] >= layer.mostHotRows() || layer.rowBytes() > left)
        continue;
      double gain = (layer.rowsUs(hot[i]) - layer.rowsUs(hot[i] + 1)) / double(layer.rowBytes());
      if (gain > bestGain) {
        bestGain = gain;
        bestLayer = i;
      }
    }
    if (bestLayer == layers.size())
      return;
    // All rows that gain as much go with it.
    const LayerModel &layer = layers[bestLayer];
    double read = layer.readBytes(hot[bestLayer]);
    do {
      ++hot[bestLayer];
      left -= layer.rowBytes();
    } while (hot[bestLayer] + 1 < layer.mostHotRows() && layer.rowBytes() <= left &&
             layer.readBytes(hot[bestLayer]) == read);
  }
}

/// The best rows for the choices; nothing where they do not fit.
std::optional<Placement> Solver::fill(const Choices &choices) const {
  size_t count = layers.size();
  std::vector<int64_t> hot(count);
  auto bytesAt = [&](double price) {
    uint64_t bytes = choices.head == Side::Gpu ? problem.headBytes : 0;
    for (size_t i = 0; i < count; ++i) {
      int64_t most = layers[i].mostHotRows();
      hot[i] = choices.rows[i] == Rows::None  ? 0
               : choices.rows[i] == Rows::All ? layers[i].rows()
                                              : std::max<int64_t>(layers[i].rowsWorth(price), 1);
      if (choices.rows[i] == Rows::Some && most == 0)
        return std::numeric_limits<uint64_t>::max();
      bytes += layers[i].deviceBytes(choices.attention[i], hot[i]);
    }
    return bytes;
  };
  // At this price no row is worth its memory.
  double high = 1.1 / problem.machine.cpuBytesPerUs, low = 0;
  uint64_t bytes = bytesAt(low);
  if (bytes > room) {
    if (bytesAt(high) > room)
      return std::nullopt;
    for (int i = 0; i < 40; ++i) {
      double middle = (low + high) / 2;
      (bytesAt(middle) > room ? low : high) = middle;
    }
    bytes = bytesAt(high);
    topUp(choices, room - bytes, hot);
  }
  return makePlacement(choices, hot);
}

Placement Solver::makePlacement(const Choices &choices, const std::vector<int64_t> &hot) const {
  Placement placement;
  placement.head = choices.head;
  for (size_t i = 0; i < layers.size(); ++i)
    placement.layers.push_back({choices.attention[i], hot[i]});
  placement.totalUs = timeOf(choices, hot);
  return placement;
}

//===----------------------------------------------------------------------===//
// Memory in units
//===----------------------------------------------------------------------===//

/// One way to place a layer whose attention is at a given side.
struct Solver::Option {
  Rows rows;
  int64_t hot;
  size_t units;  ///< of memory, rounded up
  double timeUs; ///< of the layer alone
};

/// No rows, all, and numbers of rows that just fit numbers of units, some 64 of them.
std::vector<Solver::Option> Solver::listOptions(const LayerModel &layer, Side side, uint64_t unit,
                                                size_t units) const {
  std::vector<Option> options;
  auto add = [&](Rows rows, int64_t hot) {
    size_t taken = (layer.deviceBytes(side, hot) + unit - 1) / unit;
    if (taken <= units)
      options.push_back({rows, hot, taken, layer.totalUs(side, hot)});
  };
  add(Rows::None, 0);
  add(Rows::All, layer.rows());
  constexpr size_t steps = 64;
  uint64_t fixed = layer.deviceBytes(side, 0);
  uint64_t most = fixed + layer.mostHotRows() * layer.rowBytes();
  size_t first = fixed / unit, last = std::min<size_t>((most + unit - 1) / unit, units);
  size_t step = (last - std::min(first, last)) / steps + 1;
  for (size_t taken = first + 1; taken < last + step; taken += step) {
    uint64_t bytes = std::min<uint64_t>(std::min(taken, last) * unit, most);
    if (bytes >= fixed + layer.rowBytes())
      add(Rows::Some, int64_t((bytes - fixed) / layer.rowBytes()));
  }
  return options;
}

/// The largest unit of which all sizes are multiples, where that makes few enough of them;
/// else one of so many that rounding up costs little.
uint64_t Solver::chooseUnit() const {
  uint64_t units = (1u << 18) / (layers.size() + 1); // bounds the work
  uint64_t exact = std::gcd(room, problem.headBytes);
  for (const LayerModel &layer : layers)
    exact = std::gcd(std::gcd(exact, layer.deviceBytes(Side::Gpu, 0)), layer.rowBytes());
  return exact > room / units ? exact : room / units + 1;
}

/// The best choices with memory counted in some thousands of units, each block rounded up:
/// dynamic programming over layers, the side of the residual stream and the units taken.
/// `hot` gets the rows that go with them.
Choices Solver::chooseInUnits(std::vector<int64_t> &hot) const {
  size_t count = layers.size();
  hot.resize(count);
  uint64_t unit = chooseUnit();
  size_t most = room / unit;
  struct Step {
    uint8_t option = 0, before = 0;
  };
  // [layer][side][units taken so far]
  std::vector<std::array<std::vector<Step>, 2>> steps(count);
  std::vector<std::array<std::vector<Option>, 2>> options(count);
  std::array<std::vector<double>, 2> reached;
  reached[0].assign(most + 1, 0); // the embedding is on the CPU; some units may stay free
  reached[1].assign(most + 1, kNever);
  for (size_t i = 0; i < count; ++i) {
    std::array<std::vector<double>, 2> next;
    for (uint8_t side : {0, 1}) {
      options[i][side] = listOptions(layers[i], static_cast<Side>(side), unit, most);
      next[side].assign(most + 1, kNever);
      steps[i][side].resize(most + 1);
      for (size_t o = 0; o < options[i][side].size(); ++o) {
        const Option &option = options[i][side][o];
        for (uint8_t before : {0, 1}) {
          double time = option.timeUs + (before != side ? problem.machine.crossingUs : 0);
          for (size_t used = option.units; used <= most; ++used)
            if (double value = reached[before][used - option.units] + time;
                value < next[side][used]) {
              next[side][used] = value;
              steps[i][side][used] = {static_cast<uint8_t>(o), before};
            }
        }
      }
    }
    reached = std::move(next);
  }

  Choices choices{std::vector<Side>(count), std::vector<Rows>(count), Side::Cpu};
  double least = kNever, head = double(problem.headBytes);
  size_t used = most;
  uint8_t side = 0;
  auto end = [&](uint8_t from, Side place, size_t left, double time) {
    if (reached[from][left] + time >= least)
      return;
    least = reached[from][left] + time;
    choices.head = place;
    used = left;
    side = from;
  };
  double crossing = problem.machine.crossingUs;
  size_t headUnits = (problem.headBytes + unit - 1) / unit;
  for (uint8_t from : {0, 1}) {
    end(from, Side::Cpu, most, head / problem.machine.cpuBytesPerUs + from * crossing);
    if (headUnits <= most)
      end(from, Side::Gpu, most - headUnits,
          head / problem.machine.gpuBytesPerUs + (2 - from) * crossing);
  }
  for (size_t i = count; i-- > 0;) {
    Step step = steps[i][side][used];
    choices.attention[i] = static_cast<Side>(side);
    choices.rows[i] = options[i][side][step.option].rows;
    hot[i] = options[i][side][step.option].hot;
    used -= options[i][side][step.option].units;
    side = step.before;
  }
  return choices;
}

//===----------------------------------------------------------------------===//
// Local search
//===----------------------------------------------------------------------===//

bool Solver::tryBetter(const Choices &choices) {
  std::optional<Placement> placement = fill(choices);
  return placement && keepIfBetter(choices, *std::move(placement));
}

bool Solver::keepIfBetter(const Choices &choices, Placement placement) {
  if (placement.totalUs >= best.totalUs * (1 - 1e-12))
    return false;
  best = std::move(placement);
  bestChoices = choices;
  return true;
}

/// What dynamic programming chooses: with its own rows, which fit rows of different sizes
/// better, and with rows shared out again.
void Solver::tryUnits() {
  std::vector<int64_t> hot;
  Choices choices = chooseInUnits(hot);
  uint64_t bytes = choices.head == Side::Gpu ? problem.headBytes : 0;
  for (size_t i = 0; i < layers.size(); ++i)
    bytes += layers[i].deviceBytes(choices.attention[i], hot[i]);
  topUp(choices, room - bytes, hot);
  keepIfBetter(choices, makePlacement(choices, hot));
  tryBetter(choices);
}

/// The other places and numbers of rows for one layer.
void Solver::improveLayer(size_t layer, bool &improved) {
  for (Side side : {Side::Cpu, Side::Gpu})
    for (Rows rows : {Rows::None, Rows::Some, Rows::All}) {
      Choices choices = bestChoices;
      if (choices.attention[layer] == side && choices.rows[layer] == rows)
        continue;
      choices.attention[layer] = side;
      choices.rows[layer] = rows;
      improved |= tryBetter(choices);
    }
}

bool Solver::improveOnce() {
  bool improved = false;
  for (Side side : {Side::Cpu, Side::Gpu}) {
    Choices choices = bestChoices;
    choices.head = side;
    improved |= tryBetter(choices);
  }
  for (size_t layer = 0; layer < layers.size(); ++layer)
    improveLayer(layer, improved);
  return improved;
}

Placement Solver::solve() {
  size_t count = layers.size();
  Choices cpuOnly{std::vector<Side>(count, Side::Cpu), std::vector<Rows>(count, Rows::None),
                  Side::Cpu};
  best.totalUs = kNever;
  uint64_t roomForGpu = room;
  room = 0;
  tryBetter(cpuOnly);
  room = roomForGpu;
  assert(best.totalUs < kNever && "nothing on the GPU always fits");

  // The price at which the memory taken falls below what there is.
  double low = 0, high = 2 / problem.machine.cpuBytesPerUs;
  auto visit = [&](double price) {
    Relaxed relaxed = relax(price);
    bound = std::max(bound, relaxed.value - price * double(room));
    tryBetter(relaxed.choices);
    return relaxed.bytes > double(room);
  };
  if (visit(low))
    for (int i = 0; i < 48; ++i) {
      double middle = (low + high) / 2;
      (visit(middle) ? low : high) = middle;
    }
  constexpr double closeEnough = 1e-3;
  if (best.totalUs > bound * (1 + closeEnough))
    tryUnits();
  for (int round = 0; round < 20 && best.totalUs > bound * (1 + closeEnough); ++round)
    if (!improveOnce())
      break;
  best.boundUs = std::min(bound, best.totalUs);
  return best;
}

Placement pi::placeNeurons(const PlacementProblem &problem) { return Solver(problem).solve(); }
