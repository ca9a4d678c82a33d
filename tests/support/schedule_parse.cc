// SPDX-License-Identifier: Apache-2.0
#include "tests/support/schedule_text.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "core/ir/lexer.h"
#include "core/ir/program/program_words.h"
#include "core/ir/value/value_text.h"

namespace dovetail::testing {
namespace {

class ScheduleParser {
 public:
  explicit ScheduleParser(Cursor& cursor) : cursor_(cursor) {}

  Result<Schedule> whole() {
    Schedule schedule;
    skip_empty_lines();
    TRY(cursor_.expect_word("schedule"));
    if (cursor_.accept_name("of")) schedule.anchor = TRY(cursor_.expect_name("a stage"));
    TRY(cursor_.expect_line_end());
    for (skip_empty_lines(); cursor_.accept_name("tensor"); skip_empty_lines())
      schedule.tensors.push_back(TRY(tensor()));
    for (; cursor_.accept_name("stage"); skip_empty_lines())
      schedule.stages.push_back(TRY(stage()));
    if (cursor_.at_end()) return schedule;
    return cursor_.unexpected(schedule.stages.empty() ? "\"tensor\" or \"stage\"" : "\"stage\"");
  }

 private:
  Result<ElementType> dtype() {
    const std::optional<ElementType> type = element_type_named(cursor_.peek().text);
    if (!type || !is_stored(*type)) return cursor_.unexpected(kStoredTypes);
    cursor_.take();
    return *type;
  }

  void skip_empty_lines() {
    while (cursor_.peek().kind == TokenKind::line_end) cursor_.take();
  }

  template <typename Enum, size_t Size>
  Result<Enum> word(const std::array<std::string_view, Size>& words, std::string_view meaning) {
    const auto value = word_to<Enum>(words, cursor_.peek().text);
    if (!value) return cursor_.unexpected(meaning);
    cursor_.take();
    return *value;
  }

  Result<ScheduledTensor> tensor() {
    ScheduledTensor tensor;
    tensor.name = TRY(cursor_.expect_name("a tensor"));
    TRY(cursor_.expect_symbol(":"));
    tensor.type = TRY(dtype());
    tensor.role =
        TRY(word<BufferRole>(kBufferRoles, "activation, constant, output, temporary or prepared"));
    tensor.crops = cursor_.accept_name("cropped");
    if (cursor_.accept_name("outside")) tensor.outside = TRY(cursor_.expect_number("a number"));
    NamedLayout named = TRY(parse_layout(cursor_));
    tensor.tensor = std::move(named.tensor);
    tensor.layout = std::move(named.layout);
    if (cursor_.accept_name("copied")) tensor.copied_as = TRY(parse_layout(cursor_)).layout;
    TRY(cursor_.expect_line_end());
    return tensor;
  }

  Result<Stage> stage() {
    Stage stage;
    stage.name = TRY(cursor_.expect_name("a stage"));
    if (const auto role = word_to<StageRole>(kStageRoles, cursor_.peek().text)) {
      cursor_.take();
      stage.role = *role;
    }
    stage.prepares = cursor_.accept_name("once");
    TRY(cursor_.expect_line_end());
    TRY(computation(stage));
    for (skip_empty_lines(); cursor_.accept_name("fused"); skip_empty_lines()) {
      FusedAxes& fused = stage.fused.emplace_back();
      while (!cursor_.accept_symbol("=")) fused.axes.push_back(TRY(cursor_.expect_name("an axis")));
      fused.whole = TRY(parse_index(cursor_));
      TRY(cursor_.expect_line_end());
    }
    for (; cursor_.accept_name("loop"); skip_empty_lines()) {
      stage.loops.push_back(TRY(loop()));
      TRY(cursor_.expect_line_end());
    }
    for (; cursor_.accept_name("where"); skip_empty_lines()) {
      const std::vector<Bound> bounds = TRY(parse_bounds(cursor_));
      stage.bounds.insert(stage.bounds.end(), bounds.begin(), bounds.end());
      TRY(cursor_.expect_line_end());
    }
    TRY(cursor_.expect_word("stores"));
    stage.output_indices = TRY(parse_indices(cursor_));
    TRY(cursor_.expect_line_end());
    skip_empty_lines();
    if (cursor_.accept_name("registers")) {
      TRY(cursor_.expect_word("at"));
      stage.cache_write_at = TRY(cursor_.expect_name("a loop or \"root\""));
      stage.streaming_stores = cursor_.accept_name("streaming");
      TRY(cursor_.expect_line_end());
      skip_empty_lines();
    }
    for (; cursor_.accept_name("prefetch"); skip_empty_lines())
      stage.prefetches.push_back(TRY(prefetch()));
    for (; cursor_.accept_name("caches"); skip_empty_lines())
      stage.cached_reads.push_back(TRY(cached_read()));
    if (cursor_.accept_name("attached")) stage.attachment = TRY(attachment());
    return stage;
  }

