// SPDX-License-Identifier: Apache-2.0
//
// The flat form that the interpreter runs: names are resolved to slots and pointers, indices to dot
// products. Used by interpreter*.cc only.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/interpreter/interpreter.h"
#include "core/ir/program/program.h"

namespace dovetail::interpreter {

// constant + Σ coefficient · variables[slot] + Σ coefficient · (inner div or mod divisor)
struct Index {
  struct Term {
    int slot;
    int64_t coefficient;
  };
  struct Division {
    int64_t coefficient;
    int64_t divisor;
    bool is_div;
    std::shared_ptr<const Index> inner;
  };
  int64_t constant = 0;
  std::vector<Term> terms;
  std::vector<Division> divisions;
};

inline int64_t evaluate(const Index& index, const int64_t* variables) {
  int64_t total = index.constant;
  for (const Index::Term& term : index.terms) total += term.coefficient * variables[term.slot];
  for (const Index::Division& division : index.divisions) {
    const int64_t inner = evaluate(*division.inner, variables);
    int64_t rest = inner % division.divisor;
    if (rest < 0) rest += division.divisor;
    total += division.coefficient * (division.is_div ? (inner - rest) / division.divisor : rest);
  }
  return total;
}

// A tile and which of its elements have been stored to.
struct Registers {
  std::vector<double> elements;
  std::vector<uint8_t> defined;
};

// An access, resolved. `flat` holds when ranges prove it inside; else each index is checked.
struct Place {
  double* elements = nullptr;
  uint8_t* defined = nullptr;  // tiles only: elements stored to
  bool proven = false;
  ElementType type = ElementType::f32;
  Index flat;
  std::vector<Index> indices;
  std::vector<int64_t> extents;
  // For messages.
  std::string name;
  std::vector<IndexExpr> source;
  std::vector<std::pair<std::string, int>> variables;  // name and slot
};

// A number as code computes with it: reals in f32.
inline double rounded(ComputedType type, double number) {
  return type == ComputedType::real ? static_cast<double>(static_cast<float>(number)) : number;
}

enum class ValueKind : uint8_t { constant, load, index, binary, unary, select, choose, cast };

struct BoundCode {
  Index index;
  int64_t lower = 0, upper = 0;
};

struct ValueCode {
  ValueKind kind = ValueKind::constant;
  uint8_t op = 0;
  double constant = 0;
  ComputedType type = ComputedType::real;
  ElementType cast = ElementType::f32;
  int first = -1, second = -1, third = -1;  // operands
  Place place;
  Index index;
  std::vector<BoundCode> bounds;
};

enum class StepKind : uint8_t {
  loop,
  registers,  // a tile becomes undefined
  barrier,    // nothing to wait for: see in_phases
  store,
  multiply_add_loop,  // for v: target[…] += a[…] * b[…], all proven and linear in v
};

struct Step {
  StepKind kind = StepKind::store;
  int slot = 0;
  int64_t extent = 0;
  bool gathers = false;  // a loop of one iteration, that `value` names
  std::vector<Step> body;
  std::vector<BoundCode> bounds;  // clipped loops only
  Registers* registers = nullptr;
  Place target;
  int value = -1;
  Reducer reducer = Reducer::none;
  int64_t target_stride = 0, first_stride = 0, second_stride = 0;  // multiply_add_loop
};

// One kernel, ready to run.
struct Code {
  std::string kernel;
  std::vector<Step> steps;
  std::vector<ValueCode> values;
  std::deque<Registers> registers;     // stable addresses
  std::vector<std::string> variables;  // name of each slot
};

// `numbers` must hold every buffer, with its size, and outlive the code.
Result<Code> compile(const Program& program, const Kernel& kernel, BufferNumbers& numbers);

}  // namespace dovetail::interpreter
