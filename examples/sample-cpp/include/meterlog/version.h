#pragma once

#define METERLOG_VERSION "1.4.2"
