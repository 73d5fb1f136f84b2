//===- Status.cpp - Codes of everything that can go wrong -----------------===//

#include "runtime/core/Status.h"

#include <cstdint>
#include <string>
#include <string_view>

const char *pi_status_message(int32_t status) {
  switch (status) {
  case PI_OK:
    return "ok";
  case PI_ERROR_OPEN:
    return "cannot read the file";
  case PI_ERROR_NO_FOOTER:
    return "no weights found: was this file stripped or truncated?";
  case PI_ERROR_BYTE_ORDER:
    return "the weights were packed with the wrong byte order";
  case PI_ERROR_FOOTER:
    return "the footer is damaged";
  case PI_ERROR_VERSION:
    return "the file's format is not supported";
  case PI_ERROR_LENGTH:
    return "the file's length is wrong: was it truncated or changed?";
  case PI_ERROR_MANIFEST:
    return "the manifest is damaged";
  case PI_ERROR_INFO:
    return "the model's description is unusable";
  case PI_ERROR_TOKENIZER:
    return "the tokenizer is unusable";
  case PI_ERROR_WEIGHT:
    return "weights are damaged";
  case PI_ERROR_CODE:
    return "the machine code is damaged";
  case PI_ERROR_PROGRAM:
    return "the generated program is inconsistent";
  case PI_ERROR_CPU:
    return "this CPU cannot run the program";
  case PI_ERROR_MEMORY:
    return "not enough memory";
  case PI_ERROR_INPUT:
    return "bad input";
  case PI_ERROR_WRITE:
    return "cannot write to standard output";
  case PI_ERROR_USAGE:
    return "bad command line";
  case PI_ERROR_DEVICE:
    return "device missing";
  case PI_ERROR_INTERRUPTED:
    return "interrupted";
  case PI_ERROR_NUMBERS:
    return "the program computed a value that is not a number";
  default:
    return "unknown error";
  }
}

int32_t pi_status_exit_code(int32_t status) {
  switch (status) {
  case PI_OK:
    return 0;
  case PI_ERROR_USAGE:
    return 2;
  case PI_ERROR_MEMORY:
    return 3;
  case PI_ERROR_CPU:
  case PI_ERROR_DEVICE:
    return 4;
  case PI_ERROR_PROGRAM:
  case PI_ERROR_NUMBERS:
    return 70;
  case PI_ERROR_INTERRUPTED:
    return 130;
  default:
    return status > PI_OK && status <= PI_ERROR_WRITE ? 1 : 70;
  }
}

std::string pi::describe(int32_t status, std::string_view detail) {
  std::string text = pi_status_message(status);
  if (!detail.empty())
    text.append(": ").append(detail);
  return text;
}