  Result<StagePrefetch> prefetch() {
    StagePrefetch prefetch;
    prefetch.tensor = TRY(cursor_.expect_name("a tensor"));
    TRY(cursor_.expect_word("at"));
    prefetch.loop = TRY(cursor_.expect_name("a loop"));
    TRY(cursor_.expect_word("distance"));
    prefetch.distance = TRY(cursor_.expect_integer("a number of iterations"));
    if (cursor_.accept_name("of")) prefetch.of = TRY(cursor_.expect_name("a loop"));
    TRY(cursor_.expect_line_end());
    return prefetch;
  }

  Result<CachedRead> cached_read() {
    CachedRead read;
    read.tensor = TRY(cursor_.expect_name("a tensor"));
    TRY(cursor_.expect_word("at"));
    read.at = TRY(cursor_.expect_name("a loop"));
    read.scope = TRY(word<TileScope>(kTileScopes, "registers, private, local or workspace"));
    if (cursor_.accept_name("copies")) read.copies = TRY(cursor_.expect_integer("copies"));
    if (cursor_.accept_name("pad")) read.pad = TRY(cursor_.expect_integer("elements"));
    TRY(cursor_.expect_line_end());
    return read;
  }

  Result<Attachment> attachment() {
    Attachment a;
    TRY(cursor_.expect_word("to"));
    a.stage = TRY(cursor_.expect_name("a stage"));
    TRY(cursor_.expect_word("at"));
    a.loop = TRY(cursor_.expect_name("a loop or \"root\""));
    a.scope = TRY(word<TileScope>(kTileScopes, "registers, private, local or workspace"));
    if (cursor_.accept_name("copies")) a.copies = TRY(cursor_.expect_integer("copies"));
    if (cursor_.accept_name("flat")) a.flat_elements = TRY(cursor_.expect_integer("elements"));
    if (cursor_.accept_name("pad")) a.row_pad = TRY(cursor_.expect_integer("elements"));
    TRY(cursor_.expect_line_end());
    for (skip_empty_lines(); cursor_.accept_name("around"); skip_empty_lines()) {
      a.around.push_back(TRY(loop()));
      TRY(cursor_.expect_line_end());
    }
    for (; cursor_.accept_name("part"); skip_empty_lines()) {
      a.starts.push_back(TRY(parse_index(cursor_)));
      a.extents.push_back(TRY(extent()));
      TRY(cursor_.expect_line_end());
    }
    if (cursor_.accept_name("ring")) a.ring = TRY(ring(a.extents.size()));
    return a;
  }

  Result<Ring> ring(size_t axes) {
    Ring ring;
    TRY(cursor_.expect_word("axis"));
    const Token axis = cursor_.peek();
    ring.axis = static_cast<size_t>(TRY(cursor_.expect_integer("an axis of the part")));
    if (ring.axis >= axes) return cursor_.fail_at(axis, fmt::format("the part has {} axes", axes));
    TRY(cursor_.expect_word("step"));
    ring.step = TRY(cursor_.expect_integer("by how much a round moves"));
    TRY(cursor_.expect_word("ahead"));
    ring.ahead = TRY(cursor_.expect_integer("a number of rounds"));
    TRY(cursor_.expect_line_end());
    return ring;
  }

  Result<void> computation(Stage& stage) {
    Computation& c = stage.computation;
    for (skip_empty_lines(); cursor_.accept_name("operand"); skip_empty_lines()) {
      c.tensors.push_back(TRY(operand()));
      TRY(cursor_.expect_line_end());
    }
    for (; cursor_.accept_name("table"); skip_empty_lines()) {
      c.tables.push_back(TRY(table()));
      TRY(cursor_.expect_line_end());
    }
    for (; cursor_.accept_name("axis"); skip_empty_lines()) {
      c.axes.push_back(TRY(axis(stage)));
      TRY(cursor_.expect_line_end());
    }
    for (; cursor_.accept_name("read"); skip_empty_lines()) c.reads.push_back(TRY(access()));
    for (; cursor_.accept_name("chosen"); skip_empty_lines()) c.gathers.push_back(TRY(chosen()));
    TRY(cursor_.expect_word("element"));
    c.element = TRY(parse_value(cursor_));
    TRY(cursor_.expect_line_end());
    skip_empty_lines();
    if (cursor_.accept_name("reduce")) {
      c.reducer = TRY(word<Reducer>(kReducerNames, "sum, max, min or prod"));
      TRY(cursor_.expect_line_end());
      skip_empty_lines();
      TRY(cursor_.expect_word("result"));
      c.result = TRY(parse_value(cursor_));
      TRY(cursor_.expect_line_end());
      skip_empty_lines();
    }
    if (cursor_.accept_name("pairs")) {
      PairedSum pairs;
      TRY(cursor_.expect_word("along"));
      pairs.axis = TRY(cursor_.expect_name("an axis"));
      TRY(cursor_.expect_word("of"));
      pairs.of = TRY(cursor_.expect_integer("a number"));
      TRY(cursor_.expect_word("apart"));
      pairs.apart = TRY(cursor_.expect_integer("a number"));
      if (cursor_.accept_name("signs")) pairs.signs = TRY(cursor_.expect_integer("a number"));
      stage.pairs = pairs;
      TRY(cursor_.expect_line_end());
      skip_empty_lines();
    }
    TRY(cursor_.expect_word("output"));
    c.output = TRY(access());
    skip_empty_lines();
    return {};
  }

