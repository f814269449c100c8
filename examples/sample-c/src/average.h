#ifndef SAMPLE_AVERAGE_H
#define SAMPLE_AVERAGE_H

#include "ring.h"

/* Adds a value (see ring_push) and returns the average of what is in the ring, rounded down. */
int average_after(struct ring *ring, int value);

#endif
