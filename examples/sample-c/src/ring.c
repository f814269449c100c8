#include "ring.h"

void ring_clear(struct ring *ring) {
  ring->start = 0;
  ring->count = 0;
}

void ring_push(struct ring *ring, int value) {
  size_t end = (ring->start + ring->count) % RING_CAPACITY;
  ring->values[end] = value;
  if (ring->count < RING_CAPACITY) {
    ring->count++;
  } else {
    ring->start = (ring->start + 1) % RING_CAPACITY;
  }
}

int ring_at(const struct ring *ring, size_t index) {
  return ring->values[(ring->start + index) % RING_CAPACITY];
}
