#include "templates/template_check.h"

#include "base/glob.h"
#include "templates/describe.h"
#include "templates/expression.h"
#include "templates/expression_check.h"
#include "templates/probe.h"
#include "templates/step_graph.h"
#include "templates/step_output.h"
#include "templates/tool.h"
#include "templates/when.h"

#include <algorithm>
#include <map>
#include <set>

namespace rgx::templates {
namespace {

using yaml::Mistakes;

void add_error(const Error& error, Mistakes& mistakes) {
  for (const Diagnostic& diagnostic : error.diagnostics) {
    mistakes.all().push_back(diagnostic);
  }
}

Shape element_of(Shape list) {
  return list == Shape::texts ? Shape::text : list == Shape::mappings ? Shape::mapping : Shape::any;
}

class TemplateChecker {
 public:
  TemplateChecker(const Template& source, ToolChoice tools, Mistakes& mistakes)
      : source_(source),
        tools_(tools),
        mistakes_(mistakes),
        expressions_(source, mistakes) {}

  void check_fact(const Fact& fact);
  void check_step(const StepTemplate& step);
  /// A check of acceptance or of a phase: it sees no output of a step.
  void check_check(const StepTemplate& check);
  void check_order();

 private:
  void check_fact_input(const Fact& fact, const Probe& probe, const yaml::Member& member);
  [[nodiscard]] Context context_of(const StepTemplate& step);
  void check_declaration(const StepTemplate& step, std::string_view key,
                         const std::optional<yaml::Node>& node, const Context& context);
  void check_use(const StepTemplate& step, const ToolContract& tool);
  void check_parts(const StepTemplate& step, const Context& context);
  void check_condition(const StepTemplate& step, Context context);
  void check_phase_needs(const StepTemplate& step, const StepTemplate& needed);
  void check_output_order(StepGraph& graph,
                          const std::map<std::string, std::uint32_t, std::less<>>& index_of);
  [[nodiscard]] std::size_t phase_of(const StepTemplate& step) const;

