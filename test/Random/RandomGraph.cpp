// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads generated graphs and makes the values that they are run on.

#include "RandomGraph.h"

#include "fp8-opt/Run/Init.h"
#include "fp8-opt/Run/Program.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstring>

using namespace fp8opt;
using namespace fp8opt::random;
using namespace fp8opt::run;

namespace fp8opt::random {
static bool fromJSON(const llvm::json::Value &value, Run &run, llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  std::string values;
  if (!map || !map.map("values", values) || !map.map("shapes", run.shapes))
    return false;
  run.values = values == "special" ? Values::Special : Values::Normal;
  return true;
}

static bool fromJSON(const llvm::json::Value &value, RandomGraph &graph, llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  return map && map.map("seed", graph.seed) && map.map("recipe", graph.recipe) &&
         map.map("compare_import", graph.compareImport) && map.map("kinds", graph.kinds) &&
         map.map("runs", graph.runs);
}
} // namespace fp8opt::random

llvm::Expected<std::vector<RandomGraph>> fp8opt::random::readGraphs(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer)
    return llvm::createStringError(path + ": " + buffer.getError().message());
  llvm::SmallVector<llvm::StringRef> pieces;
  (*buffer)->getBuffer().split(pieces, "// -----\n", -1, /*KeepEmpty=*/false);
  std::vector<RandomGraph> graphs;
  for (llvm::StringRef piece : pieces) {
    auto [head, text] = piece.split('\n');
    if (!head.consume_front("// "))
      return llvm::createStringError("expected a description in front of each graph, got '" + head + "'");
    auto graph = llvm::json::parse<RandomGraph>(head, "graph");
    if (!graph)
      return llvm::createStringError("'" + path +
                                     "': expected what generate.py writes in front of each graph, got: " +
                                     llvm::toString(graph.takeError()));
    graph->text = text.str();
    graphs.push_back(std::move(*graph));
  }
  return graphs;
}

/// A sequence of pseudo-random numbers, by SplitMix64.
namespace {
class Sequence {
public:
  explicit Sequence(uint64_t state) : state(state) {}
  uint64_t below(uint64_t bound) {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return (z ^ (z >> 31)) % bound;
  }

private:
  uint64_t state;
};
} // namespace

static const llvm::fltSemantics *semantics(ElementType type) {
  switch (type) {
  case ElementType::BF16:
    return &llvm::APFloat::BFloat();
  case ElementType::F16:
    return &llvm::APFloat::IEEEhalf();
  case ElementType::F32:
    return &llvm::APFloat::IEEEsingle();
  default:
    return nullptr;
  }
}

static void store(Tensor &tensor, int64_t index, double value) {
  llvm::APFloat number(value);
  bool losesInfo;
  number.convert(*semantics(tensor.type), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  uint64_t bits = number.bitcastToAPInt().getZExtValue();
  size_t width = size_t(bytesPerElement(tensor.type));
  std::memcpy(tensor.bytes.data() + size_t(index) * width, &bits, width);
}

static void addSpecialValues(Tensor &tensor, Sequence &sequence) {
  int64_t count = tensor.numElements();
  if (!count || !semantics(tensor.type))
    return;
  int64_t row = tensor.shape.empty() ? 1 : tensor.shape.back();
  // Beyond, within and below what narrow formats and their scales hold.
  const double factors[] = {0, -0.0, 0x1p100, 0x1p20, 0x1p-20, 0x1p-100, 0x1p-130};
  for (int64_t start = 0; start < count; start += row)
    if (sequence.below(3) == 0) {
      double factor = factors[sequence.below(std::size(factors))];
      for (int64_t i = start; i < start + row; ++i)
        store(tensor, i, tensor.at(i) * factor);
    }
  const double elements[] = {std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity(),
                             -0.0,
                             448,
                             -57344};
  if (sequence.below(2) == 0)
    store(tensor, int64_t(sequence.below(uint64_t(count))), elements[sequence.below(std::size(elements))]);
}

llvm::Expected<std::vector<Tensor>> fp8opt::random::makeArguments(const RandomGraph &graph, const Run &run,
                                                                  mlir::TypeRange types) {
  std::vector<Tensor> arguments;
  for (auto [index, type] : llvm::enumerate(types)) {
    auto value = valueType(type);
    if (!value)
      return value.takeError();
    bool isDescribed = index < graph.kinds.size() && index < run.shapes.size();
    int64_t kind = isDescribed ? graph.kinds[index] : 0;
    std::vector<int64_t> shape = isDescribed ? run.shapes[index] : value->shape;
    for (int64_t &size : shape)
      size = std::max<int64_t>(size, 0);
    Tensor tensor = initNormal(value->element, std::move(shape),
                               kind < 0 ? ArgumentKind::Parameter : ArgumentKind::Other, graph.seed, index);
    Sequence sequence(graph.seed * 1000 + index);
    if (kind > 0)
      for (int64_t i = 0; i < tensor.numElements(); ++i) {
        uint64_t number = sequence.below(uint64_t(kind));
        std::memcpy(tensor.bytes.data() + size_t(i * bytesPerElement(tensor.type)), &number,
                    size_t(bytesPerElement(tensor.type)));
      }
    if (run.values == Values::Special)
      addSpecialValues(tensor, sequence);
    arguments.push_back(std::move(tensor));
  }
  return arguments;
}
