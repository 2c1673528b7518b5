#include "sim/io/byte_source.h"

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/core/error.h"

namespace stockout {
namespace {

constexpr std::size_t kPackedBlock = std::size_t{64} << 10;
// A file of megabytes may unpack to terabytes of one byte. Text shrinks to a hundredth at best.
constexpr std::uint64_t kMostRatio = 500;
constexpr std::uint64_t kSmall = std::uint64_t{64} << 20;
constexpr int kGzipOnly = 16 + MAX_WBITS;  // zlib: a gzip header is required, window size from the header

Bytef* bytes_of(char* text) { return reinterpret_cast<Bytef*>(text); }

}  // namespace

// Unpacks gzip members one after another. `pull` fetches packed bytes.
class ByteSource::Gunzip {
 public:
  Gunzip() : packed_(kPackedBlock) {
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc{};
  }
  ~Gunzip() { inflateEnd(&stream_); }
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;

  template <typename Pull>
  std::size_t unpack(std::span<char> into, const std::string& path, Pull pull) {
    stream_.next_out = bytes_of(into.data());
    stream_.avail_out = static_cast<uInt>(std::min<std::size_t>(into.size(), 1U << 30));
    const uInt wanted = stream_.avail_out;
    while (stream_.avail_out == wanted) {
      if (stream_.avail_in == 0) fill(pull);
      if (stream_.avail_in == 0 && between_members_) break;
      if (stream_.avail_in == 0) fail(path, "ends too early: the file is incomplete");
      if (between_members_ && !start_member()) fail(path, "is followed by something else");
      step(path);
    }
    return wanted - stream_.avail_out;
  }

 private:
  template <typename Pull>
  void fill(Pull pull) {
    const std::size_t got = pull(std::span{packed_});
    consumed_ += got;
    stream_.next_in = bytes_of(packed_.data());
    stream_.avail_in = static_cast<uInt>(got);
  }

  // Only another gzip header may follow a member. Its first byte is enough here: zlib checks the rest.
  bool start_member() {
    constexpr Bytef kMagic = 0x1f;
    if (*stream_.next_in != kMagic) return false;
    between_members_ = false;
    return inflateReset(&stream_) == Z_OK;
  }

  void step(const std::string& path) {
    const uInt room = stream_.avail_out;
    const int result = inflate(&stream_, Z_NO_FLUSH);
    unpacked_ += room - stream_.avail_out;
    if (unpacked_ > kSmall && unpacked_ / kMostRatio > consumed_)
      fail(path,
           fmt::format("is more than {} times as long as the file, like no text worth reading", kMostRatio));
    if (result == Z_STREAM_END) {
      between_members_ = true;
    } else if (result == Z_MEM_ERROR) {
      throw std::bad_alloc{};
    } else if (result !=
               Z_OK) {  // with input and room for output there is always progress, unless it is broken
      fail(path, fmt::format("is corrupt ({})", stream_.msg == nullptr ? "unexpected data" : stream_.msg));
    }
  }

  [[noreturn]] void fail(const std::string& path, std::string_view problem) const {
    throw InputError{
        {.file = path},
        fmt::format("gzip data {}, at byte {} of the file", problem, consumed_ - stream_.avail_in)};
  }

  z_stream stream_{};
  std::vector<char> packed_;
  std::uint64_t consumed_ = 0;  // bytes fetched so far
  std::uint64_t unpacked_ = 0;  // bytes handed out so far
  bool between_members_ = false;
};

ByteSource::ByteSource(std::string path) : file_{std::move(path)} {
  while (head_size_ < sizeof head_) {
    const std::size_t got = file_.read(std::span{head_}.subspan(head_size_));
    if (got == 0) break;
    head_size_ += got;
  }
  if (head_size_ == 2 && head_[0] == '\x1f' && head_[1] == '\x8b') gunzip_ = std::make_unique<Gunzip>();
}

ByteSource::~ByteSource() = default;

std::uint64_t ByteSource::plain_bytes_left() const {
  return gunzip_ == nullptr ? file_.bytes_left() + head_size_ : 0;
}

std::size_t ByteSource::take_head(std::span<char> into) {
  const std::size_t taken = std::min(head_size_, into.size());
  std::copy_n(head_, taken, into.data());
  std::copy(head_ + taken, head_ + head_size_, head_);
  head_size_ -= taken;
  return taken;
}

std::size_t ByteSource::read(std::span<char> into) {
  const auto pull = [this](std::span<char> room) {
    return head_size_ > 0 ? take_head(room) : file_.read(room);
  };
  return gunzip_ == nullptr ? pull(into) : gunzip_->unpack(into, path(), pull);
}

}  // namespace stockout
