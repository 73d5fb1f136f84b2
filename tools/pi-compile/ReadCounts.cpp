//===- ReadCounts.cpp - What an instrumented executable counted -===//

#include "tools/pi-compile/ReadCounts.h"

#include "runtime/abi/pi_counts.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstring>

using namespace pi;

namespace {
/// Takes values from the front of a file's bytes.
class Reader {
public:
  explicit Reader(llvm::StringRef bytes) : bytes(bytes) {}

  template <typename T> T take() {
    T value = {};
    copy(&value, sizeof value);
    return value;
  }
  template <typename T> std::vector<T> takeVector(uint64_t count) {
    // Nothing is allocated that the file does not hold.
    if (count > bytes.size() / sizeof(T))
      isShort = true;
    std::vector<T> values(isShort ? 0 : count);
    copy(values.data(), values.size() * sizeof(T));
    return values;
  }
  bool isWhole() const { return !isShort && bytes.empty(); }
  bool failed() const { return isShort; }

private:
  void copy(void *to, size_t count) {
    if (isShort || count > bytes.size()) {
      isShort = true;
      return;
    }
    std::memcpy(to, bytes.data(), count);
    bytes = bytes.drop_front(count);
  }

  llvm::StringRef bytes;
  bool isShort = false;
};
} // namespace

static void readLayers(Reader &reader, uint32_t count, Profile &profile) {
  for (uint32_t i = 0; i < count && !reader.failed(); ++i) {
    auto head = reader.take<pi_counts_layer>();
    LayerProfile layer;
    layer.layer = head.layer;
    layer.hidden = head.hidden;
    layer.counts = reader.takeVector<uint64_t>(head.neurons);
    layer.mass = reader.takeVector<uint64_t>(head.neurons);
    profile.layers.push_back(std::move(layer));
  }
}

static void readSamples(Reader &reader, uint32_t count, Profile &profile) {
  for (uint32_t i = 0; i < count && !reader.failed(); ++i) {
    ProfileSample sample;
    sample.priority = reader.take<uint64_t>();
    sample.sequence = reader.take<uint64_t>();
    sample.position = reader.take<uint64_t>();
    for (const LayerProfile &layer : profile.layers) {
      std::vector<float> input = reader.takeVector<float>(layer.hidden);
      std::vector<uint8_t> mask = reader.takeVector<uint8_t>(layer.maskBytes());
      sample.inputs.insert(sample.inputs.end(), input.begin(), input.end());
      sample.masks.insert(sample.masks.end(), mask.begin(), mask.end());
    }
    profile.samples.push_back(std::move(sample));
  }
}

llvm::Error pi::readCounts(const std::string &path, Profile &profile) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError(path + ": " + buffer.getError().message());
  Reader reader((*buffer)->getBuffer());
  auto head = reader.take<pi_counts>();
  if (reader.failed() || std::memcmp(head.magic, PI_COUNTS_MAGIC, sizeof head.magic) != 0)
    return llvm::createStringError(path + ": holds no counts");
  profile.tokens = head.tokens;
  profile.seed = head.seed;
  profile.window = head.window;
  profile.sampleLimit = head.sample_capacity;
  profile.shards = {head.shard};
  profile.shardCount = head.shards;
  profile.interrupted = !head.complete;
  profile.layers.clear();
  profile.samples.clear();
  readLayers(reader, head.layers, profile);
  readSamples(reader, head.samples, profile);
  if (!reader.isWhole())
    return llvm::createStringError(path + ": the counts are not whole");
  keepSamples(profile);
  return llvm::Error::success();
}
