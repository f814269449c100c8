#include <filesystem>
#include <utility>
#include <vector>

#include "base/canonical.h"
#include "base/text.h"
#include "base/yaml/reader.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/paths.h"
#include "cli/policy_layers.h"
#include "cli/trust.h"
#include "cli/world.h"
#include "policy/explain.h"
#include "policy/test_file.h"

namespace rgx::cli {
namespace {

constexpr std::size_t kRequestBytesMax = 1U << 20;

struct Question {
  policy::PolicySet policy;  ///< the file alone
  policy::Facts facts;
};

Result<Question> read_question(const PolicyEvalOptions& options) {
  RGX_TRY(policy::Policy loaded, load_policy_argument(options.policy_file));
  RGX_TRY(policy::PolicySet alone, policy::stack_alone(std::move(loaded)));
  RGX_TRY(const std::string text, read_file({.path = options.request_file,
                                             .bytes_max = kRequestBytesMax,
                                             .standard_input = true}));
  const std::string name = options.request_file == "-" ? "standard input" : options.request_file;
  RGX_TRY(const Json value, parse_json(text, name, JsonLimits{.bytes_max = kRequestBytesMax}));
  RGX_TRY(const policy::Request request, policy::request_from_json(value, "request"));
  RGX_TRY(policy::Facts facts, policy::derive(request));
  return Question{std::move(alone), std::move(facts)};
}

void print(Session& session, const std::string& description, const Json& value, bool json) {
  if (json) {
    session.output.result(canonical(value) + '\n');
    return;
  }
  const std::string text = escape_lines(description);
  session.output.result(text.ends_with('\n') ? text : text + '\n');
}

}  // namespace

ExitCode run_policy_check(Session& session, const PolicyCheckOptions& options) {
  ExitCode code = ExitCode::done;
  for (const std::string& file : options.files) {
    const auto loaded = load_policy_argument(file);
    if (!loaded) {
      code = worse(code, report(session, loaded.error()));
      continue;
    }
    session.output.result(paint(session.output.result_colour(), Tone::good, "ok") + "  " +
                          printable(file) + "  policy `" + loaded->name + "`, layer " +
                          std::string(policy::to_string(loaded->layer)) + ", " +
                          counted(static_cast<std::int64_t>(loaded->rules.size()), "rule") + '\n');
  }
  return code;
}

namespace {

Result<ExitCode> trust(Session& session, const std::string& file) {
  RGX_TRY(const Paths paths, find_paths(session.environment));
  RGX_TRY(const std::string text, read_file({.path = file, .bytes_max = yaml::kFileBytesMax}));
  // What cannot be read as a policy is not trusted either: it would stop every run.
  RGX_TRY(const policy::Policy loaded, policy::load_policy(text, file));
  if (loaded.layer != policy::Layer::repository) {
    return fail(ErrorKind::usage, "policy.wrong_layer",
                "`" + printable(file) + "` is a policy of layer `" +
                    std::string(policy::to_string(loaded.layer)) +
                    "`; only one of layer `repository` needs trust",
                "name the repository's `.rgx/policy.yaml`");
  }
  const Digest digest = digest_bytes(text);
  RGX_TRY_STATUS(make_folder(paths.config_dir));
  RGX_TRY_STATUS(
      record_trust(paths.trusted_policies(), digest, std::filesystem::absolute(file).native()));
  session.output.result("trusted  " + digest.to_string() + "  " + printable(file) + '\n');
  session.output.say(
      "these bytes count as the repository's policy until it is committed; any edit "
      "needs trust again");
  return ExitCode::done;
}

}  // namespace

ExitCode run_policy_trust(Session& session, const PolicyTrustOptions& options) {
  const auto done = trust(session, options.file);
  return done ? *done : report(session, done.error());
}

ExitCode run_policy_eval(Session& session, const PolicyEvalOptions& options) {
  const auto question = read_question(options);
  if (!question) {
    return report(session, question.error());
  }
  const policy::DecideContext now{.now_unix_ms = make_clock()->now_unix_ms()};
  const policy::Decision decision = policy::decide(question->policy, question->facts, now);
  print(session, policy::describe(decision), policy::to_json(decision), options.json);
  return exit_code(decision.effect);
}

ExitCode run_policy_explain(Session& session, const PolicyEvalOptions& options) {
  const auto question = read_question(options);
  if (!question) {
    return report(session, question.error());
  }
  const policy::DecideContext now{.now_unix_ms = make_clock()->now_unix_ms()};
  const policy::Explanation explained = policy::explain(question->policy, question->facts, now);
  print(session, policy::describe(explained), policy::to_json(explained), options.json);
  return exit_code(explained.decision.effect);
}

}  // namespace rgx::cli
