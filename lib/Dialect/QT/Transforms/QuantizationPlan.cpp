// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When each tensor is quantized, and what is kept of it: all uses seen at once.

#include "QuantizationPlan.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

/// So many elementwise ops are computed again rather than their result kept: a gated activation, a scaled
/// norm.
static constexpr unsigned kMostRecomputed = 4;

static bool isSameLayout(const Quantization &a, const Quantization &b) {
  return a.view.permutation == b.view.permutation;
}

namespace {
/// Lists the forms of one tensor.
class FormList {
public:
  FormList(PlannedTensor &tensor, const Sizes &sizes) : tensor(tensor), sizes(sizes) {}

  /// Of a tensor whose quantizations nothing of the other half concerns.
  void listWithinHalf();
  /// Of a tensor made before the border, quantized behind it. `isThere`: whether it is there behind it in any
  /// case.
  void listAcross(bool isThere, HalfBorder &border, const HalfBorder::Values &read);
  void choose();

private:
  using Class = SmallVector<unsigned>;

  Form &add(PlanForm form) {
    Form &added = tensor.forms.emplace_back(Form{form});
    added.placements.resize(tensor.planned.size());
    return added;
  }
  SmallVector<Class> classes() const;
  std::optional<Placement> moved(const Quantization &quantization) const;
  bool isAtAnchor(Value value) const;
  bool keepClass(Form &form, const Class &members, bool preferForward, bool &moves, bool &transposes);
  void listKeptCodes(bool preferForward);

  PlannedTensor &tensor;
  const Sizes &sizes;
};
} // namespace

/// Groups of planned quantizations of which each gives the codes of the others.
SmallVector<FormList::Class> FormList::classes() const {
  SmallVector<Class> classes;
  llvm::DenseMap<std::pair<unsigned, Attribute>, SmallVector<unsigned>> ofView;
  for (unsigned index = 0; index < tensor.planned.size(); ++index) {
    const Quantization &quantization = tensor.planned[index];
    SmallVector<unsigned> &alike = ofView[{quantization.view.number, quantization.half()}];
    auto *found = llvm::find_if(
        alike, [&](unsigned c) { return givesCodesOf(tensor.planned[classes[c].front()], quantization); });
    if (found == alike.end()) {
      alike.push_back(classes.size());
      classes.emplace_back();
      found = &alike.back();
    }
    classes[*found].push_back(index);
  }
  return classes;
}

void FormList::listWithinHalf() {
  Passes each;
  for (const Quantization &quantization : tensor.planned)
    each.add(quantization);
  add(each.isShared() ? PlanForm::OnePass : PlanForm::Single).traffic = each.traffic();

  SmallVector<Class> classes = this->classes();
  if (classes.size() == tensor.planned.size())
    return;
  Form &form = add(PlanForm::Transposed);
  Passes first;
  for (const Class &members : classes) {
    first.add(tensor.planned[members.front()]);
    for (unsigned index : ArrayRef(members).drop_front()) {
      form.placements[index] = {Placement::Derives, tensor.planned[members.front()]};
      form.traffic += {tensor.planned[index].bytes, tensor.planned[index].bytes};
    }
  }
  form.traffic += first.traffic();
}

bool FormList::isAtAnchor(Value value) const {
  Operation *op = value.getDefiningOp();
  return value == tensor.value || !op || op->getBlock() != tensor.block || op == tensor.anchor() ||
         op->isBeforeInBlock(tensor.anchor());
}

/// The placement of a quantization in the forward half; none if its view cannot be made there.
std::optional<Placement> FormList::moved(const Quantization &quantization) const {
  std::optional<Remaking> views =
      remake(quantization.source(), [&](Value value) { return isAtAnchor(value); }, /*computing=*/0);
  if (!views)
    return std::nullopt;
  return Placement{Placement::Moves, {}, *views};
}

/// Keeps one tensor of codes for all members of a class. `preferForward`: that of the forward half, where it
/// has one; else the one that moves the fewest bytes.
bool FormList::keepClass(Form &form, const Class &members, bool preferForward, bool &moves,
                         bool &transposes) {
  struct Candidate {
    Quantization kept;
    std::optional<unsigned> member; // that moves
    Placement placement;
    Traffic traffic;
  };
  std::vector<Candidate> candidates;
  for (const Quantization &early : tensor.forward)
    if (givesCodesOf(early, tensor.planned[members.front()]))
      candidates.push_back({early, std::nullopt, {}, {}});
  if (!preferForward || candidates.empty())
    for (unsigned index : members)
      if (std::optional<Placement> placement = moved(tensor.planned[index]))
        candidates.push_back({tensor.planned[index], index, *placement, {0, tensor.planned[index].bytes}});
  if (candidates.empty())
    return false;
  for (Candidate &candidate : candidates)
    for (unsigned index : members)
      if (!isSameLayout(candidate.kept, tensor.planned[index]))
        candidate.traffic += {tensor.planned[index].bytes, tensor.planned[index].bytes};
  Candidate &best = *llvm::min_element(candidates, [](const Candidate &a, const Candidate &b) {
    return a.traffic.total() < b.traffic.total();
  });
  form.kept = addBytes(form.kept, best.kept.bytes);
  form.traffic += best.traffic;
  moves |= best.member.has_value();
  for (unsigned index : members) {
    form.placements[index] = index == best.member ? best.placement : Placement{Placement::Derives, best.kept};
    transposes |= !isSameLayout(best.kept, tensor.planned[index]);
  }
  return true;
}

