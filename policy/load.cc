#include "base/ids.h"
#include "base/text.h"
#include "base/yaml/reader.h"
#include "policy/loading.h"

// A policy file, from its top. Format: docs/formats/policy.md

namespace rgx::policy {

namespace loading {

std::string suggest(std::string_view word, std::span<const std::string_view> known,
                    std::string_view otherwise) {
  const auto near = nearest(word, known);
  return near ? "did you mean `" + *near + "`?" : std::string(otherwise);
}

void refuse_reserved(MappingReader& reader, std::span<const std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (!reader.has(key)) {
      continue;
    }
    static_cast<void>(reader.node(key));
    reader.mistakes().add(
        "policy.unsupported_key", reader.place_of(key),
        "`" + std::string(key) + "` of " + reader.what() + " is not supported by this version",
        "remove it; it would otherwise be without effect");
  }
}

bool within(std::size_t count, std::size_t limit, const Place& place, std::string_view what,
            Mistakes& mistakes) {
  if (count <= limit) {
    return true;
  }
  mistakes.add("policy.limit", place,
               std::string(what) + " has " + std::to_string(count) + " entries",
               "use at most " + std::to_string(limit));
  return false;
}

void check_text(const std::string& text, const Place& place, std::string_view what,
                Mistakes& mistakes) {
  if (text.empty()) {
    mistakes.add("policy.text", place, std::string(what) + " is empty", "write a text");
  } else if (text.size() > kTextBytesMax) {
    mistakes.add("policy.limit", place,
                 std::string(what) + " has " + std::to_string(text.size()) + " bytes",
                 "use at most " + std::to_string(kTextBytesMax));
  } else if (find_deceptive(text)) {
    mistakes.add(
        "policy.text", place,
        std::string(what) + " has a control or invisible character: `" + printable(text) + "`",
        "remove the character");
  }
}

std::string required_text(MappingReader& reader, std::string_view key) {
  const yaml::Node* node = reader.required_node(key);
  if (node == nullptr) {
    return {};
  }
  if (const auto text = reader.string(key)) {
    check_text(*text, node->place, "`" + std::string(key) + "` of " + reader.what(),
               reader.mistakes());
    return *text;
  }
  return {};
}

std::string required_name(MappingReader& reader, std::string_view key) {
  const yaml::Node* node = reader.required_node(key);
  const auto name = node == nullptr ? std::nullopt : reader.string(key);
  if (name && !is_name(*name)) {
    reader.mistakes().add(
        "policy.name", node->place,
        "`" + printable(*name) + "` is no name for `" + std::string(key) + "` of " + reader.what(),
        "use lower-case letters, digits, `-` and `_`, at most 64, a letter first");
  }
  return name.value_or("");
}

std::optional<Texts> list(MappingReader& reader, std::string_view key, Emptiness emptiness,
                          MappingReader::OneIsList one) {
  const bool present = reader.has(key);
  auto texts = reader.strings(key, one);
  if (!texts || !present) {
    return std::nullopt;
  }
  const Place place = reader.place_of(key);
  const std::string what = "`" + std::string(key) + "` of " + reader.what();
  if (texts->empty() && emptiness == Emptiness::refused) {
    reader.mistakes().add("policy.empty_list", place, what + " is an empty list",
                          "leave the key out to ask nothing, or list what is meant");
  }
  if (!within(texts->size(), kItemsMax, place, what, reader.mistakes())) {
    return std::nullopt;
  }
  return texts;
}

std::vector<std::string> tool_patterns(const Texts& texts, Mistakes& mistakes) {
  std::vector<std::string_view> known;
  for (const templates::ToolContract& tool : templates::tools()) {
    known.push_back(tool.name);
  }
  std::vector<std::string> patterns;
  for (const MappingReader::Text& text : texts) {
    if (!templates::is_tool_pattern(text.value)) {
      mistakes.add(
          "policy.unknown_tool", text.place, "there is no tool `" + printable(text.value) + "`",
          suggest(text.value, known, "use a tool, `PREFIX.*` or `*`; see docs/formats/plan.md"));
    }
    patterns.push_back(text.value);
  }
  return patterns;
}

std::vector<Glob> globs(const Texts& texts, Mistakes& mistakes) {
  std::vector<Glob> all;
  for (const MappingReader::Text& text : texts) {
    auto glob = Glob::parse(text.value);
    if (glob) {
      all.push_back(std::move(*glob));
      continue;
    }
    for (const Diagnostic& diagnostic : glob.error().diagnostics) {
      mistakes.add(diagnostic.code, text.place, diagnostic.message, diagnostic.remedy);
    }
  }
  return all;
}

}  // namespace loading

