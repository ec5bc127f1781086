#include "formats/sqlite_profiles/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/ascii_case.h"
#include "base/utf8.h"

namespace vizd::sqlite_profiles {
namespace {

using Statement = std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)>;

// One open file of SQLite's, whose content is in memory.
struct MemoryFile {
  sqlite3_file base;
  std::span<const std::byte> bytes;
};

int close_file(sqlite3_file*) { return SQLITE_OK; }

// The two bytes of the header that say how the file is written and read. A file that was in WAL mode says 2; SQLite
// would look for its log, which is not there.
constexpr std::size_t kWriteVersion = 18, kReadVersion = 19;

int read_file(sqlite3_file* file, void* to, int count, sqlite3_int64 at) {
  const std::span<const std::byte> bytes = reinterpret_cast<MemoryFile*>(file)->bytes;
  auto* const target = static_cast<std::byte*>(to);
  const std::size_t wanted = static_cast<std::size_t>(count), from = static_cast<std::size_t>(at);
  const std::size_t there = from < bytes.size() ? std::min(wanted, bytes.size() - from) : 0;
  if (there > 0) std::memcpy(target, bytes.data() + from, there);
  std::memset(target + there, 0, wanted - there);
  for (const std::size_t version : {kWriteVersion, kReadVersion}) {
    if (version >= from && version - from < there && target[version - from] == std::byte{2})
      target[version - from] = std::byte{1};
  }
  return there == wanted ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

int refuse_write(sqlite3_file*, const void*, int, sqlite3_int64) { return SQLITE_READONLY; }
int refuse_truncate(sqlite3_file*, sqlite3_int64) { return SQLITE_READONLY; }
int sync_nothing(sqlite3_file*, int) { return SQLITE_OK; }
int size_of_file(sqlite3_file* file, sqlite3_int64* size) {
  *size = static_cast<sqlite3_int64>(reinterpret_cast<MemoryFile*>(file)->bytes.size());
  return SQLITE_OK;
}
int lock_nothing(sqlite3_file*, int) { return SQLITE_OK; }
int has_no_lock(sqlite3_file*, int* answer) {
  *answer = 0;
  return SQLITE_OK;
}
int control_nothing(sqlite3_file*, int, void*) { return SQLITE_NOTFOUND; }
int sector_size(sqlite3_file*) { return 4096; }
int is_immutable(sqlite3_file*) { return SQLITE_IOCAP_IMMUTABLE; }

constexpr sqlite3_io_methods kMethods{
    .iVersion = 1,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = refuse_write,
    .xTruncate = refuse_truncate,
    .xSync = sync_nothing,
    .xFileSize = size_of_file,
    .xLock = lock_nothing,
    .xUnlock = lock_nothing,
    .xCheckReservedLock = has_no_lock,
    .xFileControl = control_nothing,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = is_immutable,
    .xShmMap = nullptr,
    .xShmLock = nullptr,
    .xShmBarrier = nullptr,
    .xShmUnmap = nullptr,
    .xFetch = nullptr,
    .xUnfetch = nullptr,
};

int open_memory(sqlite3_vfs* vfs, const char*, sqlite3_file* file, int flags, int* out_flags) {
  auto* const opened = reinterpret_cast<MemoryFile*>(file);
  opened->base.pMethods = nullptr;
  if ((flags & SQLITE_OPEN_MAIN_DB) == 0) return SQLITE_CANTOPEN;
  opened->bytes = *static_cast<const std::span<const std::byte>*>(vfs->pAppData);
  opened->base.pMethods = &kMethods;
  if (out_flags != nullptr) *out_flags = SQLITE_OPEN_READONLY;
  return SQLITE_OK;
}
int refuse_delete(sqlite3_vfs*, const char*, int) { return SQLITE_READONLY; }
int finds_nothing(sqlite3_vfs*, const char*, int, int* found) {
  *found = 0;
  return SQLITE_OK;
}
int full_path(sqlite3_vfs*, const char* name, int size, char* to) {
  sqlite3_snprintf(size, to, "%s", name);
  return SQLITE_OK;
}
int no_randomness(sqlite3_vfs*, int size, char* to) {
  std::memset(to, 0, static_cast<std::size_t>(size));
  return size;
}
int no_sleep(sqlite3_vfs*, int) { return 0; }
int no_time(sqlite3_vfs*, double* time) {
  *time = 0;
  return SQLITE_OK;
}
int no_error(sqlite3_vfs*, int, char*) { return 0; }

// Only columns of tables are read, and the columns of a table listed.
int permit(void*, int action, const char* subject, const char*, const char*, const char*) {
  if (action == SQLITE_SELECT || action == SQLITE_READ) return SQLITE_OK;
  const bool lists_columns = action == SQLITE_PRAGMA && subject != nullptr && std::strcmp(subject, "table_xinfo") == 0;
  return lists_columns ? SQLITE_OK : SQLITE_DENY;
}

std::string sql_name(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) text.append(c == '"' ? 2 : 1, c);
  return text + '"';
}

std::string_view raw_text(sqlite3_stmt* statement, int column) {
  const bool is_blob = sqlite3_column_type(statement, column) == SQLITE_BLOB;
  const void* const bytes = is_blob ? sqlite3_column_blob(statement, column) : sqlite3_column_text(statement, column);
  if (bytes == nullptr) return {};
  return {static_cast<const char*>(bytes), static_cast<std::size_t>(sqlite3_column_bytes(statement, column))};
}

Statement prepare(sqlite3* connection, const std::string& query) {
  sqlite3_stmt* prepared = nullptr;
  if (sqlite3_prepare_v2(connection, query.c_str(), -1, &prepared, nullptr) != SQLITE_OK) prepared = nullptr;
  return {prepared, sqlite3_finalize};
}

// The statement that gives the row ids and the columns; tables without row ids give NULL for them.
Statement prepare_scan(sqlite3* connection, const std::string& columns, const std::string& table) {
  const std::string rest = fmt::format("{} FROM {} NOT INDEXED", columns, sql_name(table));
  Statement scan = prepare(connection, "SELECT _rowid_" + rest);
  return scan ? std::move(scan) : prepare(connection, "SELECT NULL" + rest);
}

}  // namespace

