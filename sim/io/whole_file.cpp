#include "sim/io/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "sim/core/error.h"
#include "sim/io/written_path.h"

namespace stockout {
namespace {

constexpr std::size_t kBufferSize = std::size_t{1} << 20;

// /dev/stdout and its like stand for a stream that is open already: it must not be replaced by another file.
bool is_stream(const std::string& target) { return target.starts_with("/proc/"); }

// A pipe that nobody reads is an error, not something to wait for. Once it is open, writing may wait.
int open_stream(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK);
  if (file >= 0) static_cast<void>(::fcntl(file, F_SETFL, O_APPEND));
  return file;
}

std::string temporary_name(const std::string& target) {
  static std::atomic<std::uint64_t> count{0};
  return fmt::format("{}.tmp-{}-{}", target, ::getpid(), count++);
}

}  // namespace

WholeFile::WholeFile(const std::string& path) : name_{path}, target_{written_path(path)} {
  if (path.empty()) throw InputError{{.file = "command line"}, "the name of a file to write to is empty"};
  if (path == "-") {
    throw InputError{
        {.file = "command line"},
        "\"-\" is no name of a file to write to: say /dev/stdout, or ./- for a file of that name"};
  }
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) fail("cannot be written");
  if (exists && S_ISDIR(status.st_mode))
    throw InputError{{.file = name_}, "cannot be written: it is a folder"};
  if (exists && (!S_ISREG(status.st_mode) || is_stream(target_))) {
    file_ = open_stream(path);
  } else {
    if (exists && ::access(target_.c_str(), W_OK) != 0) fail("cannot be written");
    const std::string temporary = temporary_name(target_);
    unfinished_.emplace(temporary);
    file_ = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file_ >= 0) temporary_ = temporary;
    if (file_ >= 0 && exists) static_cast<void>(::fchmod(file_, status.st_mode & 07777U));
  }
  if (file_ < 0) fail("cannot be written");
}

WholeFile::~WholeFile() {
  if (file_ >= 0) ::close(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void WholeFile::write(std::string_view text) {
  buffer_.append(text);
  if (buffer_.size() >= kBufferSize) flush();
}

void WholeFile::flush() {
  std::string_view left = buffer_;
  while (!left.empty()) {
    const ssize_t written = ::write(file_, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot be written");
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  buffer_.clear();
}

void WholeFile::commit() {
  flush();
  if (!temporary_.empty() && ::fsync(file_) != 0) fail("cannot be brought to the disk");
  const int closed = ::close(file_);
  file_ = -1;
  if (closed != 0) fail("cannot be closed");
  note_finished_file();
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot be put in place");
  temporary_.clear();
  unfinished_.reset();
}

void WholeFile::fail(std::string_view what) const {
  const char* problem = std::strerror(errno);
  std::error_code error;
  const bool is_link = std::filesystem::is_symlink(name_, error);
  throw InputError{
      {.file = name_},
      fmt::format("{}: {}{}", what, is_link ? "it is a link to " + target_ + ": " : "", problem)};
}

}  // namespace stockout
