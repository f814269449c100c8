#include "cli/app.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <exception>
#include <functional>
#include <new>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "cli/command_tree.h"
#include "cli/commands.h"
#include "cli/help.h"

namespace rgx::cli {
namespace {

using Action = std::function<ExitCode(Session&)>;

// The parser and what it fills. INVARIANT: outlives its action, which refers to the options.
struct Grammar {
  CLI::App app{"", "rgx"};
  InitOptions init;
  PlanOptions plan;
  RunOptions run;
  std::vector<std::string> plan_words;
  std::vector<std::string> run_words;
  ApproveOptions approve;
  ApproveOptions reject;
  ResumeOptions resume;
  RollbackOptions rollback;
  RunsOptions runs;
  ShowOptions show;
  VerifyCommandOptions verify;
  PolicyCheckOptions policy_check;
  PolicyEvalOptions policy_eval;
  PolicyLintOptions policy_lint;
  PolicyTestOptions policy_test;
  PolicyTrustOptions policy_trust;
  TemplateCheckOptions template_check;
  TemplateListOptions template_list;
  TemplateShowOptions template_show;
  DoctorOptions doctor;
  CompletionOptions completion;
  Action action;
};

CLI::App* add_command(CLI::App& parent, std::string_view name) {
  for (const CommandSummary& command : command_summaries()) {
    if (command.name == name) {
      const std::size_t space = name.rfind(' ');
      const std::string word(space == std::string_view::npos ? name : name.substr(space + 1));
      return parent.add_subcommand(word, std::string(command.summary));
    }
  }
  return nullptr;
}

// CLI11 lets an option of several values take all words that follow; here one flag is one value.
void one_value_each(CLI::Option* option) {
  option->allow_extra_args(false);
}

void add_compile_flags(CLI::App* command, CompileOptions& options,
                       std::vector<std::string>& words) {
  command->add_option("INTENT", words, "what shall be done, as one quoted sentence");
  command
      ->add_option("--template", options.template_name,
                   "use this template: a shipped one by name, or a file (`./x.yaml`)")
      ->type_name("NAME");
  one_value_each(command
                     ->add_option("--set", options.set,
                                  "give a parameter; repeat it for a list or for more of them")
                     ->type_name("KEY=VALUE"));
  command->add_option("--policy", options.policy_file, "add this policy as the run layer")
      ->type_name("FILE");
  command
      ->add_option("--base", options.base,
                   "take the repository's policy from this commit instead of HEAD; a worktree "
                   "begins there, too")
      ->type_name("REV");
  command->add_flag("--worktree", options.worktree,
                    "work in a worktree of its own, which begins with the last commit and ends in "
                    "a commit on a new branch");
}

void add_progress_flags(CLI::App* command, ProgressChoice& choice) {
  command->add_option("--progress", choice.mode, std::string(kProgressHelp))
      ->type_name("auto|live|plain|json|none");
  command->add_option("--symbols", choice.symbols, std::string(kSymbolsHelp))
      ->type_name("auto|ascii|unicode");
}

void add_init(Grammar& grammar) {
  CLI::App* command = add_command(grammar.app, "init");
  InitOptions& options = grammar.init;
  command->add_flag("--yes", options.yes, "write without asking on a terminal");
  one_value_each(command
                     ->add_option("--test-writes", options.test_writes,
                                  "what the tests write, as a path or glob; repeat for more")
                     ->type_name("PATH"));
  command
      ->add_option("--policy", options.policy,
                   "write this shipped policy as your own: `ci`, `maintainer`, `read-only`, "
                   "`regulated`, `strict`")
      ->type_name("NAME");
  command->add_option("COMMAND", options.test_argv,
                      "the command that runs the tests, after `--`; found when left out");
  command->callback([&grammar] {
    grammar.action = [&options = grammar.init](Session& session) {
      return run_init(session, options);
    };
  });
}

void add_plan(Grammar& grammar) {
  CLI::App* command = add_command(grammar.app, "plan");
  PlanOptions& options = grammar.plan;
  add_compile_flags(command, options.compile, grammar.plan_words);
  command->add_option("--out", options.out, "write the sealed plan to this file")
      ->type_name("FILE");
  const std::map<std::string, PlanFormat> formats = {{"tree", PlanFormat::tree},
                                                     {"json", PlanFormat::json},
                                                     {"markdown", PlanFormat::markdown},
                                                     {"dot", PlanFormat::dot},
                                                     {"mermaid", PlanFormat::mermaid}};
  command
      ->add_option("--format", options.format,
                   "what is printed: `tree` (default) for people, `json` the sealed plan itself, "
                   "`markdown` for a pull request, `dot` or `mermaid` for a graph")
      ->transform(CLI::CheckedTransformer(formats).description(""))
      ->type_name("tree|json|markdown|dot|mermaid");
  command->callback([&grammar] {
    grammar.action = [&options = grammar.plan](Session& session) {
      return run_plan(session, options);
    };
  });
}

void add_run(Grammar& grammar) {
  CLI::App* command = add_command(grammar.app, "run");
  RunOptions& options = grammar.run;
  add_compile_flags(command, options.compile, grammar.run_words);
  command->add_option("--plan", options.plan_file, "run this sealed plan, as `rgx plan` wrote it")
      ->type_name("FILE");
  command
      ->add_option("--accept", options.accept,
                   "the admission digest that was reviewed; anything else is drift")
      ->type_name("DIGEST");
  command->add_flag("--json", options.json, "print the report as JSON (rgx.run/v1)");
  add_progress_flags(command, options.progress);
  command->callback([&grammar] {
    grammar.action = [&options = grammar.run](Session& session) {
      return run_run(session, options);
    };
  });
}

void add_answer(Grammar& grammar, std::string_view name, ApproveOptions& options) {
  CLI::App* command = add_command(grammar.app, name);
  options.reject = name == "reject";
  command->add_option("RUN", options.run, "a run id, a unique prefix of one, or `last`")
      ->required();
  command->add_option("STEP", options.step, "the step that waits")->required();
  command->add_option("--key", options.key_file, "sign with this key, not with one's own")
      ->type_name("FILE");
  CLI::Option* reason = command->add_option("--reason", options.reason, "why, for the record");
  reason->type_name("TEXT");
  if (options.reject) {
    reason->required();
  } else {
    command
        ->add_option("--expires", options.expires,
                     "how long the approval counts, like 90m, 24h (default) or 7d")
        ->type_name("DURATION");
  }
  command->add_option("--policy", options.policy_file, "the run layer that the run has")
      ->type_name("FILE");
  command->callback([&grammar, &options] {
    grammar.action = [&options](Session& session) { return run_approve(session, options); };
  });
}

void add_resume(Grammar& grammar) {
  CLI::App* command = add_command(grammar.app, "resume");
  ResumeOptions& options = grammar.resume;
  command->add_option("RUN", options.run, "a run id, a unique prefix of one, or `last`")
      ->required();
  command->add_option("--policy", options.policy_file, "the run layer that the run has")
      ->type_name("FILE");
  command->add_flag("--json", options.json, "print the report as JSON (rgx.run/v1)");
  add_progress_flags(command, options.progress);
  command->callback([&grammar] {
    grammar.action = [&options = grammar.resume](Session& session) {
      return run_resume(session, options);
    };
  });
}

void add_rollback(Grammar& grammar) {
  CLI::App* command = add_command(grammar.app, "rollback");
  RollbackOptions& options = grammar.rollback;
  command->add_option("RUN", options.run, "a run id, a unique prefix of one, or `last`")
      ->required();
  command->add_flag("--json", options.json, "print the report as JSON (rgx.rollback/v1)");
  command->callback([&grammar] {
    grammar.action = [&options = grammar.rollback](Session& session) {
      return run_rollback(session, options);
    };
  });
}

void add_evidence_commands(Grammar& grammar) {
  CLI::App* runs = add_command(grammar.app, "runs");
  runs->add_flag("--json", grammar.runs.json, "print the list as JSON (rgx.runs/v1)");
  runs->callback([&grammar] {
    grammar.action = [&options = grammar.runs](Session& session) {
      return run_runs(session, options);
    };
  });

  CLI::App* show = add_command(grammar.app, "show");
  show->add_option("RUN", grammar.show.run, "a run id, a unique prefix of one, or `last`")
      ->required();
  show->add_flag("--follow", grammar.show.follow, "print records as they come, until the run ends");
  show->add_flag("--json", grammar.show.json, "print the records as JSON (rgx.show/v1)");
  show->callback([&grammar] {
    grammar.action = [&options = grammar.show](Session& session) {
      return run_show(session, options);
    };
  });

  CLI::App* verify = add_command(grammar.app, "verify");
  verify
      ->add_option("RUN|FILE", grammar.verify.subject,
                   "a run id, a unique prefix of one, `last`, or a ledger file")
      ->required();
  verify
      ->add_option("--key-file", grammar.verify.key_file,
                   "the root key the ledger was signed under; by default your own")
      ->type_name("FILE");
  verify->add_flag("--json", grammar.verify.json, "print the verdict as JSON (rgx.verdict/v1)");
  verify->callback([&grammar] {
    grammar.action = [&options = grammar.verify](Session& session) {
      return run_verify(session, options);
    };
  });
}

/// Two commands that ask the same question and print more or less of the answer.
void add_policy_question(Grammar& grammar, CLI::App& policy, std::string_view name,
                         ExitCode (*answer)(Session&, const PolicyEvalOptions&),
                         const std::string& json_help) {
  CLI::App* command = add_command(policy, name);
  PolicyEvalOptions& options = grammar.policy_eval;
  command->add_option("--policy", options.policy_file, "the policy that decides, as the only layer")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--request", options.request_file,
                   "the step as JSON; `-` (default) reads standard input")
      ->type_name("FILE");
  command->add_flag("--json", options.json, json_help);
  command->callback([&grammar, answer] {
    grammar.action = [&options = grammar.policy_eval, answer](Session& session) {
      return answer(session, options);
    };
  });
}

void add_policy_test(Grammar& grammar, CLI::App& policy) {
  CLI::App* test = add_command(policy, "policy test");
  PolicyTestOptions& options = grammar.policy_test;
  test->add_option("FILE|DIR", options.files, "files of tests, or folders that hold some")
      ->required();
  test->add_option("--coverage", options.coverage,
                   "fail when cases decide by fewer of a policy's rules than this")
      ->type_name("PERCENT")
      ->check(CLI::Range(0, 100).description(""));
  test->add_option("--junit", options.junit, "write a report for continuous integration, too")
      ->type_name("FILE");
  test->add_flag("--json", options.json, "print the report as JSON (rgx.policy-test-report/v1)");
  test->callback([&grammar] {
    grammar.action = [&options = grammar.policy_test](Session& session) {
      return run_policy_test(session, options);
    };
  });
}

void add_policy_lint(Grammar& grammar, CLI::App& policy) {
  CLI::App* lint = add_command(policy, "policy lint");
  PolicyLintOptions& options = grammar.policy_lint;
  lint->add_option("FILE", options.files, "policy files")->required();
  lint->add_option("--within", options.within_days,
                   "tell of exceptions that end within so many days (default 30)")
      ->type_name("DAYS")
      ->check(CLI::Range(std::int64_t{0}, policy::kLintWithinDaysMax).description(""));
  lint->add_option("--now", options.now, "as if it were this day or time (default now)")
      ->type_name("TIME");
  lint->add_option("--sarif", options.sarif, "write SARIF 2.1.0 for code scanning, too")
      ->type_name("FILE");
  lint->add_flag("--json", options.json, "print the findings as JSON (rgx.policy-lint/v1)");
  lint->callback([&grammar] {
    grammar.action = [&options = grammar.policy_lint](Session& session) {
      return run_policy_lint(session, options);
    };
  });
}

void add_author_commands(Grammar& grammar) {
  CLI::App* policy = grammar.app.add_subcommand("policy", "policy files");
  CLI::App* check = add_command(*policy, "policy check");
  check->add_option("FILE", grammar.policy_check.files, "policy files")->required();
  check->callback([&grammar] {
    grammar.action = [&options = grammar.policy_check](Session& session) {
      return run_policy_check(session, options);
    };
  });

  add_policy_question(grammar, *policy, "policy eval", &run_policy_eval,
                      "print the decision as JSON (rgx.decision/v1)");
  add_policy_question(grammar, *policy, "policy explain", &run_policy_explain,
                      "print the explanation as JSON (rgx.explanation/v1)");
  add_policy_lint(grammar, *policy);
  add_policy_test(grammar, *policy);

  CLI::App* trust = add_command(*policy, "policy trust");
  trust->add_option("FILE", grammar.policy_trust.file, "the repository's policy file")->required();
  trust->callback([&grammar] {
    grammar.action = [&options = grammar.policy_trust](Session& session) {
      return run_policy_trust(session, options);
    };
  });

  CLI::App* templates = grammar.app.add_subcommand("template", "template files");
  CLI::App* list = add_command(*templates, "template list");
  list->add_flag("--json", grammar.template_list.json, "print the list as JSON (rgx.templates/v1)");
  list->callback([&grammar] {
    grammar.action = [&options = grammar.template_list](Session& session) {
      return run_template_list(session, options);
    };
  });
  CLI::App* show = add_command(*templates, "template show");
  show->add_option("TEMPLATE", grammar.template_show.name, "a shipped template, or a file")
      ->required();
  show->add_flag("--json", grammar.template_show.json, "print it as JSON (rgx.template-view/v1)");
  show->callback([&grammar] {
    grammar.action = [&options = grammar.template_show](Session& session) {
      return run_template_show(session, options);
    };
  });
  CLI::App* template_check = add_command(*templates, "template check");
  template_check->add_option("FILE", grammar.template_check.files, "template files")->required();
  template_check->callback([&grammar] {
    grammar.action = [&options = grammar.template_check](Session& session) {
      return run_template_check(session, options);
    };
  });
}

void add_helper_commands(Grammar& grammar) {
  CLI::App* doctor = add_command(grammar.app, "doctor");
  doctor->add_flag("--json", grammar.doctor.json, "print the checks as JSON (rgx.doctor/v1)");
  doctor->callback([&grammar] {
    grammar.action = [&options = grammar.doctor](Session& session) {
      return run_doctor(session, options);
    };
  });
  CLI::App* completion = add_command(grammar.app, "completion");
  const std::map<std::string, Shell> shells = {
      {"bash", Shell::bash}, {"zsh", Shell::zsh}, {"fish", Shell::fish}};
  completion->add_option("SHELL", grammar.completion.shell, "which one: `bash`, `zsh` or `fish`")
      ->required()
      ->transform(CLI::CheckedTransformer(shells).description(""))
      ->type_name("bash|zsh|fish");
  completion->callback([&grammar] {
    grammar.action = [&options = grammar.completion](Session& session) {
      return run_completion(session, options);
    };
  });
  add_command(grammar.app, "man")->callback([&grammar] { grammar.action = &run_man; });
}

void make_grammar(Grammar& grammar) {
  grammar.app.set_help_flag("-h,--help", "print this help");
  grammar.app.get_formatter()->column_width(26);
  add_init(grammar);
  add_plan(grammar);
  add_run(grammar);
  add_answer(grammar, "approve", grammar.approve);
  add_answer(grammar, "reject", grammar.reject);
  add_resume(grammar);
  add_rollback(grammar);
  add_evidence_commands(grammar);
  add_author_commands(grammar);
  add_helper_commands(grammar);
}

CLI::App* find_command(Grammar& grammar, std::string_view name) {
  CLI::App* app = &grammar.app;
  for (const std::string_view word : split(name, ' ')) {
    app = app->get_subcommand(std::string(word));
  }
  return app;
}

// Examples first, then what the parser knows of usage and flags.
std::string command_help(Grammar& grammar, const std::string& name) {
  const CLI::App* command = find_command(grammar, name);
  // CLI11 adds the last word itself.
  const std::size_t space = name.rfind(' ');
  std::string usage =
      command->help(space == std::string::npos ? "rgx" : "rgx " + name.substr(0, space));
  // CLI11 begins with the summary, which the page has said already.
  if (const std::size_t begin = usage.find("Usage:"); begin != std::string::npos) {
    usage.erase(0, begin);
  }
  while (usage.ends_with("\n\n")) {
    usage.pop_back();
  }
  return std::string(help_page(name)) + '\n' + usage;
}

ExitCode usage_error(Session& session, const std::string& message, const std::string& remedy) {
  session.output.say("rgx: " + message);
  if (!remedy.empty()) {
    session.output.say("  " + remedy);
  }
  return ExitCode::usage;
}

// What the words name: a command, help for one, or neither.
struct Request {
  std::string command;  ///< `policy check`
  std::string group;    ///< set without a command: `rgx policy`
  bool help = false;
  std::string unknown;  ///< message, when the words name nothing
};

bool is_help_flag(std::string_view word) {
  return word == "-h" || word == "--help";
}

Request find_request(const std::vector<std::string>& words) {
  Request request;
  std::vector<std::string> names = words;
  if (!names.empty() && names.front() == "help") {
    request.help = true;
    names.erase(names.begin());
  }
  std::string group;
  for (const std::string& word : names) {
    if (is_help_flag(word)) {
      request.help = true;
      break;
    }
    if (word.starts_with('-') && group.empty()) {
      break;  // an option before any command: the parser says so
    }
    if (group.empty() && is_command_group(word)) {
      group = word;
      continue;
    }
    const std::string name = group.empty() ? word : std::string(group).append(" ").append(word);
    for (const CommandSummary& command : command_summaries()) {
      if (command.name == name) {
        request.command = name;
        return request;
      }
    }
    request.unknown = unknown_command(group, word);
    return request;
  }
  request.group = group;
  return request;
}

ExitCode print_help(Session& session, const Request& request) {
  if (!request.command.empty()) {
    Grammar grammar;
    make_grammar(grammar);
    session.output.result(command_help(grammar, request.command));
  } else if (!request.group.empty()) {
    session.output.result(help_group(request.group));
  } else {
    session.output.result(help_overview());
  }
  return ExitCode::done;
}

std::string intent_of(const std::vector<std::string>& words, std::string& mistake) {
  if (words.size() > 1) {
    mistake = "the intent is " + std::to_string(words.size()) +
              " words here, so the shell split it; put it in quotes";
  }
  return words.empty() ? std::string() : words.front();
}

// A flag that does not exist, with the nearest one that does.
std::string flag_hint(const CLI::App& command, const std::string& message) {
  const std::size_t begin = message.find("--");
  if (begin == std::string::npos) {
    return {};
  }
  const std::string word = message.substr(begin, message.find_first_of("= \n", begin) - begin);
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  const auto near = nearest(word, views);
  return near && *near != word ? "did you mean `" + *near + "`? " : "";
}

ExitCode run_command(Session& session, const std::string& name,
                     const std::vector<std::string>& words) {
  Grammar grammar;
  make_grammar(grammar);
  const std::string see = "see `rgx " + name + " --help`";
  try {
    // CLI11 takes its arguments last first.
    grammar.app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::CallForHelp&) {
    session.output.result(command_help(grammar, name));
    return ExitCode::done;
  } catch (const CLI::ParseError& error) {
    std::string message = printable(error.what());
    return usage_error(session, name + ": " + message,
                       flag_hint(*find_command(grammar, name), error.what()) + see);
  }
  std::string mistake;
  grammar.plan.compile.intent = intent_of(grammar.plan_words, mistake);
  grammar.run.compile.intent = intent_of(grammar.run_words, mistake);
  if (!mistake.empty()) {
    return usage_error(session, name + ": " + mistake, see);
  }
  if (!grammar.action) {
    return usage_error(session, name + ": an option stands before the command", see);
  }
  return grammar.action(session);
}

// The name of a value, or the only values there are: `FILE`, `bash|zsh|fish`.
CommandFlag flag_of(const CLI::Option& option) {
  CommandFlag flag{.names = {}, .value = {}, .choices = {}, .help = option.get_description()};
  for (const std::string& name : option.get_snames()) {
    flag.names.push_back("-" + name);
  }
  for (const std::string& name : option.get_lnames()) {
    flag.names.push_back("--" + name);
  }
  const std::string type = option.get_type_name();
  const bool is_choice = type.find('|') != std::string::npos &&
                         type.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string::npos;
  if (is_choice) {
    for (const std::string_view word : split(type, '|')) {
      flag.choices.emplace_back(word);
    }
  }
  if (flag.names.empty()) {
    flag.value = option.get_name(true, false);
    flag.names.push_back(flag.value);
  } else if (option.get_items_expected_max() > 0) {
    flag.value = type;
  }
  return flag;
}

// A program that is started with a closed stream would open its ledger in that place, and then
// write words for people into it. Writing to a closed standard output stays an error.
void hold_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) == -1) {
      const int mode = stream == STDERR_FILENO ? O_WRONLY : O_RDONLY;
      static_cast<void>(::open("/dev/null", mode));  // takes the lowest free number: this one
    }
  }
}

}  // namespace

