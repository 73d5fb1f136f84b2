//===- Format.cpp - Reads what is appended to an executable ---------------===//

#include "runtime/core/Format.h"

#include "runtime/abi/pi_checksum.h"
#include "runtime/abi/pi_format.h"
#include "runtime/core/Status.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace pi {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the format is little-endian");

/// Bytes of an element of `dtype`; 0 if it is none.
static uint64_t elementBytes(uint32_t dtype) {
  switch (dtype) {
  case PI_F32:
    return 4;
  case PI_F16:
  case PI_BF16:
    return 2;
  default:
    return 0;
  }
}

const char *dtypeName(uint32_t dtype) {
  switch (dtype) {
  case PI_F32:
    return "f32";
  case PI_F16:
    return "f16";
  case PI_BF16:
    return "bf16";
  default:
    return "?";
  }
}

/// True if [offset, offset + bytes) lies in [begin, end).
static bool inRange(uint64_t offset, uint64_t bytes, uint64_t begin, uint64_t end) {
  return begin <= end && offset >= begin && offset <= end && bytes <= end - offset;
}

int32_t Payload::read(const uint8_t *file, uint64_t fileBytes, Payload &out, std::string &detail) {
  out = Payload();
  out.file = file;
  if (int32_t status = out.readFooter(fileBytes, detail))
    return status;
  out.weights = file + out.footer.payload_offset;
  return out.readManifest(detail);
}

int32_t Payload::readFooter(uint64_t fileBytes, std::string &detail) {
  detail.clear();
  if (fileBytes < sizeof footer)
    return PI_ERROR_NO_FOOTER;
  uint64_t footerOffset = fileBytes - sizeof footer;
  std::memcpy(&footer, file + footerOffset, sizeof footer);
  if (footer.magic == __builtin_bswap64(PI_FOOTER_MAGIC))
    return PI_ERROR_BYTE_ORDER;
  if (footer.magic != PI_FOOTER_MAGIC)
    return PI_ERROR_NO_FOOTER;
  if (footer.footer_checksum != pi_footer_checksum(&footer))
    return fail(PI_ERROR_FOOTER, detail, "its checksum is wrong");
  if (footer.format_version != PI_FORMAT_VERSION)
    return fail(PI_ERROR_VERSION, detail,
                "version " + std::to_string(footer.format_version) + ", this reader knows " +
                    std::to_string(PI_FORMAT_VERSION));
  if (footer.file_bytes != fileBytes)
    return fail(PI_ERROR_LENGTH, detail,
                std::to_string(fileBytes) + " bytes, the footer says " +
                    std::to_string(footer.file_bytes));
  if (footer.payload_offset % PI_PAYLOAD_ALIGN != 0)
    return fail(PI_ERROR_FOOTER, detail, "the weights are misaligned");
  if (!inRange(footer.manifest_offset, footer.manifest_bytes, 0, footerOffset) ||
      !inRange(footer.payload_offset, footer.payload_bytes, 0, footer.manifest_offset))
    return fail(PI_ERROR_FOOTER, detail, "a range lies outside the file");
  if (footer.manifest_offset % 8 != 0 || footer.manifest_bytes < sizeof manifest)
    return fail(PI_ERROR_FOOTER, detail, "the manifest is misaligned or too short");
  return PI_OK;
}

int32_t Payload::readManifest(std::string &detail) {
  const uint8_t *bytes = file + footer.manifest_offset;
  if (pi_checksum(bytes, footer.manifest_bytes) != footer.manifest_checksum)
    return fail(PI_ERROR_MANIFEST, detail, "its checksum is wrong");
  std::memcpy(&manifest, bytes, sizeof manifest);
  if (int32_t status = checkSections(detail))
    return status;
  return checkEntries(detail);
}

int32_t Payload::checkSections(std::string &detail) const {
  struct Section {
    const char *name;
    uint64_t offset, bytes;
  };
  const Section sections[] = {
      {"entries", manifest.entries_offset, manifest.num_weights * sizeof(pi_weight_entry)},
      {"strings", manifest.strings_offset, manifest.strings_bytes},
      {"info", manifest.info_offset, manifest.info_bytes},
      {"tokenizer", manifest.tokenizer_offset, manifest.tokenizer_bytes},
  };
  uint64_t end = sizeof manifest; // of the section before
  for (const Section &section : sections) {
    if (section.offset % 8 != 0 ||
        !inRange(section.offset, section.bytes, end, footer.manifest_bytes))
      return fail(PI_ERROR_MANIFEST, detail,
                  std::string("section ") + section.name + " is out of range");
    end = section.offset + section.bytes;
  }
  const uint8_t *strings = file + footer.manifest_offset + manifest.strings_offset;
  if (manifest.strings_bytes && strings[manifest.strings_bytes - 1] != 0)
    return fail(PI_ERROR_MANIFEST, detail, "the names do not end");
  return PI_OK;
}

int32_t Payload::checkEntries(std::string &detail) const {
  for (uint32_t i = 0; i < manifest.num_weights; ++i) {
    pi_weight_entry e = entry(i);
    std::string which = "weight " + std::to_string(i);
    if (e.name >= manifest.strings_bytes)
      return fail(PI_ERROR_MANIFEST, detail, which + " has no name");
    if (e.offset % PI_WEIGHT_ALIGN != 0 || !inRange(e.offset, e.bytes, 0, footer.payload_bytes))
      return fail(PI_ERROR_MANIFEST, detail, which + " is out of range");
    uint64_t elements, bytes;
    if (!elementBytes(e.dtype))
      return fail(PI_ERROR_MANIFEST, detail,
                  which + " has the unknown type " + std::to_string(e.dtype));
    if (__builtin_mul_overflow(e.rows, e.cols, &elements) ||
        __builtin_mul_overflow(elements, elementBytes(e.dtype), &bytes) || bytes != e.bytes)
      return fail(PI_ERROR_MANIFEST, detail, which + " does not have the bytes of its shape");
  }
  return PI_OK;
}

pi_weight_entry Payload::entry(uint32_t index) const {
  pi_weight_entry e;
  std::memcpy(&e, file + footer.manifest_offset + manifest.entries_offset + index * sizeof e,
              sizeof e);
  return e;
}

WeightView Payload::weight(uint32_t index) const {
  pi_weight_entry e = entry(index);
  const uint8_t *strings = file + footer.manifest_offset + manifest.strings_offset;
  return {reinterpret_cast<const char *>(strings + e.name),
          weights + e.offset,
          e.bytes,
          e.rows,
          e.cols,
          e.checksum,
          e.dtype,
          e.layer};
}

uint64_t Payload::weightOffset(uint32_t index) const {
  return footer.payload_offset + entry(index).offset;
}

std::string_view Payload::info() const {
  return {reinterpret_cast<const char *>(file + footer.manifest_offset + manifest.info_offset),
          manifest.info_bytes};
}

std::string_view Payload::tokenizer() const {
  return {reinterpret_cast<const char *>(file + footer.manifest_offset + manifest.tokenizer_offset),
          manifest.tokenizer_bytes};
}

bool verifyWeight(const WeightView &weight) {
  return pi_checksum(weight.data, weight.bytes) == weight.checksum;
}

} // namespace pi
