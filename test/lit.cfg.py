# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How lit finds and runs every test that is not a GoogleTest binary.

import importlib.util
import os

import lit.formats

config.name = config.suite
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = config.suite_root
config.test_exec_root = os.path.join(config.build_dir, config.suite)

# Our tools first, then LLVM's FileCheck, not, split-file and mlir-opt-22.
search_path = [os.path.join(config.build_dir, "bin"), config.llvm_tools_dir, config.environment["PATH"]]
config.environment["PATH"] = os.pathsep.join(search_path)
config.environment["FILECHECK_OPTS"] = "--dump-input-filter=error"

# What tools/setup.sh --ptxas installs, else the machine's.
ptxas = config.ptxas if os.path.exists(config.ptxas) else lit.util.which("ptxas", config.environment["PATH"])

config.substitutions += [
    ("%examples", os.path.join(config.project_dir, "examples")),
    ("%extra_inputs", config.extra_inputs),
    ("%plugin", os.path.join(config.build_dir, "lib", "fp8-opt-plugin.so")),
    ("%project", config.project_dir),
    ("%build", config.build_dir),
    ("%tblgen", os.path.join(config.llvm_tools_dir, "mlir-tblgen")),
    ("%llvm_tools", config.llvm_tools_dir),
    ("%mlir_include", config.mlir_include_dir),
    ("%python", config.python),
    ("%ptxas", ptxas or "ptxas"),
    ("%iree_compile", os.path.join(config.iree, "bin", "iree-compile")),
    ("%iree_python", os.path.join(config.iree, "bin", "python3")),
]

# A test that REQUIRES one of these is shown as skipped, with the reason, where it is absent.
if config.extra_inputs and os.path.isdir(config.extra_inputs):
    config.available_features.add("extra-inputs")
if os.path.exists(os.path.join(config.iree, "bin", "iree-compile")):
    config.available_features.add("iree")
if ptxas:
    config.available_features.add("ptxas")
if importlib.util.find_spec("torch"):
    config.available_features.add("torch")
if os.path.exists(os.path.join(config.llvm_tools_dir, "llc")):
    config.available_features.add("llc")
for tool in ("mlir-opt", "clang-format", "clang-tidy"):
    if lit.util.which(tool + "-22", config.environment["PATH"]):
        config.available_features.add(tool)
if config.build_type == "Release":
    config.available_features.add("release")
if config.sanitized:
    config.available_features.add("asan")
