// MadeProgram: the JSON of an exported program for tests, as torch.export's serializer writes it: only what is said.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

namespace vizd {

class MadeProgram {
 public:
  MadeProgram& input(const std::string& name) {
    inputs_.push_back(fmt::format(R"({{"as_tensor":{{"name":"{}"}}}})", name));
    return *this;
  }
  // handle: "" for none. Each output is a tensor of that name.
  MadeProgram& node(const std::string& target, const std::vector<std::string>& sources,
                    const std::vector<std::string>& outputs, const std::string& handle, const std::string& more = "") {
    std::vector<std::string> in, out;
    for (const auto& name : sources)
      in.push_back(fmt::format(R"({{"name":"x","arg":{{"as_tensor":{{"name":"{}"}}}}}})", name));
    for (const auto& name : outputs) out.push_back(fmt::format(R"({{"as_tensor":{{"name":"{}"}}}})", name));
    const std::string metadata = handle.empty() ? "" : fmt::format(R"("debug_handle":"{}")", handle);
    nodes_.push_back(fmt::format(R"({{"target":"{}","inputs":[{}],"outputs":[{}],"metadata":{{{}{}{}}}}})", target,
                                 fmt::join(in, ","), fmt::join(out, ","), metadata,
                                 metadata.empty() || more.empty() ? "" : ",", more));
    return *this;
  }
  // A node of the edge dialect with one output called as it.
  MadeProgram& edge(const std::string& op, const std::vector<std::string>& sources, const std::string& output,
                    const std::string& handle) {
    return node("executorch.exir.dialects.edge.ops." + op, sources, {output}, handle);
  }
  MadeProgram& output(const std::string& name) {
    outputs_.push_back(fmt::format(R"({{"as_tensor":{{"name":"{}"}}}})", name));
    return *this;
  }
  std::string finish() const {
    return fmt::format(
        R"({{"graph_module":{{"graph":{{"inputs":[{}],"outputs":[{}],"nodes":[{}],"tensor_values":{{}}}},"signature":{{"input_specs":[]}}}},"verifiers":["EDGE"]}})",
        fmt::join(inputs_, ","), fmt::join(outputs_, ","), fmt::join(nodes_, ","));
  }

 private:
  std::vector<std::string> inputs_, outputs_, nodes_;
};

}  // namespace vizd
