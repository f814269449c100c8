// Template reader: any bytes are a template that lowers and instantiates or says why not, or
// mistakes that say what to do.
#include "base/text.h"
#include "templates/include.h"
#include "templates/seal.h"

#include "tests/fuzz/target.h"

namespace {

void check_error(const rgx::Error& error) {
  RGX_FUZZ_CHECK(!error.diagnostics.empty());
  for (const rgx::Diagnostic& mistake : error.diagnostics) {
    RGX_FUZZ_CHECK(!mistake.code.empty());
    RGX_FUZZ_CHECK(!rgx::find_deceptive(mistake.message));
  }
}

/// What no probe has answered is empty.
rgx::Result<rgx::templates::FactValues> no_facts(const rgx::templates::Template& source,
                                                 const rgx::templates::Arguments& /*arguments*/) {
  rgx::templates::FactValues facts;
  for (const rgx::templates::Fact& fact : source.facts) {
    facts[fact.name].probe = fact.probe;
    facts[fact.name].with = rgx::Json::object();
    facts[fact.name].value.json = rgx::Json::object(
        {{"paths", rgx::Json::array()}, {"count", 0}, {"skipped", rgx::Json::array()}});
  }
  return facts;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rgx;
  const auto source =
      templates::parse_template(fuzz::text_of(data, size), "fuzz", templates::ToolChoice::all);
  if (!source) {
    check_error(source.error());
    return 0;
  }
  const auto arguments = templates::bind_arguments(*source, {});
  if (!arguments) {
    check_error(arguments.error());
    return 0;
  }
  const std::vector<templates::Template> known = {*source};
  const auto use = templates::use_template(known.front(), *arguments, known, no_facts);
  if (!use) {
    check_error(use.error());
    return 0;
  }
  auto draft = templates::instantiate(*use, "");
  if (!draft) {
    check_error(draft.error());
    return 0;
  }
  const auto plan = templates::seal(std::move(*draft));
  if (!plan) {
    check_error(plan.error());
    return 0;
  }
  // What sealing takes, the reader of plan files takes, and it is the same.
  const auto again = templates::read_sealed_plan(templates::write_sealed_plan(*plan), "plan");
  RGX_FUZZ_CHECK(again.has_value());
  RGX_FUZZ_CHECK(again->plan() == plan->plan());
  return 0;
}
