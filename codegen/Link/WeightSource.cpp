//===- WeightSource.cpp - The numbers of a weight, in a file -===//

#include "codegen/Link/WeightSource.h"

#include "absl/strings/str_cat.h"
#include "codegen/Link/FloatConvert.h"
#include "codegen/Link/WeightStream.h"

#include <algorithm>
#include <vector>

using namespace pi;

static constexpr int64_t kVarintMaxBytes = 10;

static absl::Status makeError(const WeightSpec &weight, const std::string &text) {
  return absl::InvalidArgumentError(
      absl::StrCat(weight.file, ": weight '", weight.name, "' ", text));
}

absl::Status pi::nameWeight(const absl::Status &status, const WeightSpec &weight) {
  if (status.ok())
    return status;
  return absl::Status(status.code(),
                      absl::StrCat(status.message(), " (weight '", weight.name, "')"));
}

/// Decodes packed varints, the low 16 bits of each being a number, into `spool`.
static absl::Status decodeVarints(const WeightSpec &weight, const SourceFile &source,
                                  SourceFile &spool) {
  std::vector<uint8_t> bytes(std::min(kBlockBytes, weight.sourceBytes));
  std::vector<uint8_t> decoded;
  uint32_t value = 0;
  int64_t length = 0; // bytes of the current varint
  uint64_t count = 0;
  for (uint64_t done = 0; done < weight.sourceBytes;) {
    uint64_t taken = std::min<uint64_t>(bytes.size(), weight.sourceBytes - done);
    llvm::MutableArrayRef<uint8_t> piece(bytes.data(), taken);
    if (absl::Status status = source.read(weight.sourceOffset + done, piece); !status.ok())
      return nameWeight(status, weight);
    decoded.clear();
    for (uint8_t byte : piece) {
      if (length < 3) // later bytes hold bits 21 and up
        value |= uint32_t(byte & 0x7f) << (7 * length);
      if (++length > kVarintMaxBytes)
        return makeError(weight, "is damaged: a number takes more than 10 bytes");
      if (byte & 0x80)
        continue;
      decoded.push_back(value & 0xff);
      decoded.push_back((value >> 8) & 0xff);
      value = 0;
      length = 0;
      ++count;
    }
    if (absl::Status status = spool.append(decoded); !status.ok())
      return status;
    done += taken;
  }
  uint64_t expected = uint64_t(weight.sourceRows) * weight.sourceCols;
  if (length != 0 || count != expected)
    return makeError(weight, absl::StrCat("is damaged: its int32_data holds ", count,
                                          " numbers, expected ", expected));
  return absl::OkStatus();
}

/// Checks that the source lies in the file and has the size of its type.
static absl::Status checkSource(const WeightSpec &weight, const SourceFile &source) {
  if (!source.contains(weight.sourceOffset, weight.sourceBytes))
    return makeError(weight,
                     absl::StrCat("takes ", weight.sourceBytes, " bytes from byte ",
                                  weight.sourceOffset, ", but the file ends at byte ",
                                  source.getBytes(), "; has it changed since it was read?"));
  if (weight.encoding == SourceEncoding::Int32Data) {
    if (weight.sourceType == PI_F32)
      return makeError(weight, "is f32 and cannot lie in int32_data");
    return absl::OkStatus();
  }
  if (weight.encoding == SourceEncoding::FloatData && weight.sourceType != PI_F32)
    return makeError(weight, "is not f32 and cannot lie in float_data");
  uint64_t expected =
      uint64_t(weight.sourceRows) * weight.sourceCols * getElementBytes(weight.sourceType);
  if (weight.sourceBytes != expected)
    return makeError(weight, absl::StrCat("is damaged: it takes ", weight.sourceBytes,
                                          " bytes in the file, expected ", expected));
  return absl::OkStatus();
}

absl::StatusOr<WeightSource> pi::openSource(const WeightSpec &weight,
                                            const std::string &spoolFolder) {
  absl::StatusOr<SourceFile> opened = SourceFile::open(weight.file);
  if (!opened.ok())
    return nameWeight(opened.status(), weight);
  if (absl::Status status = checkSource(weight, *opened); !status.ok())
    return status;
  if (weight.encoding != SourceEncoding::Int32Data || weight.getStoredBytes() == 0)
    return WeightSource{*std::move(opened), weight.sourceOffset};
  absl::StatusOr<SourceFile> spool = SourceFile::createSpool(spoolFolder);
  if (!spool.ok())
    return spool.status();
  if (absl::Status status = decodeVarints(weight, *opened, *spool); !status.ok())
    return status;
  return WeightSource{*std::move(spool), 0};
}
