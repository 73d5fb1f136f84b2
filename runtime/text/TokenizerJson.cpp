//===- TokenizerJson.cpp - Reading the bytes of a tokenizer.json ----------===//
// An event handler for nlohmann::json's parser, which does not recurse.
//===----------------------------------------------------------------------===//

#include "runtime/text/TokenizerJson.h"

#include "runtime/text/Unicode.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pi::text {

using json = nlohmann::json;

// Offsets into the text are 32 bits wide.
static constexpr size_t kMaxFileBytes = size_t(1) << 30;
// Open containers; real files need about eight.
static constexpr size_t kMaxDepth = 64;

std::string quote(std::string_view text) {
  constexpr size_t kMaxBytes = 60;
  std::string out = "'";
  for (size_t offset = 0; offset < text.size();) {
    Utf8Step step = utf8Step(text.substr(offset));
    if (out.size() + step.lengthBytes > kMaxBytes) {
      out += "...";
      break;
    }
    bool printable = step.kind == Utf8Step::Valid && step.code >= 0x20 &&
                     (step.code < 0x7F || step.code > 0x9F) && step.code != 0x2028 &&
                     step.code != 0x2029;
    if (printable)
      out.append(text.substr(offset, step.lengthBytes));
    else
      out += '?';
    offset += step.lengthBytes;
  }
  return out + "'";
}

namespace {

class Handler {
public:
  explicit Handler(TokenizerJson &out) : out(out) {}

  bool null() { return value(json(nullptr)); }
  bool boolean(bool flag) { return value(json(flag)); }
  bool number_integer(int64_t number) { return value(json(number)); }
  bool number_float(double number, const std::string &) { return value(json(number)); }
  bool binary(json::binary_t &) { return false; }
  bool number_unsigned(uint64_t number) {
    if (table != Table::Vocab || depth != tableDepth)
      return value(json(number));
    out.vocab.push_back({currentKey, number});
    return true;
  }
  bool string(std::string &text) {
    if (table == Table::Merges && depth == tableDepth)
      return legacyMerge(text);
    if (table == Table::Merges && depth == tableDepth + 1) {
      if (pairCount < 2)
        pairTexts[pairCount] = store(text);
      ++pairCount;
      return true;
    }
    return value(json(std::move(text)));
  }
  bool key(std::string &text) {
    if (table == Table::None)
      openKeys.back() = std::move(text);
    else if (table == Table::Vocab && depth == tableDepth)
      currentKey = store(text);
    return true;
  }
  bool start_object(size_t) { return open(json::value_t::object); }
  bool start_array(size_t) { return open(json::value_t::array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  template <class Exception>
  bool parse_error(size_t position, const std::string &, const Exception &) {
    errorOffsetBytes = position;
    return false;
  }

  size_t errorOffsetBytes = 0;
  bool tooDeep = false;

private:
  // Which of the big tables is being read.
  enum class Table : uint8_t { None, Vocab, Merges, Ignored };

  TokenizerJson::Text store(std::string_view text) {
    auto offset = static_cast<uint32_t>(out.textBlock.size());
    out.textBlock.append(text);
    return {offset, static_cast<uint32_t>(text.size())};
  }

  void tableError(std::string message) {
    if (out.tableError.empty())
      out.tableError = std::move(message);
  }

  std::string mergePath() const {
    return "model.merges[" + std::to_string(out.merges.size()) + "]: ";
  }

  // A value that is no container and has no place in a table.
  bool value(json &&item) {
    switch (table) {
    case Table::None:
      place(std::move(item));
      break;
    case Table::Vocab:
      if (depth == tableDepth)
        tableError("model.vocab: " + quote(out.view(currentKey)) +
                   ": expected an id, a number >= 0");
      break;
    case Table::Merges:
      tableError(mergePath() + "expected 'a b' or ['a', 'b']");
      break;
    case Table::Ignored:
      break;
    }
    return true;
  }

  bool legacyMerge(std::string_view text) {
    // The first line of a merges.txt that was copied along.
    if (text.substr(0, 8) == "#version")
      return true;
    size_t space = text.find(' ');
    if (space == std::string_view::npos || text.find(' ', space + 1) != std::string_view::npos) {
      tableError(mergePath() + "expected two tokens and one space, found " + quote(text));
      return true;
    }
    TokenizerJson::Text left = store(text.substr(0, space));
    out.merges.push_back({left, store(text.substr(space + 1))});
    return true;
  }

  // Puts `item` into the innermost open container; returns where it lies.
  json *place(json &&item) {
    if (openNodes.empty()) {
      out.document = std::move(item);
      return &out.document;
    }
    json &parent = *openNodes.back();
    if (parent.is_array()) {
      auto &array = *parent.get_ptr<json::array_t *>();
      array.push_back(std::move(item));
      return &array.back();
    }
    auto &object = *parent.get_ptr<json::object_t *>();
    json &member = object[openKeys.back()];
    member = std::move(item);
    return &member;
  }

  // At `model.<key>`, just before the value.
  bool atModelKey(std::string_view key) const {
    return depth == 2 && openNodes[1]->is_object() && openKeys[0] == "model" && openKeys[1] == key;
  }

  bool open(json::value_t type) {
    if (depth == kMaxDepth) {
      tooDeep = true;
      return false;
    }
    if (table == Table::None) {
      bool isArray = type == json::value_t::array;
      if (atModelKey("vocab")) {
        table = isArray ? Table::Ignored : Table::Vocab;
        out.hasVocab = !isArray;
      } else if (atModelKey("merges")) {
        table = isArray ? Table::Merges : Table::Ignored;
        out.hasMerges = isArray;
      } else {
        openNodes.push_back(place(json(type)));
        openKeys.emplace_back();
        ++depth;
        return true;
      }
      tableDepth = ++depth;
      return true;
    }
    bool isPair = table == Table::Merges && depth == tableDepth && type == json::value_t::array;
    if (!isPair && table != Table::Ignored)
      value(json());
    ++depth;
    pairCount = 0;
    return true;
  }

  bool close() {
    --depth;
    if (table == Table::None) {
      openNodes.pop_back();
      openKeys.pop_back();
      return true;
    }
    if (depth < tableDepth) {
      table = Table::None;
      return true;
    }
    if (table == Table::Merges && depth == tableDepth) {
      if (pairCount != 2)
        tableError(mergePath() + "expected ['a', 'b']");
      else
        out.merges.push_back({pairTexts[0], pairTexts[1]});
    }
    return true;
  }

  TokenizerJson &out;
  std::vector<json *> openNodes;     // containers of the document tree
  std::vector<std::string> openKeys; // the last key of each (objects)
  size_t depth = 0;                  // open containers, tables included
  Table table = Table::None;
  size_t tableDepth = 0; // depth within the table's own container
  TokenizerJson::Text currentKey{0, 0};
  TokenizerJson::Text pairTexts[2] = {};
  size_t pairCount = 0;
};

} // namespace

bool readTokenizerJson(std::string_view bytes, TokenizerJson &out, std::string &error) {
  if (bytes.size() > kMaxFileBytes) {
    error = "larger than 1 GiB";
    return false;
  }
  out.textBlock.reserve(bytes.size() / 2);
  Handler handler(out);
  const char *begin = bytes.data();
  if (!json::sax_parse(begin, begin + bytes.size(), &handler)) {
    error = handler.tooDeep
                ? "JSON nested too deeply"
                : "not well-formed JSON at byte " + std::to_string(handler.errorOffsetBytes);
    return false;
  }
  return true;
}

} // namespace pi::text
