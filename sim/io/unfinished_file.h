#pragma once

#include <cstddef>
#include <string>

namespace stockout {

/// Notes a file that is being written, under a name of its own, as one to be removed if the process is ended
/// by a signal, which runs no destructor. For as long as it lives; at most kMost at a time are noted, and the
/// names of more, or longer ones than the system has, are not.
class UnfinishedFile {
 public:
  static constexpr std::size_t kMost = 64;

  explicit UnfinishedFile(const std::string& path);
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

 private:
  std::size_t slot_ = kMost;
};

/// Removes all that are noted. May be called by a signal handler, and by nothing that goes on afterwards.
void remove_unfinished_files() noexcept;

/// Says that an output file was finished, for finished_files().
void note_finished_file() noexcept;

/// How many output files of this process were finished. May be called by a signal handler.
[[nodiscard]] std::size_t finished_files() noexcept;

}  // namespace stockout
