#include <stdio.h>

#include "average.h"
#include "ring.h"

static int failures = 0;

static void expect(int wanted, int got, const char *what) {
  if (wanted != got) {
    printf("%s: expected %d, got %d\n", what, wanted, got);
    failures++;
  }
}

int main(void) {
  struct ring ring;
  ring_clear(&ring);
  ring_push(&ring, 1);
  ring_push(&ring, 2);
  expect(2, (int)ring.count, "count after two values");
  expect(1, ring_at(&ring, 0), "oldest of two values");
  for (int value = 3; value <= 10; value++) {
    ring_push(&ring, value);
  }
  expect(RING_CAPACITY, (int)ring.count, "count of a full ring");
  expect(3, ring_at(&ring, 0), "oldest value of a full ring");
  expect(7, average_after(&ring, 11), "average of 4 to 11");
  printf("%s\n", failures == 0 ? "all tests passed" : "tests failed");
  return failures == 0 ? 0 : 1;
}
