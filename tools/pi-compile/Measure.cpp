//===- Measure.cpp - pi-compile --measure -===//

#include "tools/pi-compile/Measure.h"

#include "codegen/Link/TempFile.h"
#include "runtime/core/Status.h"
#include "runtime/main/ReadBandwidth.h"
#include "tools/pi-compile/ConvertRate.h"
#include "tools/pi-compile/Outputs.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"

#include <algorithm>
#include <cmath>

using namespace pi;

namespace {
struct Measured {
  std::string name;
  uint32_t threads = 0;
  double readBytesPerUs = 0, f16BytesPerUs = 0;
};
} // namespace

/// What the system calls the CPU; else LLVM's name of it. One printable line.
static std::string findCpuName() {
  std::string name = llvm::sys::getHostCPUName().str();
  if (auto info = llvm::MemoryBuffer::getFileAsStream("/proc/cpuinfo"))
    for (llvm::line_iterator line(**info); !line.is_at_end(); ++line)
      if (line->starts_with("model name")) {
        llvm::StringRef found = line->split(':').second.trim();
        if (!found.empty())
          name = found.take_front(200).str();
        break;
      }
  llvm::erase_if(name, [](unsigned char c) { return c < ' ' || c >= 127; });
  return name.empty() ? "unknown" : name;
}

static std::string makeFile(const Measured &measured) {
  // Whole numbers of at least 1, as the reader wants them.
  auto speed = [](double bytesPerUs) { return std::max<int64_t>(std::llround(bytesPerUs), 1); };
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("version", 1);
    json.attributeObject("cpu", [&] {
      json.attribute("name", measured.name);
      json.attribute("threads", static_cast<int64_t>(measured.threads));
      json.attribute("read_bytes_per_us", speed(measured.readBytesPerUs));
      json.attribute("f16_bytes_per_us", speed(measured.f16BytesPerUs));
    });
  });
  os << "\n";
  return text;
}

/// Measures, or prints an error and returns its exit code.
static int measure(Measured &measured) {
  Team team(defaultThreads());
  measured.name = findCpuName();
  measured.threads = team.size();
  measured.f16BytesPerUs = measureConvertRate(team) / 1e6;
  double bytesPerSecond = 0;
  if (int32_t status = measureReadBandwidth(team, bandwidthBufferBytes(), bytesPerSecond)) {
    llvm::errs() << "pi-compile: error: cannot measure how fast memory is read: "
                 << pi_status_message(status) << "\n";
    return pi_status_exit_code(status);
  }
  measured.readBytesPerUs = bytesPerSecond / 1e6;
  return kExitOk;
}

int pi::runMeasure(const std::string &output) {
  if (!canConvertF16()) {
    llvm::errs() << "pi-compile: error: cannot measure here: this CPU has no F16C, which "
                    "executables need too\n";
    return kExitToolMissing;
  }
  DriverOptions options;
  options.output = output;
  if (int code = tryOutput(options))
    return code;
  Measured measured;
  if (int code = measure(measured))
    return code;
  std::string text = makeFile(measured);
  if (int code = writeText([&](llvm::raw_ostream &os) { os << text; }, output, "the machine file"))
    return code;
  llvm::errs() << "pi-compile: " << measured.name << ", " << measured.threads
               << (measured.threads == 1 ? " thread" : " threads") << ": reads "
               << llvm::format("%.1f GB/s, converts %.1f GB/s of f16",
                               measured.readBytesPerUs / 1e3, measured.f16BytesPerUs / 1e3)
               << "; GPUs are not measured yet\n";
  return kExitOk;
}
