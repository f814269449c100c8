#include "cli/plan_graph.h"

#include <functional>
#include <map>
#include <set>
#include <utility>

namespace rgx::cli {
namespace {

struct Graph {
  std::vector<PlanFold> nodes;
  std::set<std::pair<std::size_t, std::size_t>> edges;  // from a need to what needs it
  std::vector<std::pair<std::string, std::vector<std::size_t>>>
      phases;  // in order; empty name: none
};

Graph make_graph(const PlanPicture& picture) {
  Graph graph;
  graph.nodes =
      fold_rows(picture.rows, picture.rows.size() > kOpenNodesMax ? 1 : picture.rows.size());
  std::map<std::string_view, std::size_t> node_of;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const std::string& phase = graph.nodes[i].first().phase;
    if (graph.phases.empty() || graph.phases.back().first != phase) {
      graph.phases.emplace_back(phase, std::vector<std::size_t>());
    }
    graph.phases.back().second.push_back(i);
    for (const PlanRow* row : graph.nodes[i].rows) {
      node_of.emplace(row->id, i);
    }
  }
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    for (const PlanRow* row : graph.nodes[i].rows) {
      for (const std::string& need : row->needs) {
        const auto found = node_of.find(need);
        if (found != node_of.end() && found->second != i) {
          graph.edges.emplace(found->second, i);
        }
      }
    }
  }
  return graph;
}

// In words, since colour alone says nothing to many.
std::vector<std::string> label_of(const PlanFold& fold) {
  const PlanRow& row = fold.first();
  return {fold.name(), row.tool,
          std::string(effect_word(row.effect)) + ", " + std::string(policy::to_string(row.risk)) +
              " risk"};
}

std::string node(std::size_t i) {
  return "n" + std::to_string(i);
}

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == ' ' ||
         c == '.' || c == '_' || c == '/' || c == '-' || c == ',' ||
         (static_cast<unsigned char>(c) & 0x80U) != 0;
}

}  // namespace

std::string dot_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
    }
    out += c;
  }
  return out + '"';
}

std::string mermaid_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out +=
        is_plain(c) ? std::string(1, c) : "#" + std::to_string(static_cast<unsigned char>(c)) + ";";
  }
  return out;
}

std::string plan_dot(const PlanPicture& picture) {
  const Graph graph = make_graph(picture);
  std::string out = "digraph plan {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];\n";
  for (std::size_t p = 0; p < graph.phases.size(); ++p) {
    const auto& [phase, members] = graph.phases[p];
    const std::string_view indent = phase.empty() ? "  " : "    ";
    if (!phase.empty()) {
      out +=
          "  subgraph cluster_" + std::to_string(p) + " {\n    label=" + dot_quoted(phase) + ";\n";
    }
    for (const std::size_t i : members) {
      std::string label;
      for (const std::string& line : label_of(graph.nodes[i])) {
        const std::string quoted = dot_quoted(line);
        label += (label.empty() ? "" : "\\n") + quoted.substr(1, quoted.size() - 2);
      }
      const policy::Effect effect = graph.nodes[i].first().effect;
      const std::string_view style = effect == policy::Effect::allow ? ""
                                     : effect == policy::Effect::deny
                                         ? ", style=bold, color=red"
                                         : ", style=dashed, color=orange";
      out +=
          std::string(indent) + node(i) + " [label=\"" + label + '"' + std::string(style) + "];\n";
    }
    if (!phase.empty()) {
      out += "  }\n";
    }
  }
  for (const auto& [from, to] : graph.edges) {
    out += "  " + node(from) + " -> " + node(to) + ";\n";
  }
  return out + "}\n";
}

std::string plan_mermaid(const PlanPicture& picture) {
  const Graph graph = make_graph(picture);
  std::string out = "flowchart LR\n";
  for (std::size_t p = 0; p < graph.phases.size(); ++p) {
    const auto& [phase, members] = graph.phases[p];
    if (!phase.empty()) {
      out += "  subgraph p" + std::to_string(p) + "[\"" + mermaid_escaped(phase) + "\"]\n";
    }
    for (const std::size_t i : members) {
      std::string label;
      for (const std::string& line : label_of(graph.nodes[i])) {
        label += (label.empty() ? "" : "<br/>") + mermaid_escaped(line);
      }
      const policy::Effect effect = graph.nodes[i].first().effect;
      const std::string_view mark = effect == policy::Effect::allow  ? ""
                                    : effect == policy::Effect::deny ? ":::deny"
                                                                     : ":::ask";
      out += "  " + node(i) + "[\"" + label + "\"]" + std::string(mark) + "\n";
    }
    if (!phase.empty()) {
      out += "  end\n";
    }
  }
  for (const auto& [from, to] : graph.edges) {
    out += "  " + node(from) + " --> " + node(to) + "\n";
  }
  return out +
         "  classDef deny stroke:#c00,stroke-width:3px\n"
         "  classDef ask stroke:#c80,stroke-dasharray:4\n";
}

}  // namespace rgx::cli
