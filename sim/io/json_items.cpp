#include "sim/io/json_items.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "sim/core/error.h"
#include "sim/io/byte_source.h"
#include "sim/io/json_tree.h"

namespace stockout {
namespace {

constexpr std::size_t kJsonBlock = std::size_t{256} << 10;
constexpr std::uint64_t kMostItemBytes = std::uint64_t{16} << 20;
constexpr int kMostItemDepth = 100;

// The characters of the file, the lines that they stand on, and how many there were since the last item. A
// byte 0x00 is refused when the character before it has been read.
class JsonStream {
 public:
  explicit JsonStream(const std::string& path) : source_{path}, block_(kJsonBlock) { refill(); }

  [[nodiscard]] bool at_end() const { return next_ == filled_; }
  [[nodiscard]] char current() const { return block_[next_]; }
  void advance() {
    if (++next_ == filled_) refill();
  }

  void skip_space() {
    while (!at_end() && std::string_view{" \t\r\n"}.find(current()) != std::string_view::npos) advance();
  }

  /// An item begins or ends: what is held in memory begins anew.
  void begin_item() { since_item_ = 0; }

  /// Counted when it is asked for: a look at each character while it is read costs as much as parsing it.
  [[nodiscard]] int line(std::ptrdiff_t back = 0) const {
    line_ += static_cast<std::uint64_t>(
        std::count(block_.begin() + at(counted_), block_.begin() + at(next_), '\n'));
    counted_ = next_;
    const char last = next_ > 0 ? block_[next_ - 1] : last_of_block_;
    const std::uint64_t line = back > 0 && last == '\n' ? line_ - 1 : line_;
    return static_cast<int>(std::min<std::uint64_t>(line, std::numeric_limits<int>::max()));
  }
  [[noreturn]] void fail(std::string_view problem) const { fail_at(line(), problem); }
  [[noreturn]] void fail_at(int where, std::string_view problem) const {
    throw InputError{SourceRef{.file = source_.path(), .pointer = {}, .line = where}, problem};
  }

 private:
  static std::ptrdiff_t at(std::size_t place) { return static_cast<std::ptrdiff_t>(place); }

  void refill() {
    static_cast<void>(line());
    if (filled_ > 0) last_of_block_ = block_[filled_ - 1];
    since_item_ += filled_;
    if (since_item_ > kMostItemBytes) {
      fail(fmt::format("an item of more than {} MiB: is this a list of jobs?", kMostItemBytes >> 20));
    }
    if (has_zero_) fail("is not text: byte 0x00");  // the parser would stop there
    next_ = counted_ = 0;
    filled_ = source_.read(block_);
    const auto end = block_.begin() + at(filled_);
    const auto zero = std::find(block_.begin(), end, '\0');
    has_zero_ = zero != end;
    filled_ = static_cast<std::size_t>(zero - block_.begin());
    if (has_zero_ && filled_ == 0) fail("is not text: byte 0x00");
  }

  ByteSource source_;
  std::vector<char> block_;
  std::size_t next_ = 0;
  std::size_t filled_ = 0;
  bool has_zero_ = false;  // behind what is filled
  std::uint64_t since_item_ = 0;
  mutable std::uint64_t line_ = 1;  // of block_[counted_]
  mutable std::size_t counted_ = 0;
  char last_of_block_ = '\0';  // of the one before
};

// For the parser; the default is the end.
class JsonCharacters {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  JsonCharacters() = default;
  explicit JsonCharacters(JsonStream& stream) : stream_{&stream} {}
  char operator*() const { return stream_->current(); }
  JsonCharacters& operator++() {
    stream_->advance();
    return *this;
  }
  JsonCharacters operator++(int) {
    JsonCharacters before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const JsonCharacters& a, const JsonCharacters& b) {
    return a.is_end() == b.is_end();
  }

 private:
  [[nodiscard]] bool is_end() const { return stream_ == nullptr || stream_->at_end(); }

  JsonStream* stream_ = nullptr;
};

// Takes what the parser reports apart into items.
class JsonItems {
 public:
  using Builder = JsonTreeBuilder<JsonStream>;
  using number_integer_t = Builder::number_integer_t;
  using number_unsigned_t = Builder::number_unsigned_t;
  using number_float_t = Builder::number_float_t;
  using string_t = Builder::string_t;
  using binary_t = Builder::binary_t;

