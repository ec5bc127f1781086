// PythonWriter: a graph as pyrender writes it, as Python code that would make it again, a line for each op that is used
// more than once or stands for itself. A release says which ops have a line, and how each is written. Belongs to one
// thread.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/tinygrad/v2026_08/expr_text.h"
#include "formats/tinygrad/v2026_08/op_facts.h"
#include "formats/tinygrad/v2026_08/value_text.h"
#include "model/printed_lines.h"

namespace vizd::tinygrad_2026_08 {

class PythonWriter {
 public:
  static constexpr std::size_t kMaxPythonBytes = std::size_t{256} << 20;

  PythonWriter(const OpGraph& graph, OpFacts& facts, const ValueText& values, OpId root)
      : graph_(graph), facts_(facts), text_(values), order_(toposort(graph, root)) {
    for (std::size_t i = 0; i < order_.size(); ++i) place_.emplace(order_[i], i);
  }
  virtual ~PythonWriter() = default;

  // on_line(out, op, name, text) appends a line of its own, "NAME = TEXT".
  template <typename OnLine>
  std::optional<std::string> write(const OnLine& on_line) {
    if (!choose_lines()) return std::nullopt;
    std::string out;
    std::vector<int> depths(order_.size());
    texts_.resize(order_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const Op op = graph_.op(order_[i]);
      int depth = 1;
      for (const OpId source : op.src) depth = std::max(depth, depths[place_.at(source)] + 1);
      if (depth > split_depth()) has_line_[i] = true;
      depths[i] = has_line_[i] ? 0 : depth;
      current_ = order_[i];
      auto text = find(op);
      if (!text || out.size() > kMaxPythonBytes) return std::nullopt;
      if (op.tag != kNoneValue) *text += fmt::format(".rtag({})", text_.repr(op.tag));
      if (!has_line_[i]) {
        texts_[i] = *std::move(text);
        continue;
      }
      texts_[i] = i + 1 == order_.size() ? "ast" : fmt::format("c{}", i);
      if (!out.empty()) out += '\n';
      on_line(out, order_[i], texts_[i], without_parentheses(*text));
    }
    return out;
  }

  std::optional<std::string> written() {
    return write([](std::string& out, OpId, const std::string& name, std::string_view text) {
      fmt::format_to(std::back_inserter(out), "{} = {}", name, text);
    });
  }
  // A line means what it says but for the numbers of lines, its own and those of others.
  std::optional<std::vector<PrintedLine>> lines() {
    std::vector<PrintedLine> lines;
    const auto whole = write([&lines](std::string& out, OpId op, const std::string& name, std::string_view text) {
      const std::size_t begin = out.size();
      fmt::format_to(std::back_inserter(out), "{} = {}", name, text);
      lines.push_back({op, false, out.substr(begin), std::string(text), {}});
    });
    if (!whole) return std::nullopt;
    for (PrintedLine& line : lines) line.names = take_names(line.meaning);
    return lines;
  }

 private:
  // The ops that a line's text calls by the names of their lines, in order; the names themselves become "c".
  std::vector<OpId> take_names(std::string& text) const {
    std::vector<OpId> names;
    std::string without;
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto is_word = [&](char c) { return is_digit(c) || c == '_' || ((c | 32) >= 'a' && (c | 32) <= 'z'); };
    for (std::size_t at = 0; at < text.size();) {
      without += text[at++];
      const bool begins = text[at - 1] == 'c' && (at < 2 || !is_word(text[at - 2]));
      if (!begins) continue;
      std::size_t end = at, place = 0;
      while (end < text.size() && is_digit(text[end]) && end - at < 9)
        place = place * 10 + static_cast<std::size_t>(text[end++] - '0');
      const bool ends = end > at && (end == text.size() || !is_word(text[end]));
      if (!ends || place >= order_.size() || !has_line_[place]) continue;
      names.push_back(order_[place]);
      at = end;
    }
    text = std::move(without);
    return names;
  }

 protected:
  Ops kind(OpId id) const { return static_cast<Ops>(graph_.kind(id)); }
  const std::string& text(OpId id) const { return texts_[place_.at(id)]; }
  Scalar scalar(OpId id) const { return facts_.scalar(graph_.op(id).dtype); }
  std::string dtype(const Op& op) const { return text_.str(op.dtype); }

  // Which ops have a line of their own; false where pyrender raises.
  virtual bool choose_lines() = 0;
  // How many ops stand in one another on a line: Python's parser takes only so many parentheses.
  virtual int split_depth() const { return 100; }
  // The text of an op whose sources have their texts; nothing if pyrender raises.
  virtual std::optional<std::string> find(const Op& op) = 0;

  std::string sources(std::span<const OpId> src) const {
    if (src.size() == 1) return fmt::format("({},)", text(src[0]));
    std::string out = "(";
    for (const OpId& source : src) out += (&source == src.data() ? "" : ", ") + text(source);
    return out + ")";
  }

  std::string method(const Op& op) {
    const auto kind = static_cast<Ops>(op.kind);
    std::string name(text_.name_of(kind));
    for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    std::string arguments;
    const auto add = [&](const std::string& argument) { arguments += (arguments.empty() ? "" : ", ") + argument; };
    for (std::size_t i = 1; i < op.src.size(); ++i) add(text(op.src[i]));
    if (op.arg != kNoneValue) add("arg=" + text_.repr(op.arg));
    return fmt::format("{}.{}({})", op.src.empty() ? "UOp" : text(op.src[0]), name, arguments);
  }

  OpId current() const { return current_; }  // the op that find() is asked for

  const OpGraph& graph_;
  OpFacts& facts_;
  const ValueText& text_;
  std::vector<OpId> order_;
  std::unordered_map<OpId, std::size_t> place_;
  std::vector<bool> has_line_;
  std::vector<std::string> texts_;

 private:
  OpId current_{};
};

}  // namespace vizd::tinygrad_2026_08
