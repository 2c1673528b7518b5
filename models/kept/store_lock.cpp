#include "models/kept/store_lock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "sim/core/error.h"
#include "sim/io/written_path.h"

namespace stockout {
namespace {

// SQLite keeps a page of every database for locks, from 1 GiB on, and locks 512 bytes of it. This is a byte
// behind those, and nothing else uses it. An open file description lock, since SQLite gives up all other
// locks of the process whenever it closes the file; and not flock(), which is a lock of the whole file on
// NFS, where SQLite would wait for us.
constexpr off_t kLockedByte = (off_t{1} << 30) + 1024;

int open_file(const std::string& path, int flags) {
  return ::open(path.c_str(), flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0666);
}

}  // namespace

StoreLock::StoreLock(std::string store, Use use)
    : store_{std::move(store)}, file_{written_path(store_)}, use_{use} {
  do {
    if (descriptor_ >= 0) ::close(descriptor_);
    open();
    lock();
  } while (!is_still_there());  // its last owner may have removed it before it was ours
}

StoreLock::~StoreLock() { close(); }

void StoreLock::close() const {
  struct stat status {};
  if (is_new_ && is_still_there() && ::fstat(descriptor_, &status) == 0 && status.st_size == 0)
    ::unlink(file_.c_str());
  ::close(descriptor_);
}

void StoreLock::open() {
  struct stat status {};
  if (::stat(file_.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) fail("is no file that a store can be");
  if (use_ == Use::merge) {
    descriptor_ = open_file(file_, O_RDONLY);
  } else {
    descriptor_ = open_file(file_, O_RDWR | O_CREAT | O_EXCL);
    is_new_ = descriptor_ >= 0;
    if (!is_new_ && errno == EEXIST) descriptor_ = open_file(file_, O_RDWR);
  }
  if (descriptor_ < 0) fail(fmt::format("cannot be opened: {}", std::strerror(errno)));
}

void StoreLock::lock() {
  struct flock byte {};
  byte.l_type = use_ == Use::merge ? F_RDLCK : F_WRLCK;
  byte.l_whence = SEEK_SET;
  byte.l_start = kLockedByte;
  byte.l_len = 1;
  if (::fcntl(descriptor_, F_OFD_SETLK, &byte) == 0) return;
  const int error = errno;
  const bool is_taken = error == EAGAIN || error == EACCES;
  if (is_taken) is_new_ = false;  // it is for the other to remove
  close();
  if (is_taken) fail("is being written by another process, or merged: wait until that has ended");
  fail(fmt::format("cannot be locked: {}", std::strerror(error)));
}

bool StoreLock::is_still_there() const {
  struct stat ours {};
  struct stat there {};
  return ::fstat(descriptor_, &ours) == 0 && ::stat(file_.c_str(), &there) == 0 &&
         ours.st_ino == there.st_ino && ours.st_dev == there.st_dev;
}

void StoreLock::fail(std::string_view problem) const { throw InputError{{.file = store_}, problem}; }

}  // namespace stockout
