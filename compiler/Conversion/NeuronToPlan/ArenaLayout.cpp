//===- ArenaLayout.cpp - Offsets of buffers from their lifetimes -===//

#include "compiler/Conversion/NeuronToPlan/ArenaLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

using namespace pi;

static int64_t alignedBytes(const LiveBuffer &buffer) {
  return llvm::alignTo(buffer.bytes, kBufferAlign);
}

static bool liveTogether(const LiveBuffer &a, const LiveBuffer &b) {
  return a.first <= b.last && b.first <= a.last;
}

ArenaLayout pi::layoutByLifetime(llvm::ArrayRef<LiveBuffer> buffers) {
  ArenaLayout layout;
  layout.offsets.assign(buffers.size(), -1);
  llvm::SmallVector<size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::pair(-buffers[a].bytes, a) < std::pair(-buffers[b].bytes, b);
  });

  llvm::SmallVector<size_t> placed;
  for (size_t index : order) {
    // Placed neighbours in time, by offset: take the first gap that is large enough.
    llvm::SmallVector<size_t> rivals;
    llvm::copy_if(placed, std::back_inserter(rivals),
                  [&](size_t other) { return liveTogether(buffers[index], buffers[other]); });
    llvm::sort(rivals, [&](size_t a, size_t b) {
      return std::pair(layout.offsets[a], a) < std::pair(layout.offsets[b], b);
    });
    int64_t offset = 0;
    for (size_t rival : rivals) {
      if (offset + alignedBytes(buffers[index]) <= layout.offsets[rival])
        break;
      offset = std::max(offset, layout.offsets[rival] + alignedBytes(buffers[rival]));
    }
    layout.offsets[index] = offset;
    layout.totalBytes = std::max(layout.totalBytes, offset + alignedBytes(buffers[index]));
    placed.push_back(index);
  }
  return layout;
}

ArenaLayout pi::layoutInSequence(llvm::ArrayRef<LiveBuffer> buffers) {
  ArenaLayout layout;
  for (const LiveBuffer &buffer : buffers) {
    layout.offsets.push_back(layout.totalBytes);
    layout.totalBytes += alignedBytes(buffer);
  }
  return layout;
}

std::optional<std::pair<size_t, size_t>> pi::findOverlap(llvm::ArrayRef<LiveBuffer> buffers,
                                                         const ArenaLayout &layout) {
  for (size_t a = 0; a < buffers.size(); ++a)
    for (size_t b = a + 1; b < buffers.size(); ++b)
      if (liveTogether(buffers[a], buffers[b]) &&
          layout.offsets[a] < layout.offsets[b] + buffers[b].bytes &&
          layout.offsets[b] < layout.offsets[a] + buffers[a].bytes)
        return std::make_pair(a, b);
  return std::nullopt;
}
