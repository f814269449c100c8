#pragma once

unsigned tinycrc(const char* bytes, unsigned long count);
