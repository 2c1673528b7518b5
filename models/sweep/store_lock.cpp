#include "models/sweep/store_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "sim/core/error.h"

namespace stockout {
namespace {

std::string owner_text(int file) {
  std::array<char, 300> text{};
  const ssize_t size = ::pread(file, text.data(), text.size(), 0);
  return size > 0 ? std::string{text.data(), static_cast<std::size_t>(size)} : "another process";
}

std::string own_text() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  return fmt::format("process {} on {}", ::getpid(), host.data());
}

// The last owner may have removed the file between our opening and our locking it.
bool is_still_there(int file, const std::string& path) {
  struct stat ours {};
  struct stat there {};
  return ::fstat(file, &ours) == 0 && ::stat(path.c_str(), &there) == 0 && ours.st_ino == there.st_ino &&
         ours.st_dev == there.st_dev;
}

}  // namespace

StoreLock::StoreLock(const std::string& store) : path_{store + ".lock"} {
  for (;;) {
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file_ < 0)
      throw InputError{{.file = store},
                       fmt::format("cannot be written: {}: {}", path_, std::strerror(errno))};
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
      const std::string problem = errno == EWOULDBLOCK
                                      ? fmt::format("is being written by {}", owner_text(file_))
                                      : fmt::format("cannot be locked: {}", std::strerror(errno));
      ::close(file_);
      throw InputError{{.file = store}, problem};
    }
    if (is_still_there(file_, path_)) break;
    ::close(file_);
  }
  unfinished_.emplace(path_);
  const std::string text = own_text();
  const bool written = ::ftruncate(file_, 0) == 0 &&
                       ::pwrite(file_, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
  static_cast<void>(written);  // the text is for messages only
}

StoreLock::~StoreLock() {
  ::unlink(path_.c_str());
  ::close(file_);
}

}  // namespace stockout
