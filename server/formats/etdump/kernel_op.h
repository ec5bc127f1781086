// The operator that a portable kernel is of, by the name that the runtime logs for it. Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace vizd::etdump {

// "aten.sigmoid.default" of "native_call_sigmoid.out": kernels are the variants of operators that write into a tensor
// given to them. "" of what is no kernel.
std::string kernel_op(std::string_view event_name);

// "sigmoid" of "aten.sigmoid.default".
std::string_view base_name(std::string_view op);

}  // namespace vizd::etdump
