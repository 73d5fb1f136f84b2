//===- Pi.cpp - The pi dialect -===//

#include "dialects/Pi/IR/Pi.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pi;

#include "dialects/Pi/IR/PiEnums.cpp.inc"
#include "dialects/Pi/IR/PiOpsDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/Pi/IR/PiOpsAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/Pi/IR/PiOps.cpp.inc"

void PiDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Pi/IR/PiOpsAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Pi/IR/PiOps.cpp.inc"
      >();
}

LogicalResult SourceAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringAttr,
                                 uint64_t offset, uint64_t bytes, RankedTensorType type,
                                 Encoding encoding) {
  if (!type.hasStaticShape())
    return emitError() << "source type must have a static shape, got " << type;
  Type element = type.getElementType();
  if (!element.isIntOrFloat())
    return emitError() << "source element type must be a number, got " << element;
  uint64_t elements = 1;
  for (int64_t size : type.getShape())
    if (size != 0 && __builtin_mul_overflow(elements, static_cast<uint64_t>(size), &elements))
      return emitError() << "source type has too many elements: " << type;
  if (elements > (uint64_t(1) << 48))
    return emitError() << "source type has too many elements: " << type;
  if (offset + bytes < offset)
    return emitError() << "source range overflows";
  if (encoding != Encoding::Raw)
    return success();
  uint64_t expected = type.getNumElements() * llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  if (bytes != expected)
    return emitError() << "raw source of " << type << " takes " << expected << " bytes, got "
                       << bytes;
  return success();
}

LogicalResult LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError, bool,
                                 ArrayRef<int64_t> rows, FlatSymbolRefAttr,
                                 ArrayRef<int64_t> part) {
  if (!part.empty() && (part.size() != 2 || part[0] < 0 || part[1] <= part[0]))
    return emitError() << "part must be [first, last) with 0 <= first < last";
  if (rows.size() % 2 != 0)
    return emitError() << "rows must be (first, count) pairs";
  for (size_t i = 0; i < rows.size(); i += 2)
    if (rows[i] < 0 || rows[i + 1] <= 0)
      return emitError() << "row range (" << rows[i] << ", " << rows[i + 1]
                         << ") needs first >= 0 and count >= 1";
  return success();
}

int64_t LayoutAttr::getNumRows() const {
  if (getRows().empty())
    return -1;
  int64_t count = 0;
  for (size_t i = 1; i < getRows().size(); i += 2)
    count += getRows()[i];
  return count;
}

LogicalResult ShapeAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t layers,
                                int64_t hidden, int64_t intermediate, int64_t heads,
                                int64_t kvHeads, int64_t vocab, Type) {
  if (std::min({layers, hidden, intermediate, heads, kvHeads, vocab}) < 1)
    return emitError() << "sizes of a model must be at least 1";
  return success();
}

LogicalResult ModelAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringAttr,
                                int64_t positions, int64_t capacity, int64_t bos,
                                DenseI64ArrayAttr eos, StringAttr, bool) {
  auto isIn = [](int64_t value, int64_t least) { return value >= least && value <= INT32_MAX; };
  if (!isIn(positions, 0) || !isIn(capacity, 1) || !isIn(bos, -1) ||
      !llvm::all_of(eos.asArrayRef(), [&](int64_t id) { return isIn(id, 0); }))
    return emitError() << "positions must be at least 0, capacity at least 1, bos at least -1 and "
                          "eos at least 0, all below 2^31";
  return success();
}

LogicalResult PlacementAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringAttr,
                                    int64_t budget, int64_t scratch, int64_t weights,
                                    int64_t caches, Place, DenseI64ArrayAttr attention,
                                    DenseI64ArrayAttr hotRows, DenseF64ArrayAttr coverage,
                                    DenseF64ArrayAttr cpuUs, DenseF64ArrayAttr gpuUs,
                                    DenseI64ArrayAttr bytes, FloatAttr headUs, FloatAttr crossingUs,
                                    FloatAttr totalUs, FloatAttr boundUs, FloatAttr moreUs, bool) {
  int64_t layers = attention.size();
  for (int64_t size : {hotRows.size(), coverage.size(), cpuUs.size(), gpuUs.size(), bytes.size()})
    if (size != layers)
      return emitError() << "lists of a placement must have an entry per layer";
  bool isNegative = std::min({budget, scratch, weights, caches}) < 0;
  for (FloatAttr time : {headUs, crossingUs, totalUs, boundUs, moreUs})
    isNegative |= time.getValue().isNegative();
  if (isNegative)
    return emitError() << "bytes and times of a placement must not be negative";
  return success();
}

