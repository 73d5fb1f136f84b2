//===- FakeModel.h - Shapes and arithmetic of the fake model --------------===//

#ifndef PI_TEST_UNIT_RUNTIME_FAKEMODEL_H
#define PI_TEST_UNIT_RUNTIME_FAKEMODEL_H

#include <cstdint>

namespace fake {

inline constexpr int64_t vocab = 274, scriptRows = 48, context = 4096;
inline constexpr int32_t bos = 1, eos = 2;
/// What the model says after bos, up to eos; multi-byte characters, one token a byte.
inline constexpr const char *scriptText = "Es war einmal ein Bär – 熊 🐻 und €uro.";

} // namespace fake

#endif // PI_TEST_UNIT_RUNTIME_FAKEMODEL_H
