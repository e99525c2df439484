// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What warps do together, and what barriers in shared memory count.

#ifndef FP8_OPT_TEST_KERNELS_PTX_PTXWARP_H
#define FP8_OPT_TEST_KERNELS_PTX_PTXWARP_H

#include "PtxFunctions.h"

#include <map>
#include <optional>

namespace fp8opt::test {

/// The registers of a warp's lanes, by operand and lane; and 16 bytes of shared memory that a lane names.
struct PtxWarp {
  std::function<PtxWord(size_t operand, unsigned lane)> value;
  std::function<void(size_t operand, unsigned lane, PtxWord value)> set;
  std::function<uint8_t *(size_t operand, unsigned lane)> address;
};
/// ldmatrix and stmatrix of four matrices, mma with block_scale, bar.warp.sync.
bool isWarpInstruction(const std::string &opcode);
/// Sums of an mma must be exact in f32, whatever their order: that is for whoever chooses the numbers.
void runWarpInstruction(const std::string &opcode, const PtxWarp &warp);

enum class BarrierAction { Initialize, Arrive, ArriveExpect, Copy };
std::optional<BarrierAction> barrierAction(const std::string &opcode);

/// Barriers by their address. A phase is complete when all arrived and all bytes came.
class PtxBarriers {
public:
  void clear() { states.clear(); }
  void initialize(PtxWord address, int64_t arrivals);
  void arrive(PtxWord address, int64_t expectedBytes);
  void complete(PtxWord address, int64_t bytes);
  /// Whether the phase of this parity is over.
  bool isComplete(PtxWord address, PtxWord parity);

private:
  struct State {
    int64_t arrivals = 0, missing = 0, bytes = 0;
    unsigned phase = 0;
  };
  State &at(PtxWord address);
  static void turn(State &state);

  std::map<PtxWord, State> states;
};

} // namespace fp8opt::test

#endif // FP8_OPT_TEST_KERNELS_PTX_PTXWARP_H
