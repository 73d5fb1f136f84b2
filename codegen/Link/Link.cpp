//===- Link.cpp - The link phase: object + module -> one executable -===//

#include "codegen/Link/Link.h"

#include "absl/strings/str_cat.h"
#include "codegen/Link/Info.h"
#include "codegen/Link/Linker.h"
#include "codegen/Link/Packager.h"
#include "codegen/Link/TempFile.h"
#include "dialects/Neuron/IR/Neuron.h"
#include "dialects/Pi/IR/Pi.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <vector>

using namespace mlir;
using namespace pi;

static std::optional<pi_dtype> getDtype(Type type) {
  if (type.isF32())
    return PI_F32;
  if (type.isF16())
    return PI_F16;
  if (type.isBF16())
    return PI_BF16;
  return std::nullopt;
}

static SourceEncoding getEncoding(Encoding encoding) {
  switch (encoding) {
  case Encoding::Raw:
    return SourceEncoding::Raw;
  case Encoding::FloatData:
    return SourceEncoding::FloatData;
  case Encoding::Int32Data:
    return SourceEncoding::Int32Data;
  }
  llvm_unreachable("all encodings are handled");
}

static absl::StatusOr<WeightSpec> makeSpec(WeightOp op) {
  WeightSpec spec;
  SourceAttr source = op.getSource();
  spec.name = op.getSymName().str();
  spec.file = source.getFile().str();
  RankedTensorType stored = op.getTensorType();
  RankedTensorType type = source.getType();
  std::optional<pi_dtype> sourceType = getDtype(type.getElementType());
  if (!sourceType) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return absl::InvalidArgumentError(absl::StrCat(spec.file, ": weight '", spec.name, "' is a ",
                                                   text, "; only f32, f16 and bf16 are supported"));
  }
  spec.dtype = *getDtype(stored.getElementType()); // weight_c1
  spec.isVector = stored.getRank() == 1;
  spec.rows = stored.getDimSize(0);
  spec.cols = spec.isVector ? 1 : stored.getDimSize(1);
  spec.sourceOffset = source.getOffset();
  spec.sourceBytes = source.getBytes();
  spec.sourceType = *sourceType;
  spec.encoding = getEncoding(source.getEncoding());
  spec.sourceRows = type.getDimSize(0);
  spec.sourceCols = type.getRank() == 2 ? type.getDimSize(1) : 1;
  if (LayoutAttr layout = op.getLayoutAttr()) {
    spec.transpose = layout.getTranspose();
    ArrayRef<int64_t> rows = layout.getRows();
    for (size_t i = 0; i < rows.size(); i += 2)
      spec.ranges.push_back({rows[i], rows[i + 1]});
  }
  return spec;
}

/// All weights in the order of the module, which is the order of their indices.
static absl::StatusOr<std::vector<WeightSpec>> makeSpecs(ModuleOp module) {
  llvm::DenseMap<StringAttr, uint32_t> layers;
  for (neuron::GroupOp group : module.getOps<neuron::GroupOp>())
    if (ArrayAttr names = group.getWeightsAttr())
      for (auto name : names.getAsRange<FlatSymbolRefAttr>())
        layers[name.getAttr()] = group.getLayer();
  std::vector<WeightSpec> specs;
  for (WeightOp op : module.getOps<WeightOp>()) {
    absl::StatusOr<WeightSpec> spec = makeSpec(op);
    if (!spec.ok())
      return spec.status();
    if (auto layer = layers.find(op.getSymNameAttr()); layer != layers.end())
      spec->layer = layer->second;
    specs.push_back(*std::move(spec));
  }
  return specs;
}

/// Writes the object beside the output, where there is room and the right to write.
static absl::StatusOr<TempFile> writeObject(ArrayRef<char> object, const std::string &output) {
  absl::StatusOr<TempFile> file = TempFile::create(output, "-o", ".o");
  if (!file.ok())
    return file.status();
  if (absl::Status status = file->write({object.data(), object.size()}); !status.ok())
    return status;
  return file;
}

absl::Status pi::linkAndPackage(ModuleOp module, ArrayRef<char> object,
                                const LinkOptions &options) {
  FileSizeSignalGuard guard; // for the linker's own writes
  Package package;
  absl::StatusOr<std::string> info = buildInfo(module, options.compilerVersion, options.cpu);
  if (!info.ok())
    return info.status();
  absl::StatusOr<std::vector<WeightSpec>> specs = makeSpecs(module);
  if (!specs.ok())
    return specs.status();
  package.info = *std::move(info);
  package.weights = *std::move(specs);
  package.tokenizerPath =
      module->getAttrOfType<ModelAttr>("pi.model").getTokenizer().getValue().str();
  package.outputPath = options.output;
  package.progress = options.progress;

  absl::StatusOr<TempFile> objectFile = writeObject(object, options.output);
  if (!objectFile.ok())
    return objectFile.status();
  absl::StatusOr<TempFile> elf = TempFile::create(options.output, "-o", ".elf");
  if (!elf.ok())
    return elf.status();
  package.elfPath = elf->getTempPath();
  absl::Status linked =
      linkExecutable(objectFile->getTempPath(), options.runtimeArchive, options.sysroot,
                     package.elfPath, options.verbose ? &llvm::errs() : nullptr);
  if (absl::IsResourceExhausted(linked))
    return absl::ResourceExhaustedError(
        absl::StrCat("cannot write '", options.output, "' (-o): ", linked.message()));
  if (!linked.ok())
    return linked;
  return writePackage(package);
}
