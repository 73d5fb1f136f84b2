//===- WriteProfile.cpp - A profile -> the bytes of its file -===//

#include "compiler/Profile/ProfileFile.h"
#include "compiler/Profile/ProfileFormat.h"
#include "compiler/Profile/WriteFile.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace pi;
using namespace pi::profile_format;

namespace {

/// Writes little-endian numbers; pads sections.
class Emitter {
public:
  explicit Emitter(llvm::raw_ostream &os) : os(os), writer(os, llvm::endianness::little) {}

  template <typename T> void put(T value) {
    writer.write(value);
    written += sizeof value;
  }
  template <typename T> void putAll(llvm::ArrayRef<T> values) {
    for (T value : values)
      put(value);
  }
  void putText(llvm::StringRef text) {
    os << text;
    written += text.size();
  }
  void pad() {
    for (; written % kAlignment != 0; ++written)
      os << '\0';
  }

private:
  llvm::raw_ostream &os;
  llvm::support::endian::Writer writer;
  uint64_t written = 0;
};

/// A sink that only computes: the checksum past the header's own field, and the length.
class ChecksumStream : public llvm::raw_ostream {
public:
  ChecksumStream() { SetBufferSize(1 << 16); }
  ~ChecksumStream() override { flush(); }
  uint64_t getChecksum() {
    flush();
    return hash;
  }

private:
  void write_impl(const char *data, size_t bytes) override {
    hash = addToChecksum(hash, data, bytes);
    position += bytes;
  }
  uint64_t current_pos() const override { return position; }

  uint64_t hash = kFnvOffset;
  uint64_t position = 0;
};

} // namespace

static uint64_t computeBytes(const Profile &profile) {
  uint64_t bytes = kHeaderBytes + llvm::alignTo(profile.source.size(), kAlignment) +
                   llvm::alignTo(profile.shards.size() * 4, kAlignment) +
                   profile.layers.size() * kLayerEntryBytes;
  for (const LayerProfile &layer : profile.layers)
    bytes += layer.neurons() * 16 + llvm::alignTo(layer.downNorms.size() * 4, kAlignment);
  for (const ProfileSample &sample : profile.samples)
    bytes +=
        llvm::alignTo(kSampleKeyBytes + sample.inputs.size() * 4 + sample.masks.size(), kAlignment);
  return bytes;
}

/// What precedes the checksum.
static void emitStart(const Profile &profile, llvm::raw_ostream &os) {
  Emitter out(os);
  out.putText(llvm::StringRef(kMagic, sizeof kMagic));
  out.put(kProfileVersion);
  out.put(profile.interrupted ? kInterrupted : uint32_t(0));
  out.put(computeBytes(profile));
}

/// What follows the checksum.
static void emitRest(const Profile &profile, llvm::raw_ostream &os) {
  Emitter out(os);
  for (uint64_t value :
       {profile.fingerprint, profile.tokens, profile.tokenGoal, profile.seed, profile.sourceHash})
    out.put(value);
  for (size_t value : {size_t(profile.window), size_t(profile.shardCount), profile.shards.size(),
                       profile.layers.size(), size_t(profile.sampleLimit), profile.samples.size(),
                       profile.source.size(), size_t(0)})
    out.put(uint32_t(value));
  out.putText(profile.source);
  out.pad();
  out.putAll(llvm::ArrayRef(profile.shards));
  out.pad();
  for (const LayerProfile &layer : profile.layers) {
    out.put(layer.layer);
    out.put(layer.hidden);
    out.put(uint32_t(layer.neurons()));
    out.put(layer.downNorms.empty() ? uint32_t(0) : kHasNorms);
  }
  for (const LayerProfile &layer : profile.layers) {
    out.putAll(llvm::ArrayRef(layer.counts));
    out.putAll(llvm::ArrayRef(layer.mass));
    out.putAll(llvm::ArrayRef(layer.downNorms));
    out.pad();
  }
  for (const ProfileSample &sample : profile.samples) {
    for (uint64_t value : {sample.priority, sample.sequence, sample.position})
      out.put(value);
    out.putAll(llvm::ArrayRef(sample.inputs));
    out.putAll(llvm::ArrayRef(sample.masks));
    out.pad();
  }
}

static void emit(const Profile &profile, llvm::raw_ostream &os) {
  ChecksumStream sum;
  emitStart(profile, sum);
  emitRest(profile, sum);
  emitStart(profile, os);
  Emitter(os).put(sum.getChecksum());
  emitRest(profile, os);
}

std::string pi::serialiseProfile(const Profile &profile) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  emit(profile, os);
  return bytes;
}

llvm::Error pi::writeProfile(const Profile &profile, llvm::StringRef path) {
  if (llvm::Error error = checkProfile(profile))
    return llvm::createStringError(path + ": is not written: " + llvm::toString(std::move(error)));
  return writeFile(path, [&](llvm::raw_ostream &os) { emit(profile, os); });
}
