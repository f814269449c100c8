#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/canonical.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/history.h"
#include "cli/index_check.h"
#include "cli/keys.h"
#include "cli/paths.h"
#include "cli/world.h"

namespace rgx::cli {
namespace {

struct Answer {
  audit::Verdict verdict;
  std::optional<audit::Property> index;  ///< only of a run
  std::string subject;                   ///< the run or the file, for people
  std::optional<std::string> key_id;
};

// `last`, `r-` and hex digits are runs; what has a `/` or is there as a file is a file.
bool is_file_subject(const std::string& subject) {
  if (subject.find('/') != std::string::npos) {
    return true;
  }
  const bool run_like =
      subject == "last" || (subject.starts_with("r-") &&
                            subject.find_first_not_of("0123456789abcdef", 2) == std::string::npos);
  return !run_like && exists(subject);
}

Result<Answer> verify_file(const VerifyCommandOptions& options,
                           const std::optional<audit::RootKey>& key) {
  RGX_TRY(const auto storage, open_ledger_file(options.subject));
  Answer answer{.verdict = {}, .index = {}, .subject = options.subject, .key_id = {}};
  RGX_TRY(answer.verdict, audit::verify_ledger(*storage, {.root_key = key, .on_record = {}}));
  return answer;
}

Result<Answer> verify_run(const VerifyCommandOptions& options,
                          const std::optional<audit::RootKey>& key, const Paths& paths) {
  RGX_TRY(World world, World::open(".", paths.state_home));
  RGX_TRY(const History history, read_history(world.state(), key));
  RGX_TRY(const RunId run, find_run(options.subject, history, world.state()));
  Answer answer{.verdict = {}, .index = {}, .subject = run.text(), .key_id = {}};
  auto storage = world.state().open_run(run, audit::OpenMode::read);
  if (!storage && storage.error().kind != ErrorKind::usage) {
    return fail(std::move(storage).error());
  }
  if (storage) {
    RGX_TRY(answer.verdict, audit::verify_ledger(**storage, {.root_key = key, .on_record = {}}));
    answer.index = check_index(run, answer.verdict, history, world.root());
  } else {
    const HistoryEntry* entry = history.find(run);
    answer.verdict = missing_ledger();
    answer.index = audit::Property{.state = audit::PropertyState::holds,
                                   .note = "the index knows this run",
                                   .bad_offset = {},
                                   .bad_seq = {}};
    if (entry == nullptr) {
      answer.index = audit::Property{
          .state = history.other_key ? audit::PropertyState::unknown : audit::PropertyState::fails,
          .note = "the index does not tell of this run",
          .bad_offset = {},
          .bad_seq = {}};
      answer.verdict.kind = audit::VerdictKind::inconclusive;
      answer.verdict.completeness.state = audit::PropertyState::unknown;
      answer.verdict.completeness.note = "there is a folder for this run, but no ledger";
    }
    // A run that was killed between its start in the index and its first record has no ledger.
    if (entry != nullptr && !entry->root) {
      answer.verdict.kind = audit::VerdictKind::inconclusive;
      answer.verdict.completeness.state = audit::PropertyState::unknown;
      answer.verdict.completeness.note =
          "the index knows the start of this run and nothing else; there is no ledger";
    }
  }
  if (answer.index->state == audit::PropertyState::fails) {
    answer.verdict.kind = audit::VerdictKind::tampered;
  }
  return answer;
}

std::string property_line(std::string_view name, const audit::Property& property) {
  std::string out = "  " + std::string(name);
  out.append(out.size() < 16 ? 16 - out.size() : 1, ' ');
  std::string state(audit::to_string(property.state));
  state.append(state.size() < 9 ? 9 - state.size() : 1, ' ');
  out += state + printable(property.note);
  if (property.bad_seq) {
    out += ", record " + std::to_string(*property.bad_seq);
  }
  if (property.bad_offset) {
    out += ", byte " + std::to_string(*property.bad_offset);
  }
  return out + '\n';
}

Tone tone_of(audit::VerdictKind kind) {
  switch (kind) {
    case audit::VerdictKind::verified:
      return Tone::good;
    case audit::VerdictKind::tampered:
      return Tone::bad;
    case audit::VerdictKind::inconclusive:
    case audit::VerdictKind::torn:
      return Tone::careful;
  }
  return Tone::plain;
}

std::string view(const Answer& answer, Colour colour) {
  const audit::Verdict& verdict = answer.verdict;
  std::string out = paint(colour, tone_of(verdict.kind), audit::to_string(verdict.kind)) + "  " +
                    printable(answer.subject) + "  " +
                    counted(static_cast<std::int64_t>(verdict.records), "record") + ", " +
                    (answer.key_id ? "key " + *answer.key_id : "no key") + '\n';
  out += property_line("integrity", verdict.integrity);
  out += property_line("completeness", verdict.completeness);
  out += property_line("authenticity", verdict.authenticity);
  out += property_line("meaning", verdict.meaning);
  if (answer.index) {
    out += property_line("index", *answer.index);
  }
  for (const std::string& step : verdict.indeterminate) {
    out += "  step " + printable(step) + " was started and has no outcome\n";
  }
  return out + "  root            " + verdict.root.to_string() + '\n';
}

Json to_json(const audit::Property& property) {
  return Json::object({{"state", audit::to_string(property.state)},
                       {"note", property.note},
                       {"bad_offset", property.bad_offset ? Json(*property.bad_offset) : Json()},
                       {"bad_seq", property.bad_seq ? Json(*property.bad_seq) : Json()}});
}

Json to_json(const Answer& answer) {
  Json json = audit::to_json(answer.verdict);
  json.set("subject", json_text(answer.subject));
  json.set("key_id", answer.key_id ? Json(*answer.key_id) : Json());
  json.set("index", answer.index ? to_json(*answer.index) : Json());
  return json;
}

std::string_view next_step(const Answer& answer) {
  switch (answer.verdict.kind) {
    case audit::VerdictKind::verified:
      return "this proves the record of the run, to whoever trusts the key and its keeper";
    case audit::VerdictKind::tampered:
      return "do not rely on this evidence; keep the file and find out who could write it";
    case audit::VerdictKind::inconclusive:
      return answer.key_id ? "intact as far as it goes, which is not to its end"
                           : "name the key with --key-file FILE to learn more";
    case audit::VerdictKind::torn:
      return "the last write did not finish; a killed run looks like this, and so does a cut file";
  }
  return {};
}

Result<ExitCode> verify(Session& session, const VerifyCommandOptions& options) {
  RGX_TRY(const Paths paths, find_paths(session.environment));
  RGX_TRY(const std::optional<audit::RootKey> key, find_root_key(options.key_file, paths));
  RGX_TRY(Answer answer, is_file_subject(options.subject) ? verify_file(options, key)
                                                          : verify_run(options, key, paths));
  if (key) {
    answer.key_id = key->id;
  }
  if (options.json) {
    session.output.result(canonical(to_json(answer)) + '\n');
  } else {
    session.output.result(view(answer, session.output.result_colour()));
    session.output.say(next_step(answer));
  }
  return exit_code(answer.verdict.kind);
}

}  // namespace

ExitCode run_verify(Session& session, const VerifyCommandOptions& options) {
  const auto done = verify(session, options);
  return done ? *done : report(session, done.error());
}

}  // namespace rgx::cli
