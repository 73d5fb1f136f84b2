//===- SoundnessTest.cpp - What the analysis claims holds for every past length -===//
// Random integer graphs are evaluated operator by operator, once by the analysis with P
// unknown, once plainly for several P. Whatever the analysis says must agree.

#include "ConcreteTensor.h"

#include "compiler/Analysis/ShapeValues.h"
#include "dialects/Onnx/IR/Onnx.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

#include <gtest/gtest.h>

#include <random>

using namespace mlir;
using namespace pi;

namespace {

using pi::test::Dims;
using pi::test::MaybeTensor;
using pi::test::Tensor;

constexpr int64_t kPasts[] = {0, 1, 2, 3, 5};
constexpr int64_t kMaxCount = 64;     // elements followed in a test
constexpr int64_t kLargest = 1000000; // products of those do not overflow

/// A value of the graph, and what it is for each past length.
struct Node {
  Value value;
  bool isBool = false;
  std::vector<Tensor> concrete; // one per element of kPasts

  size_t rank() const { return concrete.front().dims.size(); }
};

class RandomGraph {
public:
  explicit RandomGraph(unsigned seed) : random(seed), builder(&context) {
    context.loadDialect<onnx::OnnxDialect>();
    module = ModuleOp::create(builder.getUnknownLoc());
    builder.setInsertionPointToStart(module->getBody());
    for (int64_t v : {-2, -1, 0, 1, 2, 3})
      constant({}, {v});
    constant({1}, {-1});
    constant({3}, {0, 2, 1});
    constant({2, 2}, {3, -1, 0, 5});
    affine({}, {0}, {1});
    affine({}, {1}, {1});
    affine({1, 1}, {0}, {1});
    affine({3}, {1, 1, 4}, {0, 1, 0});
  }

  /// Adds one random operation. Fails the test where the analysis is wrong about it.
  void step() {
    static constexpr int kKinds = 6;
    switch (pick(kKinds)) {
    case 0:
      return elementwise();
    case 1:
      return compare();
    case 2:
      return create();
    case 3:
      return reshapeOrMove();
    case 4:
      return index();
    default:
      return select();
    }
  }

  int64_t known = 0, total = 0; // values with content, values with a shape

private:
  using Evaluate = std::function<MaybeTensor(size_t past)>; // index into kPasts

  int64_t pick(int64_t n) { return std::uniform_int_distribution<int64_t>(0, n - 1)(random); }
  const Node &any() { return nodes[pick(nodes.size())]; }
  const Node &any(const std::function<bool(const Node &)> &accept) {
    for (int tries = 0; tries < 200; ++tries)
      if (const Node &node = any(); accept(node))
        return node;
    return nodes.front();
  }
  const Node &ofRank(size_t rank) {
    return any([&](const Node &n) { return n.rank() == rank && !n.isBool; });
  }
  UnrankedTensorType type(bool isBool) {
    return UnrankedTensorType::get(isBool ? builder.getI1Type() : builder.getI64Type());
  }
  Value vector(ArrayRef<int64_t> values) {
    auto type = RankedTensorType::get({static_cast<int64_t>(values.size())}, builder.getI64Type());
    return evaluated(onnx::ConstantOp::create(builder, builder.getUnknownLoc(),
                                              DenseElementsAttr::get(type, values)));
  }
  Value evaluated(Operation *op) {
    std::string why;
    EXPECT_TRUE(succeeded(values.visit(op, why))) << why;
    return op->getResult(0);
  }
  void constant(ArrayRef<int64_t> dims, ArrayRef<int64_t> data) {
    affine(dims, data, SmallVector<int64_t>(data.size(), 0));
  }
  void affine(ArrayRef<int64_t> dims, ArrayRef<int64_t> base, ArrayRef<int64_t> slope) {
    auto type = RankedTensorType::get(dims, builder.getI64Type());
    Operation *op = onnx::AffineOp::create(builder, builder.getUnknownLoc(), type, base, slope);
    add(op, false, [&](size_t past) {
      Tensor t{Dims(dims.begin(), dims.end()), {}};
      for (auto [b, s] : llvm::zip(base, slope))
        t.data.push_back(b + s * kPasts[past]);
      return t;
    });
  }

