#include "formats/tinygrad/unknown_parts.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace vizd::tinygrad {
namespace {

// Besides those that a version has rows for.
constexpr std::string_view kKnownClasses[] = {
    "tinygrad.uop.ops.RewriteTrace",
    "tinygrad.uop.ops.TrackedGraphRewrite",
    "tinygrad.uop.ops.ParamArg",
    "tinygrad.uop.ops.KernelInfo",
    "tinygrad.uop.ops.ProgramInfo",
    "tinygrad.schedule.indexing.BufferizeOpts",
    "tinygrad.schedule.rangeify.BufferizeOpts",
    "tinygrad.shape.shapetracker.ShapeTracker",
    "tinygrad.shape.view.View",
    "tinygrad.codegen.opt.Opt",
    "tinygrad.codegen.opt.kernel.Opt",
    "tinygrad.dtype.InvalidType",
    "tinygrad.dtype.PtrDType",
    "tinygrad.dtype.ImageDType",
    "tinygrad.renderer.Estimates",
    "tinygrad.renderer.ProgramSpec",
    "tinygrad.renderer.isa.Register",
    "tinygrad.helpers.TracingKey",
    "tinygrad.helpers.Target",
    "tinygrad.helpers.Metadata",
    "tinygrad.helpers.ProfileRangeEvent",
    "tinygrad.helpers.ProfilePointEvent",
    "tinygrad.device.ProfileDeviceEvent",
    "tinygrad.device.ProfileProgramEvent",
    "tinygrad.device.ProfileGraphEvent",
    "tinygrad.device.ProfileGraphEntry",
    "tinygrad.runtime.ops_amd.ProfilePMCEvent",
    "tinygrad.runtime.ops_amd.ProfileSQTTEvent",
    "tinygrad.runtime.ops_amd.PMCSample",
    "tinygrad.runtime.ops_nv.ProfilePMAEvent",
};

bool is_known(const Version& version, std::string_view type_name) {
  const bool is_renderer = type_name.ends_with("Renderer");  // what made a program: it means nothing but its name
  if (!type_name.starts_with("tinygrad.") || is_renderer) return true;
  return std::ranges::find(kKnownClasses, type_name) != std::end(kKnownClasses) ||
         std::ranges::any_of(version.classes,
                             [&](const ClassRow& row) { return is_named(type_name, row.type_name); }) ||
         std::ranges::find(version.enums, type_name, &EnumTable::type_name) != version.enums.end();
}

// How many objects a pickle has of each of its classes: made by calling it, or one of its members by name.
std::vector<std::uint32_t> count_objects(const pickle::Tree& tree) {
  std::vector<std::uint32_t> objects(tree.classes.size());
  for (const pickle::Object& object : tree.objects) {
    if (!object.callable.is(pickle::Kind::kClass)) continue;
    ++objects[object.callable.at];
    if (tree.class_name(object.callable).name != "getattr" || !object.args.is(pickle::Kind::kTuple)) continue;
    const auto args = tree.tuple(object.args);
    if (!args.empty() && args[0].is(pickle::Kind::kClass)) ++objects[args[0].at];
  }
  return objects;
}

// Things of one kind that are not known, each told as a fact and all in one note.
class Unknown {
 public:
  Unknown(Capture& capture, std::string_view fact) : capture_(capture), fact_(fact) {}

  void add(const std::string& name, std::uint32_t times) {
    constexpr std::size_t kListed = 20;  // in a note
    capture_.facts.push_back({.subject = capture_.strings.add("tinygrad"),
                              .name = capture_.strings.add(fact_),
                              .value = capture_.strings.add(name),
                              .times = times});
    if (count_++ < kListed)
      list_ += (list_.empty() ? "" : ", ") + name;
    else
      ++unlisted_;
  }

  void note(std::string_view what) const {
    if (count_ == 0) return;
    const std::string more = unlisted_ == 0 ? "" : fmt::format(" and {} more, which vizd ls lists", unlisted_);
    capture_.notes.push_back(fmt::format("{}: {}{}", what, list_, more));
  }

 private:
  Capture& capture_;
  std::string_view fact_;
  std::size_t count_ = 0, unlisted_ = 0;
  std::string list_;
};

}  // namespace

void tell_unknown(const pickle::Tree& tree, const Version& version, Capture& capture) {
  Unknown classes(capture, "class that vizd does not know");
  const std::vector<std::uint32_t> objects = count_objects(tree);
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const std::string type_name = fmt::format("{}.{}", tree.classes[i].module, tree.classes[i].name);
    if (objects[i] != 0 && !is_known(version, type_name)) classes.add(type_name, objects[i]);
  }
  classes.note("has classes that vizd does not know and shows only by name");

  Unknown members(capture, "member that vizd does not know");
  for (std::size_t i = 0; i < capture.values.size(); ++i) {
    const ValueId id = to_id<ValueId>(i);
    const bool is_unknown =
        capture.values.kind(id) == ValueKind::kEnum && capture.values.as_int(id) >= EnumTable::kFirstUnknown;
    if (is_unknown) members.add(fmt::format("{}.{}", capture.values.type_name(id), capture.values.text(id)), 1);
  }
  members.note("has members of enumerations that vizd does not know");
}

}  // namespace vizd::tinygrad
