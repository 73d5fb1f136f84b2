//===- WireReader.cpp - Bounds-checked protobuf wire format -===//

#include "compiler/Import/WireReader.h"

using namespace pi::onnxfile;

bool WireReader::nextVarint(uint64_t &value) {
  if (error || position == end)
    return false;
  value = 0;
  for (unsigned shift = 0; shift < 70; shift += 7) {
    if (position == end)
      return fail("a number is cut off");
    uint8_t byte = file[position++];
    if (shift == 63 && byte > 1)
      return fail("a number has more than 64 bits");
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80)
      return true;
  }
  return fail("a number has more than 64 bits");
}

bool WireReader::nextFixed(unsigned bytes, uint64_t &value) {
  if (error || position == end)
    return false;
  if (end - position < bytes)
    return fail("a number is cut off");
  value = 0;
  for (unsigned i = 0; i < bytes; ++i)
    value |= static_cast<uint64_t>(file[position + i]) << (8 * i);
  position += bytes;
  return true;
}

bool WireReader::next(WireField &field) {
  uint64_t key;
  if (!nextVarint(key))
    return false;
  field = WireField();
  uint64_t number = key >> 3;
  if (number == 0 || number > 0x1fffffff) // field numbers have 29 bits
    return fail("a field has an invalid number");
  field.number = static_cast<uint32_t>(number);
  switch (key & 7) {
  case 0:
    field.type = WireType::Varint;
    return nextVarint(field.value) || failUnlessSaid();
  case 1:
    field.type = WireType::Fixed64;
    return nextFixed(8, field.value) || failUnlessSaid();
  case 5:
    field.type = WireType::Fixed32;
    return nextFixed(4, field.value) || failUnlessSaid();
  case 2: {
    field.type = WireType::Len;
    uint64_t length;
    if (!nextVarint(length))
      return failUnlessSaid();
    if (length > end - position)
      return fail("a field is longer than what holds it");
    field.range = {position, length};
    position += length;
    return true;
  }
  default:
    return fail("a field has an unknown wire type");
  }
}
