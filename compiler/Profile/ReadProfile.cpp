//===- ReadProfile.cpp - The bytes of a profile's file -> a profile -===//
// Every size is held against the length of the file before memory is taken.

#include "compiler/Profile/ProfileFile.h"
#include "compiler/Profile/ProfileFormat.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace pi;
using namespace pi::profile_format;

namespace {

constexpr const char *kDamaged = "; the file is damaged, make the profile again";

/// Takes numbers and sections off the front of bytes whose length was checked.
class Cursor {
public:
  explicit Cursor(llvm::StringRef bytes) : bytes(bytes) {}

  template <typename T> T take() {
    T value = llvm::support::endian::read<T, llvm::endianness::little>(bytes.data() + at);
    at += sizeof(T);
    return value;
  }
  template <typename T> std::vector<T> takeAll(size_t count) {
    std::vector<T> values(count);
    for (T &value : values)
      value = take<T>();
    return values;
  }
  llvm::StringRef takeText(size_t length) {
    at += length;
    return bytes.substr(at - length, length);
  }
  /// Ends a section; false if its padding is not zero.
  bool pad() {
    bool zero = true;
    while (at % kAlignment != 0)
      zero &= bytes[at++] == 0;
    return zero;
  }
  void skip(size_t count) { at += count; }

private:
  llvm::StringRef bytes;
  size_t at = 0;
};

/// Sizes that the header and the layer table give.
struct Sizes {
  uint32_t shards, layers, samples, source;
};

class Parser {
public:
  Parser(llvm::StringRef bytes, llvm::StringRef name) : bytes(bytes), name(name), cursor(bytes) {}

  llvm::Expected<Profile> parse(SampleReading samples);

private:
  llvm::Error fail(const llvm::Twine &message) const {
    return llvm::createStringError(name + ": " + message);
  }
  llvm::Error checkFrame() const;
  llvm::Error readHeader();
  llvm::Error readTables();
  llvm::Error checkLength(uint64_t needed) const;
  void readLayers();
  void readSamples(SampleReading samples);

  llvm::StringRef bytes, name;
  Cursor cursor;
  Sizes sizes = {};
  Profile profile;
  std::vector<uint32_t> neurons; ///< of each layer
  std::vector<bool> hasNorms;    ///< likewise
  bool isPadded = true;          ///< all padding so far is zero
};

} // namespace

/// Magic, version, length and checksum.
llvm::Error Parser::checkFrame() const {
  llvm::StringRef magic(kMagic, sizeof kMagic);
  if (!bytes.starts_with(magic.substr(0, std::min(bytes.size(), magic.size()))))
    return fail("is no profile; name a file that pi-profile wrote");
  if (bytes.size() < kHeaderBytes)
    return fail(llvm::formatv("has {0} bytes, a profile has {1} at least{2}", bytes.size(),
                              kHeaderBytes, kDamaged)
                    .str());
  Cursor header(bytes);
  header.skip(sizeof kMagic);
  if (uint32_t version = header.take<uint32_t>(); version != kProfileVersion)
    return fail(llvm::formatv("is of format version {0}, this program reads version {1}; make the "
                              "profile again",
                              version, kProfileVersion)
                    .str());
  header.take<uint32_t>();
  if (uint64_t length = header.take<uint64_t>(); length != bytes.size())
    return fail(
        llvm::formatv("has {0} bytes, its header says {1}{2}", bytes.size(), length, kDamaged)
            .str());
  uint64_t stored = header.take<uint64_t>();
  uint64_t hash = addToChecksum(kFnvOffset, bytes.data(), kChecksumOffset);
  size_t rest = kChecksumOffset + sizeof stored;
  hash = addToChecksum(hash, bytes.data() + rest, bytes.size() - rest);
  if (hash != stored)
    return fail(
        llvm::formatv("has checksum {0:x-16}, its header says {1:x-16}{2}", hash, stored, kDamaged)
            .str());
  return llvm::Error::success();
}

llvm::Error Parser::checkLength(uint64_t needed) const {
  if (needed <= bytes.size())
    return llvm::Error::success();
  return fail(llvm::formatv("has {0} bytes, its tables need {1}{2}{3}", bytes.size(),
                            needed == UINT64_MAX ? "more than " : "", needed, kDamaged)
                  .str());
}

llvm::Error Parser::readHeader() {
  cursor.skip(sizeof kMagic + sizeof(uint32_t));
  uint32_t flags = cursor.take<uint32_t>();
  cursor.skip(2 * sizeof(uint64_t));
  profile.interrupted = flags & kInterrupted;
  for (uint64_t *field : {&profile.fingerprint, &profile.tokens, &profile.tokenGoal, &profile.seed,
                          &profile.sourceHash})
    *field = cursor.take<uint64_t>();
  for (uint32_t *field : {&profile.window, &profile.shardCount, &sizes.shards, &sizes.layers,
                          &profile.sampleLimit, &sizes.samples, &sizes.source})
    *field = cursor.take<uint32_t>();
  uint32_t reserved = cursor.take<uint32_t>();
  if ((flags & ~kInterrupted) != 0 || reserved != 0)
    return fail("has flags that this program does not know; make the profile again");
  return llvm::Error::success();
}

