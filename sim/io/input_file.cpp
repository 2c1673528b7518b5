#include "sim/io/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/core/error.h"
#include "sim/core/unknown_name.h"

namespace stockout {
namespace {

constexpr std::size_t kMostNeighbours = 1000;

std::atomic<std::uint64_t> last_size{0};
std::atomic<std::uint64_t> last_read{0};

// `, did you mean "x"?` for a file of a similar name in the same folder, or nothing.
std::string similar_file(const std::string& path) {
  const std::filesystem::path wanted{path};
  const std::filesystem::path folder = wanted.has_parent_path() ? wanted.parent_path() : ".";
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator entry{folder, error}, end; !error && entry != end;
       entry.increment(error)) {
    names.push_back(entry->path().filename().string());
    if (names.size() == kMostNeighbours) break;
  }
  return suggest(wanted.filename().string(), names, 0);
}

[[noreturn]] void fail_to_open(const std::string& path, int error) {
  if (path == "-" && error == ENOENT) {
    throw UnopenedFile{
        {.file = path},
        "standard input is not read, as some files are read twice: write it to a file first, and "
        "name that"};
  }
  if (error == ENOENT || error == ENOTDIR) {
    throw UnopenedFile{{.file = path}, "there is no such file" + similar_file(path)};
  }
  if (error == EACCES || error == EPERM) {
    throw UnopenedFile{{.file = path}, "may not be read: permission denied"};
  }
  throw UnopenedFile{{.file = path}, fmt::format("cannot be opened: {}", std::strerror(error))};
}

// What is wrong with opening something of this kind, or nothing for a regular file.
const char* why_not(mode_t mode) {
  if (S_ISREG(mode)) return nullptr;
  if (S_ISDIR(mode)) return "is a folder, not a file";
  return "is a pipe or a device; write its content to a file first";
}

}  // namespace

InputFile::InputFile(std::string path) : path_{std::move(path)} {
  if (path_.find('\0') != std::string::npos)
    throw UnopenedFile{{.file = ""}, "a file name holds a zero byte"};
  // Without O_NONBLOCK, opening a pipe that nobody writes to would hang.
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ == -1) fail_to_open(path_, errno);
  struct stat status {};
  const int error = ::fstat(descriptor_, &status) == 0 ? 0 : errno;
  const char* problem = error == 0 ? why_not(status.st_mode) : std::strerror(error);
  if (problem != nullptr) {
    ::close(descriptor_);
    throw UnopenedFile{{.file = path_}, problem};
  }
  bytes_left_ = static_cast<std::uint64_t>(status.st_size);
  last_read.store(0, std::memory_order_relaxed);
  last_size.store(bytes_left_, std::memory_order_relaxed);
}

InputFile::~InputFile() { ::close(descriptor_); }

std::size_t InputFile::read(std::span<char> into) {
  while (true) {
    const ssize_t got = ::read(descriptor_, into.data(), into.size());
    if (got >= 0) {
      const auto size = static_cast<std::size_t>(got);
      bytes_left_ -= std::min<std::uint64_t>(size, bytes_left_);  // the file may have grown
      last_read.fetch_add(size, std::memory_order_relaxed);
      return size;
    }
    if (errno != EINTR)
      throw InputError{{.file = path_}, fmt::format("cannot be read: {}", std::strerror(errno))};
  }
}

ReadSoFar read_so_far() {
  return {.bytes = last_read.load(std::memory_order_relaxed),
          .of = last_size.load(std::memory_order_relaxed)};
}

std::string read_text_file(const std::string& path, std::size_t most) {
  constexpr std::size_t kChunk = std::size_t{64} << 10;
  InputFile file{path};
  std::string text;
  std::size_t size = 0;
  while (true) {
    text.resize(size + kChunk);
    const std::size_t got = file.read(std::span{text}.subspan(size));
    if (got == 0) break;
    size += got;
    if (size > most) {
      throw InputError{{.file = path},
                       fmt::format("is larger than the {} bytes that are read at most", most)};
    }
  }
  text.resize(size);
  return text;
}

}  // namespace stockout
