// GPU profiles kept in SQLite: Nsight Systems' exports and rpd files. One thread.
#pragma once

#include "formats/registry.h"
#include "formats/sqlite_profiles/database.h"
#include "model/capture.h"

namespace vizd::sqlite_profiles {

extern const Format kFormat;

// Errors: SQLite cannot read the file, or no table of a profile is in it.
Result<void> read(const FormatInput& input, Capture& capture);

// The readers are told apart by the tables that a file has. Each takes what it needs from them.
bool is_nsight_systems(const ProfileDatabase& database);
void read_nsight_systems(ProfileDatabase& database, Capture& capture);
bool is_rpd(const ProfileDatabase& database);
void read_rpd(ProfileDatabase& database, Capture& capture);

}  // namespace vizd::sqlite_profiles
