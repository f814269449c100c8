#ifndef SAMPLE_RING_H
#define SAMPLE_RING_H

#include <stddef.h>

#define RING_CAPACITY 8

/* The last RING_CAPACITY values, oldest first. */
struct ring {
  int values[RING_CAPACITY];
  size_t start;
  size_t count;
};

void ring_clear(struct ring *ring);

/* Adds a value; when the ring is full, the oldest one is dropped. */
void ring_push(struct ring *ring, int value);

/* The value at `index`, 0 being the oldest; `index` is below the count. */
int ring_at(const struct ring *ring, size_t index);

#endif
