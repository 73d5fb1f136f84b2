//===- Status.h - Codes of everything that can go wrong -------------------===//
// Functions of the runtime return one of these as int32_t; what is particular to the
// case (a file, a number, a remedy) goes into a `std::string &detail`.

#ifndef PI_RUNTIME_CORE_STATUS_H
#define PI_RUNTIME_CORE_STATUS_H

#include <cstdint>
#include <string>
#include <string_view>

extern "C" {

/// Values are stable: appended, never renumbered.
enum pi_status : int32_t {
  PI_OK = 0,
  PI_ERROR_OPEN = 1,         ///< a file cannot be opened, read or mapped
  PI_ERROR_NO_FOOTER = 2,    ///< no payload at the end of the file
  PI_ERROR_BYTE_ORDER = 3,   ///< payload written big-endian
  PI_ERROR_FOOTER = 4,       ///< footer's checksum or ranges
  PI_ERROR_VERSION = 5,      ///< format version
  PI_ERROR_LENGTH = 6,       ///< file length is not what the footer says
  PI_ERROR_MANIFEST = 7,     ///< manifest's checksum or ranges
  PI_ERROR_INFO = 8,         ///< facts about the model
  PI_ERROR_TOKENIZER = 9,    ///< tokenizer missing or unusable
  PI_ERROR_WEIGHT = 10,      ///< `verify` found damaged weights
  PI_ERROR_PROGRAM = 11,     ///< generated tables contradict themselves or the payload
  PI_ERROR_CPU = 12,         ///< this CPU lacks what the kernels use
  PI_ERROR_MEMORY = 13,      ///< not enough memory
  PI_ERROR_INPUT = 14,       ///< text, ids or lengths the model cannot take
  PI_ERROR_WRITE = 15,       ///< standard output cannot be written
  PI_ERROR_USAGE = 16,       ///< command line
  PI_ERROR_DEVICE = 17,      ///< a device that was asked for is missing
  PI_ERROR_INTERRUPTED = 18, ///< SIGINT
  PI_ERROR_NUMBERS = 19,     ///< the program computed what is not a number
  PI_ERROR_CODE = 20,        ///< `verify` found damaged machine code
};

/// What `status` means, in one line without a full stop; never null.
const char *pi_status_message(int32_t status);

/// The exit code of the program for `status`: 0 ok, 1 bad input or model, 2 usage,
/// 3 does not fit, 4 device missing, 70 internal, 130 interrupted.
int32_t pi_status_exit_code(int32_t status);

} // extern "C"

namespace pi {

/// Sets `detail` and returns `status`: `return fail(PI_ERROR_INPUT, detail, "...")`.
inline int32_t fail(int32_t status, std::string &detail, std::string_view text) {
  detail = text;
  return status;
}

/// `message: detail`, or the message alone.
std::string describe(int32_t status, std::string_view detail);

} // namespace pi

#endif // PI_RUNTIME_CORE_STATUS_H