  JsonItems(JsonStream& stream, const std::function<bool(const JsonValue&)>& visit)
      : stream_{stream}, builder_{stream, kMostItemDepth}, visit_{visit} {}

  bool null() { return !is_item() || (builder_.null() && done()); }
  bool boolean(bool value) { return !is_item() || (builder_.boolean(value) && done()); }
  bool number_integer(std::int64_t value) { return !is_item() || (builder_.number_integer(value) && done()); }
  bool number_unsigned(std::uint64_t value) {
    return !is_item() || (builder_.number_unsigned(value) && done());
  }
  bool number_float(double value, const std::string& text) {
    return !is_item() || (builder_.number_float(value, text) && done());
  }
  bool string(std::string& value) { return !is_item() || (builder_.string(value) && done()); }
  bool binary(binary_t&) { return false; }

  bool start_object(std::size_t size) {
    if (is_item()) return builder_.start_object(size);
    had_object_ = true;
    return open();
  }
  bool start_array(std::size_t size) {
    if (is_item()) return builder_.start_array(size);
    if (depth_ == 0 || (depth_ == 1 && key_ == "items")) list_depth_ = depth_ + 1;
    return open();
  }
  bool key(std::string& name) {
    if (is_item()) return builder_.key(name);
    if (depth_ == 1) key_ = name;
    return true;
  }
  bool end_object() {
    if (is_item() && !builder_.is_closed()) return builder_.end_object() && done();
    return close();
  }
  bool end_array() {
    if (is_item() && !builder_.is_closed()) return builder_.end_array() && done();
    return close();
  }

  template <typename Error>
  bool parse_error(std::size_t position, const std::string& token, const Error& error) {
    if (depth_ == 0 && had_object_ && token.ends_with('{')) {
      stream_.fail(
          "begins another object: the file has one a line, and no list of them. `jq -s .` makes a list");
    }
    return builder_.parse_error(position, token, error);
  }

  [[nodiscard]] bool had_list() const { return had_list_; }

 private:
  // Whether the parser is in the list of items, or in one of them.
  [[nodiscard]] bool is_item() const { return list_depth_ > 0; }

  bool open() {
    had_list_ = had_list_ || is_item();
    if (++depth_ > kMostItemDepth) stream_.fail(fmt::format("nested deeper than {} levels", kMostItemDepth));
    stream_.begin_item();
    return true;
  }

  bool close() {
    --depth_;
    list_depth_ = 0;
    return true;
  }

  bool done() {
    if (!builder_.is_closed()) return true;
    stream_.begin_item();
    return visit_(builder_.take());
  }

  JsonStream& stream_;
  Builder builder_;
  const std::function<bool(const JsonValue&)>& visit_;
  int depth_ = 0;       // of lists and objects around the items
  int list_depth_ = 0;  // that of the list of items while it is open, else 0
  bool had_list_ = false;
  bool had_object_ = false;  // around the items
  std::string key_;          // of the file's object
};

}  // namespace

bool begins_as_json(const std::string& path) {
  constexpr std::string_view kSpace = " \t\r\n\xEF\xBB\xBF";
  std::array<char, 4096> block;
  ByteSource source{path};
  // A read may give fewer bytes than there is room for.
  for (std::size_t count = source.read(block); count > 0; count = source.read(block)) {
    const std::string_view head{block.data(), count};
    const std::size_t first = head.find_first_not_of(kSpace);
    if (first != std::string_view::npos) return head[first] == '[' || head[first] == '{';
  }
  return false;
}

void for_each_json_item(const std::string& path, const std::function<bool(const JsonValue&)>& visit) {
  JsonStream stream{path};
  stream.skip_space();
  if (stream.at_end()) return;
  JsonItems items{stream, visit};
  const bool is_whole = nlohmann::json::sax_parse(JsonCharacters{stream}, JsonCharacters{}, &items);
  if (is_whole && !items.had_list()) stream.fail("holds neither a list nor an object with a list \"items\"");
}

}  // namespace stockout
