//===- PackageReader.cpp - Reads an executable as pi_format.h says -===//

#include "test/unit/link/PackageReader.h"

#include "gtest/gtest.h"

#include <cstring>

using namespace pi::test;

/// The checksum as pi_checksum.h describes it, a byte at a time.
static uint64_t checksum(const std::string &bytes) {
  uint64_t state = PI_CHECKSUM_INIT;
  auto mix = [&](uint64_t word) {
    state = (state ^ word) * PI_CHECKSUM_PRIME;
    state ^= state >> 32;
  };
  for (size_t i = 0; i < bytes.size(); i += 8) {
    uint64_t word = 0;
    for (size_t j = i; j < i + 8 && j < bytes.size(); ++j)
      word |= uint64_t(uint8_t(bytes[j])) << (8 * (j - i));
    mix(word);
  }
  mix(bytes.size());
  return state;
}

ReadPackage pi::test::readPackage(const std::string &file) {
  ReadPackage package;
  pi_footer &footer = package.footer;
  if (file.size() < sizeof(footer)) {
    ADD_FAILURE() << "no room for a footer";
    return package;
  }
  std::string footerBytes = file.substr(file.size() - sizeof(footer));
  std::memcpy(&footer, footerBytes.data(), sizeof(footer));
  EXPECT_EQ(footer.magic, PI_FOOTER_MAGIC);
  EXPECT_EQ(footer.format_version, PI_FORMAT_VERSION);
  EXPECT_EQ(footer.file_bytes, file.size());
  EXPECT_EQ(footer.footer_checksum, uint32_t(checksum(footerBytes.substr(0, 52))));
  EXPECT_EQ(footer.payload_offset % PI_PAYLOAD_ALIGN, 0u);
  EXPECT_EQ(footer.manifest_offset % 8, 0u);
  EXPECT_LE(footer.payload_offset + footer.payload_bytes, footer.manifest_offset);
  EXPECT_EQ(footer.manifest_offset + footer.manifest_bytes + sizeof(footer), file.size());

  package.elf = file.substr(0, footer.payload_offset);
  std::string manifest = file.substr(footer.manifest_offset, footer.manifest_bytes);
  EXPECT_EQ(footer.manifest_checksum, checksum(manifest));
  pi_manifest header;
  std::memcpy(&header, manifest.data(), sizeof(header));
  EXPECT_EQ(header.reserved, 0u);
  uint64_t previousEnd = sizeof(header);
  auto section = [&](uint64_t offset, uint64_t bytes) {
    EXPECT_EQ(offset % 8, 0u);
    EXPECT_GE(offset, previousEnd);
    previousEnd = offset + bytes;
    EXPECT_LE(previousEnd, manifest.size());
    return manifest.substr(offset, bytes);
  };
  std::string entries =
      section(header.entries_offset, uint64_t(header.num_weights) * sizeof(pi_weight_entry));
  std::string strings = section(header.strings_offset, header.strings_bytes);
  package.info = section(header.info_offset, header.info_bytes);
  package.tokenizer = section(header.tokenizer_offset, header.tokenizer_bytes);
  EXPECT_EQ(previousEnd, manifest.size());

  for (uint32_t i = 0; i < header.num_weights; ++i) {
    ReadWeight weight;
    std::memcpy(&weight.entry, entries.data() + i * sizeof(pi_weight_entry),
                sizeof(pi_weight_entry));
    weight.name = strings.substr(weight.entry.name).c_str();
    EXPECT_EQ(weight.entry.offset % PI_WEIGHT_ALIGN, 0u);
    EXPECT_LE(weight.entry.offset + weight.entry.bytes, footer.payload_bytes);
    weight.bytes = file.substr(footer.payload_offset + weight.entry.offset, weight.entry.bytes);
    EXPECT_EQ(weight.entry.checksum, checksum(weight.bytes)) << weight.name;
    package.weights.push_back(weight);
  }
  return package;
}
