//===- Manifest.cpp - Bytes of the manifest and the footer -===//

#include "codegen/Link/Manifest.h"

#include "runtime/abi/pi_checksum.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"

#include <cassert>
#include <cstddef>
#include <cstring>

using namespace pi;

// The structs of pi_format.h are copied as they lie in memory.
static_assert(llvm::endianness::native == llvm::endianness::little, "big-endian host");

static constexpr std::size_t kSectionAlign = 8;

static void pad(std::string &bytes) {
  bytes.resize((bytes.size() + kSectionAlign - 1) / kSectionAlign * kSectionAlign, '\0');
}

template <typename Struct> static void append(std::string &bytes, const Struct &value) {
  bytes.append(reinterpret_cast<const char *>(&value), sizeof(value));
}

std::string pi::buildManifest(llvm::ArrayRef<WeightSpec> weights,
                              llvm::ArrayRef<PlacedWeight> placed, llvm::StringRef info,
                              llvm::StringRef tokenizer) {
  assert(weights.size() == placed.size() && "every weight has a place");
  pi_manifest header = {};
  header.num_weights = weights.size();
  std::string bytes(sizeof(header), '\0');
  std::string names;

  header.entries_offset = bytes.size();
  for (auto [weight, place] : llvm::zip_equal(weights, placed)) {
    pi_weight_entry entry = {};
    entry.name = names.size();
    entry.offset = place.offset;
    entry.bytes = weight.getStoredBytes();
    entry.checksum = place.checksum;
    entry.rows = weight.isVector ? 1 : weight.rows;
    entry.cols = weight.isVector ? weight.rows : weight.cols;
    entry.dtype = weight.dtype;
    entry.layer = weight.layer;
    append(bytes, entry);
    names.append(weight.name.c_str(), weight.name.size() + 1);
  }
  pad(bytes);
  header.strings_offset = bytes.size();
  header.strings_bytes = names.size();
  bytes += names;
  pad(bytes);
  header.info_offset = bytes.size();
  header.info_bytes = info.size();
  bytes.append(info.data(), info.size());
  pad(bytes);
  header.tokenizer_offset = bytes.size();
  header.tokenizer_bytes = tokenizer.size();
  bytes.append(tokenizer.data(), tokenizer.size());
  std::memcpy(bytes.data(), &header, sizeof(header));
  return bytes;
}

std::string pi::buildFooter(uint64_t payloadOffset, uint64_t payloadBytes, uint64_t manifestOffset,
                            llvm::StringRef manifest) {
  pi_footer footer = {};
  footer.payload_offset = payloadOffset;
  footer.payload_bytes = payloadBytes;
  footer.manifest_offset = manifestOffset;
  footer.manifest_bytes = manifest.size();
  footer.file_bytes = manifestOffset + manifest.size() + sizeof(footer);
  footer.manifest_checksum = pi_checksum(manifest.data(), manifest.size());
  footer.format_version = PI_FORMAT_VERSION;
  footer.magic = PI_FOOTER_MAGIC;
  footer.footer_checksum = pi_footer_checksum(&footer);
  std::string bytes;
  append(bytes, footer);
  return bytes;
}
