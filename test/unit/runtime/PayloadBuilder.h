//===- PayloadBuilder.h - Files in memory for the tests of the reader -----===//

#ifndef PI_TEST_UNIT_RUNTIME_PAYLOADBUILDER_H
#define PI_TEST_UNIT_RUNTIME_PAYLOADBUILDER_H

#include "runtime/abi/pi_format.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pi::test {

/// A small file without an ELF part. Fields may be changed between the build steps.
struct PayloadBuilder {
  struct Weight {
    std::string name;
    uint32_t dtype;
    uint64_t rows, cols;
    std::vector<uint8_t> bytes;
    uint32_t layer = UINT32_MAX;
  };
  std::vector<Weight> weights;
  std::string info = "{\"bos\": 1, \"eos\": [2]}";
  std::string tokenizer = "{}";

  /// Weight of `rows` x `cols` f32, bytes 0, 1, 2, ...
  PayloadBuilder &add(const std::string &name, uint64_t rows, uint64_t cols,
                      uint32_t layer = UINT32_MAX);

  std::vector<uint8_t> build() const;
};

/// Where things are in a built file.
pi_footer footerOf(const std::vector<uint8_t> &file);

/// Writes the footer into the file, with its checksum made right unless `sign` is off.
void setFooter(std::vector<uint8_t> &file, pi_footer footer, bool sign = true);

/// Makes the checksums of manifest and footer right again after a change.
void resign(std::vector<uint8_t> &file);

/// FNV-1a with mixing, written once more from the description in pi_checksum.h.
uint64_t referenceChecksum(const uint8_t *data, uint64_t bytes);

} // namespace pi::test

#endif // PI_TEST_UNIT_RUNTIME_PAYLOADBUILDER_H
