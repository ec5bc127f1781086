// NodeNames: what torch.fx calls the nodes of a graph that is read back, where the file does not say: after the target,
// with a number where the name is taken. One a graph; one thread.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace vizd::etdump {

class NodeNames {
 public:
  // The name of the next node, for which this one is asked: "getitem", "aten.view_copy.default".
  std::string take(std::string_view wanted);

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, std::int64_t> numbers_;  // the last number given to a name's stem
  std::unordered_map<std::string, std::int64_t>
      searched_;  // by name that was taken: where the search for another ended
};

// The name that a node is given after its target's own: "aten.Conv" -> "aten_conv", "fooBar" -> "foo_bar".
std::string name_of_op(std::string_view op);

}  // namespace vizd::etdump
