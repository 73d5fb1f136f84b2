//===- AttachProfile.cpp - Says of each group how often its neurons were active -===//

#include "compiler/Transforms/Passes.h"

#include "compiler/Analysis/ModelFingerprint.h"
#include "compiler/Profile/ProfileFile.h"
#include "dialects/Neuron/IR/Neuron.h"
#include "dialects/Pi/IR/ErrorKinds.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/Format.h"

#define DEBUG_TYPE "pi-attach-profile"

namespace pi {
#define GEN_PASS_DEF_ATTACHPROFILE
#include "compiler/Transforms/Passes.h.inc"
} // namespace pi

using namespace mlir;
using namespace pi;

namespace {

struct AttachProfile : pi::impl::AttachProfileBase<AttachProfile> {
  using AttachProfileBase::AttachProfileBase;
  void runOnOperation() override;

private:
  LogicalResult attach(const Profile &profile);
  LogicalResult refuse(const llvm::Twine &text, const llvm::Twine &remedy);
};

} // namespace

/// An error of the user's, at the file.
LogicalResult AttachProfile::refuse(const llvm::Twine &text, const llvm::Twine &remedy) {
  InFlightDiagnostic diagnostic = emitError(FileLineColLoc::get(&getContext(), file, 0, 0)) << text;
  markError(diagnostic, ErrorKind::User);
  diagnostic.attachNote() << remedy;
  return failure();
}

static neuron::ProfileAttr makeAttribute(MLIRContext *context, const LayerProfile &layer,
                                         uint64_t tokens) {
  llvm::SmallVector<int64_t> counts(layer.counts.begin(), layer.counts.end());
  auto type =
      RankedTensorType::get({static_cast<int64_t>(counts.size())}, IntegerType::get(context, 64));
  auto blob = HeapAsmResourceBlob::allocateAndCopyInferAlign(ArrayRef<int64_t>(counts));
  auto values = DenseI64ResourceElementsAttr::get(
      type, ("layers." + llvm::Twine(layer.layer) + ".counts").str(), std::move(blob));
  return neuron::ProfileAttr::get(context, static_cast<int64_t>(tokens),
                                  cast<ElementsAttr>(Attribute(values)));
}

LogicalResult AttachProfile::attach(const Profile &profile) {
  FailureOr<uint64_t> fingerprint = computeFingerprint(getOperation());
  if (failed(fingerprint))
    return failure();
  if (*fingerprint != profile.fingerprint) {
    auto hex = [](uint64_t value) { return llvm::utohexstr(value, /*LowerCase=*/true, 16); };
    return refuse("is of another model: fingerprint " + hex(profile.fingerprint) +
                      ", this model's is " + hex(*fingerprint),
                  "make one with pi-profile MODEL -o FILE");
  }
  if (profile.tokens == 0)
    return refuse("has seen no token", "make one with pi-profile MODEL -o FILE");
  if (!profile.isComplete())
    emitWarning(FileLineColLoc::get(&getContext(), file, 0, 0))
        << "holds " << profile.shards.size() << " of " << profile.shardCount << " shards"
        << (profile.interrupted ? ", one of them interrupted" : "") << ": "
        << static_cast<int64_t>(profile.tokens) << " tokens";
  llvm::DenseMap<int64_t, const LayerProfile *> layers;
  for (const LayerProfile &layer : profile.layers)
    layers[layer.layer] = &layer;
  for (auto group : getOperation().getOps<neuron::GroupOp>()) {
    const LayerProfile *layer = layers.lookup(group.getLayer());
    if (!layer || static_cast<int64_t>(layer->neurons()) < static_cast<int64_t>(group.getLast()))
      return refuse("does not have the neurons of layer " + llvm::Twine(group.getLayer()),
                    "make one with pi-profile MODEL -o FILE");
    group.setProfileAttr(makeAttribute(&getContext(), *layer, profile.tokens));
  }
  return success();
}

void AttachProfile::runOnOperation() {
  if (file.empty())
    return;
  llvm::Expected<Profile> profile = readProfile(file, SampleReading::Skip);
  if (!profile) {
    InFlightDiagnostic diagnostic = emitError(UnknownLoc::get(&getContext()))
                                    << llvm::toString(profile.takeError());
    markError(diagnostic, ErrorKind::User);
    return signalPassFailure();
  }
  if (failed(attach(*profile)))
    signalPassFailure();
}
