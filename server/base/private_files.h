// Files and folders that are the user's alone: nobody else may read them, whatever the umask. Any thread.
#pragma once

#include <fcntl.h>
#include <sys/types.h>

#include <string>

#include "base/result.h"

namespace vizd {

// The rights of others to write.
inline constexpr mode_t kWrittenByOthers = 022;

// Opens a new file of mode 0600, never one that is there, nor through a link. -1, with errno, where it cannot be made.
int make_private_file(const std::string& path, int access = O_WRONLY);
// Makes a folder of mode 0700. False, with errno, where it cannot be made, or is there.
bool make_private_folder(const std::string& path);
// Makes those folders of the path that are not there, each of mode 0700. What fails shows when they are used.
void make_missing_folders(const std::string& path);
// The same, for a folder that is used only if it is this user's own. Others lose the right to write to one that is
// there; what they may read of it stays, since the files in it are private. Errors: it cannot be made, is no folder, is
// another user's, or is a place for everybody, as /tmp is (sticky).
Result<void> take_private_folder(const std::string& path);

}  // namespace vizd