namespace {

using loading::Emptiness;
using yaml::MappingReader;

constexpr std::string_view kSchema = "rgx.policy/v1";
constexpr std::array<std::string_view, 2> kReserved = {"include", "tests"};
constexpr std::array<std::string_view, 2> kReviewNames = {"plan", "none"};
constexpr std::array<std::string_view, 1> kDefaultNames = {"deny"};

void read_acceptance(MappingReader& file, Policy& policy) {
  const yaml::Node* node = file.mapping("acceptance");
  if (node == nullptr) {
    return;
  }
  MappingReader reader(*node, "`acceptance`", file.mistakes());
  if (const auto changed = reader.word("changed_judge", kChangedJudgeNames)) {
    policy.changed_judge = static_cast<ChangedJudge>(*changed);
  }
  const bool may_allow = policy.layer == Layer::org || policy.layer == Layer::user;
  if (policy.changed_judge == ChangedJudge::allow && !may_allow) {
    file.mistakes().add("policy.acceptance_layer", reader.place_of("changed_judge"),
                        "layer `" + std::string(to_string(policy.layer)) +
                            "` may not let runs change what judges them",
                        "only a policy of layer `org` or `user` may");
  }
  reader.finish();
}

void read_head(MappingReader& file, Policy& policy) {
  file.schema(kSchema);
  policy.name = loading::required_name(file, "name");
  static_cast<void>(file.required_node("layer"));
  if (const auto layer = file.word("layer", kLayerNames)) {
    policy.layer = static_cast<Layer>(*layer);
  }
  policy.default_deny = file.word("default", kDefaultNames).has_value();
  if (const auto review = file.word("review", kReviewNames)) {
    policy.review = static_cast<Review>(*review);
  }
  if (const auto sandbox = file.word("sandbox", kSandboxNames)) {
    policy.sandbox = static_cast<SandboxDemand>(*sandbox);
  }
  read_acceptance(file, policy);
  if (const auto relaxed = loading::list(file, "relax_protected", Emptiness::refused)) {
    policy.protected_allow = loading::globs(*relaxed, file.mistakes());
    if (policy.layer != Layer::org) {
      file.mistakes().add(
          "policy.relax_layer", file.place_of("relax_protected"),
          "layer `" + std::string(to_string(policy.layer)) + "` may not relax the protected set",
          "only a policy of layer `org` may");
    }
  }
  loading::refuse_reserved(file, kReserved);
}

}  // namespace

Result<Policy> load_policy(std::string_view text, std::string_view file) {
  RGX_TRY(const yaml::Node root, yaml::parse(text, file));
  yaml::Mistakes mistakes;
  MappingReader reader(root, "the policy", mistakes);
  Policy policy;
  policy.file = std::string(file);
  policy.digest = digest_bytes(text);
  std::vector<loading::Example> examples;
  read_head(reader, policy);
  loading::read_delegations(reader, policy);
  loading::read_programs(reader, policy);
  loading::read_approvers(reader, policy);
  loading::read_rules(reader, policy, examples);
  loading::read_risk(reader, policy);
  loading::read_gates(reader, policy);
  loading::read_budgets(reader, policy);
  loading::read_concurrency(reader, policy);
  loading::read_require_checks(reader, policy);
  loading::read_exceptions(reader, policy);
  reader.finish();
  loading::check_examples(policy, examples, mistakes);
  if (!mistakes.empty()) {
    return fail(std::move(mistakes).error());
  }
  return policy;
}

}  // namespace rgx::policy
