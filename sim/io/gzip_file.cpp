#include "sim/io/gzip_file.h"

#include <zlib.h>

#include <algorithm>
#include <array>

#include "sim/core/check.h"

namespace stockout {
namespace {

constexpr int kGzip = 16 + MAX_WBITS;
constexpr int kMemoryLevel = 8;
constexpr std::size_t kMostPacked = std::size_t{1} << 30;

}  // namespace

struct GzipFile::Packer {
  z_stream stream{};
  std::array<char, std::size_t{1} << 16> out{};
};

GzipFile::GzipFile(const std::string& path) : file_{path}, packer_{std::make_unique<Packer>()} {
  const int begun = deflateInit2(&packer_->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, kMemoryLevel,
                                 Z_DEFAULT_STRATEGY);
  STOCKOUT_CHECK(begun == Z_OK);
}

GzipFile::~GzipFile() { deflateEnd(&packer_->stream); }

void GzipFile::write(std::string_view text) {
  for (; text.size() > kMostPacked; text.remove_prefix(kMostPacked)) pack(text.substr(0, kMostPacked), false);
  pack(text, false);
}

void GzipFile::commit() {
  pack({}, true);
  file_.commit();
}

void GzipFile::pack(std::string_view text, bool is_last) {
  z_stream& stream = packer_->stream;
  std::string input{text};  // zlib asks for a pointer to what it does not change
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  do {
    stream.next_out = reinterpret_cast<Bytef*>(packer_->out.data());
    stream.avail_out = static_cast<uInt>(packer_->out.size());
    const int state = deflate(&stream, is_last ? Z_FINISH : Z_NO_FLUSH);
    STOCKOUT_CHECK(state == Z_OK || state == Z_STREAM_END || state == Z_BUF_ERROR);
    file_.write({packer_->out.data(), packer_->out.size() - stream.avail_out});
  } while (stream.avail_out == 0);
}

}  // namespace stockout
