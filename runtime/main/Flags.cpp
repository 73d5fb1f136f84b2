//===- Flags.cpp - Table-driven command line ------------------------------===//

#include "runtime/main/Flags.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace pi {

/// `-p` or `--temp`.
static std::string spell(std::string_view name) {
  return (name.size() == 1 ? "-" : "--") + std::string(name);
}

static std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

/// True if `word` is one of `words`, separated by `|`.
static bool isOneOf(std::string_view word, const char *words) {
  std::string_view rest = words ? words : "";
  while (!rest.empty()) {
    size_t end = std::min(rest.find('|'), rest.size());
    if (rest.substr(0, end) == word)
      return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

/// Insertions, deletions, changes and swaps of neighbours that make `a` into `b`
/// (optimal string alignment); O(a b), for short words.
static size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> cost(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i)
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      size_t change = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  return cost[a.size()][b.size()];
}

std::string_view nearestWord(std::string_view word, std::string_view words) {
  constexpr size_t maxWordBytes = 64;
  std::string_view best;
  // A third of the letters may be wrong, and at least one of three.
  size_t bestDistance = std::max<size_t>(word.size() / 3, 1) + 1;
  if (word.size() < 2 || word.size() > maxWordBytes)
    return best;
  while (!words.empty()) {
    size_t end = std::min(words.find('|'), words.size());
    std::string_view candidate = words.substr(0, end);
    words.remove_prefix(std::min(end + 1, words.size()));
    size_t distance = editDistance(word, candidate);
    if (distance < bestDistance && candidate.size() > 1) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

bool parseInteger(std::string_view text, int64_t min, int64_t max, int64_t &out) {
  bool negative = !text.empty() && text[0] == '-';
  if (negative)
    text.remove_prefix(1);
  if (text.empty() || text.size() > 18) // 18 digits cannot overflow
    return false;
  int64_t value = 0;
  for (char c : text) {
    if (c < '0' || c > '9')
      return false;
    value = value * 10 + (c - '0');
  }
  value = negative ? -value : value;
  if (value < min || value > max)
    return false;
  out = value;
  return true;
}

const ParsedFlags::Occurrence *ParsedFlags::last(std::string_view name) const {
  for (size_t i = given.size(); i-- > 0;)
    if (name == given[i].spec->name)
      return &given[i];
  return nullptr;
}

std::string_view ParsedFlags::get(std::string_view name, std::string_view otherwise) const {
  const Occurrence *occurrence = last(name);
  return occurrence && occurrence->hasValue ? occurrence->value : otherwise;
}

std::vector<std::string_view> ParsedFlags::all(std::string_view name) const {
  std::vector<std::string_view> values;
  for (const Occurrence &occurrence : given)
    if (name == occurrence.spec->name)
      values.push_back(occurrence.value);
  return values;
}

bool ParsedFlags::getInteger(std::string_view name, int64_t min, int64_t max, int64_t &out,
                             std::string &error) const {
  const Occurrence *occurrence = last(name);
  if (!occurrence || parseInteger(occurrence->value, min, max, out))
    return true;
  error = spell(name) + ": expected a whole number ";
  if (max == std::numeric_limits<int64_t>::max())
    error += "of at least " + std::to_string(min);
  else
    error += "from " + std::to_string(min) + " to " + std::to_string(max);
  error += ", got " + quoted(occurrence->value);
  return false;
}

bool ParsedFlags::getNumber(std::string_view name, double min, double max, double &out,
                            std::string &error) const {
  const Occurrence *occurrence = last(name);
  if (!occurrence)
    return true;
  std::string text(occurrence->value);
  char *end = nullptr;
  double value = std::strtod(text.c_str(), &end);
  bool decimal = text.find_first_not_of("0123456789+-.eE") == std::string::npos;
  if (decimal && !text.empty() && end == text.c_str() + text.size() && std::isfinite(value) &&
      value >= min && value <= max) {
    out = value;
    return true;
  }
  error = spell(name) + ": expected a number";
  if (std::isfinite(min) && std::isfinite(max)) {
    char range[80];
    std::snprintf(range, sizeof range, " from %g to %g", min, max);
    error += range;
  }
  error += ", got " + quoted(occurrence->value);
  return false;
}

/// The flag of this name that the scope takes; else one of another scope.
const FlagSpec *FlagTable::find(std::string_view name, uint32_t scope) const {
  const FlagSpec *other = nullptr;
  for (size_t i = 0; i < count; ++i) {
    if (name != specs[i].name && (!specs[i].alias || name != specs[i].alias))
      continue;
    if (specs[i].scopes & scope)
      return &specs[i];
    other = other ? other : &specs[i];
  }
  return other;
}

bool FlagTable::failUnknown(std::string_view argument, std::string_view name, uint32_t scope,
                            std::string &error) const {
  error = "unknown flag " + quoted(argument);
  // `-n64`: the value of a short flag stands alone.
  if (name.size() > 1 && argument[1] != '-')
    if (const FlagSpec *spec = find(name.substr(0, 1), scope);
        spec && (spec->scopes & scope) &&
        name.find_first_not_of("0123456789-", 1) == std::string_view::npos) {
      error += "; did you mean " +
               quoted(spell(name.substr(0, 1)) + " " + std::string(name.substr(1))) + "?";
      return false;
    }
  std::string words;
  for (size_t i = 0; i < count; ++i)
    if ((specs[i].scopes | specs[i].laterScopes) & scope) {
      words += std::string(words.empty() ? "" : "|") + specs[i].name;
      if (specs[i].alias)
        words += std::string("|") + specs[i].alias;
    }
  if (std::string_view near = nearestWord(name, words); !near.empty())
    error += "; did you mean " + quoted(spell(near)) + "?";
  return false;
}

bool FlagTable::add(std::string_view spelled, const FlagSpec &spec, std::string_view value,
                    bool hasValue, ParsedFlags &out, std::string &error) const {
  std::string flag(spelled);
  if (hasValue && isOneOf(value, spec.laterChoices)) {
    error = flag + "=" + std::string(value) + " is not built yet";
    return false;
  }
  if (hasValue && spec.choices && !isOneOf(value, spec.choices)) {
    error = flag + ": expected one of " + spec.choices + ", got " + quoted(value);
    std::string words = spec.choices;
    if (std::string_view near = nearestWord(value, words); !near.empty())
      error += "; did you mean " + quoted(near) + "?";
    return false;
  }
  out.given.push_back({&spec, value, hasValue});
  return true;
}

bool FlagTable::parse(int argc, const char *const *argv, uint32_t scope, std::string_view scopeName,
                      ParsedFlags &out, std::string &error) const {
  for (int i = 0; i < argc; ++i) {
    std::string_view argument = argv[i];
    if (argument == "--") {
      out.rest.insert(out.rest.end(), argv + i + 1, argv + argc);
      return true;
    }
    if (argument.size() < 2 || argument[0] != '-') {
      out.rest.push_back(argument);
      continue;
    }
    size_t dashes = argument[1] == '-' ? 2 : 1;
    size_t equals = argument.find('=');
    std::string_view spelled = argument.substr(0, equals);
    std::string_view name = spelled.substr(dashes);
    const FlagSpec *spec = find(name, scope);
    if (!spec || (name.size() == 1) != (dashes == 1))
      return failUnknown(spelled, name, scope, error);
    if (!(spec->scopes & scope)) {
      error = std::string(spelled);
      error += spec->laterScopes & scope ? " is not built yet"
                                         : " does not apply to " + quoted(scopeName);
      return false;
    }
    bool hasValue = equals != std::string_view::npos;
    std::string_view value = hasValue ? argument.substr(equals + 1) : std::string_view();
    if (hasValue && spec->value == FlagValue::None) {
      error = std::string(spelled) + " takes no value, got " + quoted(value);
      return false;
    }
    if (!hasValue && spec->value == FlagValue::Required) {
      if (i + 1 == argc) {
        error = std::string(spelled) + " needs a value" +
                (spec->valueName ? ": " + std::string(spelled) + " " + spec->valueName : "");
        return false;
      }
      value = argv[++i];
      hasValue = true;
    }
    if (!add(spelled, *spec, value, hasValue, out, error))
      return false;
  }
  return true;
}

/// `  -t, --threads N`, the short name first.
static std::string usageOf(const FlagSpec &spec) {
  std::string left = spell(spec.name);
  if (spec.alias && spell(spec.alias).size() == 2)
    left = spell(spec.alias) + ", " + left;
  else if (spec.alias)
    left += ", " + spell(spec.alias);
  left = "  " + left;
  std::string value = spec.choices ? spec.choices : spec.valueName ? spec.valueName : "VALUE";
  if (spec.value == FlagValue::Optional)
    left += "[=" + value + "]";
  else if (spec.value == FlagValue::Required)
    left += (left.size() > 4 ? "=" : " ") + value;
  return left;
}

std::string FlagTable::help(uint32_t scope) const {
  constexpr size_t column = 28;
  std::string text;
  std::vector<std::string_view> done;
  auto groupOf = [](const FlagSpec &spec) {
    return std::string_view(spec.group ? spec.group : "Flags");
  };
  for (size_t i = 0; i < count; ++i) {
    std::string_view group = groupOf(specs[i]);
    if (!(specs[i].scopes & scope) || std::find(done.begin(), done.end(), group) != done.end())
      continue;
    done.push_back(group);
    text += (text.empty() ? "" : "\n") + std::string(group) + ":\n";
    for (size_t j = i; j < count; ++j) {
      if (groupOf(specs[j]) != group || !(specs[j].scopes & scope))
        continue;
      std::string line = usageOf(specs[j]);
      std::string_view help = specs[j].help ? specs[j].help : "";
      line += line.size() + 2 > column ? "\n" + std::string(column, ' ')
                                       : std::string(column - line.size(), ' ');
      for (char c : help)
        line += c == '\n' ? "\n" + std::string(column, ' ') : std::string(1, c);
      text += line + "\n";
    }
  }
  return text;
}

} // namespace pi
