// ReportPacker: asks questions of the routes and packs the answers for a report, as far as there is room; what there is
// none for is told in words. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/report/packed_answers.h"
#include "http/report/route_client.h"

namespace vizd {

// Hears how far the work is: "graphs", 3 of 214.
using TellReport = std::function<void(std::string_view what, std::uint64_t done, std::uint64_t of)>;

class ReportPacker {
 public:
  ReportPacker(const Router& routes, std::uint64_t most_bytes, TellReport tell)
      : client_(routes), packed_(most_bytes), tell_(std::move(tell)) {}

  // A part of the report, of so many things. what: in the plural, "graphs of passes".
  void begin(std::string what, std::size_t of);
  // The next pack of the part, all of it or nothing: the answers to these questions, which tell of so many of its
  // things. Whether there was room.
  bool pack(const std::vector<Question>& questions, std::size_t things = 1);
  // The answer to a question, which is known by another name in the report: that of the whole serves for its parts.
  bool pack_as(const std::string& name, const Question& question);
  bool pack_answers(const std::vector<PackedAnswers::Named>& answers, std::size_t things = 1);
  // The part ends: what of it was not packed is left out, as left_out() then says.
  void end();

  RouteClient::Answer ask(const Question& question) const { return client_.ask(question); }
  void leave_out(std::string what) { left_out_.push_back(std::move(what)); }
  const std::vector<std::string>& left_out() const { return left_out_; }
  const PackedAnswers& packed() const { return packed_; }

 private:
  RouteClient client_;
  PackedAnswers packed_;
  TellReport tell_;
  std::vector<std::string> left_out_;
  std::string what_;  // of the part that was begun
  std::size_t of_ = 0, done_ = 0, packed_things_ = 0;
};

}  // namespace vizd
