//===- FormatTest.cpp - Reading footer, manifest and weight table ---------===//

#include "PayloadBuilder.h"

#include "runtime/abi/pi_checksum.h"
#include "runtime/core/Format.h"
#include "runtime/core/Status.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

using namespace pi;
using namespace pi::test;

namespace {

std::vector<uint8_t> smallFile() {
  PayloadBuilder builder;
  builder.add("embed", 3, 5).add("norm", 1, 7).add("head", 2, 70);
  return builder.build();
}

int32_t read(const std::vector<uint8_t> &file, Payload &payload, std::string &detail) {
  return Payload::read(file.data(), file.size(), payload, detail);
}

/// The message for a file, "ok" if it is accepted.
std::string messageOf(const std::vector<uint8_t> &file) {
  Payload payload;
  std::string detail;
  int32_t status = read(file, payload, detail);
  return describe(status, detail);
}

/// Touches everything the reader hands out (for AddressSanitizer).
uint64_t touch(const Payload &payload) {
  uint64_t sum = 0;
  auto add = [&](const void *data, uint64_t bytes) {
    for (uint64_t i = 0; i < bytes; ++i)
      sum += static_cast<const uint8_t *>(data)[i];
  };
  for (uint32_t i = 0; i < payload.numWeights(); ++i) {
    WeightView weight = payload.weight(i);
    add(weight.data, weight.bytes);
    add(weight.name.data(), weight.name.size());
  }
  add(payload.info().data(), payload.info().size());
  add(payload.tokenizer().data(), payload.tokenizer().size());
  return sum;
}

TEST(Format, ReadsWhatWasWritten) {
  std::vector<uint8_t> file = smallFile();
  Payload payload;
  std::string detail;
  ASSERT_EQ(read(file, payload, detail), PI_OK) << detail;
  ASSERT_EQ(payload.numWeights(), 3u);
  EXPECT_EQ(payload.info(), "{\"bos\": 1, \"eos\": [2]}");
  EXPECT_EQ(payload.tokenizer(), "{}");
  EXPECT_EQ(payload.fileBytes(), file.size());
  WeightView head = payload.weight(2);
  EXPECT_EQ(head.name, "head");
  EXPECT_EQ(head.rows, 2u);
  EXPECT_EQ(head.cols, 70u);
  EXPECT_EQ(head.bytes, 560u);
  EXPECT_EQ(head.dtype, uint32_t(PI_F32));
  EXPECT_EQ(head.layer, UINT32_MAX);
  EXPECT_EQ(payload.weightOffset(2), 512u);
  EXPECT_EQ(head.data, file.data() + 512);
  for (uint32_t i = 0; i < 3; ++i)
    EXPECT_TRUE(verifyWeight(payload.weight(i)));
}

TEST(Format, EmptyPayloadIsFine) {
  PayloadBuilder builder;
  builder.tokenizer.clear();
  Payload payload;
  std::string detail;
  std::vector<uint8_t> file = builder.build();
  ASSERT_EQ(read(file, payload, detail), PI_OK) << detail;
  EXPECT_EQ(payload.numWeights(), 0u);
  EXPECT_TRUE(payload.tokenizer().empty());
}

TEST(Format, TruncationAtEveryByte) {
  std::vector<uint8_t> file = smallFile();
  for (size_t length = 0; length < file.size(); ++length) {
    std::vector<uint8_t> cut(file.begin(), file.begin() + static_cast<ptrdiff_t>(length));
    ASSERT_EQ(messageOf(cut), "no weights found: was this file stripped or truncated?") << length;
  }
}

TEST(Format, BytesRemovedFromTheMiddle) {
  std::vector<uint8_t> file = smallFile();
  std::string bytes = std::to_string(file.size());
  std::vector<uint8_t> cut(file.begin() + 16, file.end());
  EXPECT_EQ(messageOf(cut), "the file's length is wrong: was it truncated or changed?: " +
                                std::to_string(file.size() - 16) + " bytes, the footer says " +
                                bytes);
}

TEST(Format, BytesAppended) {
  std::vector<uint8_t> file = smallFile();
  file.push_back('\n');
  EXPECT_EQ(messageOf(file), "no weights found: was this file stripped or truncated?");
}

TEST(Format, EveryBitOfManifestAndFooterCounts) {
  std::vector<uint8_t> file = smallFile();
  for (size_t bit = footerOf(file).manifest_offset * 8; bit < file.size() * 8; ++bit) {
    file[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
    ASSERT_NE(messageOf(file), "ok") << "bit " << bit;
    file[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
  }
  EXPECT_EQ(messageOf(file), "ok");
}

TEST(Format, EveryBitOfWeightsCountsForVerify) {
  std::vector<uint8_t> file = smallFile();
  Payload payload;
  std::string detail;
  ASSERT_EQ(read(file, payload, detail), PI_OK);
  WeightView weight = payload.weight(1);
  size_t offset = payload.weightOffset(1);
  for (size_t bit = offset * 8; bit < (offset + weight.bytes) * 8; ++bit) {
    file[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
    ASSERT_FALSE(verifyWeight(weight)) << "bit " << bit;
    file[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
  }
}

TEST(Format, FooterMessages) {
  std::vector<uint8_t> file = smallFile();
  pi_footer good = footerOf(file);
  auto with = [&](auto change, bool sign = true) {
    std::vector<uint8_t> changed = file;
    pi_footer footer = good;
    change(footer);
    setFooter(changed, footer, sign);
    return messageOf(changed);
  };
  EXPECT_EQ(with([](pi_footer &f) { f.magic = __builtin_bswap64(f.magic); }),
            "the weights were packed with the wrong byte order");
  EXPECT_EQ(with([](pi_footer &f) { f.payload_bytes += 1; }, false),
            "the footer is damaged: its checksum is wrong");
  EXPECT_EQ(with([](pi_footer &f) { f.format_version = 2; }),
            "the file's format is not supported: version 2, this reader knows 1");
  EXPECT_EQ(with([](pi_footer &f) { f.payload_offset = 4096; }),
            "the footer is damaged: the weights are misaligned");
  const char *range = "the footer is damaged: a range lies outside the file";
  EXPECT_EQ(with([](pi_footer &f) { f.payload_offset = 65536; }), range);
  EXPECT_EQ(with([](pi_footer &f) { f.payload_bytes = UINT64_MAX; }), range);
  EXPECT_EQ(with([](pi_footer &f) { f.payload_bytes = f.manifest_offset + 1; }), range);
  EXPECT_EQ(with([](pi_footer &f) { f.manifest_offset = UINT64_MAX - 7; }), range);
  EXPECT_EQ(with([](pi_footer &f) { f.manifest_bytes = uint64_t(1) << 63; }), range);
  EXPECT_EQ(with([](pi_footer &f) { f.manifest_bytes = 56; }),
            "the footer is damaged: the manifest is misaligned or too short");
  EXPECT_EQ(with([](pi_footer &f) { f.manifest_checksum ^= 1; }),
            "the manifest is damaged: its checksum is wrong");
}

/// Changes one header field or entry of a signed file.
template <typename T, typename Change> std::string withManifest(size_t offset, Change change) {
  std::vector<uint8_t> file = smallFile();
  uint8_t *at = file.data() + footerOf(file).manifest_offset + offset;
  T value;
  std::memcpy(&value, at, sizeof value);
  change(value);
  std::memcpy(at, &value, sizeof value);
  resign(file);
  return messageOf(file);
}

TEST(Format, SectionMessages) {
  auto with = [](auto change) { return withManifest<pi_manifest>(0, change); };
  EXPECT_EQ(with([](pi_manifest &m) { m.num_weights = UINT32_MAX; }),
            "the manifest is damaged: section entries is out of range");
  EXPECT_EQ(with([](pi_manifest &m) { m.entries_offset = 8; }),
            "the manifest is damaged: section entries is out of range");
  EXPECT_EQ(with([](pi_manifest &m) { m.strings_bytes = UINT64_MAX; }),
            "the manifest is damaged: section strings is out of range");
  EXPECT_EQ(with([](pi_manifest &m) { m.strings_bytes -= 1; }),
            "the manifest is damaged: the names do not end");
  EXPECT_EQ(with([](pi_manifest &m) { m.info_offset += 4; }),
            "the manifest is damaged: section info is out of range");
  EXPECT_EQ(with([](pi_manifest &m) { m.info_offset = m.strings_offset; }),
            "the manifest is damaged: section info is out of range");
  EXPECT_EQ(with([](pi_manifest &m) { m.tokenizer_bytes = uint64_t(1) << 40; }),
            "the manifest is damaged: section tokenizer is out of range");
}

TEST(Format, EntryMessages) {
  auto with = [](auto change) {
    return withManifest<pi_weight_entry>(sizeof(pi_manifest) + sizeof(pi_weight_entry), change);
  };
  EXPECT_EQ(with([](pi_weight_entry &e) { e.name = 1000; }),
            "the manifest is damaged: weight 1 has no name");
  EXPECT_EQ(with([](pi_weight_entry &e) { e.offset += 4; }),
            "the manifest is damaged: weight 1 is out of range");
  EXPECT_EQ(with([](pi_weight_entry &e) { e.offset = uint64_t(1) << 60; }),
            "the manifest is damaged: weight 1 is out of range");
  EXPECT_EQ(with([](pi_weight_entry &e) { e.bytes = UINT64_MAX; }),
            "the manifest is damaged: weight 1 is out of range");
  EXPECT_EQ(with([](pi_weight_entry &e) { e.dtype = 9; }),
            "the manifest is damaged: weight 1 has the unknown type 9");
  const char *shape = "the manifest is damaged: weight 1 does not have the bytes of its shape";
  EXPECT_EQ(with([](pi_weight_entry &e) { e.cols = 8; }), shape);
  EXPECT_EQ(with([](pi_weight_entry &e) { e.dtype = PI_F16; }), shape);
  EXPECT_EQ(with([](pi_weight_entry &e) { e.rows = uint64_t(1) << 62; }), shape); // overflows
  EXPECT_EQ(with([](pi_weight_entry &e) {
              e.rows = uint64_t(1) << 32;
              e.cols = uint64_t(1) << 32;
            }),
            shape);
  EXPECT_EQ(with([](pi_weight_entry &e) { // 3 x rows is 7 modulo 2^64
              e.rows = 12297829382473034413u;
              e.cols = 3;
            }),
            shape);
}

TEST(Format, AnySignedValueIsSafe) {
  std::vector<uint8_t> file = smallFile();
  pi_footer footer = footerOf(file);
  const uint64_t values[] = {
      0,          1,          7,          8,          64,         255,        1 << 16,
      0x7fffffff, 0x80000000, 0xffffffff, 1ull << 63, UINT64_MAX, 1ull << 40, UINT64_MAX - 63};
  uint64_t accepted = 0;
  for (uint64_t offset = 0; offset + 8 <= footer.manifest_bytes; offset += 4)
    for (uint64_t value : values) {
      std::vector<uint8_t> changed = file;
      std::memcpy(changed.data() + footer.manifest_offset + offset, &value, sizeof value);
      resign(changed);
      Payload payload;
      std::string detail;
      if (read(changed, payload, detail) == PI_OK)
        accepted += touch(payload) != 0;
    }
  EXPECT_GT(accepted, 0u); // names, checksums and texts may be anything
  for (size_t field = 0; field < 6; ++field)
    for (uint64_t value : values) {
      std::vector<uint8_t> changed = file;
      pi_footer other = footer;
      std::memcpy(reinterpret_cast<uint8_t *>(&other) + field * 8, &value, sizeof value);
      setFooter(changed, other);
      Payload payload;
      std::string detail;
      if (read(changed, payload, detail) == PI_OK)
        touch(payload);
    }
}

TEST(Checksum, PiecesOfAnyLengthAgree) {
  std::vector<uint8_t> data(200);
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = static_cast<uint8_t>(i * 37 + 11);
  for (size_t length = 0; length <= 64; ++length) {
    uint64_t whole = referenceChecksum(data.data(), length);
    EXPECT_EQ(pi_checksum(data.data(), length), whole);
    for (size_t piece = 1; piece <= 20; ++piece) {
      pi_checksum_state state;
      pi_checksum_begin(&state);
      for (size_t at = 0; at < length; at += piece)
        pi_checksum_update(&state, data.data() + at, std::min(piece, length - at));
      EXPECT_EQ(pi_checksum_end(&state), whole) << length << " by " << piece;
    }
  }
  EXPECT_NE(pi_checksum("", 0), pi_checksum("\0", 1)); // the length counts
}

TEST(Checksum, ChangesOfTopBitsDoNotCancel) {
  std::vector<uint8_t> a(64), b(64);
  b[7] = b[15] = 0x80; // what plain FNV-1a over words cannot see
  EXPECT_NE(pi_checksum(a.data(), 64), pi_checksum(b.data(), 64));
}

TEST(Status, MessagesAndExitCodes) {
  for (int32_t status = PI_OK; status <= PI_ERROR_NUMBERS; ++status)
    EXPECT_STRNE(pi_status_message(status), "unknown error") << status;
  EXPECT_STREQ(pi_status_message(12345), "unknown error");
  EXPECT_EQ(pi_status_exit_code(PI_OK), 0);
  EXPECT_EQ(pi_status_exit_code(PI_ERROR_NO_FOOTER), 1);
  EXPECT_EQ(pi_status_exit_code(PI_ERROR_WRITE), 1);
  EXPECT_EQ(pi_status_exit_code(PI_ERROR_USAGE), 2);
  EXPECT_EQ(pi_status_exit_code(PI_ERROR_MEMORY), 3);
  EXPECT_EQ(pi_status_exit_code(PI_ERROR_CPU), 4);
  EXPECT_EQ(pi_status_exit_code(PI_ERROR_DEVICE), 4);
  EXPECT_EQ(pi_status_exit_code(PI_ERROR_PROGRAM), 70);
  EXPECT_EQ(pi_status_exit_code(-1), 70);
  EXPECT_EQ(pi_status_exit_code(PI_ERROR_INTERRUPTED), 130);
}

} // namespace
