//===- ModelFacts.h - What the manifest says about the model --------------===//

#ifndef PI_RUNTIME_MAIN_MODELFACTS_H
#define PI_RUNTIME_MAIN_MODELFACTS_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pi {

/// The facts of the info object that the runtime itself needs.
struct ModelFacts {
  int32_t bos = -1;         ///< -1: none
  std::vector<int32_t> eos; ///< any of them ends the text
  std::string compiler;     ///< who made the executable
  std::string cpu;          ///< what CPU it was made for
  std::string gpuArch;      ///< what GPU; empty: none
  uint64_t codeBytes = 0;   ///< of the program before the payload; 0: not known
  std::string codeChecksum; ///< theirs, 16 hexadecimal digits
};

/// Reads the JSON object `info`. Error: PI_ERROR_INFO; any bytes are safe.
int32_t readModelFacts(std::string_view info, ModelFacts &out, std::string &detail);

/// The object as text for people: one `key: value` a line, lists summed up. `info`
/// must have been accepted by readModelFacts.
std::string describeModel(std::string_view info);

} // namespace pi

#endif // PI_RUNTIME_MAIN_MODELFACTS_H
