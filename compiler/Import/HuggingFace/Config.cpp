//===- Config.cpp - What config.json of a Hugging Face directory says -===//

#include "compiler/Import/HuggingFace/Config.h"

#include "compiler/Import/JsonFile.h"
#include "compiler/Import/Locations.h"
#include "llvm/Support/Path.h"

#include <cmath>

using namespace mlir;
using namespace pi;

static constexpr uint64_t kMaxConfigBytes = 16 << 20;

FailureOr<Config> Config::read(MLIRContext *context, StringRef directory) {
  SmallString<256> path(directory);
  llvm::sys::path::append(path, "config.json");
  auto object = readJsonFile(context, path, kMaxConfigBytes);
  if (failed(object))
    return failure();
  if (!*object)
    return emitError(fileLocation(context, directory))
           << "holds no config.json, which says what model it is";
  Config config;
  config.context = context;
  config.path = path.str().str();
  config.object = std::move(**object);
  return config;
}

InFlightDiagnostic Config::fail() {
  good = false;
  return emitError(fileLocation(context, path));
}

const llvm::json::Value *Config::findIn(const llvm::json::Object &object, Keys keys) {
  for (StringRef key : keys)
    if (const llvm::json::Value *value = object.get(key);
        value && value->kind() != llvm::json::Value::Null)
      return value;
  return nullptr;
}

int64_t Config::getSize(Keys keys, std::optional<int64_t> otherwise, int64_t max) {
  const llvm::json::Value *value = find(keys);
  if (!value && otherwise)
    return *otherwise;
  std::optional<int64_t> size = value ? value->getAsInteger() : std::nullopt;
  if (size && *size >= 1 && *size <= max)
    return *size;
  if (value)
    fail() << *keys.begin() << " must be a whole number from 1 to " << max;
  else
    fail() << "has no " << *keys.begin();
  return otherwise.value_or(1);
}

double Config::getPositive(Keys keys, double otherwise) {
  const llvm::json::Value *value = find(keys);
  std::optional<double> number = value ? value->getAsNumber() : otherwise;
  if (number && std::isfinite(*number) && *number > 0)
    return *number;
  fail() << *keys.begin() << " must be a number above 0";
  return otherwise;
}

bool Config::getBool(Keys keys, bool otherwise) {
  const llvm::json::Value *value = find(keys);
  std::optional<bool> flag = value ? value->getAsBoolean() : otherwise;
  if (!flag)
    fail() << *keys.begin() << " must be true or false";
  return flag.value_or(otherwise);
}

std::string Config::getString(Keys keys, StringRef otherwise) {
  const llvm::json::Value *value = find(keys);
  std::optional<StringRef> text = value ? value->getAsString() : otherwise;
  if (!text)
    fail() << *keys.begin() << " must be a text";
  return text.value_or(otherwise).str();
}

void Config::requireBool(StringRef key, bool otherwise, bool needed, StringRef why) {
  if (getBool({key}, otherwise) != needed)
    fail() << key << " = " << (needed ? "false" : "true") << " is not supported: " << why;
}

void Config::requireRelu(StringRef otherwise) {
  std::string name = getString({"hidden_act", "activation_function", "activation"}, otherwise);
  if (name == "relu")
    return;
  fail().append("the activation is ", name, ", expected relu").attachNote()
      << "this model is not ReLU-fied: its neurons are never exactly zero";
}

//===----------------------------------------------------------------------===//
// Rotary frequencies
//===----------------------------------------------------------------------===//

double Config::getRotary(const llvm::json::Object &parameters, StringRef key) {
  const llvm::json::Value *value = findIn(parameters, {key});
  std::optional<double> number = value ? value->getAsNumber() : std::nullopt;
  if (number && std::isfinite(*number) && *number > 0)
    return *number;
  fail() << "the rotary parameter " << key << " must be a number above 0";
  return 1;
}

/// Llama 3.1: long wavelengths are stretched by `factor`, those in between in part.
static float scaleLlama3(float frequency, float factor, float low, float high, float positions) {
  float wavelength = 2 * static_cast<float>(M_PI) / frequency;
  if (wavelength < positions / high)
    return frequency;
  if (wavelength > positions / low)
    return frequency / factor;
  float smooth = (positions / wavelength - low) / (high - low);
  return (1 - smooth) * frequency / factor + smooth * frequency;
}

std::vector<float> Config::getRotaryFrequencies(int64_t headDim) {
  const llvm::json::Value *given = find({"rope_parameters", "rope_scaling"});
  const llvm::json::Object *parameters = given ? given->getAsObject() : nullptr;
  static const llvm::json::Object none;
  if (given && !parameters)
    fail() << "rope_parameters must be an object";
  if (!parameters)
    parameters = &none;
  bool inside = findIn(*parameters, {"rope_theta"}) != nullptr;
  auto theta = static_cast<float>(inside ? getRotary(*parameters, "rope_theta")
                                         : getPositive({"rope_theta"}, 10000.0));
  const llvm::json::Value *typeValue = findIn(*parameters, {"rope_type", "type"});
  StringRef type = typeValue ? typeValue->getAsString().value_or("") : "default";
  std::vector<float> frequencies;
  for (int64_t i = 0; i + 1 < headDim; i += 2)
    frequencies.push_back(1.0f /
                          std::pow(theta, static_cast<float>(i) / static_cast<float>(headDim)));
  const llvm::json::Value *part = findIn(*parameters, {"partial_rotary_factor"});
  part = part ? part : find({"partial_rotary_factor"});
  if (part && part->getAsNumber() != 1.0)
    fail() << "rotary embeddings of a part of each head (partial_rotary_factor) are not supported";
  if (type == "linear") {
    auto factor = static_cast<float>(getRotary(*parameters, "factor"));
    for (float &f : frequencies)
      f /= factor;
  } else if (type == "llama3") {
    auto factor = static_cast<float>(getRotary(*parameters, "factor"));
    auto low = static_cast<float>(getRotary(*parameters, "low_freq_factor"));
    auto high = static_cast<float>(getRotary(*parameters, "high_freq_factor"));
    auto positions = static_cast<float>(getRotary(*parameters, "original_max_position_embeddings"));
    for (float &f : frequencies)
      f = scaleLlama3(f, factor, low, high, positions);
  } else if (type != "default") {
    fail() << "rotary embeddings of type '" << type
           << "' are not supported; known are default, linear and llama3";
  }
  return frequencies;
}
