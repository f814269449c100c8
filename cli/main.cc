#include "cli/app.h"

#include <unistd.h>

int main(int argc, char** argv) {
  return rgx::cli::run_program(argc, argv, environ);
}