  const Template& source_;
  ToolChoice tools_;
  Mistakes& mistakes_;
  ExpressionChecker expressions_;
  std::map<std::string, std::vector<Reference>> outputs_;  // that a step uses, by its id
};

/// The node with `x1`, `x2`, … for the texts that hold a reference: enough to check the rest.
Json stand_in(const yaml::Node& node, int& count) {
  if (node.kind == yaml::Node::Kind::sequence) {
    Json list = Json::array();
    for (const auto& item : node.items) {
      list.push(stand_in(*item, count));
    }
    return list;
  }
  if (node.kind == yaml::Node::Kind::mapping) {
    Json mapping = Json::object();
    for (const yaml::Member& member : node.members) {
      // A pattern that is not known yet may have every group that its replacement names.
      const bool open = member.key == "pattern" && has_reference(*member.value);
      mapping.set(member.key,
                  open ? Json("(x)(x)(x)(x)(x)(x)(x)(x)(x)") : stand_in(*member.value, count));
    }
    return mapping;
  }
  if (node.kind == yaml::Node::Kind::string) {
    if (has_reference(node)) {
      return Json("x" + std::to_string(++count));
    }
    static const Arguments kNoArguments;
    static const FactValues kNoFacts;
    const auto value = expand(node, Scope{kNoArguments, kNoFacts, nullptr});
    return value ? value->json : Json("x");
  }
  return yaml::to_json(node);
}

/// A value that an input takes, for one that is only known when the template is used.
Json sample(InputType type) {
  switch (type) {
    case InputType::string:
    case InputType::path:
    case InputType::identifier:
      return Json("x");
    case InputType::paths:
    case InputType::argv:
      return Json::array({Json("x")});
    case InputType::edits:
      return Json::array({Json::object({{"word", "x"}, {"to", "y"}})});
    case InputType::environment:
    case InputType::schema:
      return Json::object();
    case InputType::url:
      return Json("https://example.org/");
    case InputType::integer:
      return Json(1);
  }
  return Json();
}

Shape shape_of(InputType type) {
  switch (type) {
    case InputType::string:
    case InputType::path:
    case InputType::identifier:
    case InputType::url:
      return Shape::text;
    case InputType::paths:
    case InputType::argv:
      return Shape::texts;
    case InputType::edits:
      return Shape::mappings;
    case InputType::environment:
    case InputType::schema:
      return Shape::mapping;
    case InputType::integer:
      return Shape::integer;
  }
  return Shape::any;
}

void TemplateChecker::check_use(const StepTemplate& step, const ToolContract& tool) {
  ToolUse use;
  use.use = step.use;
  int count = 0;
  for (const yaml::Member& member : step.with.members) {
    const auto input = std::ranges::find(tool.inputs, member.key, &ToolInput::name);
    const bool open = input != tool.inputs.end() &&
                      member.value->kind == yaml::Node::Kind::string &&
                      has_reference(*member.value);
    Json value = open ? sample(input->type) : stand_in(*member.value, count);
    if (is_open(value)) {
      mistakes_.add("tool.input_type", member.value->place,
                    "input `" + member.key + "` of step `" + step.id + "` is a mapping with `" +
                        value.as_object().begin()->first + "`, which only plans have",
                    "write `${steps.ID.MEMBER}`");
      value = Json("x");
    }
    use.with.set(member.key, std::move(value));
  }
  if (!tool.declares && (step.read || step.write || step.hosts)) {
    use.read.emplace();
  }
  if (const auto checked = check_inputs(use, "step `" + step.id + "`", step.place); !checked) {
    add_error(checked.error(), mistakes_);
  }
  if (!tool.runs && tools_ == ToolChoice::that_run) {
    mistakes_.add("template.unsupported_tool", step.place,
                  "step `" + step.id + "`: this version of rgx does not run `" + step.use + "`",
                  "docs/formats/plan.md lists the tools");
  }
}

void TemplateChecker::check_declaration(const StepTemplate& step, std::string_view key,
                                        const std::optional<yaml::Node>& node,
                                        const Context& context) {
  if (!node) {
    return;
  }
  const std::string what = "`" + std::string(key) + "` of step `" + step.id + "`";
  if (node->kind == yaml::Node::Kind::string && has_reference(*node)) {
    expressions_.check_value(Shape::texts, *node, what, context);
    return;
  }
  if (node->kind != yaml::Node::Kind::sequence) {
    mistakes_.add("expression.type", node->place, what + " is not a list", "write `[...]`");
    return;
  }
  for (const auto& item : node->items) {
    if (item->kind != yaml::Node::Kind::string) {
      mistakes_.add("expression.type", item->place, what + " has an item that is no text",
                    "quote it");
      continue;
    }
    expressions_.check_value(Shape::text, *item, "an item of " + what, context, true);
    if (key != "hosts" && !has_reference(*item)) {
      if (const auto glob = Glob::parse(item->text); !glob) {
        const Diagnostic& first = glob.error().first();
        mistakes_.add(first.code, item->place, what + ": " + first.message, first.remedy);
      }
    }
  }
}

/// Checks `for_each`, which decides what `${item}` is.
Context TemplateChecker::context_of(const StepTemplate& step) {
  Context context;
  if (!step.for_each) {
    return context;
  }
  const yaml::Node& node = *step.for_each;
  context.item = Shape::any;
  if (node.kind != yaml::Node::Kind::string) {
    expressions_.check_below(node, Context{});
    if (node.kind != yaml::Node::Kind::sequence) {
      mistakes_.add("expression.type", node.place,
                    "`for_each` of step `" + step.id + "` is not a list", "refer to a list");
    }
    return context;
  }
  const auto before = mistakes_.all().size();
  const Shape list = expressions_.check_scalar(node, Context{});
  if (before == mistakes_.all().size() && list != Shape::texts && list != Shape::mappings &&
      list != Shape::any) {
    mistakes_.add("expression.type", node.place,
                  "`for_each` of step `" + step.id + "` gets " + std::string(described(list)),
                  "refer to a list");
  }
  context.item = element_of(list);
  return context;
}

/// Inputs, declarations and the tool itself.
void TemplateChecker::check_parts(const StepTemplate& step, const Context& context) {
  const ToolContract* tool = find_tool(step.use);
  for (const yaml::Member& member : step.with.members) {
    Shape wanted = Shape::any;
    Context here = context;
    here.outputs = false;
    if (tool != nullptr) {
      const auto input = std::ranges::find(tool->inputs, member.key, &ToolInput::name);
      wanted = input == tool->inputs.end() ? Shape::any : shape_of(input->type);
      // What policy decides on is known before the run.
      here.outputs = context.outputs && input != tool->inputs.end() &&
                     input->type == InputType::string && input->axis == Axis::content;
    }
    expressions_.check_value(wanted, *member.value,
                             "input `" + member.key + "` of step `" + step.id + "`", here);
  }
  Context closed = context;
  closed.outputs = false;
  check_declaration(step, "read", step.read, closed);
  check_declaration(step, "write", step.write, closed);
  check_declaration(step, "hosts", step.hosts, closed);
  if (tool != nullptr) {
    check_use(step, *tool);
  } else if (const auto checked = check_inputs(ToolUse{step.use, Json::object(), {}, {}, {}},
                                               "step `" + step.id + "`", step.place);
             !checked && !step.use.empty()) {
    add_error(checked.error(), mistakes_);
  }
}

void TemplateChecker::check_condition(const StepTemplate& step, Context context) {
  if (step.when) {
    check_when(*step.when, "step `" + step.id + "`", source_, expressions_, context, mistakes_);
  }
}

void TemplateChecker::check_step(const StepTemplate& step) {
  Context context = context_of(step);
  context.outputs = true;
  if (step.include.empty()) {
    check_parts(step, context);
  } else {
    expressions_.check_below(step.with, Context{});  // arguments of another template
  }
  check_condition(step, context);
  outputs_[step.id] = expressions_.take_outputs();
}

void TemplateChecker::check_check(const StepTemplate& check) {
  check_parts(check, Context{});
  check_condition(check, Context{});
}

void TemplateChecker::check_fact_input(const Fact& fact, const Probe& probe,
                                       const yaml::Member& member) {
  const auto input = std::ranges::find(probe.inputs, member.key, &ProbeInput::name);
  if (input == probe.inputs.end()) {
    std::vector<std::string> names;
    for (const ProbeInput& known : probe.inputs) {
      names.emplace_back(known.name);
    }
    mistakes_.add("fact.unknown_input", member.key_place,
                  "probe `" + fact.probe + "` has no input " + quoted(member.key),
                  suggestion(member.key, names, "it takes no input"));
    return;
  }
  const yaml::Node& node = *member.value;
  expressions_.check_value(input->shape, node, "input `" + member.key + "` of a probe",
                           Context{false, std::nullopt});
  const auto wanted = input->shape == Shape::texts     ? yaml::Node::Kind::sequence
                      : input->shape == Shape::boolean ? yaml::Node::Kind::boolean
                                                       : yaml::Node::Kind::string;
  if (!has_reference(node) && node.kind != wanted) {
    mistakes_.add("fact.input_type", node.place,
                  "input `" + member.key + "` of fact `" + fact.name + "` is not " +
                      std::string(described(input->shape)),
                  "write " + std::string(input->shape == Shape::texts     ? "`[...]`"
                                         : input->shape == Shape::boolean ? "`true` or `false`"
                                                                          : "one text"));
  }
}

void TemplateChecker::check_fact(const Fact& fact) {
  const Probe* probe = find_probe(fact.probe);
  if (probe == nullptr) {
    std::vector<std::string> names;
    for (const Probe& known : probes()) {
      names.emplace_back(known.name);
    }
    if (!fact.probe.empty()) {
      mistakes_.add("fact.unknown_probe", fact.place, "there is no probe " + quoted(fact.probe),
                    suggestion(fact.probe, names, "see docs/formats/template.md"));
    }
    return;
  }
  for (const yaml::Member& member : fact.with.members) {
    check_fact_input(fact, *probe, member);
  }
  const std::size_t finders = (fact.with.find("word") != nullptr ? 1U : 0U) +
                              (fact.with.find("text") != nullptr ? 1U : 0U) +
                              (fact.with.find("pattern") != nullptr ? 1U : 0U);
  if (fact.probe == "search.text" && finders != 1) {
    mistakes_.add("fact.missing_input", fact.place,
                  "probe `search.text` needs exactly one of `word`, `text` and `pattern`",
                  "say what to search for, once");
  }
}

void TemplateChecker::check_order() {
  std::map<std::string, std::uint32_t, std::less<>> index_of;
  std::vector<std::string_view> names;
  std::vector<std::string> known;
  for (std::uint32_t index = 0; index < source_.steps.size(); ++index) {
    const StepTemplate& step = source_.steps[index];
    names.push_back(step.id);
    known.push_back(step.id);
    if (!step.id.empty() && !index_of.emplace(step.id, index).second) {
      mistakes_.add("template.duplicate_id", step.place, "step `" + step.id + "` is there twice",
                    "give each step its own id");
      return;  // needs would be ambiguous
    }
  }
  std::vector<std::vector<std::uint32_t>> needs(names.size());
  for (std::uint32_t index = 0; index < source_.steps.size(); ++index) {
    const StepTemplate& step = source_.steps[index];
    std::set<std::uint32_t> unique;
    for (const std::string& need : step.needs) {
      const auto found = index_of.find(need);
      if (found == index_of.end()) {
        mistakes_.add("template.unknown_need", step.place,
                      "step `" + step.id + "` needs " + quoted(need) + ", which is no step",
                      suggestion(need, known, "name a step of this template"));
      } else {
        unique.insert(found->second);
        check_phase_needs(step, source_.steps[found->second]);
      }
    }
    needs[index].assign(unique.begin(), unique.end());
  }
  StepGraph graph(names, std::move(needs));
  if (graph.has_cycle()) {
    const std::string cycle = graph.cycle();
    const auto first =
        std::ranges::find(source_.steps, cycle.substr(0, cycle.find(' ')), &StepTemplate::id);
    mistakes_.add("template.cycle", first->place, "the steps need each other: " + cycle,
                  "remove one of these `needs`");
    return;
  }
  check_output_order(graph, index_of);
}

std::size_t TemplateChecker::phase_of(const StepTemplate& step) const {
  const auto found = std::ranges::find(source_.phases, step.phase.value_or(""), &Phase::name);
  return static_cast<std::size_t>(found - source_.phases.begin());
}

void TemplateChecker::check_phase_needs(const StepTemplate& step, const StepTemplate& needed) {
  if (phase_of(step) < phase_of(needed) && phase_of(needed) < source_.phases.size()) {
    mistakes_.add("template.bad_phase", step.place,
                  "step `" + step.id + "` of the phase `" + step.phase.value_or("") + "` needs `" +
                      needed.id + "` of the later phase `" + needed.phase.value_or("") + "`",
                  "move one of them to another phase");
  }
}

void TemplateChecker::check_output_order(
    StepGraph& graph, const std::map<std::string, std::uint32_t, std::less<>>& index_of) {
  for (std::uint32_t index = 0; index < source_.steps.size(); ++index) {
    const StepTemplate& step = source_.steps[index];
    for (const Reference& output : outputs_[step.id]) {
      const std::uint32_t other = index_of.find(output.name)->second;
      const bool later_phase = phase_of(source_.steps[other]) < phase_of(step);
      if (!later_phase && !graph.comes_after(index, other)) {
        mistakes_.add("template.unordered_output", output.place,
                      "step `" + step.id + "` uses an output of `" + output.name +
                          "`, which it does not need",
                      "add `" + output.name + "` to its `needs`");
      }
    }
  }
}

}  // namespace

Result<std::vector<std::string>> slots_of(std::string_view utterance) {
  const auto bad = [](const std::string& message) {
    return fail(ErrorKind::usage, "template.bad_utterance", message,
                "write each slot as `{NAME}`, once");
  };
  std::vector<std::string> slots;
  std::size_t at = 0;
  bool adjacent = false;
  while (at < utterance.size()) {
    if (utterance[at] == '}') {
      return bad("a `}` without `{`");
    }
    if (utterance[at] != '{') {
      adjacent = adjacent && utterance[at] == ' ';
      ++at;
      continue;
    }
    const std::size_t end = utterance.find('}', at);
    if (end == std::string_view::npos) {
      return bad("a `{` without `}`");
    }
    std::string slot(utterance.substr(at + 1, end - at - 1));
    if (std::ranges::find(slots, slot) != slots.end()) {
      return bad("the slot " + quoted("{" + slot + "}") + " is there twice");
    }
    if (adjacent) {
      return bad("two slots without a word between them");
    }
    slots.push_back(std::move(slot));
    adjacent = true;
    at = end + 1;
  }
  return slots;
}

void check_template(const Template& source, ToolChoice tools, Mistakes& mistakes) {
  TemplateChecker checker(source, tools, mistakes);
  for (const Fact& fact : source.facts) {
    checker.check_fact(fact);
  }
  for (const StepTemplate& step : source.steps) {
    checker.check_step(step);
  }
  for (const Phase& phase : source.phases) {
    for (const StepTemplate& check : phase.exit) {
      checker.check_check(check);
    }
  }
  for (const StepTemplate& check : source.acceptance) {
    checker.check_check(check);
  }
  checker.check_order();
}

}  // namespace rgx::templates
