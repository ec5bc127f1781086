#include "formats/torch_memory/sites.h"

namespace vizd::torch_memory {

Sites::Sites(const MemoryFile& file, Capture& capture) : file_(file), capture_(capture) {
  sites_.emplace_back();
  places_.emplace(0, 0);
}

StringId Sites::copied(StringId of_snapshot) { return capture_.strings.add(file_.snapshot().strings.get(of_snapshot)); }

StackId Sites::stack_id(std::uint32_t stack) {
  const Snapshot& snapshot = file_.snapshot();
  const auto frames = snapshot.stacks.get(stack);
  StackId id{kNoId};
  for (std::size_t i = frames.size(); i-- > 0;) {
    const auto [place, is_new] = stack_ids_.try_emplace({id, frames[i]}, to_id<StackId>(capture_.stacks.size()));
    if (is_new) {
      const Frame& frame = snapshot.frames[frames[i]];
      capture_.stacks.push_back(
          {.frame = {.function = copied(frame.name), .file = copied(frame.file), .line = frame.line}, .caller = id});
    }
    id = place->second;
  }
  return id;
}

StackId Sites::forward_id(std::uint32_t forward) {
  const auto [place, is_new] = forward_ids_.try_emplace(forward, StackId{kNoId});
  if (!is_new) return place->second;
  StackId id{kNoId};
  for (const FormattedFrame& of : file_.words().forward_frames(forward)) {
    const vizd::Frame frame{.function = capture_.strings.add(of.function),
                            .file = capture_.strings.add(of.file),
                            .line = of.line,
                            .code = capture_.strings.add(of.code)};
    const auto [known, is_new_frame] = formatted_ids_.try_emplace(
        {index(id), index(frame.function), index(frame.file), std::size_t{frame.line}, index(frame.code)},
        to_id<StackId>(capture_.stacks.size()));
    if (is_new_frame) capture_.stacks.push_back({.frame = frame, .caller = id});
    id = known->second;
  }
  return place->second = id;
}

std::uint32_t Sites::of(const Life& life) {
  const std::uint64_t key = std::uint64_t{life.stack} << 32 | life.words;
  if (key == last_key_) return last_place_;
  const auto [place, is_new] = places_.try_emplace(key, static_cast<std::uint32_t>(sites_.size()));
  if (is_new) {
    const StackWords::Words& words = file_.words().of(life.stack);
    const EntryWords& said = file_.snapshot().words[life.words];
    const auto added = [&](std::string_view text) { return capture_.strings.add(text); };
    sites_.push_back({.stack = stack_id(life.stack),
                      .forward = forward_id(said.forward),
                      .depth = static_cast<std::uint32_t>(file_.snapshot().stacks.get(life.stack).size()),
                      .frame = added(file_.words().user_frame(life.stack).value_or("")),
                      .file = added(file_.words().user_file(life.stack).value_or("")),
                      .forward_frame = added(file_.words().forward_frame(said.forward).value_or("")),
                      .operation = added(words.operator_name),
                      .phase = added(phase_name(words.phase)),
                      .compile_context = copied(said.compile_context),
                      .metadata = copied(said.user_metadata),
                      .category = copied(said.category)});
  }
  last_key_ = key;
  return last_place_ = place->second;
}

}  // namespace vizd::torch_memory
