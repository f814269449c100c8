#include "templates/probe.h"

#include <algorithm>
#include <array>

namespace rgx::templates {
namespace {

constexpr std::span<const ProbeInput> kNoInputs;
constexpr ProbeMember kSettingsMembers[] = {{"test_argv", Shape::texts},
                                            {"test_writes", Shape::texts}};
constexpr ProbeInput kDependenciesInputs[] = {{"package", Shape::text, true},
                                              {"registry", Shape::text, false},
                                              {"version", Shape::text, true}};
constexpr ProbeMember kDependenciesMembers[] = {
    {"current", Shape::texts}, {"files", Shape::mappings}, {"locks", Shape::mappings}};
constexpr ProbeInput kFormatterInputs[] = {{"exclude", Shape::texts, false},
                                           {"paths", Shape::texts, false}};
constexpr ProbeMember kFormatterMembers[] = {{"argv", Shape::texts},
                                             {"count", Shape::integer},
                                             {"paths", Shape::texts},
                                             {"writes", Shape::texts}};
constexpr ProbeInput kVersionsInputs[] = {{"version", Shape::text, true}};
constexpr ProbeMember kVersionsMembers[] = {{"current", Shape::text},
                                            {"files", Shape::mappings},
                                            {"others", Shape::mappings},
                                            {"paths", Shape::texts}};
constexpr ProbeInput kSearchFilesInputs[] = {{"exclude", Shape::texts, false},
                                             {"globs", Shape::texts, false},
                                             {"paths", Shape::texts, false}};
constexpr ProbeMember kSearchFilesMembers[] = {{"count", Shape::integer}, {"paths", Shape::texts}};
constexpr ProbeInput kSearchTextInputs[] = {
    {"absent", Shape::boolean, false}, {"exclude", Shape::texts, false},
    {"globs", Shape::texts, false},    {"paths", Shape::texts, false},
    {"pattern", Shape::text, false},   {"text", Shape::text, false},
    {"word", Shape::text, false}};
constexpr ProbeMember kSearchTextMembers[] = {
    {"count", Shape::integer}, {"paths", Shape::texts}, {"skipped", Shape::mappings}};

constexpr std::array kProbes = {
    Probe{"project.dependencies", kDependenciesInputs, kDependenciesMembers},
    Probe{"project.formatter", kFormatterInputs, kFormatterMembers},
    Probe{"project.settings", kNoInputs, kSettingsMembers},
    Probe{"project.versions", kVersionsInputs, kVersionsMembers},
    Probe{"search.files", kSearchFilesInputs, kSearchFilesMembers},
    Probe{"search.text", kSearchTextInputs, kSearchTextMembers},
};

}  // namespace

std::span<const Probe> probes() {
  return kProbes;
}

const Probe* find_probe(std::string_view name) {
  const auto found = std::ranges::find(kProbes, name, &Probe::name);
  return found == kProbes.end() ? nullptr : &*found;
}

}  // namespace rgx::templates
