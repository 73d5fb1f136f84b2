//===- JsonFields.cpp - Typed reading of JSON objects ---------------------===//

#include "runtime/text/JsonFields.h"

#include "runtime/text/TokenizerJson.h"
#include "runtime/text/Unicode.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pi::text {

using json = nlohmann::json;

bool JsonField::failWith(std::string_view line) const {
  if (error->empty())
    *error = line;
  return false;
}

bool JsonField::fail(std::string_view message) const {
  std::string line = path.empty() ? "" : path + ": ";
  return failWith(line.append(message));
}

bool JsonField::failUnsupported(std::string_view what) const {
  return fail("unsupported " + quote(what));
}

// A key as part of a path: as it is, unless it would garble the message.
static std::string pathPart(const std::string &key) {
  bool isPlain = key.size() < 40;
  for (char c : key)
    isPlain &= c > ' ' && c <= '~';
  return isPlain ? key : quote(key);
}

JsonField JsonField::member(const std::string &key) const {
  const json *found = nullptr;
  if (value && value->is_object()) {
    auto it = value->find(key);
    if (it != value->end())
      found = &*it;
  }
  return {found, path.empty() ? pathPart(key) : path + "." + pathPart(key), *error};
}

bool JsonField::elements(std::vector<JsonField> &out) const {
  if (!value || !value->is_array())
    return fail("expected an array");
  size_t index = 0;
  for (const json &element : *value)
    out.emplace_back(&element, path + "[" + std::to_string(index++) + "]", *error);
  return true;
}

bool JsonField::requireObject() const {
  return (value && value->is_object()) || fail("expected an object");
}

const std::string *JsonField::stringOrNull() const {
  return value ? value->get_ptr<const json::string_t *>() : nullptr;
}

bool JsonField::read(std::string &out) const {
  const std::string *text = stringOrNull();
  if (!text)
    return fail("expected a string");
  out = *text;
  return true;
}

bool JsonField::readOptional(bool &out) const {
  if (!isSet())
    return true;
  const bool *flag = value->get_ptr<const json::boolean_t *>();
  if (!flag)
    return fail("expected true or false");
  out = *flag;
  return true;
}

bool JsonField::read(uint64_t &out, uint64_t limit) const {
  const uint64_t *number = value ? value->get_ptr<const json::number_unsigned_t *>() : nullptr;
  if (!number || *number > limit)
    return fail("expected an integer from 0 to " + std::to_string(limit));
  out = *number;
  return true;
}

bool JsonField::readCharacter(std::string &out) const {
  if (!read(out))
    return false;
  if (out.empty() || charAt(out, 0).lengthBytes != out.size())
    return fail("expected a string of one character");
  return true;
}

bool flattenSequence(const JsonField &field, const char *listKey, std::vector<JsonField> &out) {
  constexpr size_t kMaxStages = 32;
  if (!field.requireObject())
    return false;
  const std::string *type = field.member("type").stringOrNull();
  if (!type || *type != "Sequence") {
    if (out.size() == kMaxStages)
      return field.fail("more than 32 stages");
    out.push_back(field);
    return true;
  }
  std::vector<JsonField> list;
  if (!field.member(listKey).elements(list))
    return false;
  for (const JsonField &element : list)
    if (!flattenSequence(element, listKey, out))
      return false;
  return true;
}

} // namespace pi::text