void FormList::listKeptCodes(bool preferForward) {
  Form form{PlanForm::Shared};
  form.placements.resize(tensor.planned.size());
  bool moves = false, transposes = false;
  for (const Class &members : classes())
    if (!keepClass(form, members, preferForward, moves, transposes))
      return;
  form.form = moves ? PlanForm::Early : transposes ? PlanForm::Transposed : PlanForm::Shared;
  if (llvm::any_of(tensor.forms, [&](const Form &listed) { return listed.form == form.form; }))
    return;
  // What moves is read in the passes of the forward half; above those it costs what they do not read.
  llvm::MapVector<unsigned, std::pair<unsigned, int64_t>> more;
  for (auto [index, placement] : llvm::enumerate(form.placements)) {
    if (placement.kind != Placement::Moves)
      continue;
    const Quantization &quantization = tensor.planned[index];
    unsigned times = timesRead(quantization.type().getScheme()), already = 0;
    for (const Quantization &early : tensor.forward)
      if (early.view.number == quantization.view.number)
        already = std::max(already, timesRead(early.type().getScheme()));
    auto &[most, bytes] = more[quantization.view.number];
    most = std::max(most, times - std::min(times, already));
    bytes = quantization.sourceBytes;
  }
  for (auto &[number, reading] : more)
    for (unsigned time = 0; time < reading.first; ++time)
      form.traffic += {reading.second, 0};
  tensor.forms.push_back(std::move(form));
}

void FormList::listAcross(bool isThere, HalfBorder &border, const HalfBorder::Values &read) {
  Passes again;
  for (const Quantization &quantization : tensor.planned)
    again.add(quantization);
  auto isAvailable = [&](Value value) {
    return !isa<ShapedType>(value.getType()) || border.isThere(border.stored(value), read);
  };
  // What is moved from what is there, is there: it is moved again, on codes where those can be.
  std::optional<Remaking> moving = isThere ? Remaking() : remake(tensor.value, isAvailable, /*computing=*/0);
  Form &late = add(PlanForm::Again);
  late.kept = moving ? 0 : sizes.bytesOf(tensor.value);
  late.traffic = again.traffic();
  late.remaking = moving.value_or(Remaking());
  if (!moving) {
    if (std::optional<Remaking> computing = remake(tensor.value, isAvailable, kMostRecomputed)) {
      Form &recomputed = add(PlanForm::Recomputed);
      recomputed.traffic = again.traffic();
      recomputed.traffic += computing->traffic(sizes);
      recomputed.remaking = std::move(*computing);
    }
  }
  listKeptCodes(/*preferForward=*/false);
  listKeptCodes(/*preferForward=*/true);
}

void FormList::choose() {
  auto cost = [](const Form &form) { return std::pair(form.kept, form.traffic.total()); };
  tensor.chosen =
      llvm::min_element(tensor.forms, [&](const Form &a, const Form &b) { return cost(a) < cost(b); }) -
      tensor.forms.begin();
}

/// The tensor that a quantizer reads in a block without a border: slices are tensors of their own.
static Value underViews(Value value) {
  return throughViews(value,
                      [](Operation *op) { return isFreeView(op) && !isa<tensor::ExtractSliceOp>(op); });
}

std::vector<PlannedTensor> fp8opt::qt::planQuantizations(Operation *function, Borders &borders, Views &views,
                                                         const Sizes &sizes) {
  llvm::MapVector<std::pair<Block *, Value>, PlannedTensor> tensors;
  llvm::DenseSet<Operation *> planned;
  function->walk([&](QuantizeOp op) {
    Block *block = op->getBlock();
    auto border = borders.find(block);
    bool isBefore = border != borders.end() && border->second.isBefore(op.getOperation());
    bool isForward = op.getHalfAttr() && op.getHalfAttr().getValue() == Half::Forward;
    if (!op.getScales().empty() || (border != borders.end() && (!op.getHalfAttr() || isBefore != isForward)))
      return;
    Value value = border != borders.end() ? border->second.stored(op.getInput()) : underViews(op.getInput());
    PlannedTensor &tensor = tensors[{block, value}];
    tensor.value = value;
    tensor.block = block;
    (isBefore ? tensor.forward : tensor.planned).push_back(Quantization::of(op, views, sizes));
    if (!isBefore)
      planned.insert(op);
  });

  llvm::DenseMap<Block *, HalfBorder::Values> readBehind;
  for (auto &entry : borders) {
    // Those in a block of their own are planned there, from the value itself.
    Block *block = entry.first;
    readBehind[block] = entry.second.readBehind(
        [&](Operation *op) { return op->getBlock() == block && planned.contains(op); });
  }
  std::vector<PlannedTensor> result;
  for (auto &[key, tensor] : tensors) {
    FormList list(tensor, sizes);
    auto border = borders.find(key.first);
    bool isAcross = border != borders.end() && !tensor.planned.empty();
    if (tensor.planned.empty())
      std::swap(tensor.planned, tensor.forward);
    bool isThere = !isAcross || border->second.isThere(tensor.value, readBehind[key.first]);
    if (isAcross && (!tensor.forward.empty() || !isThere))
      list.listAcross(isThere, border->second, readBehind[key.first]);
    else
      list.listWithinHalf();
    list.choose();
    result.push_back(std::move(tensor));
  }
  return result;
}
