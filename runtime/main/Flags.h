//===- Flags.h - Table-driven command line --------------------------------===//
// The one flag parser of executables and tools. Depends on nothing but the C++
// library. A table of FlagSpec says everything; no flag is ever ignored.

#ifndef PI_RUNTIME_MAIN_FLAGS_H
#define PI_RUNTIME_MAIN_FLAGS_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pi {

enum class FlagValue {
  None,     ///< `--json`
  Required, ///< `--context=N`, `--context N`
  Optional, ///< `--save-temps`, `--save-temps=DIR`
};

/// One flag. Strings are literals; null where there is none.
struct FlagSpec {
  const char *name;            ///< without dashes; one letter: `-p`, more: `--temp`
  const char *alias = nullptr; ///< second name, same rule
  FlagValue value = FlagValue::None;
  const char *valueName = nullptr;    ///< in --help, such as `N`
  const char *group = nullptr;        ///< heading in --help
  const char *help = nullptr;         ///< a line or more, without a full stop
  const char *choices = nullptr;      ///< accepted values, `map|pin`; null: any
  const char *laterChoices = nullptr; ///< values that are known but not built yet
  uint32_t scopes = ~0u;              ///< bit set of commands that take the flag
  uint32_t laterScopes = 0;           ///< commands that will take it: "not built yet"
};

/// What a command line said. Views point into argv.
class ParsedFlags {
public:
  struct Occurrence {
    const FlagSpec *spec;
    std::string_view value; ///< empty where none was given
    bool hasValue;
  };

  /// True if the flag of this name (not alias) was given.
  bool has(std::string_view name) const { return last(name) != nullptr; }

  /// Its last occurrence, which wins over earlier ones; null if there is none.
  const Occurrence *last(std::string_view name) const;

  /// The value of the last occurrence, or `otherwise`.
  std::string_view get(std::string_view name, std::string_view otherwise = {}) const;

  /// The values of all occurrences, in order.
  std::vector<std::string_view> all(std::string_view name) const;

  /// Reads the last occurrence as a whole number in [min, max] into `out`, which
  /// keeps its value if the flag was not given. False and a message for exit code 2
  /// if it is no such number.
  bool getInteger(std::string_view name, int64_t min, int64_t max, int64_t &out,
                  std::string &error) const;

  /// The same for a finite decimal number.
  bool getNumber(std::string_view name, double min, double max, double &out,
                 std::string &error) const;

  const std::vector<Occurrence> &occurrences() const { return given; }
  const std::vector<std::string_view> &positionals() const { return rest; }

private:
  friend class FlagTable;
  std::vector<Occurrence> given;
  std::vector<std::string_view> rest;
};

/// A table of flags; does not own it. A name may stand twice, for different scopes.
class FlagTable {
public:
  FlagTable(const FlagSpec *specs, size_t count) : specs(specs), count(count) {}
  template <size_t n> explicit FlagTable(const FlagSpec (&specs)[n]) : FlagTable(specs, n) {}

  /// Reads `argc` arguments (without the program's name) of the command whose bit is
  /// `scope`, called `scopeName` in messages (may be empty). What is no flag is a
  /// positional argument, and so is all that follows `--`. On failure returns false
  /// and a message of one or two lines: an unknown flag (with the nearest known one),
  /// a missing or needless value, a value that is not one of the choices, a flag that
  /// belongs to another command, or one that is not built yet. Always exit code 2.
  bool parse(int argc, const char *const *argv, uint32_t scope, std::string_view scopeName,
             ParsedFlags &out, std::string &error) const;

  /// The flags of a scope, grouped in the order of the table, for --help. What is not
  /// built yet is left out.
  std::string help(uint32_t scope) const;

private:
  const FlagSpec *find(std::string_view name, uint32_t scope) const;
  bool add(std::string_view spelled, const FlagSpec &spec, std::string_view value, bool hasValue,
           ParsedFlags &out, std::string &error) const;
  bool failUnknown(std::string_view argument, std::string_view name, uint32_t scope,
                   std::string &error) const;

  const FlagSpec *specs;
  size_t count;
};

/// Whole decimal number in [min, max]; false if `text` is anything else.
bool parseInteger(std::string_view text, int64_t min, int64_t max, int64_t &out);

/// The word of `words` (separated by `|`) nearest to `word`; empty if none is near.
std::string_view nearestWord(std::string_view word, std::string_view words);

} // namespace pi

#endif // PI_RUNTIME_MAIN_FLAGS_H
