// Sites: the stacks of a snapshot and what its entries say in words, in the capture's tables, each once. One thread.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/torch_memory/answers/memory_file.h"
#include "model/allocator_log.h"
#include "model/capture.h"

namespace vizd::torch_memory {

class Sites {
 public:
  // Both must outlive it.
  Sites(const MemoryFile& file, Capture& capture);

  // The place of a life's site in sites(); 0 is the one that says nothing.
  std::uint32_t of(const Life& life);
  const std::vector<AllocationSite>& sites() const { return sites_; }

 private:
  StackId stack_id(std::uint32_t stack);
  // The stack of a place in Snapshot::forward_stacks.
  StackId forward_id(std::uint32_t forward);
  StringId copied(StringId of_snapshot);

  const MemoryFile& file_;
  Capture& capture_;
  std::vector<AllocationSite> sites_;
  std::unordered_map<std::uint64_t, std::uint32_t> places_;  // by stack and words
  std::uint64_t last_key_ = 0;
  std::uint32_t last_place_ = 0;
  std::map<std::pair<StackId, std::uint32_t>, StackId> stack_ids_;  // by caller and frame
  std::unordered_map<std::uint32_t, StackId> forward_ids_;          // by place in forward_stacks
  std::map<std::array<std::size_t, 5>, StackId> formatted_ids_;     // by caller and what a formatted frame says
};

}  // namespace vizd::torch_memory