  void add(Operation *op, bool isBool, const Evaluate &evaluate) {
    Node node{op->getResult(0), isBool, {}};
    std::string why;
    for (size_t past = 0; past < std::size(kPasts); ++past) {
      MaybeTensor t = evaluate(past);
      if (!t || pi::test::countOf(t->dims) > kMaxCount || t->dims.size() > 5 ||
          llvm::any_of(t->data, [](int64_t v) { return std::abs(v) > kLargest; }))
        return op->erase();
      node.concrete.push_back(*t);
      if (node.rank() != t->dims.size()) // Squeeze without axes
        return op->erase();
    }
    if (failed(values.visit(op, why)))
      return op->erase();
    const ValueFacts &facts = *values.lookup(node.value);
    ++total;
    known += facts.hasContent();
    for (size_t past = 0; past < std::size(kPasts); ++past)
      check(op, facts, kPasts[past], node.concrete[past]);
    nodes.push_back(node);
  }

  static void check(Operation *op, const ValueFacts &facts, int64_t past, const Tensor &real) {
    auto at = [&](Affine v) { return v.base + v.slope * past; };
    auto text = [&] {
      std::string s;
      llvm::raw_string_ostream stream(s);
      for (Value operand : op->getOperands())
        stream << *operand.getDefiningOp() << "\n";
      stream << *op << "\nwith P = " << past;
      return s;
    };
    Dims dims;
    for (Affine d : facts.shape)
      dims.push_back(at(d));
    ASSERT_EQ(dims, real.dims) << text();
    Tensor claimed{dims, {}};
    if (const auto *linear = facts.get<LinearContent>())
      claimed = pi::test::make(dims, [&](const Dims &index) {
        int64_t v = at(linear->value);
        for (size_t k = 0; k < index.size(); ++k)
          v += linear->coefs[k] * index[k];
        return v;
      });
    else if (const auto *elements = facts.get<ElementsContent>())
      for (Affine v : elements->values)
        claimed.data.push_back(at(v));
    else
      return;
    ASSERT_EQ(claimed.data, real.data) << text();
  }

  template <typename OpT>
  void addBinary(bool isBool, const std::function<std::optional<int64_t>(int64_t, int64_t)> &f,
                 bool ofBool = false) {
    auto accept = [&](const Node &n) { return n.isBool == ofBool; };
    Node a = any(accept), b = any(accept);
    if (a.isBool != ofBool || b.isBool != ofBool)
      return;
    add(OpT::create(builder, builder.getUnknownLoc(), type(isBool), a.value, b.value), isBool,
        [&](size_t past) { return pi::test::binary(a.concrete[past], b.concrete[past], f); });
  }

  void elementwise() {
    using I = int64_t;
    switch (pick(10)) {
    case 0:
    case 1:
      return addBinary<onnx::AddOp>(false, [](I a, I b) { return a + b; });
    case 2:
      return addBinary<onnx::SubOp>(false, [](I a, I b) { return a - b; });
    case 3:
      return addBinary<onnx::MulOp>(false, [](I a, I b) { return a * b; });
    case 4:
      return addBinary<onnx::DivOp>(
          false, [](I a, I b) { return b ? std::optional(a / b) : std::nullopt; });
    case 5:
      return addBinary<onnx::ModOp>(
          false, [](I a, I b) { return b ? std::optional(a - b * floorDiv(a, b)) : std::nullopt; });
    case 6:
      return addBinary<onnx::MaxOp>(false, [](I a, I b) { return std::max(a, b); });
    case 7:
      return addBinary<onnx::MinOp>(false, [](I a, I b) { return std::min(a, b); });
    case 8:
      return addBinary<onnx::AndOp>(true, [](I a, I b) { return a && b; }, true);
    default:
      return addBinary<onnx::OrOp>(true, [](I a, I b) { return a || b; }, true);
    }
  }
  static int64_t floorDiv(int64_t a, int64_t b) {
    return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
  }

  void compare() {
    using I = int64_t;
    switch (pick(5)) {
    case 0:
      return addBinary<onnx::EqualOp>(true, [](I a, I b) { return a == b; });
    case 1:
      return addBinary<onnx::LessOp>(true, [](I a, I b) { return a < b; });
    case 2:
      return addBinary<onnx::LessOrEqualOp>(true, [](I a, I b) { return a <= b; });
    case 3:
      return addBinary<onnx::GreaterOp>(true, [](I a, I b) { return a > b; });
    default:
      return addBinary<onnx::GreaterOrEqualOp>(true, [](I a, I b) { return a >= b; });
    }
  }

