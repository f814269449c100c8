#include "cli/progress_event.h"

#include <array>

#include "base/check.h"
#include "base/json_reader.h"
#include "base/text.h"
#include "cli/output.h"

namespace rgx::cli {
namespace {

template <class Enum, std::size_t N>
using Words = std::array<std::pair<Enum, std::string_view>, N>;

constexpr Words<StepEnd, 7> kStepEnds = {{{StepEnd::succeeded, "succeeded"},
                                          {StepEnd::failed, "failed"},
                                          {StepEnd::timed_out, "timed_out"},
                                          {StepEnd::refused, "refused"},
                                          {StepEnd::skipped, "skipped"},
                                          {StepEnd::cancelled, "cancelled"},
                                          {StepEnd::unfinished, "unfinished"}}};
constexpr Words<RunEnd, 8> kRunEnds = {{{RunEnd::succeeded, "succeeded"},
                                        {RunEnd::failed, "failed"},
                                        {RunEnd::denied, "denied"},
                                        {RunEnd::budget_exhausted, "budget_exhausted"},
                                        {RunEnd::drifted, "drifted"},
                                        {RunEnd::waiting, "waiting"},
                                        {RunEnd::interrupted, "interrupted"},
                                        {RunEnd::aborted, "aborted"}}};
constexpr Words<Interruption, 2> kInterruptions = {
    {{Interruption::finish_running, "finish_running"},
     {Interruption::stop_running, "stop_running"}}};

template <class Enum, std::size_t N>
std::string_view word_of(const Words<Enum, N>& words, Enum value) {
  for (const auto& [each, word] : words) {
    if (each == value) {
      return word;
    }
  }
  RGX_CHECK(false);
}

template <class Enum, std::size_t N>
Enum value_of(const Words<Enum, N>& words, ObjectReader& reader, std::string_view key) {
  const std::string text = reader.string(key);
  for (const auto& [value, word] : words) {
    if (word == text) {
      return value;
    }
  }
  reader.mistake("progress.unknown_word", key, "`" + text + "` is no word of this stream");
  return words.front().first;
}

/// Line feeds stay what they are: an output tail with a broken byte is still lines.
std::string text_of(std::string_view text) {
  return is_utf8(text) ? std::string(text) : escape_lines(text);
}

struct Writer {
  Json& line;

