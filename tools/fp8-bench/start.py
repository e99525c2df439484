# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Where fp8-bench starts. CMake writes the version of the project in.

import sys

from fp8_opt.bench.main import main

sys.exit(main(version="@PROJECT_VERSION@"))
