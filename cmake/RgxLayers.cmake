# The layer table: what each package may include and which libraries its sources may use.
# rgx_package refuses anything that is not here, and tests/tidy reads the third-party lines.
# `expected` is the only library that a header may name, and only through base/result.h.

set(RGX_LAYER_base "")
set(RGX_LAYER_yaml base)
set(RGX_LAYER_templates base yaml)
set(RGX_LAYER_audit base)
set(RGX_LAYER_policy base yaml templates)
set(RGX_LAYER_planner base yaml templates)
set(RGX_LAYER_engine base yaml templates policy audit)
set(RGX_LAYER_cli base yaml templates audit policy planner engine)

set(RGX_THIRD_PARTY_base expected openssl simdjson fmt)
set(RGX_THIRD_PARTY_yaml yaml_cpp fmt)
set(RGX_THIRD_PARTY_templates re2 range_v3)
set(RGX_THIRD_PARTY_audit openssl)
set(RGX_THIRD_PARTY_policy re2 range_v3)
set(RGX_THIRD_PARTY_planner range_v3)
set(RGX_THIRD_PARTY_engine git2 seccomp curl openssl re2)
set(RGX_THIRD_PARTY_cli cli11 spdlog fmt range_v3 utf8proc)
