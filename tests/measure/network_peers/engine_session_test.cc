// SPDX-License-Identifier: Apache-2.0
#include "measure/network_peers/engine_session.h"

#include <gtest/gtest.h>

#include "core/base/cores.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"
#include "tests/support/temporary_folder.h"

namespace dovetail {
namespace {

using testing::right;
using testing::TemporaryFolder;

// Stands in for serve_engine.py, with an engine that doubles its one input; `on_sample` is the
// Python code for a request to run. Needs Python's standard library only.
std::string fake_engine(const std::string& on_sample) {
  return "import json, os, socket, struct, sys, time\n"
         "c = socket.socket(fileno=3)\n"
         "def send(h, p=b''):\n"
         "    t = json.dumps(h).encode()\n"
         "    c.sendall(struct.pack('<4sIQ', b'DVT1', len(t), len(p)) + t + p)\n"
         "data = b''\n"
         "while True:\n"
         "    head = c.recv(16, socket.MSG_WAITALL)\n"
         "    if len(head) < 16: sys.exit(0)\n"
         "    _, h, p = struct.unpack('<4sIQ', head)\n"
         "    header = json.loads(c.recv(h, socket.MSG_WAITALL))\n"
         "    payload = c.recv(p, socket.MSG_WAITALL) if p else b''\n"
         "    kind = header['type']\n"
         "    if kind == 'input':\n"
         "        data = payload; send({'type': 'taken'})\n"
         "    elif kind == 'load':\n"
         "        send({'type': 'loaded', 'version': '1.5', 'precision': 'f32, '"
         " + str(header['threads']), 'outputs': 1, 'import_bytes': 7})\n"
         "    elif kind == 'output':\n"
         "        n = len(data) // 4\n"
         "        send({'type': 'values', 'dtype': 'f32'}, struct.pack(f'<{n}f', *[2 * v for v in"
         " struct.unpack(f'<{n}f', data)]))\n"
         "    else:\n"
         "        " +
         on_sample + "\n";
}

class FakeEngine : public ::testing::Test {
 protected:
  EngineSession start(const std::string& on_sample) {
    folder_.write("fake.py", fake_engine(on_sample));
    return right(EngineSession::start(
        "fake", {.path = "/usr/bin/env", .arguments = {"python3", folder_.path("fake.py")}},
        {allowed_cores().front()}));
  }

  TemporaryFolder folder_;
};

TEST_F(FakeEngine, IsGivenInputsAndGivesOutputsAndTimes) {
  const std::vector<int> ours = allowed_cores();
  EngineSession engine =
      start("send({'type': 'sampled', 'seconds': [0.5] * header['runs'], 'peak_bytes': 9})");
  EXPECT_EQ(allowed_cores(), ours) << "only the engine is pinned";
  ASSERT_TRUE(engine.give("x", NDArray{1.5F, -3}.reshaped({1, 2})));
  ASSERT_TRUE(engine.load("net.onnx"));
  EXPECT_EQ(engine.version(), "1.5");
  EXPECT_EQ(engine.precision(), "f32, 1");
  EXPECT_EQ(engine.outputs(), 1);
  EXPECT_EQ(right(engine.output(0)), (NDArray{3, -6}));
  const EngineSamples samples = right(engine.sample(3, 4, 1));
  EXPECT_EQ(samples.seconds, (std::vector<double>(4, 0.5)));
  EXPECT_EQ(samples.peak_bytes, 9);
}

TEST_F(FakeEngine, ThatDiesIsNamedWithItsLastWords) {
  EngineSession engine = start("print('no such kernel', file=sys.stderr); os._exit(1)");
  EXPECT_ERROR(engine.sample(1, 1, 1), "peer fake: exit code 1: no such kernel");
  EXPECT_ERROR(engine.sample(1, 1, 1), "peer fake: its process has ended");
}

TEST_F(FakeEngine, ThatSpeaksRubbishIsNamed) {
  EngineSession engine = start("c.sendall(b'x' * 64); time.sleep(60)");
  const auto samples = engine.sample(1, 1, 1);
  ASSERT_FALSE(samples.has_value());
  EXPECT_TRUE(samples.error().message.starts_with("peer fake: ")) << samples.error().message;
}

TEST_F(FakeEngine, ThatAnswersSomethingElseIsNamed) {
  EngineSession engine = start("send({'type': 'loaded'})");
  EXPECT_ERROR(engine.sample(1, 1, 1), "peer fake: expected a frame of type sampled");
}

TEST(EngineSession, OfAnUnknownEngineNamesThoseThereAre) {
  EXPECT_ERROR(EngineSession::start("tvm", {0}),
               "unknown peer 'tvm' of a network; expected one of: onnxruntime, openvino, libtorch");
}

TEST(EngineSession, ThatIsNotInstalledSaysHowTo) {
  ::setenv("DOVETAIL_ENGINES_PYTHON", "/nowhere/python", 1);
  EXPECT_ERROR(EngineSession::start("openvino", {0}),
               "peer openvino: DOVETAIL_ENGINES_PYTHON names /nowhere/python, which is not there");
  ::unsetenv("DOVETAIL_ENGINES_PYTHON");
}

}  // namespace
}  // namespace dovetail