std::string_view version() {
  return RGX_VERSION;
}

std::vector<CommandInfo> command_tree() {
  Grammar grammar;
  make_grammar(grammar);
  std::vector<CommandInfo> tree;
  for (const CommandSummary& summary : command_summaries()) {
    CommandInfo info{.name = std::string(summary.name),
                     .summary = std::string(summary.summary),
                     .page = std::string(help_page(summary.name)),
                     .flags = {},
                     .positionals = {}};
    for (const CLI::Option* option : find_command(grammar, summary.name)->get_options()) {
      (option->get_positional() ? info.positionals : info.flags).push_back(flag_of(*option));
    }
    tree.push_back(std::move(info));
  }
  return tree;
}

ExitCode run_app(Session& session, const std::vector<std::string>& words) {
  if (words.empty()) {
    session.output.say(help_overview());
    return ExitCode::usage;
  }
  if (words.front() == "--version") {
    session.output.result("rgx " + std::string(version()) + "\n");
    return ExitCode::done;
  }
  if (words.size() == 2 && words[0] == "help" && words[1] == "exit-codes") {
    session.output.result(help_exit_codes());
    return ExitCode::done;
  }
  const Request request = find_request(words);
  if (!request.unknown.empty()) {
    return usage_error(session, request.unknown, "`rgx --help` lists the commands");
  }
  if (request.help) {
    return print_help(session, request);
  }
  if (!request.command.empty()) {
    return run_command(session, request.command, words);
  }
  if (!request.group.empty()) {
    session.output.say(help_group(request.group));
    return ExitCode::usage;
  }
  return usage_error(session, "there is no option `" + printable(words.front()) + "`",
                     "`rgx --help` lists the commands");
}

