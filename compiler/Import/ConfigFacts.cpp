//===- ConfigFacts.cpp - What config files say and a graph cannot -===//

#include "compiler/Import/ConfigFacts.h"

#include "compiler/Import/JsonFile.h"
#include "compiler/Import/Locations.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace pi;

static constexpr uint64_t kMaxConfigBytes = 16 << 20;
static constexpr uint64_t kMaxTokenizerBytes = 256 << 20;
static constexpr int64_t kMaxId = INT32_MAX; // token ids and positions

namespace {

/// One config file; `object` is empty where there is none.
struct Config {
  std::string path;
  std::optional<llvm::json::Object> object;
};

class FactsReader {
public:
  FactsReader(MLIRContext *context, StringRef modelPath, StringRef tokenizerPath)
      : context(context), modelPath(modelPath), tokenizerPath(tokenizerPath) {}

  FailureOr<ConfigFacts> read();

private:
  LogicalResult readIds(const Config &config, ConfigFacts &facts);
  LogicalResult readTexts(const Config &config, ConfigFacts &facts);
  LogicalResult readPositions(const Config &config, ConfigFacts &facts);
  FailureOr<Config> open(StringRef name);
  FailureOr<int64_t> findToken(StringRef text);
  InFlightDiagnostic fail(const Config &config) {
    return emitError(fileLocation(context, config.path));
  }

  MLIRContext *context;
  StringRef modelPath, tokenizerPath;
  std::optional<Config> tokenizer; // read when a token is known by its text only
  bool hasBos = false, hasEos = false;
};

} // namespace

FailureOr<Config> FactsReader::open(StringRef name) {
  for (StringRef neighbour : {modelPath, tokenizerPath}) {
    SmallString<256> path = llvm::sys::path::parent_path(neighbour);
    llvm::sys::path::append(path, name);
    if (!llvm::sys::fs::exists(path))
      continue;
    auto object = readJsonFile(context, path, kMaxConfigBytes);
    if (failed(object))
      return failure();
    return Config{path.str().str(), std::move(*object)};
  }
  return Config{name.str(), std::nullopt};
}

static bool isId(std::optional<int64_t> id) { return id && *id >= 0 && *id <= kMaxId; }

/// bos_token_id and eos_token_id of config.json or generation_config.json.
LogicalResult FactsReader::readIds(const Config &config, ConfigFacts &facts) {
  const llvm::json::Value *bos = config.object->get("bos_token_id");
  if (!hasBos && bos && bos->kind() != llvm::json::Value::Null) {
    if (!isId(bos->getAsInteger()))
      return fail(config) << "bos_token_id must be a token id";
    facts.bos = *bos->getAsInteger();
    hasBos = true;
  }
  const llvm::json::Value *eos = config.object->get("eos_token_id");
  if (hasEos || !eos || eos->kind() == llvm::json::Value::Null)
    return success();
  llvm::json::Array single{*eos};
  const llvm::json::Array *ids = eos->getAsArray();
  for (const llvm::json::Value &id : ids ? *ids : single) {
    if (!isId(id.getAsInteger()))
      return fail(config) << "eos_token_id must be a token id or a list of them";
    if (!llvm::is_contained(facts.eos, *id.getAsInteger()))
      facts.eos.push_back(*id.getAsInteger());
  }
  hasEos = true;
  return success();
}

/// The id of a token in tokenizer.json, -1 where it has none.
FailureOr<int64_t> FactsReader::findToken(StringRef text) {
  if (!tokenizer) {
    auto object = readJsonFile(context, tokenizerPath, kMaxTokenizerBytes);
    if (failed(object))
      return failure();
    tokenizer = Config{tokenizerPath.str(), std::move(*object)};
  }
  if (!tokenizer->object)
    return -1;
  if (const llvm::json::Array *added = tokenizer->object->getArray("added_tokens"))
    for (const llvm::json::Value &token : *added)
      if (const llvm::json::Object *object = token.getAsObject())
        if (object->getString("content") == text && isId(object->getInteger("id")))
          return *object->getInteger("id");
  if (const llvm::json::Object *model = tokenizer->object->getObject("model"))
    if (const llvm::json::Object *vocab = model->getObject("vocab"))
      if (std::optional<int64_t> id = vocab->getInteger(text); isId(id))
        return *id;
  return -1;
}

/// bos_token and eos_token: a text, or an object with one.
static std::optional<StringRef> tokenText(const llvm::json::Object &object, StringRef key) {
  if (std::optional<StringRef> text = object.getString(key))
    return text;
  if (const llvm::json::Object *token = object.getObject(key))
    return token->getString("content");
  return std::nullopt;
}

LogicalResult FactsReader::readTexts(const Config &config, ConfigFacts &facts) {
  std::optional<StringRef> bos = tokenText(*config.object, "bos_token");
  if (!hasBos && bos) {
    FailureOr<int64_t> id = findToken(*bos);
    if (failed(id))
      return failure();
    facts.bos = *id;
    hasBos = *id >= 0;
  }
  std::optional<StringRef> eos = tokenText(*config.object, "eos_token");
  if (!hasEos && eos) {
    FailureOr<int64_t> id = findToken(*eos);
    if (failed(id))
      return failure();
    if (*id >= 0)
      facts.eos.push_back(*id);
    hasEos = *id >= 0;
  }
  return success();
}

LogicalResult FactsReader::readPositions(const Config &config, ConfigFacts &facts) {
  constexpr std::pair<StringRef, StringRef> kSizes[] = {
      {"hidden_size", "hidden_size"},   {"n_embd", "hidden_size"},
      {"n_embed", "hidden_size"},       {"num_hidden_layers", "num_hidden_layers"},
      {"n_layer", "num_hidden_layers"}, {"vocab_size", "vocab_size"}};
  for (auto [key, name] : kSizes)
    if (std::optional<int64_t> size = config.object->getInteger(key))
      facts.sizes.try_emplace(name, *size);
  for (StringRef key : {"max_position_embeddings", "n_positions", "max_seq_len", "seq_length"}) {
    const llvm::json::Value *value = config.object->get(key);
    if (!value || value->kind() == llvm::json::Value::Null)
      continue;
    std::optional<int64_t> positions = value->getAsInteger();
    if (!positions || *positions < 1 || *positions > kMaxId)
      return fail(config) << key << " must be a number of positions";
    facts.positions = *positions;
    return success();
  }
  return success();
}

FailureOr<ConfigFacts> FactsReader::read() {
  ConfigFacts facts;
  for (StringRef name : {"generation_config.json", "config.json", "tokenizer_config.json",
                         "special_tokens_map.json"}) {
    FailureOr<Config> config = open(name);
    if (failed(config))
      return failure();
    if (!config->object)
      continue;
    facts.files.push_back(config->path);
    if (name.ends_with("tokenizer_config.json") || name == "special_tokens_map.json") {
      if (failed(readTexts(*config, facts)))
        return failure();
    } else if (failed(readIds(*config, facts))) {
      return failure();
    }
    if (name == "config.json" && failed(readPositions(*config, facts)))
      return failure();
  }
  return facts;
}

FailureOr<ConfigFacts> pi::readConfigFacts(MLIRContext *context, StringRef modelPath,
                                           StringRef tokenizerPath) {
  return FactsReader(context, modelPath, tokenizerPath).read();
}