  void create() {
    Location loc = builder.getUnknownLoc();
    if (pick(3) == 0) {
      Node shape = ofRank(1);
      auto value = DenseElementsAttr::get(RankedTensorType::get({1}, builder.getI64Type()),
                                          static_cast<int64_t>(pick(3)));
      int64_t filler = *value.getValues<int64_t>().begin();
      return add(onnx::ConstantOfShapeOp::create(builder, loc, type(false), shape.value, value),
                 false, [&](size_t past) -> MaybeTensor {
                   const Tensor &t = shape.concrete[past];
                   if (t.dims.size() != 1 || t.data.size() > 4)
                     return std::nullopt;
                   return pi::test::expand(Tensor{{}, {filler}}, t.data);
                 });
    }
    Node from = ofRank(0), to = ofRank(0), by = ofRank(0);
    add(onnx::RangeOp::create(builder, loc, type(false), from.value, to.value, by.value), false,
        [&](size_t past) {
          return pi::test::range(from.concrete[past].data[0], to.concrete[past].data[0],
                                 by.concrete[past].data[0]);
        });
  }

  /// Whether zeros stand at the same places for each past. A dimension P that is 0 by
  /// chance would copy one of the input's; the analysis takes it as meant.
  static bool sameZeros(const Node &node) {
    for (const Tensor &t : node.concrete)
      for (size_t i = 0; i < t.data.size(); ++i)
        if (t.data.size() != node.concrete.front().data.size() ||
            (t.data[i] == 0) != (node.concrete.front().data[i] == 0))
          return false;
    return true;
  }

  void reshapeOrMove() {
    Location loc = builder.getUnknownLoc();
    Node data = any();
    int64_t rank = data.rank();
    UnrankedTensorType kept = type(data.isBool);
    switch (pick(6)) {
    case 0: {
      Node shape = ofRank(1);
      return add(onnx::ReshapeOp::create(builder, loc, kept, data.value, shape.value), data.isBool,
                 [&](size_t past) -> MaybeTensor {
                   const Tensor &wanted = shape.concrete[past];
                   if (wanted.dims.size() != 1 || !sameZeros(shape))
                     return std::nullopt;
                   return pi::test::reshape(data.concrete[past], wanted.data);
                 });
    }
    case 1: {
      int64_t axis = pick(rank + 1);
      return add(onnx::UnsqueezeOp::create(builder, loc, kept, data.value, vector({axis})),
                 data.isBool, [&](size_t past) {
                   Tensor t = data.concrete[past];
                   t.dims.insert(t.dims.begin() + axis, 1);
                   return t;
                 });
    }
    case 2:
      return add(onnx::SqueezeOp::create(builder, loc, kept, data.value, Value()), data.isBool,
                 [&](size_t past) {
                   Tensor t = data.concrete[past];
                   llvm::erase(t.dims, 1);
                   return t;
                 });
    case 3: {
      SmallVector<int64_t> perm = llvm::to_vector(llvm::seq<int64_t>(0, rank));
      std::shuffle(perm.begin(), perm.end(), random);
      return add(onnx::TransposeOp::create(builder, loc, kept, data.value,
                                           builder.getDenseI64ArrayAttr(perm)),
                 data.isBool, [&](size_t past) {
                   return pi::test::transpose(data.concrete[past], Dims(perm.begin(), perm.end()));
                 });
    }
    case 4: {
      Node shape = ofRank(1);
      return add(onnx::ExpandOp::create(builder, loc, kept, data.value, shape.value), data.isBool,
                 [&](size_t past) -> MaybeTensor {
                   const Tensor &wanted = shape.concrete[past];
                   if (wanted.dims.size() != 1)
                     return std::nullopt;
                   return pi::test::expand(data.concrete[past], wanted.data);
                 });
    }
    default:
      return dimensions(data);
    }
  }

  void dimensions(const Node &data) {
    Location loc = builder.getUnknownLoc();
    if (pick(2))
      return add(onnx::ShapeOp::create(builder, loc, type(false), data.value), false,
                 [&](size_t past) {
                   const Dims &dims = data.concrete[past].dims;
                   return Tensor{{static_cast<int64_t>(dims.size())}, dims};
                 });
    add(onnx::SizeOp::create(builder, loc, type(false), data.value), false,
        [&](size_t past) { return Tensor{{}, {pi::test::countOf(data.concrete[past].dims)}}; });
  }

