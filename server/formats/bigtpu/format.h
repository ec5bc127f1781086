// Profile folders of Sophgo's TPUs (BM1690 and SG2260E), as tpuDNN and the bmodel runtime write them and bigTpuProfile
// reads them: global.profile, a cdmlib*.profile of blocks for each core, a cdma_*.profile for each CDMA port. One set
// is a call of all devices whose folders are in one place: cdm_profile_data_dev0-3, cdm_profile_data_dev1-3, …
#pragma once

#include "formats/bigtpu/host_trace.h"
#include "formats/bigtpu/profile_folder.h"
#include "formats/registry.h"

namespace vizd::bigtpu {

extern const Format kFormat;

bool sniff(const FileBeginning& beginning);
std::vector<InputSet> claim(std::span<const ListedFile> listing);

// The clock that an option of the command line gives; none where it was not given. Errors: it is no number of MHz.
Result<std::optional<double>> tiu_mhz(const OpenSet& set);

// The capture's commands as the table that bigTpuProfile makes of them, as CSV.
void write_table(const Capture& capture, const WriteOptions& options, const WriteText& write);

// Adds the devices of opened folders to the capture. host: the trace that was read into it before, if any.
Result<void> read_folders(const std::vector<ProfileFolder>& folders, std::optional<double> mhz, Capture& capture,
                          const HostTrace* host = nullptr);

}  // namespace vizd::bigtpu
