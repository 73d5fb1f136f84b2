//===- MachineFile.h - The description of a measured machine -===//

#ifndef PI_COMPILER_TARGET_MACHINEFILE_H
#define PI_COMPILER_TARGET_MACHINEFILE_H

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LogicalResult.h"

#include <cstdint>
#include <optional>
#include <string>

namespace pi {

/// What `pi-compile --measure` writes. Speeds are whole bytes per microsecond, at most
/// 10^9; fractions in the file are rounded.
struct MachineFile {
  struct Cpu {
    std::string name;
    int64_t threads = 0;        // that measured, 1 to 65536
    int64_t readBytesPerUs = 0; // of main memory, all threads
    int64_t f16BytesPerUs = 0;  // of f16 values converted to f32 from cache, all threads
  };
  struct Gpu {
    std::string name; // as --gpu has it
    int64_t readBytesPerUs = 0;
  };
  Cpu cpu;
  std::optional<Gpu> gpu;
  std::optional<double> crossingUs; // one way, in [0, 10^6]
};

/// Reads a machine file, JSON:
///
///     {"version": 1,
///      "cpu": {"name": "...", "threads": 8, "read_bytes_per_us": 51200,
///              "f16_bytes_per_us": 90000},
///      "gpu": {"name": "rtx4090", "read_bytes_per_us": 950000},
///      "crossing_us": 1.4}
///
/// "gpu" and "crossing_us" may be left out. Errors, at the file and field: not there, no
/// JSON, another version, fields that are missing, unknown, of another type or out of
/// range.
mlir::FailureOr<MachineFile> readMachineFile(mlir::MLIRContext *context, llvm::StringRef path);

} // namespace pi

#endif // PI_COMPILER_TARGET_MACHINEFILE_H