  void index() {
    Location loc = builder.getUnknownLoc();
    Node data = any([](const Node &n) { return n.rank() > 0; });
    if (data.rank() == 0)
      return;
    int64_t axis = pick(data.rank());
    UnrankedTensorType kept = type(data.isBool);
    switch (pick(4)) {
    case 0: {
      Node start = ofRank(1), end = ofRank(1);
      int64_t step = pick(4) ? 1 : 2;
      return add(onnx::SliceOp::create(builder, loc, kept, data.value, start.value, end.value,
                                       vector({axis}), vector({step})),
                 data.isBool, [&](size_t past) -> MaybeTensor {
                   const Tensor &from = start.concrete[past], &to = end.concrete[past];
                   if (from.data.size() != 1 || to.data.size() != 1)
                     return std::nullopt;
                   return pi::test::slice(data.concrete[past], from.data[0], to.data[0], axis,
                                          step);
                 });
    }
    case 1: {
      Node which = any([](const Node &n) { return !n.isBool; });
      return add(onnx::GatherOp::create(builder, loc, kept, data.value, which.value, axis),
                 data.isBool, [&](size_t past) {
                   return pi::test::gather(data.concrete[past], which.concrete[past], axis);
                 });
    }
    case 2: {
      auto scalar = DenseElementsAttr::get(RankedTensorType::get({}, builder.getI64Type()), axis);
      Value along = evaluated(onnx::ConstantOp::create(builder, loc, scalar));
      bool exclusive = pick(2), reverse = pick(2);
      if (data.isBool)
        return;
      return add(onnx::CumSumOp::create(builder, loc, kept, data.value, along, exclusive, reverse),
                 false, [&](size_t past) {
                   return pi::test::cumSum(data.concrete[past], axis, exclusive, reverse);
                 });
    }
    default: {
      int64_t diagonal = pick(5) - 2;
      bool upper = pick(2);
      auto scalar =
          DenseElementsAttr::get(RankedTensorType::get({}, builder.getI64Type()), diagonal);
      Value k = evaluated(onnx::ConstantOp::create(builder, loc, scalar));
      return add(
          onnx::TriluOp::create(builder, loc, kept, data.value, k, upper), data.isBool,
          [&](size_t past) { return pi::test::trilu(data.concrete[past], diagonal, upper); });
    }
    }
  }

  void select() {
    Location loc = builder.getUnknownLoc();
    Node a = any([](const Node &n) { return !n.isBool; });
    Node b = any([&](const Node &n) { return !n.isBool && n.rank() == a.rank(); });
    if (b.rank() != a.rank())
      return;
    switch (pick(4)) {
    case 0: {
      Node condition = any([](const Node &n) { return n.isBool; });
      if (!condition.isBool)
        return;
      return add(
          onnx::WhereOp::create(builder, loc, type(false), condition.value, a.value, b.value),
          false, [&](size_t past) {
            return pi::test::where(condition.concrete[past], a.concrete[past], b.concrete[past]);
          });
    }
    case 1:
      return add(onnx::CastOp::create(builder, loc, type(true), a.value), true, [&](size_t past) {
        Tensor t = a.concrete[past];
        for (int64_t &v : t.data)
          v = v != 0;
        return t;
      });
    case 2: {
      Node flag = any([](const Node &n) { return n.isBool; });
      if (!flag.isBool)
        return;
      return add(onnx::NotOp::create(builder, loc, type(true), flag.value), true, [&](size_t past) {
        Tensor t = flag.concrete[past];
        for (int64_t &v : t.data)
          v = !v;
        return t;
      });
    }
    default: {
      if (a.rank() == 0)
        return;
      int64_t axis = pick(a.rank());
      return add(
          onnx::ConcatOp::create(builder, loc, type(false), ValueRange{a.value, b.value}, axis),
          false,
          [&](size_t past) { return pi::test::concat(a.concrete[past], b.concrete[past], axis); });
    }
    }
  }

  std::mt19937 random;
  MLIRContext context;
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
  ShapeValues values;
  std::vector<Node> nodes;
};

TEST(Soundness, RandomIntegerGraphs) {
  int64_t known = 0, total = 0;
  for (unsigned seed = 0; seed < 60 && !HasFailure(); ++seed) {
    RandomGraph graph(seed);
    for (int i = 0; i < 400 && !HasFailure(); ++i)
      graph.step();
    known += graph.known;
    total += graph.total;
  }
  // An analysis that knows nothing is sound, too.
  EXPECT_GT(total, 5000);
  EXPECT_GT(known * 2, total);
}

} // namespace