LogicalResult WeightOp::verify() {
  RankedTensorType type = getTensorType();
  Type element = type.getElementType();
  if (!type.hasStaticShape() || type.getRank() < 1 || type.getRank() > 2 ||
      !(element.isF32() || element.isF16() || element.isBF16()))
    return emitOpError("must be a static vector or matrix of f32, f16 or bf16, got ") << type;

  RankedTensorType source = getSource().getType();
  SmallVector<int64_t> shape(source.getShape());
  LayoutAttr layout = getLayoutAttr();
  if (layout && layout.getTranspose()) {
    if (shape.size() != 2)
      return emitOpError("transpose needs a source of rank 2, got ") << source;
    std::swap(shape[0], shape[1]);
  }
  if (layout && !layout.getRows().empty()) {
    if (shape.empty())
      return emitOpError("row ranges need a source of rank 1 or 2, got ") << source;
    ArrayRef<int64_t> rows = layout.getRows();
    for (size_t i = 0; i < rows.size(); i += 2)
      if (rows[i] > shape[0] || rows[i + 1] > shape[0] - rows[i])
        return emitOpError("row range (") << rows[i] << ", " << rows[i + 1]
                                          << ") lies outside the source's " << shape[0] << " rows";
    shape[0] = layout.getNumRows();
  }
  if (layout && !layout.getPart().empty()) {
    ArrayRef<int64_t> part = layout.getPart();
    if (shape.empty() || part[1] > shape[0])
      return emitOpError("part [") << part[0] << ", " << part[1] << "] lies outside the rows";
    shape[0] = part[1] - part[0];
  }
  if (ArrayRef<int64_t>(shape) != type.getShape())
    return emitOpError("type ") << type << " differs from the source's shape after layout, "
                                << RankedTensorType::get(shape, source.getElementType());
  return success();
}

LogicalResult WeightOp::verifySymbolUses(SymbolTableCollection &symbols) {
  LayoutAttr layout = getLayoutAttr();
  if (!layout || !layout.getOrder())
    return success();
  auto order = symbols.lookupNearestSymbolFrom<OrderOp>(*this, layout.getOrder());
  if (!order)
    return emitOpError("names no pi.order: ") << layout.getOrder();
  ArrayRef<int64_t> source = getSource().getType().getShape();
  int64_t rows = layout.getNumRows();
  if (rows < 0)
    rows = source[layout.getTranspose() ? 1 : 0];
  if (order.getRows().getNumElements() != rows)
    return emitOpError() << "has " << rows << " rows, its order " << layout.getOrder() << " has "
                         << order.getRows().getNumElements();
  return success();
}

SmallVector<int32_t> OrderOp::getOrder() {
  if (auto resource = dyn_cast<DenseI32ResourceElementsAttr>(getRows()))
    return SmallVector<int32_t>(*resource.tryGetAsArrayRef());
  return llvm::to_vector(cast<DenseIntElementsAttr>(getRows()).getValues<int32_t>());
}

LogicalResult OrderOp::verify() {
  ElementsAttr rows = getRows();
  auto resource = dyn_cast<DenseI32ResourceElementsAttr>(rows);
  bool isKnown =
      resource ? resource.tryGetAsArrayRef().has_value() : isa<DenseIntElementsAttr>(rows);
  if (!rows.getElementType().isInteger(32) || rows.getShapedType().getRank() != 1 || !isKnown)
    return emitOpError("must be a vector of i32, got ") << rows.getShapedType();
  SmallVector<int32_t> order = getOrder();
  llvm::BitVector seen(order.size());
  for (int32_t row : order) {
    if (row < 0 || static_cast<size_t>(row) >= order.size() || seen[row])
      return emitOpError() << "has row " << row << " twice, or outside its " << order.size()
                           << " rows";
    seen.set(row);
  }
  return success();
}

LogicalResult BundleOp::verify() {
  if (getParts().size() < 2)
    return emitOpError("needs at least two parts");
  if (getTensorType().getRank() != 2 || !getTensorType().hasStaticShape())
    return emitOpError("must be a static matrix, got ") << getType();
  return success();
}

LogicalResult BundleOp::verifySymbolUses(SymbolTableCollection &symbols) {
  RankedTensorType type = getTensorType();
  int64_t columns = 0;
  for (auto name : getParts().getAsRange<FlatSymbolRefAttr>()) {
    auto part = symbols.lookupNearestSymbolFrom<WeightOp>(*this, name);
    if (!part)
      return emitOpError("names no pi.weight: ") << name;
    RankedTensorType partType = part.getTensorType();
    if (partType.getRank() != 2 || partType.getDimSize(0) != type.getDimSize(0) ||
        partType.getElementType() != type.getElementType())
      return emitOpError() << "part " << name << " of type " << partType
                           << " differs from the bundle's " << type;
    columns += partType.getDimSize(1);
  }
  if (columns != type.getDimSize(1))
    return emitOpError() << "has " << type.getDimSize(1) << " columns, its parts have " << columns;
  return success();
}

//===----------------------------------------------------------------------===//
// Assembly format
//===----------------------------------------------------------------------===//

void pi::printF32List(OpAsmPrinter &printer, Operation *, DenseF32ArrayAttr values) {
  printer << '[';
  llvm::interleaveComma(values.asArrayRef(), printer,
                        [&](float value) { printer.printFloat(APFloat(value)); });
  printer << ']';
}

ParseResult pi::parseF32List(OpAsmParser &parser, DenseF32ArrayAttr &values) {
  SmallVector<float> list;
  auto parseOne = [&]() -> ParseResult {
    double value = 0;
    if (parser.parseFloat(value))
      return failure();
    list.push_back(static_cast<float>(value));
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, parseOne))
    return failure();
  values = parser.getBuilder().getDenseF32ArrayAttr(list);
  return success();
}