struct ProfileDatabase::Storage {
  explicit Storage(std::span<const std::byte> content) : bytes(content), name(fmt::format("vizd-{}", fmt::ptr(this))) {
    vfs.iVersion = 1;
    vfs.szOsFile = sizeof(MemoryFile);
    vfs.mxPathname = 64;
    vfs.zName = name.c_str();
    vfs.pAppData = &bytes;
    vfs.xOpen = open_memory;
    vfs.xDelete = refuse_delete;
    vfs.xAccess = finds_nothing;
    vfs.xFullPathname = full_path;
    vfs.xRandomness = no_randomness;
    vfs.xSleep = no_sleep;
    vfs.xCurrentTime = no_time;
    vfs.xGetLastError = no_error;
    sqlite3_vfs_register(&vfs, 0);
  }
  ~Storage() { sqlite3_vfs_unregister(&vfs); }
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  std::span<const std::byte> bytes;
  std::string name;
  sqlite3_vfs vfs{};
};

bool Row::is_null(int column) const { return sqlite3_column_type(statement_, column + 1) == SQLITE_NULL; }

Number Row::whole(int column) const {
  const int type = sqlite3_column_type(statement_, column + 1);
  if (type == SQLITE_INTEGER) return sqlite3_column_int64(statement_, column + 1);
  if (type != SQLITE_FLOAT) return std::nullopt;
  constexpr double kMost = 9223372036854775808.0;  // 2^63
  const double value = sqlite3_column_double(statement_, column + 1);
  const bool is_whole = value > -kMost && value < kMost && value == std::floor(value);
  return is_whole ? Number(static_cast<std::int64_t>(value)) : std::nullopt;
}

std::optional<double> Row::real(int column) const {
  const int type = sqlite3_column_type(statement_, column + 1);
  if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) return std::nullopt;
  const double value = sqlite3_column_double(statement_, column + 1);
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<std::string> Row::text(int column) const {
  if (is_null(column)) return std::nullopt;
  return std::string(cut_text(raw_text(statement_, column + 1), kMostText_bytes));
}

ProfileDatabase::ProfileDatabase(std::span<const std::byte> bytes) : storage_(std::make_unique<Storage>(bytes)) {}

ProfileDatabase::~ProfileDatabase() { sqlite3_close(connection_); }

Result<std::unique_ptr<ProfileDatabase>> ProfileDatabase::open(std::span<const std::byte> bytes,
                                                               const std::string& name) {
  std::unique_ptr<ProfileDatabase> database(new ProfileDatabase(bytes));
  VIZD_TRY(database->connect(name));
  VIZD_TRY(database->read_schema(name));
  return database;
}

