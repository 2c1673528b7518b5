#include "tools/slurm_replay/gres_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/io/line_reader.h"
#include "tools/slurm_replay/conf_file.h"
#include "tools/slurm_replay/host_list.h"

namespace stockout::slurm {
namespace {

constexpr std::size_t kMostNodesOfLine = 100'000;
constexpr std::size_t kMostDevices = 1024;      // of a node
constexpr std::size_t kMostPairs = 20'000'000;  // of lines and nodes that they name

const ConfField* find_field(const ConfLine& line, std::string_view key) {
  const auto found = std::ranges::find_if(line, [&](const ConfField& field) { return field.is(key); });
  return found == line.end() ? nullptr : &*found;
}

class GresReader {
 public:
  GresReader(const NodeReader& nodes, ClusterFile& cluster)
      : nodes_{nodes}, cluster_{cluster}, found_(cluster.node_lines.size()) {}

  void read(const std::string& gres_conf) {
    for (const ConfLine& line : read_conf_lines(gres_conf, cluster_.files)) read_line(line);
    for (NodeIndex node = 0; node < found_.size(); ++node) check(node);
  }

 private:
  // The devices that lines give a node.
  struct Devices {
    std::vector<GpusOfType> by_type = {};
    std::optional<SourceRef> last = std::nullopt;  // the last line, with the key that counts; none: no line
    std::optional<ConfField> last_type = std::nullopt;
    bool detected = false;  // AutoDetect finds those that no line has
  };

  void read_line(const ConfLine& line) {
    const ConfField* detect = find_field(line, "AutoDetect");
    const ConfField* name = find_field(line, "Name");
    const bool is_gpu = name != nullptr && is_same_word(name->value, "gpu");
    const bool detects = detect != nullptr && !is_same_word(detect->value, "off");
    if (!is_gpu && (!detects || name != nullptr)) return;
    const std::optional<SourceRef> counts = is_gpu ? std::optional{counting_key(line)} : std::nullopt;
    const ConfField* type = find_field(line, "Type");
    const GpusOfType gpus{.type = type == nullptr ? "" : type->value, .count = is_gpu ? count_of(line) : 0};
    const auto note = [&](Devices& devices) {
      devices.detected = devices.detected || detects;
      if (!is_gpu) return;
      add(gpus, *counts, devices.by_type);
      devices.last = counts;
      if (type != nullptr) devices.last_type = *type;
    };
    if (find_field(line, "NodeName") == nullptr) return note(of_all_);
    for (const NodeIndex node : nodes_of(line)) note(found_[node]);
  }

  [[nodiscard]] static SourceRef counting_key(const ConfLine& line) {
    for (const char* key : {"Count", "File", "Name"}) {
      if (const ConfField* field = find_field(line, key)) return field->where;
    }
    return line.front().where;
  }

  // As many as it has files, if it names them.
  [[nodiscard]] static std::int64_t count_of(const ConfLine& line) {
    const ConfField* file = find_field(line, "File");
    const ConfField* count = find_field(line, "Count");
    const auto files =
        file == nullptr ? 0 : std::ssize(read_host_list(file->value, kMostDevices, file->where));
    if (count == nullptr) return std::max<std::int64_t>(files, 1);
    const std::int64_t number = count->whole_number(0, kMostDevices);
    if (file != nullptr && number != files) count->fail(fmt::format("{}, as many as File names", files));
    return number;
  }

  static void add(const GpusOfType& gpus, const SourceRef& where, std::vector<GpusOfType>& by_type) {
    for (GpusOfType& known : by_type) {
      if (!is_same_word(known.type, gpus.type)) continue;
      known.count += gpus.count;
      return;
    }
    if (by_type.size() == kMostTypes)
      throw InputError{where, fmt::format("a node has at most {} types of GPUs", kMostTypes)};
    by_type.push_back(gpus);
  }

  [[nodiscard]] std::vector<NodeIndex> nodes_of(const ConfLine& line) {
    std::vector<NodeIndex> numbers;
    const ConfField* names = find_field(line, "NodeName");
    for (const std::string& name : read_host_list(names->value, kMostNodesOfLine, names->where)) {
      if (const auto number = nodes_.number_of(name, *names)) numbers.push_back(*number);
    }
    pairs_ += numbers.size();
    if (pairs_ > kMostPairs) throw InputError{names->where, "the lines name too many nodes in all"};
    return numbers;
  }

  // With those of lines that are for all nodes.
  [[nodiscard]] Devices devices_of(NodeIndex number) const {
    Devices devices = found_[number];
    devices.detected = devices.detected || of_all_.detected;
    if (!of_all_.last) return devices;
    for (const GpusOfType& gpus : of_all_.by_type) add(gpus, *of_all_.last, devices.by_type);
    if (!devices.last) devices.last = of_all_.last;
    if (!devices.last_type) devices.last_type = of_all_.last_type;
    return devices;
  }

  void check(NodeIndex number) {
    const Devices devices = devices_of(number);
    NodeLine& line = cluster_.node_lines[number];
    const Node& node = cluster_.configuration.nodes[number];
    if (!devices.last || node.gpus == 0) return;
    if (!devices.detected) {
      for (const GpusOfType& gpus : line.gpus) check_type(gpus, devices, node.name);
      check_count(sum(devices.by_type), node.gpus, "", *devices.last, node.name);
    }
    if (!line.gpu_type.empty()) return;
    for (const GpusOfType& gpus : devices.by_type) {
      if (gpus.type.empty() || gpus.count == 0) continue;
      line.gpu_type += (line.gpu_type.empty() ? "" : ",") + gpus.type;
    }
  }

  // Devices without a type are of any.
  static void check_type(const GpusOfType& wanted, const Devices& devices, std::string_view node) {
    if (wanted.type.empty()) return;
    std::int64_t has = 0;
    for (const GpusOfType& gpus : devices.by_type) {
      if (gpus.type.empty() || is_same_word(gpus.type, wanted.type)) has += gpus.count;
    }
    if (has == 0 && wanted.count > 0 && devices.last_type)
      throw InputError{
          devices.last_type->where,
          fmt::format("must be {}, the type that slurm.conf gives {}, but is {}", in_quotes(wanted.type),
                      in_quotes(node), in_quotes(devices.last_type->value))};
    check_count(has, wanted.count, " of type " + in_quotes(wanted.type), *devices.last, node);
  }

  static void check_count(std::int64_t has, std::int64_t wanted, std::string_view of_type,
                          const SourceRef& where, std::string_view node) {
    if (has >= wanted) return;
    throw InputError{where, fmt::format("must be at least {}, the GPUs{} that slurm.conf gives {}, but the "
                                        "lines of that node have {}",
                                        wanted, of_type, in_quotes(node), has)};
  }

  [[nodiscard]] static std::int64_t sum(const std::vector<GpusOfType>& by_type) {
    std::int64_t all = 0;
    for (const GpusOfType& gpus : by_type) all += gpus.count;
    return all;
  }

  const NodeReader& nodes_;
  ClusterFile& cluster_;
  std::vector<Devices> found_;  // by node
  Devices of_all_ = {};         // of lines that name no node
  std::size_t pairs_ = 0;       // of lines and nodes so far
};

}  // namespace

void read_gres_conf(const std::string& gres_conf, const NodeReader& nodes, ClusterFile& cluster) {
  GresReader{nodes, cluster}.read(gres_conf);
}

}  // namespace stockout::slurm
