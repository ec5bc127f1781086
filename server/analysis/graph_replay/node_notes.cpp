#include "analysis/graph_replay/node_notes.h"

#include <charconv>
#include <nlohmann/json.hpp>
#include <vector>

namespace vizd {
namespace {

using Json = nlohmann::json;

// Reads entries as they come, so that a file costs no more than its size.
class NoteParser final : public nlohmann::json_sax<Json> {
 public:
  // notes: where the text is that of many nodes.
  NoteParser(NodeNotes* notes, NodeNote* note) : notes_(notes), note_(note), outer_(notes == nullptr ? 0 : 1) {}

  bool null() override { return take("null"); }
  bool boolean(bool value) override { return take(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return take(std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override { return take(std::to_string(value)); }
  bool number_float(number_float_t, const string_t& text) override { return take(text); }
  bool string(string_t& value) override { return take(value); }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return open('{'); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open('['); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t, const std::string&, const Json::exception&) override { return false; }
  std::size_t odd_keys() const { return odd_keys_; }

  bool key(string_t& key) override {
    if (open_.size() != outer_ || outer_ == 0) {
      key_ = key;
      return true;
    }
    std::uint64_t id = 0;
    const auto [end, failed] = std::from_chars(key.data(), key.data() + key.size(), id);
    note_ = nullptr;
    if (failed != std::errc() || end != key.data() + key.size()) {
      ++odd_keys_;
      return true;
    }
    const auto made = std::make_shared<NodeNote>();
    note_ = made.get();
    if (!notes_->insert_or_assign(id, made).second) ++odd_keys_;
    return true;
  }

 private:
  bool open(char kind) {
    if (open_.size() < outer_ && kind != '{') return false;  // notes of nodes are an object
    open_.push_back(kind);
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }
  // An entry that is no object, or a member of one that is; what lies deeper means nothing here.
  bool take(std::string_view text) {
    if (open_.size() < outer_) return false;
    if (note_ == nullptr) return true;
    const std::size_t depth = open_.size() - outer_;
    const bool is_listed = depth > 0 && open_[outer_] == '[';
    if (depth == (is_listed ? 1u : 0u)) note_->take("name", text);
    if (depth == (is_listed ? 2u : 1u) && open_.back() == '{') note_->take(key_, text);
    return true;
  }

  NodeNotes* const notes_;
  NodeNote* note_;
  const std::size_t outer_;
  std::vector<char> open_;
  std::string key_;
  std::size_t odd_keys_ = 0;
};

}  // namespace

void NodeNote::take(std::string_view key, std::string_view value) {
  if (key == "name" || key == "str") name = std::string(value);
  if (key == "module_fqn") module = std::string(value);
}

bool read_json_notes(std::string_view json, NodeNotes& notes, std::size_t* odd_keys) {
  NoteParser parser(&notes, nullptr);
  const bool is_whole = Json::sax_parse(json.begin(), json.end(), &parser);
  if (odd_keys != nullptr) *odd_keys += parser.odd_keys();
  return is_whole;
}

std::optional<NodeNote> read_json_note(std::string_view json) {
  NodeNote note;
  NoteParser parser(nullptr, &note);
  return Json::sax_parse(json.begin(), json.end(), &parser) ? std::optional(note) : std::nullopt;
}

std::optional<NotedLayer> layer_of_module(std::string_view module) {
  for (std::size_t begin = 0; begin <= module.size();) {
    const std::size_t end = std::min(module.find('.', begin), module.size());
    std::int64_t index = 0;
    const auto [last, failed] = std::from_chars(module.data() + begin, module.data() + end, index);
    if (end > begin && module[begin] != '-' && failed == std::errc() && last == module.data() + end)
      return NotedLayer{module.substr(0, end), index};
    begin = end + 1;
  }
  return std::nullopt;
}

}  // namespace vizd
