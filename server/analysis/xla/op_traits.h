// OpTraits: the kind of work that the names of XLA's ops and kernels imply. Pure.
#pragma once

#include <string_view>
#include <vector>

#include "base/string_table.h"
#include "model/xla_profile.h"

namespace vizd {

// The op's name without the endings that tell copies of it apart: ".3", ".clone", ".remat2".
std::string_view op_base_name(std::string_view op);

struct OpTraits {
  bool is_communication = false, is_memory = false;
  bool is_infeed = false, is_outfeed = false;  // the device waits for the host

  bool is_compute() const { return !is_communication && !is_memory; }
};

// By place in XlaHost::kinds.
std::vector<OpTraits> find_op_traits(const XlaHost& host, const StringTable& strings);

}  // namespace vizd
