// tinycrc, by its authors, in the public domain. Taken over as it is; do not edit.
#include "tinycrc/tinycrc.h"

unsigned tinycrc(const char* bytes, unsigned long count) {
  unsigned crc = 0xffffffffU;
  for (unsigned long i = 0; i < count; ++i) {
    crc ^= static_cast<unsigned char>(bytes[i]);
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc >> 1U) ^ (0xedb88320U & (0U - (crc & 1U)));
    }
  }
  return ~crc;
}
