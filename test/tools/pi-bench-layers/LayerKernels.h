//===- LayerKernels.h - The kernels of one feed-forward layer, compiled -*- C++ -*-===//

#ifndef PI_TEST_TOOLS_PI_BENCH_LAYERS_LAYERKERNELS_H
#define PI_TEST_TOOLS_PI_BENCH_LAYERS_LAYERKERNELS_H

#include "test/numeric/CompiledKernel.h"

#include <cstdint>
#include <memory>
#include <string>

namespace pi::bench {

/// Rows of `hidden` f16: gate, up and down of each neuron, or without a gate up and down.
struct LayerShape {
  int64_t hidden = 0;
  int64_t neurons = 0;
  bool isGated = true;

  int64_t parts() const { return isGated ? 3 : 2; }
  /// Bytes of one part of one neuron.
  int64_t rowBytes() const { return hidden * 2; }
  int64_t layerBytes() const { return neurons * parts() * rowBytes(); }
  /// e.g. `4096x11008`, `7168x28672:plain`.
  std::string name() const;
};

/// A kernel in this process.
struct LayerKernel {
  std::unique_ptr<test::CompiledProgram> program;
  int64_t tiles = 0;

  pi_kernel_fn function() const { return program->program().kernels[0].fn; }
};

/// What the compiler makes of a layer: the same operations, tiles and code generation.
/// Arguments of each kernel, in order, with n = neurons, h = hidden, p = parts:
struct LayerKernels {
  LayerKernel dense;     ///< x [1,h], weight [p*n,h], y [1,p*n]
  LayerKernel predicted; ///< x, bundle [n,p*h], ids, counts, partial [tiles,h]
  LayerKernel select;    ///< x, first part [n,h], bias [n], ids, acts, counts
  LayerKernel apply;     ///< x, other parts [n,(p-1)*h], ids, acts, counts, partial
  LayerKernel reduce;    ///< partial, y [1,h]
  int64_t perSegment = 0;
  int64_t segments = 0;

  /// For x86-64-v4 if `vectorBits` is 512, for x86-64-v3 if it is 256. Null after an error
  /// on stderr.
  static std::unique_ptr<LayerKernels> compile(const LayerShape &shape, int64_t vectorBits);
};

} // namespace pi::bench

#endif // PI_TEST_TOOLS_PI_BENCH_LAYERS_LAYERKERNELS_H
