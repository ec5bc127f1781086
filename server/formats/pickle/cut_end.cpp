#include "formats/pickle/cut_end.h"

namespace vizd::pickle {
namespace {

bool is_container(Node node) { return node.is(Kind::kList) || node.is(Kind::kDict) || node.is(Kind::kSet); }

// A list of one item is written without a mark: the item lies on the list, among the values of the next larger thing.
// There a list on a list may be two items as well; but where a dict's key is due, no list is one.
void close_lists_without_mark(Stack& stack, Sink& sink, bool is_in_dict) {
  while (stack.available() > 1) {
    const Node list = stack.under(1), item = stack.top();
    const bool is_key_due = is_in_dict && stack.available() % 2 == 1;
    if (!list.is(Kind::kList) || !(is_key_due ? is_container(item) : item.is(Kind::kDict))) return;
    sink.extend(list, stack.last(1));
    stack.drop(1);
  }
}

}  // namespace

Node close_what_is_open(Stack& stack, Sink& sink) {
  while (stack.has_mark()) {
    const Node owner = stack.under_mark();
    close_lists_without_mark(stack, sink, owner.is(Kind::kDict));
    if (owner.is(Kind::kDict)) stack.drop(stack.available() % 2);  // a key without its value
    const std::size_t count = stack.take_mark();
    if (is_container(owner) && count > 0) sink.extend(owner, stack.last(count));
    stack.drop(count);
  }
  close_lists_without_mark(stack, sink, false);
  return stack.available() > 0 ? stack.under(stack.available() - 1) : Node{};
}

}  // namespace vizd::pickle
