#pragma once

#include <cstdint>
#include <string>

#include "base/json.h"

// The port to a language model. A request is a value with a digest, so that an answer can be
// recorded and replayed for the same digest.

namespace rgx {

struct ModelRequest {
  std::string prompt;
  Json schema;                  ///< JSON Schema the answer must fit; null = free text
  std::int64_t tokens_max = 0;  ///< upper bound of the answer, in tokens
};

struct ModelAnswer {
  std::string text;
  std::int64_t tokens_input = 0;
  std::int64_t tokens_cached = 0;
  std::int64_t tokens_output = 0;
  std::int64_t cost_usd_micros = 0;
};

class ModelClient {
 public:
  virtual ~ModelClient() = default;
  [[nodiscard]] virtual Result<ModelAnswer> ask(const ModelRequest& request) = 0;
};

}  // namespace rgx
