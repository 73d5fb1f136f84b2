//===- PackageReader.h - Reads an executable as pi_format.h says -===//
// Written from the format's text, apart from the packager and the runtime's reader.

#ifndef PI_TEST_UNIT_LINK_PACKAGEREADER_H
#define PI_TEST_UNIT_LINK_PACKAGEREADER_H

#include "runtime/abi/pi_format.h"

#include <string>
#include <vector>

namespace pi::test {

struct ReadWeight {
  pi_weight_entry entry;
  std::string name;
  std::string bytes;
};

struct ReadPackage {
  pi_footer footer;
  std::string elf; // up to the payload, padding included
  std::vector<ReadWeight> weights;
  std::string info;
  std::string tokenizer;
};

/// Parses `file`; every rule of the format that is broken is a failure of the test.
ReadPackage readPackage(const std::string &file);

} // namespace pi::test

#endif // PI_TEST_UNIT_LINK_PACKAGEREADER_H