/// Source, shards and the layer table; then holds all sizes against the file's length.
llvm::Error Parser::readTables() {
  // No overflow: each count has 32 bits.
  uint64_t needed = kHeaderBytes + llvm::alignTo(sizes.source, kAlignment) +
                    llvm::alignTo(uint64_t(sizes.shards) * 4, kAlignment) +
                    uint64_t(sizes.layers) * kLayerEntryBytes;
  if (llvm::Error error = checkLength(needed))
    return error;
  profile.source = cursor.takeText(sizes.source).str();
  isPadded &= cursor.pad();
  profile.shards = cursor.takeAll<uint32_t>(sizes.shards);
  isPadded &= cursor.pad();
  uint64_t sampleBytes = kSampleKeyBytes;
  for (uint32_t i = 0; i < sizes.layers; ++i) {
    LayerProfile &layer = profile.layers.emplace_back();
    layer.layer = cursor.take<uint32_t>();
    layer.hidden = cursor.take<uint32_t>();
    neurons.push_back(cursor.take<uint32_t>());
    uint32_t flags = cursor.take<uint32_t>();
    if ((flags & ~kHasNorms) != 0)
      return fail("has flags that this program does not know; make the profile again");
    hasNorms.push_back(flags & kHasNorms);
    uint64_t count = neurons.back();
    needed = llvm::SaturatingAdd(
        needed, count * 16 + (hasNorms.back() ? llvm::alignTo(count * 4, kAlignment) : 0));
    sampleBytes = llvm::SaturatingAdd(sampleBytes, uint64_t(layer.hidden) * 4 + (count + 7) / 8);
  }
  if (sampleBytes <= bytes.size())
    sampleBytes = llvm::alignTo(sampleBytes, kAlignment);
  needed = llvm::SaturatingMultiplyAdd<uint64_t>(sizes.samples, sampleBytes, needed);
  if (llvm::Error error = checkLength(needed))
    return error;
  if (needed != bytes.size())
    return fail(
        llvm::formatv("has {0} bytes, its tables need {1}{2}", bytes.size(), needed, kDamaged)
            .str());
  return llvm::Error::success();
}

void Parser::readLayers() {
  for (auto [layer, count, norms] : llvm::zip_equal(profile.layers, neurons, hasNorms)) {
    layer.counts = cursor.takeAll<uint64_t>(count);
    layer.mass = cursor.takeAll<uint64_t>(count);
    if (norms)
      layer.downNorms = cursor.takeAll<float>(count);
    isPadded &= cursor.pad();
  }
}

void Parser::readSamples(SampleReading reading) {
  if (reading == SampleReading::Skip)
    return;
  size_t inputs = 0, masks = 0;
  for (const LayerProfile &layer : profile.layers) {
    inputs += layer.hidden;
    masks += layer.maskBytes();
  }
  for (uint32_t i = 0; i < sizes.samples; ++i) {
    ProfileSample &sample = profile.samples.emplace_back();
    for (uint64_t *field : {&sample.priority, &sample.sequence, &sample.position})
      *field = cursor.take<uint64_t>();
    sample.inputs = cursor.takeAll<float>(inputs);
    sample.masks = cursor.takeAll<uint8_t>(masks);
    isPadded &= cursor.pad();
  }
}

llvm::Expected<Profile> Parser::parse(SampleReading samples) {
  if (llvm::Error error = checkFrame())
    return error;
  if (llvm::Error error = readHeader())
    return error;
  if (llvm::Error error = readTables())
    return error;
  readLayers();
  readSamples(samples);
  if (!isPadded)
    return fail(llvm::Twine("has padding that is not zero") + kDamaged);
  if (llvm::Error error = checkProfile(profile))
    return fail(llvm::toString(std::move(error)) + kDamaged);
  return std::move(profile);
}

llvm::Expected<Profile> pi::parseProfile(llvm::StringRef bytes, llvm::StringRef name,
                                         SampleReading samples) {
  return Parser(bytes, name).parse(samples);
}

llvm::Expected<Profile> pi::readProfile(llvm::StringRef path, SampleReading samples) {
  auto fail = [&](const llvm::Twine &reason) {
    return llvm::createStringError(path + ": cannot be read: " + reason +
                                   "; name a file that pi-profile wrote");
  };
  llvm::sys::fs::file_status status;
  if (std::error_code error = llvm::sys::fs::status(path, status))
    return fail(error.message());
  if (!llvm::sys::fs::is_regular_file(status))
    return fail("it is not a regular file");
  auto buffer =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return fail(buffer.getError().message());
  return parseProfile((*buffer)->getBuffer(), path, samples);
}
