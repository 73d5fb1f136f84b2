//===- ReadPlan.cpp - What pi-compile --explain=json printed -===//

#include "tools/pi-profile/ReadPlan.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace pi;

static llvm::Error refuse(const std::string &path, const llvm::Twine &what) {
  return llvm::createStringError(path + ": " + what +
                                 "; give what pi-compile --gpu=NAME -n --explain=json printed");
}

/// A layer of the plan; false where a field is missing or of another type.
static bool readLayer(const llvm::json::Value &value, ReportPlacementRow &row) {
  llvm::json::Path::Root root("layer");
  llvm::json::ObjectMapper map(value, root);
  int64_t layer = 0, hot = 0, cold = 0, bytes = 0;
  if (!map || !map.map("layer", layer) || !map.map("hot_rows", hot) ||
      !map.map("cold_rows", cold) || !map.map("attention", row.attention) ||
      !map.map("coverage", row.coverage) || !map.map("device_bytes", bytes) ||
      !map.map("us_cpu", row.cpuUs) || !map.map("us_gpu", row.gpuUs) ||
      std::min({layer, hot, cold, bytes}) < 0)
    return false;
  row.layer = static_cast<uint32_t>(layer);
  row.hotRows = hot;
  row.coldRows = cold;
  row.deviceBytes = bytes;
  return true;
}

/// Layers of the same sizes, in the same order.
static bool fits(const Profile &profile, llvm::ArrayRef<ReportPlacementRow> rows) {
  if (profile.layers.size() != rows.size())
    return false;
  for (const auto &[layer, row] : llvm::zip(profile.layers, rows))
    if (layer.layer != row.layer || layer.neurons() != row.hotRows + row.coldRows)
      return false;
  return true;
}

llvm::Error pi::readPlan(const std::string &path, const Profile &profile, ReportExtras &extras) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return refuse(path, buffer.getError().message());
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse((*buffer)->getBuffer());
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return refuse(path, "is no JSON");
  }
  const llvm::json::Object *plan = parsed->getAsObject();
  const llvm::json::Array *layers = plan ? plan->getArray("layers") : nullptr;
  std::optional<llvm::StringRef> gpu = plan ? plan->getString("gpu") : std::nullopt;
  if (!layers || !gpu)
    return refuse(path, "holds no plan for a GPU");
  for (const llvm::json::Value &value : *layers) {
    ReportPlacementRow row;
    if (!readLayer(value, row))
      return refuse(path, "has a layer that is none");
    extras.placement.push_back(row);
  }
  if (!fits(profile, extras.placement))
    return refuse(path, "is of another model than the profile: its layers differ");
  auto number = [&](const char *name) { return plan->getNumber(name).value_or(0); };
  extras.placementFacts = {
      {"GPU", gpu->str()},
      {"Device memory", llvm::formatv("{0:n} of {1:n} bytes", int64_t(number("device_bytes")),
                                      int64_t(number("budget_bytes")))
                            .str()},
      {"Predicted speed", llvm::formatv("{0:f1} tokens/s", number("predicted_tok_s")).str()},
      {"Binds", plan->getString("binds").value_or("").str()},
      {"With one more GiB",
       llvm::formatv("{0:f1} tokens/s", number("tok_s_with_1_gib_more")).str()}};
  return llvm::Error::success();
}
