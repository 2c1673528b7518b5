// A mutator for the fuzzer of scenarios. Bytes changed at random are hardly ever JSON; this one changes
// values, drops keys, and puts what other inputs have under a key in the place of what this one has there, so
// that parts of several scenarios meet in one.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

using Json = nlohmann::ordered_json;
using Random = std::minstd_rand;

constexpr std::size_t kMostParts = 64;  // kept of each key

struct Place {
  Json* value = nullptr;
  Json* parent = nullptr;
  std::string key;  // of an object; of a list its own key and []
};

void find_places(Json& value, Json* parent, const std::string& key, std::vector<Place>& places) {
  if (parent != nullptr) places.push_back({.value = &value, .parent = parent, .key = key});
  if (value.is_object()) {
    for (auto& item : value.items()) find_places(item.value(), &value, item.key(), places);
  } else if (value.is_array()) {
    for (Json& item : value) find_places(item, &value, key + "[]", places);
  }
}

template <typename Items>
auto& any_of(Items& items, Random& random) {
  return items[random() % std::size(items)];
}

// What inputs so far have had, by key.
std::map<std::string, std::vector<Json>>& parts() {
  static std::map<std::string, std::vector<Json>> parts;
  return parts;
}

void keep_parts(const std::vector<Place>& places, Random& random) {
  for (const Place& place : places) {
    std::vector<Json>& known = parts()[place.key];
    if (known.size() < kMostParts) {
      known.push_back(*place.value);
    } else {
      any_of(known, random) = *place.value;
    }
  }
}

void change_scalar(Json& value, Random& random) {
  if (value.is_boolean()) {
    value = !value.get<bool>();
  } else if (value.is_number()) {
    const double factors[] = {0, 0.5, -1, 2, 10, 1000};
    const double changed = value.get<double>() * any_of(factors, random);
    const bool is_whole = value.is_number_integer() && std::abs(changed) < 1e15;
    value = is_whole ? Json(static_cast<std::int64_t>(changed)) : Json(changed);
  } else if (value.is_string()) {
    const char* texts[] = {"0s", "1s",      "1ms",       "7min",    "3h",
                           "1d", "forever", "unlimited", "generic", "us-central1"};
    value = any_of(texts, random);
  }
}

void drop(const Place& place, Random& random) {
  if (place.parent->is_object()) {
    place.parent->erase(place.key);
  } else {
    place.parent->erase(random() % place.parent->size());
  }
}

// A key that inputs have beside keys like those of this object.
void add_key(Json& object, Random& random) {
  auto part = parts().begin();
  std::advance(part, random() % parts().size());
  object[part->first] = any_of(part->second, random);
}

void change_once(Json& root, Random& random) {
  std::vector<Place> places;
  find_places(root, nullptr, "", places);
  if (places.empty()) return;
  keep_parts(places, random);
  const Place place = any_of(places, random);
  switch (random() % 8) {
    case 0:
      return drop(place, random);
    case 1:
      if (place.value->is_object()) return add_key(*place.value, random);
      [[fallthrough]];
    case 2:
      if (place.value->is_array() && !parts()[place.key + "[]"].empty())
        return place.value->push_back(any_of(parts()[place.key + "[]"], random));
      [[fallthrough]];
    case 3:
    case 4:
      return change_scalar(*place.value, random);
    default:
      *place.value = any_of(parts()[place.key], random);
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned int seed) {
  Random random{seed};
  Json root = Json::parse(data, data + size, nullptr, false);
  if (!root.is_object() || random() % 16 == 0) return LLVMFuzzerMutate(data, size, most);
  for (std::size_t changes = 1 + random() % 3; changes > 0; --changes) change_once(root, random);
  const std::string text = root.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::copy(text.begin(), text.end(), data);
  return text.size();
}
