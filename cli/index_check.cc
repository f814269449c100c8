#include "cli/index_check.h"

#include <optional>
#include <string>
#include <utility>

#include "base/text.h"

namespace rgx::cli {
namespace {

audit::Property property(audit::PropertyState state, std::string note) {
  return {.state = state, .note = std::move(note), .bad_offset = {}, .bad_seq = {}};
}

audit::Property fails(std::string note) {
  return property(audit::PropertyState::fails, std::move(note));
}

const HistoryEntry* find_log(const History& history, const std::string& log_id) {
  for (const HistoryEntry& entry : history.entries) {
    if (entry.log_id == log_id && !log_id.empty()) {
      return &entry;
    }
  }
  return nullptr;
}

// True when the genesis cites the record of the index that started the run.
bool cites(const audit::Record& genesis, const HistoryEntry& entry) {
  const Json* index = genesis.body.find("index");
  const Json* seq = index != nullptr ? index->find("seq") : nullptr;
  const Json* head = index != nullptr ? index->find("head") : nullptr;
  return seq != nullptr && seq->is_integer() && head != nullptr && head->is_string() &&
         std::cmp_equal(seq->as_integer(), entry.start_seq) &&
         head->as_string() == entry.start_leaf.to_string();
}

}  // namespace

audit::Property check_index(const RunId& run, const audit::Verdict& ledger, const History& history,
                            const std::string& root) {
  if (!history.verdict) {
    return fails("the repository's index ledger is gone, though every run begins there");
  }
  // Where the ledger does verify under the key, an index that does not was exchanged.
  if (history.other_key && ledger.authenticity.state != audit::PropertyState::holds) {
    return property(audit::PropertyState::unknown,
                    "the index cannot be compared: " + history.verdict->authenticity.note);
  }
  if (history.verdict->kind == audit::VerdictKind::tampered) {
    const audit::Verdict& index = *history.verdict;
    for (const audit::Property* part :
         {&index.integrity, &index.completeness, &index.authenticity, &index.meaning}) {
      if (part->state == audit::PropertyState::fails) {
        return fails("the repository's index ledger is damaged: " + part->note);
      }
    }
  }
  if (!history.repository.empty() && history.repository != printable(root)) {
    return fails("the index is that of another repository, `" + printable(history.repository) +
                 "`");
  }
  if (!ledger.genesis) {
    // Nothing to compare yet: the run ended before its first record was whole.
    const HistoryEntry* started = history.find(run);
    if (started != nullptr && started->root) {
      return fails("the index holds the end of this run, but its ledger has no first record");
    }
    return property(audit::PropertyState::unknown, "the ledger has no first record to compare");
  }
  if (history.other_key) {
    return fails("the repository's index ledger is " + history.verdict->authenticity.note);
  }
  const HistoryEntry* entry = find_log(history, ledger.log_id);
  if (entry == nullptr || entry->run != run) {
    return fails("the index does not know this ledger as run " + printable(run.text()));
  }
  if (!cites(*ledger.genesis, *entry)) {
    return fails("the first record cites another place of the index than the one of this run");
  }
  if (!entry->root) {
    return property(audit::PropertyState::holds,
                    "the index knows the start of this run; its end was never recorded");
  }
  if (*entry->root != ledger.root || entry->records != std::optional(ledger.records)) {
    return fails("the index recorded " + std::to_string(entry->records.value_or(0)) +
                 " records with another tree root at the end of this run");
  }
  return property(audit::PropertyState::holds, "start and end of this run are as recorded there");
}

audit::Verdict missing_ledger() {
  audit::Verdict verdict;
  verdict.kind = audit::VerdictKind::tampered;
  verdict.completeness = fails("the index knows this run, but its ledger is gone");
  return verdict;
}

}  // namespace rgx::cli