  void operator()(const RunAnnounced& body) const {
    line.set("type", "run_start");
    line.set("run", text_of(body.run));
    line.set("plan", text_of(body.plan));
    line.set("admission", text_of(body.admission));
    Json steps = Json::array();
    for (const PlannedStep& step : body.steps) {
      Json needs = Json::array();
      for (const std::string& need : step.needs) {
        needs.push(text_of(need));
      }
      steps.push(Json::object({{"id", text_of(step.id)},
                               {"tool", text_of(step.tool)},
                               {"title", text_of(step.title)},
                               {"phase", text_of(step.phase)},
                               {"needs", std::move(needs)}}));
    }
    line.set("steps", std::move(steps));
    if (body.done_before > 0) {
      line.set("done_before", body.done_before);
    }
  }
  void operator()(const StepStarted& body) const {
    line.set("type", "step_start");
    line.set("step", text_of(body.step));
  }
  void operator()(const StepOutput& body) const {
    line.set("type", "step_output");
    line.set("step", text_of(body.step));
    line.set("bytes", body.bytes);
  }
  void operator()(const StepWaiting& body) const {
    line.set("type", "step_wait");
    line.set("step", text_of(body.step));
    line.set("rule", text_of(body.rule));
    line.set("need", text_of(body.need));
    line.set("how", text_of(body.how));
  }
  void operator()(const StepFinished& body) const {
    line.set("type", "step_end");
    line.set("step", text_of(body.step));
    line.set("state", to_string(body.end));
    line.set("summary", text_of(body.summary));
    line.set("detail", text_of(body.detail));
    line.set("wall_ms", body.wall_ms);
  }
  void operator()(const BudgetChanged& body) const {
    line.set("type", "budget");
    Json meters = Json::array();
    for (const Meter& meter : body.meters) {
      meters.push(Json::object({{"name", text_of(meter.name)},
                                {"spent", meter.spent},
                                {"reserved", meter.reserved},
                                {"limit", meter.limit}}));
    }
    line.set("meters", std::move(meters));
  }
  void operator()(const RunInterrupted& body) const {
    line.set("type", "interrupted");
    line.set("how", to_string(body.how));
  }
  void operator()(const RunFinished& body) const {
    line.set("type", "run_end");
    line.set("state", to_string(body.end));
    line.set("exit_code", body.exit_code);
    line.set("summary", text_of(body.summary));
  }
};

Result<RunAnnounced> read_run(ObjectReader& reader) {
  RunAnnounced body;
  body.run = reader.string("run");
  body.plan = reader.string("plan");
  body.admission = reader.string("admission");
  body.done_before = reader.optional_integer("done_before", 1, Json::kIntegerMax).value_or(0);
  std::size_t index = 0;
  for (const Json& item : reader.array("steps")) {
    ObjectReader step(item, reader.name("steps[" + std::to_string(index++) + "]"));
    PlannedStep& planned = body.steps.emplace_back();
    planned.id = step.string("id");
    planned.tool = step.string("tool");
    planned.title = step.string("title");
    planned.phase = step.string("phase");
    planned.needs = step.strings("needs");
    RGX_TRY_STATUS(step.finish());
  }
  return body;
}

Result<BudgetChanged> read_budget(ObjectReader& reader) {
  BudgetChanged body;
  std::size_t index = 0;
  for (const Json& item : reader.array("meters")) {
    ObjectReader each(item, reader.name("meters[" + std::to_string(index++) + "]"));
    Meter& meter = body.meters.emplace_back();
    meter.name = each.string("name");
    meter.spent = each.integer("spent");
    meter.reserved = each.integer("reserved");
    meter.limit = each.integer("limit");
    RGX_TRY_STATUS(each.finish());
  }
  return body;
}

StepWaiting read_wait(ObjectReader& reader) {
  StepWaiting body;
  body.step = reader.string("step");
  body.rule = reader.string("rule");
  body.need = reader.string("need");
  body.how = reader.string("how");
  return body;
}

StepFinished read_step_end(ObjectReader& reader) {
  StepFinished body;
  body.step = reader.string("step");
  body.end = value_of(kStepEnds, reader, "state");
  body.summary = reader.string("summary");
  body.detail = reader.string("detail");
  body.wall_ms = reader.integer("wall_ms");
  return body;
}

RunFinished read_run_end(ObjectReader& reader) {
  RunFinished body;
  body.end = value_of(kRunEnds, reader, "state");
  body.exit_code = static_cast<int>(reader.integer("exit_code", 0, 255));
  body.summary = reader.string("summary");
  return body;
}

Result<ProgressBody> read_body(ObjectReader& reader, const std::string& type) {
  if (type == "run_start") {
    return read_run(reader);
  }
  if (type == "step_start") {
    return StepStarted{.step = reader.string("step")};
  }
  if (type == "step_output") {
    StepOutput body{.step = reader.string("step")};
    body.bytes = reader.integer("bytes");
    return body;
  }
  if (type == "step_wait") {
    return read_wait(reader);
  }
  if (type == "step_end") {
    return read_step_end(reader);
  }
  if (type == "budget") {
    return read_budget(reader);
  }
  if (type == "interrupted") {
    return RunInterrupted{.how = value_of(kInterruptions, reader, "how")};
  }
  if (type == "run_end") {
    return read_run_end(reader);
  }
  return fail(ErrorKind::usage, "progress.unknown_word",
              "`" + type + "` is no event of this stream",
              "read the stream with the version of rgx that wrote it");
}

}  // namespace

std::string_view to_string(StepEnd end) {
  return word_of(kStepEnds, end);
}
std::string_view to_string(RunEnd end) {
  return word_of(kRunEnds, end);
}
std::string_view to_string(Interruption interruption) {
  return word_of(kInterruptions, interruption);
}

Json progress_stream_header() {
  return Json::object({{"type", "stream"}, {"v", "1.0"}});
}

Json to_json(const ProgressEvent& event) {
  Json line = Json::object({{"at_ms", event.at_ms}});
  if (event.record) {
    line.set("record", *event.record);
  }
  std::visit(Writer{line}, event.body);
  return line;
}

Result<ProgressEvent> progress_event_from_json(const Json& value) {
  ObjectReader reader(value, "event");
  ProgressEvent event;
  event.at_ms = reader.integer("at_ms");
  if (const auto record = reader.optional_integer("record")) {
    event.record = static_cast<std::uint64_t>(*record);
  }
  const std::string type = reader.string("type");
  if (type.empty()) {
    RGX_TRY_STATUS(reader.finish());
  }
  RGX_TRY(event.body, read_body(reader, type));
  RGX_TRY_STATUS(reader.finish());
  return event;
}

}  // namespace rgx::cli
