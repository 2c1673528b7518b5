#include "models/scenario/format/catalog_names.h"

#include "models/catalog/catalog.h"

namespace stockout {
namespace {

const Catalog& embedded() {
  static const Catalog kCatalog = Catalog::embedded();
  return kCatalog;
}

std::vector<std::string> region_names() {
  std::vector<std::string> names;
  for (const Place& place : embedded().places()) {
    if (place.name == place.region) names.push_back(place.name);
  }
  return names;
}

}  // namespace

const KnownNames& machine_types() {
  static const KnownNames kNames{"machine_type", "machine type", [] { return embedded().machine_names(); }};
  return kNames;
}

const KnownNames& gpu_types() {
  static const KnownNames kNames{"gpu_type", "GPU type", [] {
                                   const auto names = embedded().gpu_types();
                                   return std::vector<std::string>(names.begin(), names.end());
                                 }};
  return kNames;
}

const KnownNames& machine_families() {
  static const KnownNames kNames{"machine_family", "machine family", [] {
                                   const auto names = embedded().families();
                                   return std::vector<std::string>(names.begin(), names.end());
                                 }};
  return kNames;
}

const KnownNames& zones_and_regions() {
  static const KnownNames kNames{"zone_or_region", "zone or region", [] { return embedded().place_names(); }};
  return kNames;
}

const KnownNames& regions() {
  static const KnownNames kNames{"region", "region", region_names};
  return kNames;
}

}  // namespace stockout
