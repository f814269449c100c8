#include "average.h"

int average_after(struct ring *ring, int value) {
  ring_push(ring, value);
  long sum = 0;
  for (size_t i = 0; i < ring->count; i++) {
    sum += ring_at(ring, i);
  }
  return (int)(sum / (long)ring->count);
}
