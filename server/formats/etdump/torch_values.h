// Tensors out of what PyTorch saved: a pickle of values (older ETRecords) or a torch.save zip (later ones). Read by the
// pickle machine, which runs nothing: a tensor is known by the function that would rebuild it, and what is of no known
// kind is None. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "formats/etdump/tensor_values.h"

namespace vizd::etdump {

// A value, or with a name a member of a dict, in the dict's order.
struct SavedValue {
  std::string name;  // "" where the whole is no dict
  Value value;
};

// The values of a pickle or torch.save zip: the entries of a dict, else the one value. The bytes must outlive them,
// unless storage holds them. Errors, with name as their place: neither of the two, damaged, or nested too deep.
Result<std::vector<SavedValue>> read_saved_values(std::span<const std::byte> bytes,
                                                  std::shared_ptr<const std::vector<std::byte>> storage,
                                                  const std::string& name);

}  // namespace vizd::etdump
