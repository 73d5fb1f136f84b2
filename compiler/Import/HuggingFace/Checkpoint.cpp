//===- Checkpoint.cpp - The tensors of a Hugging Face directory -===//

#include "compiler/Import/HuggingFace/Checkpoint.h"

#include "compiler/Import/ExternalData.h"
#include "compiler/Import/HuggingFace/SafeTensors.h"
#include "compiler/Import/JsonFile.h"
#include "compiler/Import/Locations.h"
#include "compiler/Import/MappedFile.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <map>

using namespace mlir;
using namespace pi;

static constexpr uint64_t kMaxIndexBytes = 32 << 20; // 100,000 tensors and more
static constexpr StringRef kSingleFile = "model.safetensors";
static constexpr StringRef kIndexFile = "model.safetensors.index.json";
/// Errors of one kind before the rest is only counted.
static constexpr unsigned kMaxErrors = 20;

static std::string inDirectory(StringRef directory, StringRef name) {
  SmallString<256> path(directory);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

static std::string shapeText(ArrayRef<int64_t> shape) {
  std::string text = "[";
  for (int64_t size : shape)
    text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  return text + "]";
}

/// Null for what no weight may be.
static Type elementType(MLIRContext *context, StringRef dtype) {
  Builder builder(context);
  if (dtype == "F16")
    return builder.getF16Type();
  if (dtype == "BF16")
    return builder.getBF16Type();
  return dtype == "F32" ? builder.getF32Type() : Type();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// The error for a directory without safetensors; says what to do with what it holds.
static LogicalResult refuseDirectory(MLIRContext *context, StringRef directory) {
  std::string pickle, other, graph;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(directory, error), end; it != end && !error;
       it.increment(error)) {
    StringRef name = llvm::sys::path::filename(it->path());
    StringRef extension = llvm::sys::path::extension(name);
    if (llvm::is_contained({".bin", ".pt", ".pth", ".ckpt", ".pkl"}, extension))
      pickle = std::max(pickle, name.str());
    else if (extension == ".safetensors" || extension == ".gguf")
      other = std::max(other, name.str());
    else if (extension == ".onnx")
      graph = std::max(graph, name.str());
  }
  InFlightDiagnostic diagnostic = emitError(fileLocation(context, directory));
  diagnostic << "holds no " << kSingleFile << " and no " << kIndexFile;
  if (!other.empty())
    diagnostic.attachNote() << "'" << other << "' has another name or format";
  if (!pickle.empty())
    diagnostic.attachNote()
        << "'" << pickle
        << "' is a pickle, which runs code when it is read, and is refused; convert "
           "it with transformers: from_pretrained(DIR), then "
           "save_pretrained(NEW, safe_serialization=True)";
  if (!graph.empty())
    diagnostic.attachNote() << "to compile the graph, name it: " << inDirectory(directory, graph);
  return failure();
}

/// Adds the tensors of one file; all, or those in `wanted`.
LogicalResult Checkpoint::readFile(StringRef name, const llvm::StringSet<> *wanted) {
  std::string shown = inDirectory(directory, name);
  onnxfile::ExternalFiles files(inDirectory(directory, "config.json"), "weight file");
  const onnxfile::ExternalFile &file = files.resolve(name);
  if (!file.error.empty())
    return emitError(fileLocation(context, directory)) << file.error;
  onnxfile::MappedFile mapped;
  if (std::string why = mapped.open(file.path); !why.empty())
    return emitError(fileLocation(context, shown)) << why;
  std::vector<safetensors::Tensor> found;
  safetensors::HeaderError error;
  if (!safetensors::readHeader(mapped.data(), mapped.getBytes(), found, error)) {
    Location loc = error.tensor.empty() ? fileLocation(context, shown)
                                        : nodeLocation(context, shown, error.tensor);
    return emitError(loc) << error.message;
  }
  for (safetensors::Tensor &tensor : found) {
    if (wanted && !wanted->contains(tensor.name))
      continue;
    Entry entry;
    entry.tensor = {file.path, elementType(context, tensor.dtype),
                    SmallVector<int64_t, 2>(tensor.shape.begin(), tensor.shape.end()),
                    tensor.offset, tensor.bytes};
    entry.dtype = std::move(tensor.dtype);
    tensors.try_emplace(tensor.name, std::move(entry));
  }
  return success();
}

/// A name in the directory itself.
static bool isPlainName(StringRef name) {
  return !name.empty() && name.find('/') == StringRef::npos && name != "." && name != "..";
}

LogicalResult Checkpoint::readShards(const std::string &indexPath) {
  auto index = readJsonFile(context, indexPath, kMaxIndexBytes);
  if (failed(index))
    return failure();
  Location loc = fileLocation(context, indexPath);
  const llvm::json::Object *map = *index ? (*index)->getObject("weight_map") : nullptr;
  if (!map)
    return emitError(loc) << "has no object 'weight_map'";
  std::map<std::string, llvm::StringSet<>> shards;
  for (const auto &[tensor, value] : *map) {
    std::optional<StringRef> file = value.getAsString();
    if (!file || !isPlainName(*file))
      return emitError(nodeLocation(context, indexPath, tensor.str()))
             << "must name a file of the directory";
    shards[file->str()].insert(StringRef(tensor));
  }
  for (auto &[file, wanted] : shards) {
    if (failed(readFile(file, &wanted)))
      return failure();
    for (const auto &name : wanted)
      if (!has(name.getKey()))
        return emitError(nodeLocation(context, inDirectory(directory, file), name.getKey()))
               << "is not in the file where " << kIndexFile << " has it";
  }
  return success();
}

FailureOr<Checkpoint> Checkpoint::open(MLIRContext *context, StringRef directory) {
  Checkpoint checkpoint;
  checkpoint.context = context;
  checkpoint.directory = directory.str();
  std::string indexPath = inDirectory(directory, kIndexFile);
  LogicalResult read = failure();
  if (llvm::sys::fs::exists(inDirectory(directory, kSingleFile)))
    read = checkpoint.readFile(kSingleFile, nullptr);
  else if (llvm::sys::fs::exists(indexPath))
    read = checkpoint.readShards(indexPath);
  else
    read = refuseDirectory(context, directory);
  if (failed(read))
    return failure();
  return checkpoint;
}

//===----------------------------------------------------------------------===//
// Use
//===----------------------------------------------------------------------===//

Location Checkpoint::locate(StringRef name) const {
  auto found = tensors.find(name);
  return nodeLocation(
      context, found == tensors.end() ? StringRef(directory) : StringRef(found->second.tensor.file),
      name);
}

InFlightDiagnostic Checkpoint::fail(StringRef name) {
  // One more than is shown: that one only says that there are others.
  if (++errors <= kMaxErrors)
    return emitError(locate(name));
  return InFlightDiagnostic();
}

const CheckpointTensor *Checkpoint::take(StringRef name, ArrayRef<int64_t> shape) {
  auto found = tensors.find(name);
  if (found == tensors.end()) {
    fail(name) << "is missing; config.json asks for such a tensor of shape " << shapeText(shape);
    return nullptr;
  }
  const Entry &entry = found->second;
  used.insert(name);
  if (ArrayRef(entry.tensor.shape) != shape) {
    fail(name) << "has the shape " << shapeText(entry.tensor.shape) << ", config.json asks for "
               << shapeText(shape);
    return nullptr;
  }
  if (!entry.tensor.type) {
    fail(name) << "has the type " << entry.dtype
               << "; weights must be F16, BF16 or F32: give the model before quantisation";
    return nullptr;
  }
  return &entry.tensor;
}

/// Buffers that old versions of transformers saved beside the weights.
static bool isBuffer(StringRef name) {
  return name.ends_with(".rotary_emb.inv_freq") || name.ends_with(".attn.bias") ||
         name.ends_with(".attn.masked_bias") || name.ends_with(".position_ids");
}

LogicalResult Checkpoint::finish() {
  SmallVector<StringRef> unknown;
  for (const auto &entry : tensors)
    if (!used.contains(entry.getKey()) && !isBuffer(entry.getKey()))
      unknown.push_back(entry.getKey());
  llvm::sort(unknown); // the table has no order
  if (errors == 0)     // else names may be unknown because of them
    for (StringRef name : unknown)
      fail(name) << "belongs to no block that config.json describes";
  if (errors > kMaxErrors)
    emitError(fileLocation(context, directory)) << "and " << errors - kMaxErrors << " more errors";
  return success(errors == 0);
}
