// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structural value numbers.

#include "RoleNumbers.h"

using namespace mlir;
using namespace fp8opt::qt::roles;

unsigned TupleNumbers::get(ArrayRef<uint64_t> tuple) {
  auto found = numbers.find(tuple);
  if (found != numbers.end())
    return found->second;
  unsigned number = numbers.size();
  numbers.try_emplace(tuple.copy(words), number);
  return number;
}

static uint64_t word(const void *pointer) { return reinterpret_cast<uintptr_t>(pointer); }

/// Discardable attributes do not change what is computed.
static uint64_t inherentAttributes(Operation *op) {
  if (op->getName().isRegistered())
    return word(op->getPropertiesAsAttribute().getAsOpaquePointer());
  return word(op->getAttrDictionary().getAsOpaquePointer());
}

SmallVector<unsigned> StructuralNumbers::get(Operation *op, function_ref<unsigned(Value)> numberOf,
                                             function_ref<bool(OpOperand &)> isRead) {
  SmallVector<uint64_t, 32> tuple;
  auto describe = [&](Operation *each) {
    tuple.append({word(each->getName().getAsOpaquePointer()), inherentAttributes(each),
                  each->getNumOperands(), each->getNumResults()});
    for (Type type : each->getResultTypes())
      tuple.push_back(word(type.getAsOpaquePointer()));
  };
  describe(op);
  for (OpOperand &operand : op->getOpOperands()) {
    bool read = isRead(operand);
    tuple.append({read, read ? numberOf(operand.get()) : word(operand.get().getType().getAsOpaquePointer())});
  }
  // What the body defines is named by its place in the body.
  DenseMap<Value, unsigned> locals;
  auto name = [&](Value value) { locals.try_emplace(value, locals.size()); };
  for (Region &region : op->getRegions())
    region.walk<WalkOrder::PreOrder>([&](Operation *inner) {
      for (Value argument : inner->getBlock()->getArguments())
        name(argument);
      describe(inner);
      for (Value operand : inner->getOperands()) {
        auto local = locals.find(operand);
        bool isLocal = local != locals.end();
        tuple.append({2u + isLocal, isLocal ? local->second : numberOf(operand)});
      }
      for (Value result : inner->getResults())
        name(result);
    });

  SmallVector<unsigned> result;
  unsigned number = tuples.get(tuple);
  if (number == numberOfTuple.size()) {
    numberOfTuple.push_back(count);
    count += op->getNumResults();
  }
  for (unsigned i = 0, e = op->getNumResults(); i != e; ++i)
    result.push_back(numberOfTuple[number] + i);
  return result;
}