  Result<int64_t> extent() {
    TRY(cursor_.expect_word("in"));
    if (cursor_.peek().kind != TokenKind::integer || cursor_.peek().integer != 0)
      return cursor_.unexpected("0");
    cursor_.take();
    TRY(cursor_.expect_symbol(".."));
    return cursor_.expect_integer("an extent");
  }

  Result<Tensor> operand() {
    Tensor tensor;
    tensor.name = TRY(cursor_.expect_name("a tensor"));
    TRY(cursor_.expect_symbol(":"));
    tensor.type = TRY(dtype());
    tensor.role = TRY(word<TensorRole>(kTensorRoles, "activation, constant or output"));
    TRY(cursor_.expect_symbol("["));
    while (!cursor_.accept_symbol("]")) {
      if (!tensor.dims.empty()) TRY(cursor_.expect_symbol(","));
      LogicalDim dim;
      dim.name = TRY(cursor_.expect_name("a dimension"));
      TRY(cursor_.expect_symbol("="));
      dim.extent = TRY(cursor_.expect_integer("an extent"));
      tensor.dims.push_back(std::move(dim));
    }
    return tensor;
  }

  Result<Axis> axis(Stage& stage) {
    Axis axis;
    axis.name = TRY(cursor_.expect_name("an axis"));
    axis.extent = TRY(extent());
    axis.reduction = cursor_.accept_name("sum");
    if (cursor_.accept_symbol("=")) stage.axis_values[axis.name] = TRY(parse_index(cursor_));
    return axis;
  }

  Result<Access> access() {
    Access access;
    access.tensor = TRY(cursor_.expect_name("a tensor"));
    access.indices = TRY(parse_indices(cursor_));
    if (cursor_.accept_name("where")) {
      do {
        access.conditions.push_back(TRY(parse_bound(cursor_)));
      } while (cursor_.accept_name("and"));
    }
    if (cursor_.accept_name("outside")) access.outside = TRY(cursor_.expect_number("a number"));
    TRY(cursor_.expect_line_end());
    return access;
  }

  Result<GatherIndex> chosen() {
    GatherIndex index;
    index.name = TRY(cursor_.expect_name("an index"));
    index.extent = TRY(extent());
    TRY(cursor_.expect_word("at"));
    index.value = TRY(parse_value(cursor_));
    TRY(cursor_.expect_line_end());
    return index;
  }

  Result<CoefficientTable> table() {
    CoefficientTable table;
    table.name = TRY(cursor_.expect_name("a table"));
    TRY(cursor_.expect_symbol("["));
    while (!cursor_.accept_symbol("]")) {
      if (!table.extents.empty()) TRY(cursor_.expect_symbol(","));
      table.extents.push_back(TRY(cursor_.expect_integer("an extent")));
    }
    TRY(cursor_.expect_symbol("="));
    TRY(cursor_.expect_symbol("{"));
    while (!cursor_.accept_symbol("}")) {
      if (!table.values.empty()) TRY(cursor_.expect_symbol(","));
      table.values.push_back(TRY(cursor_.expect_number("a number")));
    }
    return table;
  }

  Result<StageLoop> loop() {
    StageLoop loop;
    loop.name = TRY(cursor_.expect_name("a loop"));
    loop.extent = TRY(extent());
    loop.reduction = cursor_.accept_name("sum");
    if (cursor_.accept_name("chosen"))
      loop.gathers = static_cast<int>(TRY(cursor_.expect_integer("the position of an index")));
    if (cursor_.peek().kind != TokenKind::name) return loop;
    loop.kind =
        TRY(word<LoopKind>(kLoopKinds, "serial, parallel, vectorized, unrolled, bind or sum"));
    if (loop.kind != LoopKind::bound) return loop;
    const Token name = cursor_.peek();
    const Result<ThreadAxis> thread = parse_thread_axis(TRY(cursor_.expect_name("a thread axis")));
    if (!thread) return cursor_.fail_at(name, thread.error().message);
    loop.thread = *thread;
    return loop;
  }

  Cursor& cursor_;
};

}  // namespace

Result<Schedule> parse_schedule(std::string_view text) {
  Cursor cursor = TRY(Cursor::over(text, "schedule"));
  return ScheduleParser(cursor).whole();
}

}  // namespace dovetail::testing
