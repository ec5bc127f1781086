// Operators: which operator of a framework each piece of device work was launched for. Refers to the capture. Pure.
//
// A trace says it by "External id", but in those of before about 2024 that is the correlation again, and the numbers of
// operators coincide with it by accident: where no piece of work of a rank has an id other than its correlation, ids
// are no operators'. Then, and for work without an id, it is the innermost operator around the start of the call that
// launched it, on the call's thread. Where the profiler could not place the call, as with those of autograd's thread,
// it is the operator that was open then on the one thread of the process that had any open; that is told by time alone.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analysis/devices/device_work.h"
#include "analysis/pytorch/operator_bytes.h"
#include "base/column.h"

namespace vizd {

// What the capture of a graph says of the operator that a replay's work is of: the trace itself has no event of it.
struct CapturedOperator {
  // A module, or an operator with the number of its call: kNoId where that is not told.
  struct Frame {
    std::string name;
    bool is_operator = false;
    std::uint32_t call = kNoId;
  };
  std::string name, module, shapes, types;  // "": not told
  std::vector<Frame> frames = {};           // around the launch: modules, then operators, the outermost first
  WorkSource source = WorkSource::kNone;    // how its arithmetic and bytes are known
  AttentionMask attention = AttentionMask::kNone;
  double causal_share = 1;  // of its FLOP, if it is causal, where that is not told
};

struct Operators {
  std::vector<ProfileEvent> all;               // those that launched any work
  SparseColumn<std::uint32_t, kNoId> of_item;  // by DeviceWork::items: place in all; kNoId where it is not known
  SparseColumn<std::uint8_t, 0> by_time_of_item = {};  // by item: 1 where its operator is told by time alone
  // For work that a capture names (graph_replay/captured_operators.h), which has more than the trace: by item its place
  // in captured, and a number of the operator's call in one replay.
  SparseColumn<std::uint32_t, kNoId> captured_of_item = {}, captured_call_of_item = {};
  std::shared_ptr<const std::vector<CapturedOperator>> captured = {};

  // Null: no capture names it.
  const CapturedOperator* captured_of(std::size_t item) const {
    return captured && captured_of_item[item] != kNoId ? &(*captured)[captured_of_item[item]] : nullptr;
  }
};

Operators find_operators(const Capture& capture, const DeviceWork& work);

}  // namespace vizd