Result<void> ProfileDatabase::connect(const std::string& name) {
  const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
  const int opened = sqlite3_open_v2("profile", &connection_, flags, storage_->name.c_str());
  if (opened != SQLITE_OK)
    return Error{ErrorKind::kBadInput, fmt::format("SQLite cannot open it: {}", sqlite3_errstr(opened)), name};
  for (const auto& [option, value] : {std::pair(SQLITE_DBCONFIG_DEFENSIVE, 1),
                                      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                      {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
                                      {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                                      {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
                                      {SQLITE_DBCONFIG_DQS_DDL, 0},
                                      {SQLITE_DBCONFIG_DQS_DML, 0}})
    sqlite3_db_config(connection_, option, value, nullptr);
  sqlite3_limit(connection_, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit(connection_, SQLITE_LIMIT_COLUMN, static_cast<int>(kMostColumns) + 1);
  sqlite3_exec(connection_, "PRAGMA cell_size_check = ON", nullptr, nullptr, nullptr);
  sqlite3_exec(connection_, "PRAGMA mmap_size = 0", nullptr, nullptr, nullptr);
  sqlite3_exec(connection_, "PRAGMA temp_store = MEMORY", nullptr, nullptr, nullptr);
  sqlite3_set_authorizer(connection_, permit, nullptr);
  return {};
}

Result<void> ProfileDatabase::read_schema(const std::string& name) {
  const Statement schema = prepare(connection_, "SELECT type, name, sql FROM sqlite_master");
  int stepped = schema ? sqlite3_step(schema.get()) : SQLITE_ERROR;
  for (; stepped == SQLITE_ROW; stepped = sqlite3_step(schema.get())) {
    const std::string table(raw_text(schema.get(), 1));
    const std::string folded = ascii_lower(table), sql = ascii_lower(raw_text(schema.get(), 2).substr(0, 64));
    if (raw_text(schema.get(), 0) != "table" || folded.starts_with("sqlite_")) continue;
    if (sql.find("virtual") != std::string::npos && sql.find("virtual") < sql.find('(')) continue;
    if (names_.size() < kMostTables) {
      names_.emplace(folded, table);
    } else {
      ++tables_left_out_;
    }
  }
  if (stepped == SQLITE_DONE) return {};
  return Error{ErrorKind::kBadInput,
               fmt::format("SQLite cannot read its schema: {}; was it copied whole?", sqlite3_errmsg(connection_)),
               name};
}

const std::map<std::string, std::string>& ProfileDatabase::columns_of(const std::string& table) {
  const auto [found, is_new] = columns_.try_emplace(table);
  const auto name = names_.find(table);
  if (!is_new || name == names_.end()) return found->second;
  const Statement info = prepare(connection_, fmt::format("PRAGMA table_xinfo({})", sql_name(name->second)));
  constexpr int kName = 1, kHidden = 6;
  while (info && sqlite3_step(info.get()) == SQLITE_ROW) {
    if (sqlite3_column_int(info.get(), kHidden) != 0) continue;
    const std::string column(raw_text(info.get(), kName));
    found->second.emplace(ascii_lower(column), column);
  }
  return found->second;
}

bool ProfileDatabase::has_column(std::string_view table, std::string_view column) {
  return columns_of(std::string(table)).contains(ascii_lower(column));
}

std::vector<std::string> ProfileDatabase::tables_beginning(std::string_view prefix) const {
  std::vector<std::string> tables;
  for (auto at = names_.lower_bound(std::string(prefix)); at != names_.end() && at->first.starts_with(prefix); ++at)
    tables.push_back(at->first);
  return tables;
}

void ProfileDatabase::each_row(std::string_view table, std::span<const std::string_view> columns,
                               const std::function<void(const Row&)>& visit) {
  const auto name = names_.find(std::string(table));
  if (name == names_.end()) return;
  const auto& known = columns_of(name->first);
  std::string list;
  for (const std::string_view column : columns) {
    const auto found = known.find(ascii_lower(column));
    list += ", " + (found == known.end() ? "NULL" : sql_name(found->second));
  }
  const Statement scan = prepare_scan(connection_, list, name->second);
  std::uint64_t rows = 0;
  Number last;
  int stepped = scan ? sqlite3_step(scan.get()) : SQLITE_ERROR;
  for (; stepped == SQLITE_ROW; stepped = sqlite3_step(scan.get())) {
    const Number id = Row(scan.get()).whole(-1);
    // A tree that leads back into itself is walked 20 levels deep, and its rows come again and again.
    if (last && id && *id <= *last) break;
    last = id;
    ++rows;
    visit(Row(scan.get()));
  }
  if (stepped == SQLITE_DONE) return;
  const std::string what = stepped == SQLITE_ROW ? "its row ids do not rise" : sqlite3_errmsg(connection_);
  damage_.push_back(fmt::format("{}: {}; {} rows read", name->second, what, rows));
}

}  // namespace vizd::sqlite_profiles