int run_program(int argc, const char* const* argv, const char* const* environment) {
  hold_standard_streams();
  // A umask that takes the owner's rights would lock rgx out of the folders that it makes.
  ::umask(::umask(0) & ~static_cast<mode_t>(S_IRWXU));
  // A reader that went away shows as EPIPE, and a full disk as an error, never as a silent end.
  static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
  static_cast<void>(std::signal(SIGXFSZ, SIG_IGN));
  // Whoever starts rgx may ignore it, and the ends of programs must be seen.
  static_cast<void>(std::signal(SIGCHLD, SIG_DFL));
  const Environment variables = Environment::from_process(environment);
  Output output({stdout, colour_for(variables, ::isatty(STDOUT_FILENO) == 1)},
                {stderr, colour_for(variables, ::isatty(STDERR_FILENO) == 1)});
  Session session{.output = output,
                  .environment = variables,
                  .is_interactive = ::isatty(STDIN_FILENO) == 1 && ::isatty(STDERR_FILENO) == 1};
  ExitCode code = ExitCode::internal;
  try {
    code = run_app(session, std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
  } catch (const std::bad_alloc&) {
    code = report(session, make_error(ErrorKind::environment, "process.no_memory",
                                      "there is not enough memory",
                                      "free some, or raise the limit (`ulimit -v`, `ulimit -d`)"));
  } catch (const std::system_error& exception) {
    code = report(session, make_error(ErrorKind::environment, "process.no_thread",
                                      "the system refused rgx a thread: " +
                                          printable(exception.code().message()),
                                      "raise the limit of processes (`ulimit -u`)"));
  } catch (const std::exception& exception) {
    output.say("rgx: internal error: " + printable(exception.what()));
  }
  if (const Status finished = output.finish(); !finished) {
    output.say(finished.error());
    code = worse(code, exit_code(finished.error().kind));
  }
  return static_cast<int>(code);
}

}  // namespace rgx::cli
