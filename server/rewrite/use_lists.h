// UseLists: who reads what. Each reader has a row of ports; a port is in the list of what it reads, or in none. Adding,
// taking out and walking cost what they touch, whatever the length of the list. The heads of the lists are the owner's.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace vizd {

class UseLists {
 public:
  // The first of a new reader's ports, which follow one another.
  std::uint32_t add_reader(std::uint32_t reader, std::size_t port_count) {
    const auto first = static_cast<std::uint32_t>(ports_.size());
    ports_.resize(ports_.size() + port_count, {.reader = reader});
    return first;
  }

  std::uint32_t reader(std::uint32_t port) const { return ports_[port].reader; }

  void add(std::uint32_t& head, std::uint32_t port) {
    ports_[port].previous = kNoId;
    ports_[port].next = head;
    if (head != kNoId) ports_[head].previous = port;
    head = port;
  }

  void remove(std::uint32_t& head, std::uint32_t port) {
    const Port& p = ports_[port];
    (p.previous == kNoId ? head : ports_[p.previous].next) = p.next;
    if (p.next != kNoId) ports_[p.next].previous = p.previous;
  }

  // A reader is visited once for each of its ports in the list.
  template <typename Visit>
  void for_each_reader(std::uint32_t head, Visit&& visit) const {
    for (std::uint32_t port = head; port != kNoId; port = ports_[port].next) visit(ports_[port].reader);
  }
  // The same, until visit returns false.
  template <typename Visit>
  void for_each_reader_while(std::uint32_t head, Visit&& visit) const {
    for (std::uint32_t port = head; port != kNoId && visit(ports_[port].reader);) port = ports_[port].next;
  }

 private:
  struct Port {
    std::uint32_t reader = 0;
    std::uint32_t next = kNoId;
    std::uint32_t previous = kNoId;
  };

  std::vector<Port> ports_;
};

}  // namespace vizd
