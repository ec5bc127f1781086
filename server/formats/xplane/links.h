// Links: what events of one file say of each other by numbers: producers and consumers of flows, calls and the work
// with their correlation, runs of modules and the ops in them. Collected while the lines are read, and joined when all
// of them are. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/profile.h"
#include "model/xla_profile.h"

namespace vizd::xplane {

// A place in Profile::tracks and in the events of that.
struct EventPlace {
  std::uint32_t track = 0, event = 0;
};

// The type of a flow, and its number modulo 2^64.
using FlowKey = std::pair<std::int64_t, std::uint64_t>;

struct Links {
  struct Producer {
    XlaCall call;
    EventPlace place;
  };
  struct Consumer {
    FlowKey key;
    EventPlace place;
  };
  struct CorrelatedWork {
    std::size_t work = 0;  // place in XlaHost::work
    std::uint64_t correlation = 0;
    EventPlace place;
  };

  std::map<FlowKey, Producer> producers;  // the first of each
  std::vector<Consumer> consumers;
  std::unordered_map<std::uint64_t, std::uint32_t> calls;  // place in XlaHost::calls, by correlation
  std::vector<EventPlace> call_places;                     // by place in XlaHost::calls
  std::vector<CorrelatedWork> work;
  std::vector<std::optional<FlowKey>> run_keys;  // what each of XlaHost::runs consumes
};

// Gives each piece of work its call and each op of a TPU the module that ran then, and draws the flows. Work that has a
// program and no module stays so: whether the module can be read is not known here.
void join(const Links& links, XlaHost& host, Profile& profile);

}  // namespace vizd::xplane
