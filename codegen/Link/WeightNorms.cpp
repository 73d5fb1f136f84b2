//===- WeightNorms.cpp - Norms of a weight's rows -===//

#include "codegen/Link/WeightNorms.h"

#include "codegen/Link/FloatConvert.h"
#include "codegen/Link/WeightSpecs.h"
#include "codegen/Link/WeightStream.h"
#include "llvm/Support/Path.h"

#include <cmath>

using namespace pi;

absl::StatusOr<std::vector<float>> pi::computeRowNorms(WeightOp op) {
  absl::StatusOr<WeightSpec> spec = makeWeightSpec(op);
  if (!spec.ok())
    return spec.status();
  std::vector<double> sums(spec->rows);
  std::vector<float> values;
  uint64_t done = 0; // numbers
  llvm::SmallString<128> spoolFolder;
  llvm::sys::path::system_temp_directory(/*erasedOnReboot=*/true, spoolFolder);
  absl::Status status =
      streamWeight(*spec, spoolFolder.str().str(), [&](llvm::ArrayRef<uint8_t> bytes) {
        uint64_t count = bytes.size() / getElementBytes(spec->dtype);
        values.resize(count);
        convertFloats(bytes.data(), spec->dtype, reinterpret_cast<uint8_t *>(values.data()), PI_F32,
                      count);
        for (float value : values)
          sums[done++ / spec->cols] += double(value) * value;
        return absl::OkStatus();
      });
  if (!status.ok())
    return status;
  std::vector<float> norms;
  norms.reserve(sums.size());
  for (double sum : sums)
    norms.push_back(static_cast<float>(std::sqrt(sum)));
  return norms;
}
