// Which files make one capture: a tinygrad pair (its rewrites and its profile) is one, any other file is one by itself.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vizd {

enum class FileRole { kKernels, kProfile, kCapture };

// "kernels", "profile", "capture", as API.md has them.
std::string_view role_name(FileRole role);

struct CaptureFile {
  FileRole role = FileRole::kCapture;
  std::string path;
};

struct CaptureFiles {
  std::string name;
  std::vector<CaptureFile> files;  // the rewrites before the profile
};

// A pair named by its options; either path may be empty.
CaptureFiles pair_files(const std::string& kernels_path, const std::string& profile_path);

// Groups paths into captures: "X.rewrites.pkl" and "X.profile.pkl" (or "rewrites.pkl.U" and "profile.pkl.U") of one
// folder belong together. Captures keep the order of their first paths.
std::vector<CaptureFiles> group_files(std::span<const std::string> paths);

// The capture that a file found in a folder belongs to: with its partner where its name says that it has one, be it
// there yet or not, since programs leave one after the other.
CaptureFiles found_file(const std::string& path);

// The regular files of a folder, sorted by name; of very many the first that the system lists. Hidden ones, links to
// nowhere and folders in it are left out.
inline constexpr std::size_t kMostFolderFiles = 4096;
std::vector<std::string> files_in(const std::string& folder);

// Whether a file looks like one of a format that vizd reads, by its beginning.
bool looks_like_capture(const std::string& path);

// Where tinygrad leaves its captures (tinygrad helpers.py temp): {rewrites,profile}.pkl.USER in Python's
// tempfile.gettempdir().
CaptureFiles default_files();

}  // namespace vizd
