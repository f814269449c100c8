#include "policy/decision.h"

#include "base/text.h"

// Decisions for machines and for people. Format: docs/formats/decision.md

namespace rgx::policy {
namespace {

Json hits_json(const std::vector<RuleHit>& rules) {
  Json all = Json::array();
  for (const RuleHit& hit : rules) {
    all.push(Json::object({{"rule", hit.rule},
                           {"effect", to_string(hit.effect)},
                           {"layer", to_string(hit.layer)},
                           {"place", to_string(hit.place)},
                           {"why", hit.why},
                           {"remedy", hit.remedy}}));
  }
  return all;
}

std::string line(std::string_view indent, std::string_view text) {
  return std::string(indent) + printable(text) + "\n";
}

std::string_view verb(Effect effect) {
  switch (effect) {
    case Effect::allow:
      return "allows";
    case Effect::require_approval:
      return "asks for approval";
    case Effect::deny:
      return "denies";
  }
  return {};
}

std::string describe_approval(const ApprovalDemand& demand) {
  std::string text = "needs " + std::to_string(demand.count) +
                     (demand.count == 1 ? " approval" : " approvals") +
                     (demand.group.empty() ? "" : " of group `" + demand.group + "`");
  return text + (demand.self ? "" : ", not by the requester");
}

}  // namespace

Json to_json(const Decision& decision) {
  Json ungranted = Json::array();
  for (const Ungranted& item : decision.ungranted) {
    ungranted.push(
        Json::object({{"axis", templates::to_string(item.axis)}, {"element", item.element}}));
  }
  Json near_misses = Json::array();
  for (const NearMiss& miss : decision.near_misses) {
    near_misses.push(Json::object(
        {{"rule", miss.rule}, {"place", to_string(miss.place)}, {"reason", miss.reason}}));
  }
  Json approvals = Json::array();
  for (const ApprovalDemand& demand : decision.approvals) {
    approvals.push(to_json(demand));
  }
  return Json::object({{"schema", "rgx.decision/v1"},
                       {"decision", to_string(decision.effect)},
                       {"risk", to_string(decision.risk)},
                       {"rules", hits_json(decision.deciding)},
                       {"matched", hits_json(decision.matched)},
                       {"ungranted", std::move(ungranted)},
                       {"near_misses", std::move(near_misses)},
                       {"exceptions", Json::array_of(decision.exceptions)},
                       {"approvals", std::move(approvals)},
                       {"remedy", decision.remedy},
                       {"facts", to_json(decision.facts)}});
}

Json to_json(const ApprovalDemand& demand) {
  return Json::object({{"count", demand.count}, {"group", demand.group}, {"self", demand.self}});
}

std::string describe(const Decision& decision) {
  std::string text = line("", std::string(to_string(decision.effect)) + ": " + decision.facts.tool +
                                  ", risk " + std::string(to_string(decision.risk)));
  for (const RuleHit& hit : decision.deciding) {
    text += line("  ", to_string(hit.place) + ": rule `" + hit.rule + "` (" +
                           std::string(to_string(hit.layer)) + ") " +
                           std::string(verb(hit.effect)) + ": " + hit.why);
  }
  for (const Ungranted& item : decision.ungranted) {
    text += line("  ", "no rule grants " + std::string(templates::to_string(item.axis)) + " `" +
                           item.element + "`");
  }
  if (decision.deciding.empty() && decision.ungranted.empty()) {
    text += line("  ", "no rule allows this tool");
  }
  for (const NearMiss& miss : decision.near_misses) {
    text +=
        line("  ", to_string(miss.place) + ": rule `" + miss.rule + "` does not: " + miss.reason);
  }
  for (const std::string& exception : decision.exceptions) {
    text += line("  ", "excepted from rule " + exception);
  }
  for (const ApprovalDemand& demand : decision.approvals) {
    text += line("  ", describe_approval(demand));
  }
  if (!decision.remedy.empty()) {
    text += line("  ", "remedy: " + decision.remedy);
  }
  return text;
}

}  // namespace rgx::policy
