//===- PayloadBuilder.cpp - Files in memory for the tests of the reader ---===//

#include "PayloadBuilder.h"

#include "runtime/abi/pi_format.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace pi::test {

template <typename T> static void append(std::vector<uint8_t> &out, const T *data, size_t count) {
  auto *bytes = reinterpret_cast<const uint8_t *>(data);
  out.insert(out.end(), bytes, bytes + count * sizeof(T));
}

static void pad(std::vector<uint8_t> &out, size_t alignment) {
  out.resize((out.size() + alignment - 1) / alignment * alignment);
}

PayloadBuilder &PayloadBuilder::add(const std::string &name, uint64_t rows, uint64_t cols,
                                    uint32_t layer) {
  Weight weight = {name, PI_F32, rows, cols, {}};
  weight.bytes.resize(rows * cols * 4);
  for (size_t i = 0; i < weight.bytes.size(); ++i)
    weight.bytes[i] = static_cast<uint8_t>(i);
  weight.layer = layer;
  weights.push_back(weight);
  return *this;
}

std::vector<uint8_t> PayloadBuilder::build() const {
  std::vector<uint8_t> out, manifest;
  std::vector<pi_weight_entry> entries;
  std::string strings;
  for (const Weight &weight : weights) {
    pad(out, PI_WEIGHT_ALIGN);
    entries.push_back({strings.size(), out.size(), weight.bytes.size(),
                       referenceChecksum(weight.bytes.data(), weight.bytes.size()), weight.rows,
                       weight.cols, weight.dtype, weight.layer});
    strings += weight.name + '\0';
    append(out, weight.bytes.data(), weight.bytes.size());
  }
  pi_footer footer = {};
  footer.payload_bytes = out.size();
  pad(out, 8);
  footer.manifest_offset = out.size();
  pi_manifest head = {};
  head.num_weights = static_cast<uint32_t>(entries.size());
  manifest.resize(sizeof head);
  head.entries_offset = manifest.size();
  append(manifest, entries.data(), entries.size());
  auto section = [&](const std::string &text, uint64_t &offset, uint64_t &bytes) {
    pad(manifest, 8);
    offset = manifest.size();
    bytes = text.size();
    append(manifest, text.data(), text.size());
  };
  section(strings, head.strings_offset, head.strings_bytes);
  section(info, head.info_offset, head.info_bytes);
  section(tokenizer, head.tokenizer_offset, head.tokenizer_bytes);
  std::memcpy(manifest.data(), &head, sizeof head);
  append(out, manifest.data(), manifest.size());
  footer.manifest_bytes = manifest.size();
  footer.file_bytes = out.size() + sizeof footer;
  footer.format_version = PI_FORMAT_VERSION;
  footer.magic = PI_FOOTER_MAGIC;
  out.resize(out.size() + sizeof footer);
  setFooter(out, footer);
  resign(out);
  return out;
}

pi_footer footerOf(const std::vector<uint8_t> &file) {
  pi_footer footer;
  std::memcpy(&footer, file.data() + file.size() - sizeof footer, sizeof footer);
  return footer;
}

void setFooter(std::vector<uint8_t> &file, pi_footer footer, bool sign) {
  if (sign)
    footer.footer_checksum =
        static_cast<uint32_t>(referenceChecksum(reinterpret_cast<const uint8_t *>(&footer), 52));
  std::memcpy(file.data() + file.size() - sizeof footer, &footer, sizeof footer);
}

void resign(std::vector<uint8_t> &file) {
  pi_footer footer = footerOf(file);
  footer.manifest_checksum =
      referenceChecksum(file.data() + footer.manifest_offset, footer.manifest_bytes);
  setFooter(file, footer);
}

uint64_t referenceChecksum(const uint8_t *data, uint64_t bytes) {
  uint64_t state = 0xcbf29ce484222325ull;
  auto mix = [&](uint64_t word) {
    state = (state ^ word) * 0x100000001b3ull;
    state ^= state >> 32;
  };
  for (uint64_t at = 0; at < bytes; at += 8) {
    uint64_t word = 0;
    for (uint64_t i = 0; i < 8 && at + i < bytes; ++i)
      word |= uint64_t(data[at + i]) << 8 * i;
    mix(word);
  }
  mix(bytes);
  return state;
}

} // namespace pi::test
