#include "sim/io/text_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <fmt/format.h>
#include <sys/stat.h>

#include "sim/core/error.h"

namespace stockout {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using OpenFile = std::unique_ptr<std::FILE, CloseFile>;

[[noreturn]] void fail(const std::string& path, std::string_view problem) {
  throw InputError{SourceRef{.file = path}, problem};
}

OpenFile open_to_read(const std::string& path) {
  struct stat about {};
  if (path.find('\0') != std::string::npos) fail(path.c_str(), "a file name holds no zero byte");
  if (stat(path.c_str(), &about) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) fail(path, "there is no such file");
    fail(path, fmt::format("cannot be reached: {}", std::strerror(errno)));
  }
  if (S_ISDIR(about.st_mode)) fail(path, "is a folder, not a file");
  OpenFile file{std::fopen(path.c_str(), "rb")};
  if (file == nullptr) fail(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  return file;
}

}  // namespace

std::string read_text_file(const std::string& path, std::size_t most) {
  const OpenFile file = open_to_read(path);
  constexpr std::size_t kChunk = 1 << 16;
  std::string text;
  std::size_t size = 0;
  do {
    text.resize(size + kChunk);
    const std::size_t got = std::fread(text.data() + size, 1, kChunk, file.get());
    size += got;
    if (size > most) fail(path, fmt::format("is larger than the {} bytes that are read at most", most));
    if (got < kChunk && std::ferror(file.get()) != 0)
      fail(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  } while (std::feof(file.get()) == 0);
  text.resize(size);
  return text;
}

}  // namespace stockout
