// What rocmProfileData (rpd) writes: operations of devices, and the calls of the host that launched them.
#include <algorithm>
#include <tuple>

#include "formats/sqlite_profiles/amd_words.h"
#include "formats/sqlite_profiles/format.h"
#include "formats/sqlite_profiles/profile_builder.h"
#include "formats/sqlite_profiles/texts.h"

namespace vizd::sqlite_profiles {
namespace {

class RpdReader {
 public:
  RpdReader(ProfileDatabase& database, Capture& capture)
      : database_(database),
        builder_(capture),
        strings_(database, "rocpd_string", "id", "string"),
        has_arguments_(database.has_table("rocpd_ustring")),
        arguments_(database, "rocpd_ustring", "id", "string") {}

  void read() {
    database_.each_row("rocpd_metadata", {"tag", "value"}, [&](const Row& row) {
      if (row.text(0) == "schema_version")
        builder_.add_fact("", "rpd schema", builder_.intern(row.text(1).value_or("")));
    });
    read_calls();
    read_links();
    read_operations();
    builder_.join_launches();
    builder_.finish("rpd");
  }

 private:
  struct Link {
    std::int64_t operation = 0;
    std::uint32_t order = 0;
    std::int64_t call = 0;
  };
  struct CopySize {
    std::int64_t call = 0, size_bytes = 0;
  };

  void read_calls() {
    database_.each_row("rocpd_api", {"id", "pid", "tid", "start", "end", "apiName_id", "args_id"}, [&](const Row& row) {
      const auto times = builder_.times(row.whole(3), row.whole(4));
      if (!times) return;
      const ProcessId process{row.whole(1), row.whole(1)};
      const std::string name = text_at(strings_, row, 5);
      if (name == "UserMarker") {
        add_marker(process, row, *times);
      } else {
        builder_.add_call(process, row.whole(2), "api", builder_.intern(name), *times, {std::nullopt, row.whole(0)});
      }
    });
  }

  void add_marker(const ProcessId& process, const Row& row, const RowTimes& times) {
    const std::string text = text_at(has_arguments_ ? arguments_ : strings_, row, 6);
    const bool is_mark = times.start_ns == times.end_ns;
    builder_.add_host_event(process, row.whole(2),
                            {.start_ns = times.start_ns,
                             .dur_ns = times.end_ns - times.start_ns,
                             .name = builder_.intern(text.empty() ? "UserMarker" : text),
                             .category = builder_.intern("user_annotation"),
                             .kind = is_mark ? EventKind::kInstant : EventKind::kSpan});
  }

  static std::string text_at(const NumberedTexts& texts, const Row& row, int column) {
    const Number number = row.whole(column);
    return number ? texts.text(*number) : "[string " + row.text(column).value_or("None") + "]";
  }

  // Which call an operation is of, the first where there are several, and how much a call copies.
  void read_links() {
    database_.each_row("rocpd_api_ops", {"api_id", "op_id"}, [&](const Row& row) {
      const Number call = row.whole(0), operation = row.whole(1);
      if (call && operation) links_.push_back({*operation, static_cast<std::uint32_t>(links_.size()), *call});
    });
    std::ranges::sort(links_, {}, [](const Link& link) { return std::pair(link.operation, link.order); });
    database_.each_row("rocpd_copyapi", {"api_ptr_id", "size"}, [&](const Row& row) {
      const Number call = row.whole(0), size_bytes = row.whole(1);
      if (call && size_bytes) sizes_.push_back({*call, *size_bytes});
    });
    std::ranges::stable_sort(sizes_, {}, &CopySize::call);
  }

  Number call_of(std::int64_t operation) const {
    const auto found = std::ranges::lower_bound(links_, operation, {}, &Link::operation);
    return found != links_.end() && found->operation == operation ? Number(found->call) : std::nullopt;
  }

  Number size_of(const Number& call) const {
    if (!call) return std::nullopt;
    const auto after = std::ranges::upper_bound(sizes_, *call, {}, &CopySize::call);
    return after != sizes_.begin() && (after - 1)->call == *call ? Number((after - 1)->size_bytes) : std::nullopt;
  }

  void read_operations() {
    database_.each_row(
        "rocpd_op", {"id", "gpuId", "queueId", "start", "end", "description_id", "opType_id"}, [&](const Row& row) {
          const auto times = builder_.times(row.whole(3), row.whole(4));
          if (!times) return;
          const std::string type = text_at(strings_, row, 6);
          const EventRole role = role_of_operation(type);
          const Number id = row.whole(0), device = row.whole(1), text = row.whole(5);
          const std::string* const description = text ? strings_.find(*text) : nullptr;
          const bool is_named = description != nullptr && !description->empty();
          StreamId stream{.process = {}, .context = {}, .stream = row.whole(2)};
          if (device) stream.device = *device;
          const Number call = id ? call_of(*id) : std::nullopt;
          const bool is_busy = role != EventRole::kNone;
          const EventPlace place =
              builder_.add_work(stream, role, category_of_work(role), builder_.intern(is_named ? *description : type),
                                *times, {std::nullopt, is_busy ? call : std::nullopt});
          const Number size_bytes = size_of(call);
          if (size_bytes && (role == EventRole::kMemcpy || role == EventRole::kMemset))
            builder_.add_argument(place, "bytes", "B", *size_bytes);
        });
  }

  ProfileDatabase& database_;
  ProfileBuilder builder_;
  NumberedTexts strings_;
  bool has_arguments_;
  NumberedTexts arguments_;      // of calls; their names are among the strings
  std::vector<Link> links_;      // by operation
  std::vector<CopySize> sizes_;  // by call
};

}  // namespace

bool is_rpd(const ProfileDatabase& database) {
  return database.has_table("rocpd_op") && database.has_table("rocpd_api");
}

void read_rpd(ProfileDatabase& database, Capture& capture) { RpdReader(database, capture).read(); }

}  // namespace vizd::sqlite_profiles
