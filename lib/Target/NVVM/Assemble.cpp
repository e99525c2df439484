// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ptxas on a text, and its errors at the functions of a module.

#include "fp8-opt/Target/NVVM/Assemble.h"

#include "PtxasOutput.h"

#include "fp8-opt/Process/Command.h"
#include "fp8-opt/Process/WholeFile.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::nvvm;

/// The function of the module that the error is about, or that the line of its PTX lies in; else the module.
static Operation *placeOf(const PtxasError &error, ModuleOp module, ArrayRef<StringRef> ptx) {
  if (Operation *function = SymbolTable::lookupSymbolIn(module, error.function))
    return function;
  // ".visible .entry k(", ".func  (.param .b32 func_retval0) f("
  for (size_t index = std::min<size_t>(error.line, ptx.size()); index-- > 0;) {
    if (!ptx[index].contains(".entry ") && !ptx[index].contains(".func "))
      continue;
    StringRef name = ptx[index].rsplit('(').first.rsplit(' ').second;
    if (Operation *function = SymbolTable::lookupSymbolIn(module, name))
      return function;
  }
  return module;
}

static void tell(ModuleOp module, StringRef ptx, ArrayRef<PtxasError> errors) {
  SmallVector<StringRef> lines;
  ptx.split(lines, '\n');
  for (const PtxasError &error : errors) {
    InFlightDiagnostic diagnostic = placeOf(error, module, lines)->emitError()
                                    << "expected PTX that ptxas takes, got: " << error.text;
    if (error.line > 0 && error.line <= lines.size())
      diagnostic << " (line " << error.line << " of the PTX: " << lines[error.line - 1].trim() << ")";
  }
}

/// That nothing was reported must not look like nothing to report.
static LogicalResult checkReports(ModuleOp module, ArrayRef<FunctionReport> reports) {
  StringAttr isKernel = StringAttr::get(module.getContext(), NVVM::NVVMDialect::getKernelFuncAttrName());
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (function.isExternal() || !function->hasAttr(isKernel))
      continue;
    bool isReported = llvm::any_of(reports, [&](const FunctionReport &report) {
      return report.isKernel && report.name == function.getName() && report.registers > 0;
    });
    if (!isReported)
      return function.emitError("expected ptxas to report on kernel '")
             << function.getName() << "', got output in a form that is not known";
  }
  return success();
}

FailureOr<Assembled> fp8opt::nvvm::assemble(ModuleOp module, std::string ptx, const Chip &chip,
                                            StringRef ptxas) {
  Assembled assembled;
  assembled.ptx = std::move(ptx);
  if (ptxas.empty())
    return assembled;
  auto fail = [&](const Twine &message) { return module.emitError(message); };

  auto folder = TemporaryFolder::create();
  if (!folder)
    return fail(llvm::toString(folder.takeError()));
  std::string text = folder->file("kernels.ptx"), cubin = folder->file("kernels.cubin");
  if (llvm::Error error = writeWhole(text, [&](raw_ostream &os) { os << assembled.ptx; }))
    return fail(llvm::toString(std::move(error)));

  auto done = runCommand(ptxas, {"-arch=" + chip.name.str(), "--verbose", text, "-o", cubin});
  if (!done)
    return fail(llvm::toString(done.takeError()));
  PtxasOutput output = parsePtxasOutput(done->output + done->errors);
  if (done->status != 0 || !output.errors.empty()) {
    tell(module, assembled.ptx, output.errors);
    if (output.errors.empty())
      return fail("expected ptxas to take the PTX, got exit status " + Twine(done->status) + ": " +
                  StringRef(done->errors).trim().take_front(500));
    return failure();
  }
  auto content = llvm::MemoryBuffer::getFile(cubin, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!content || (*content)->getBufferSize() == 0)
    return fail("expected '" + ptxas + "' to write a cubin, got none");
  if (failed(checkReports(module, output.functions)))
    return failure();
  assembled.cubin = (*content)->getBuffer().str();
  assembled.functions = std::move(output.functions);
  assembled.remarks = std::move(output.remarks);
  return assembled;
}
