//===- ModelFacts.cpp - What the manifest says about the model ------------===//

#include "runtime/main/ModelFacts.h"

#include "runtime/core/Status.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace pi {

using json = nlohmann::ordered_json;

static json parse(std::string_view text) {
  return json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
}

/// Reads a token id; false if `value` is none.
static bool readId(const json &value, int32_t &out) {
  if (!value.is_number_unsigned() ||
      value.get<uint64_t>() > uint64_t(std::numeric_limits<int32_t>::max()))
    return false;
  out = static_cast<int32_t>(value.get<uint64_t>());
  return true;
}

int32_t readModelFacts(std::string_view info, ModelFacts &out, std::string &detail) {
  json document = parse(info);
  if (!document.is_object())
    return fail(PI_ERROR_INFO, detail, "it is no JSON object");
  out = ModelFacts();
  auto member = [&](const char *name) {
    auto found = document.find(name);
    return found == document.end() || found->is_null() ? nullptr : &*found;
  };
  if (const json *bos = member("bos"))
    if (!readId(*bos, out.bos) && *bos != -1)
      return fail(PI_ERROR_INFO, detail, "bos is no token id");
  if (const json *eos = member("eos")) {
    json list = eos->is_array() ? *eos : json::array({*eos});
    for (const json &value : list) {
      int32_t id;
      if (!readId(value, id))
        return fail(PI_ERROR_INFO, detail, "eos is no list of token ids");
      out.eos.push_back(id);
    }
  }
  auto text = [&](const char *name) {
    const json *value = member(name);
    return value && value->is_string() ? value->get<std::string>() : std::string();
  };
  out.compiler = text("compiler");
  out.cpu = text("cpu");
  out.gpuArch = text("gpu_arch");
  out.codeChecksum = text("code_checksum");
  if (const json *bytes = member("code_bytes"); bytes && bytes->is_number_unsigned())
    out.codeBytes = bytes->get<uint64_t>();
  return PI_OK;
}

/// A number, string or boolean; lists and objects of them shortened.
static std::string describeValue(const json &value) {
  constexpr size_t maxShown = 16;
  if (value.is_string())
    return value.get<std::string>();
  if (!value.is_structured())
    return value.is_null() ? "none" : value.dump();
  std::string text;
  size_t shown = 0;
  for (const auto &item : value.items()) {
    if (item.value().is_structured() || shown++ == maxShown)
      return std::to_string(value.size()) + " entries (--json shows them)";
    text += text.empty() ? "" : ", ";
    if (value.is_object())
      text += item.key() + " ";
    text += describeValue(item.value());
  }
  return text.empty() ? "none" : text;
}

std::string describeModel(std::string_view info) {
  constexpr size_t column = 14;
  std::string text;
  json document = parse(info);
  for (const auto &item : document.items()) {
    std::string line = item.key() + ":";
    line.append(line.size() < column ? column - line.size() : 1, ' ');
    text += line + describeValue(item.value()) + "\n";
  }
  return text;
}

} // namespace pi
