//===- GuardedBuffer.cpp - Memory whose end is watched -===//

#include "test/numeric/GuardedBuffer.h"

#include <bit>
#include <cstring>
#include <sys/mman.h>
#include <utility>

using namespace pi::test;

static constexpr size_t kPageBytes = 4096;

std::string pi::test::nameOf(Dtype type) {
  switch (type) {
  case Dtype::F32:
    return "f32";
  case Dtype::F16:
    return "f16";
  case Dtype::BF16:
    return "bf16";
  }
  return "";
}

static size_t bytesOf(Dtype type) { return type == Dtype::F32 ? 4 : 2; }

static uint16_t toBf16(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

float pi::test::roundTo(Dtype type, float value) {
  if (type == Dtype::F16)
    return static_cast<float>(static_cast<_Float16>(value));
  if (type == Dtype::BF16)
    return std::bit_cast<float>(static_cast<uint32_t>(toBf16(value)) << 16);
  return value;
}

GuardedBuffer::GuardedBuffer(std::vector<int64_t> shape, Dtype type)
    : shape(std::move(shape)), type(type) {
  size_t pages = (getNumBytes() + kPageBytes - 1) / kPageBytes;
  mappingBytes = (pages + 1) * kPageBytes;
  mapping = mmap(nullptr, mappingBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  auto *base = static_cast<uint8_t *>(mapping);
  mprotect(base + pages * kPageBytes, kPageBytes, PROT_NONE);
  start = base + pages * kPageBytes - getNumBytes();
}

GuardedBuffer::GuardedBuffer(GuardedBuffer &&other) noexcept
    : shape(std::move(other.shape)), type(other.type),
      mapping(std::exchange(other.mapping, nullptr)), mappingBytes(other.mappingBytes),
      start(other.start) {}

GuardedBuffer::~GuardedBuffer() {
  if (mapping)
    munmap(mapping, mappingBytes);
}

std::string GuardedBuffer::memrefType() const {
  std::string text = "memref<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + nameOf(type) + ">";
}

size_t GuardedBuffer::getNumElements() const {
  size_t count = 1;
  for (int64_t size : shape)
    count *= static_cast<size_t>(size);
  return count;
}

size_t GuardedBuffer::getNumBytes() const { return getNumElements() * bytesOf(type); }

float GuardedBuffer::get(size_t i) const {
  const uint8_t *at = start + i * bytesOf(type);
  if (type == Dtype::F32) {
    float value;
    memcpy(&value, at, sizeof value);
    return value;
  }
  if (type == Dtype::F16) {
    _Float16 value;
    memcpy(&value, at, sizeof value);
    return static_cast<float>(value);
  }
  uint16_t bits;
  memcpy(&bits, at, sizeof bits);
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

void GuardedBuffer::set(size_t i, float value) {
  uint8_t *at = start + i * bytesOf(type);
  if (type == Dtype::F32) {
    memcpy(at, &value, sizeof value);
  } else if (type == Dtype::F16) {
    auto half = static_cast<_Float16>(value);
    memcpy(at, &half, sizeof half);
  } else {
    uint16_t bits = toBf16(value);
    memcpy(at, &bits, sizeof bits);
  }
}

void GuardedBuffer::fillRandom(std::mt19937_64 &random, float scale) {
  // Sum of uniforms: the same numbers with every standard library, unlike
  // std::normal_distribution.
  for (size_t i = 0; i < getNumElements(); ++i) {
    float sum = 0;
    for (int k = 0; k < 4; ++k)
      sum += static_cast<float>(random() >> 40) * 0x1p-24f;
    set(i, scale * (sum - 2.0f) * 1.732f);
  }
}

void GuardedBuffer::fill(float value) {
  for (size_t i = 0; i < getNumElements(); ++i)
    set(i, value);
}

std::vector<double> GuardedBuffer::toDoubles() const {
  std::vector<double> values(getNumElements());
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = get(i);
  return values;
}

std::vector<uint8_t> GuardedBuffer::toBytes() const {
  return std::vector<uint8_t>(start, start + getNumBytes());
}
