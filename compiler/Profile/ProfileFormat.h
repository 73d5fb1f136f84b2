//===- ProfileFormat.h - Layout of the header of a .piprof file -===//
// Private to reader and writer; docs/profile-format.md has the whole format.

#ifndef PI_COMPILER_PROFILE_PROFILEFORMAT_H
#define PI_COMPILER_PROFILE_PROFILEFORMAT_H

#include <cstddef>
#include <cstdint>

namespace pi::profile_format {

/// Begins every file; the line end shows whether a transfer changed it as text.
constexpr char kMagic[8] = {'P', 'I', 'P', 'R', 'O', 'F', '\r', '\n'};
constexpr size_t kChecksumOffset = 24;
constexpr size_t kHeaderBytes = 104;
constexpr size_t kLayerEntryBytes = 16;
constexpr size_t kSampleKeyBytes = 24; ///< priority, sequence, position
constexpr size_t kAlignment = 8;       ///< of every section
constexpr uint32_t kInterrupted = 1;   ///< bit of the header's flags
constexpr uint32_t kHasNorms = 1;      ///< bit of a layer entry's flags

constexpr uint64_t kFnvOffset = 0xcbf29ce484222325u;
constexpr uint64_t kFnvPrime = 0x100000001b3u;

/// FNV-1a (64 bits) continued over `bytes` bytes.
inline uint64_t addToChecksum(uint64_t hash, const char *data, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i)
    hash = (hash ^ static_cast<unsigned char>(data[i])) * kFnvPrime;
  return hash;
}

} // namespace pi::profile_format

#endif // PI_COMPILER_PROFILE_PROFILEFORMAT_H
