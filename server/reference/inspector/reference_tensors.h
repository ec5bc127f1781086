// Reference values beside a capture: a folder of .npy files named after the debug handles that they are of. Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "formats/etdump/tensor_values.h"

namespace vizd::inspector {

using namespace etdump;

// A node's values by its debug handles.
struct ReferenceNode {
  std::vector<Value> values;
  bool is_list = false;  // the node has several outputs, of which these are some
};
using ReferenceValues = std::map<std::vector<std::int64_t>, ReferenceNode>;

// The files H.npy, H.I.npy (output I of several) and H_H.npy (of several handles) of a folder; for each that cannot be
// read a line is added to warnings. The values hold their bytes. Errors: no such folder.
Result<ReferenceValues> read_reference_tensors(const std::string& folder, std::vector<std::string>& warnings);

}  // namespace vizd::inspector
