// SPDX-License-Identifier: Apache-2.0
#include "measure/peers/peer_messages.h"

#include <gtest/gtest.h>

#include "measure/peers/peer_session.h"
#include "measure/peers/peer_worker.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

TEST(PeerMessages, InputsArriveAsTheyWereSent) {
  const PeerLoadRequest sent{.spec = "gmm:m=1,n=2,k=1",
                             .inputs = {{"W", {2, 3}}, {"X", {1}}, {"bias", {}}}};
  const auto received = decode<PeerLoadRequest>(encode(sent));
  ASSERT_TRUE(received.has_value());
  EXPECT_EQ(received->spec, sent.spec);
  EXPECT_EQ(received->inputs, sent.inputs);
}

TEST(PeerMessages, OffersArriveAsTheyWereSent) {
  const PeerLoadReply sent{.version = "oneDNN 2.6.3",
                           .reason = "none",
                           .implementations = {{"jit any", "winograd", true, false}}};
  EXPECT_EQ(*decode<PeerLoadReply>(encode(sent)), sent);
}

TEST(PeerMessages, RunsArriveAsTheyWereSent) {
  const PeerRunRequest request{.implementation = 3, .alone = false, .output_wanted = false};
  EXPECT_EQ(*decode<PeerRunRequest>(encode(request)), request);
  const PeerRunReply reply{
      .status = Status::run_error, .reason = "no", .seconds = 0.5, .output = {1, 2}};
  EXPECT_EQ(*decode<PeerRunReply>(encode(reply)), reply);
}

TEST(PeerMessages, AShortPayloadIsRefused) {
  Frame frame = encode(PeerLoadRequest{.spec = "x", .inputs = {{"X", {1, 2}}}});
  frame.payload.resize(4);
  EXPECT_ERROR(decode<PeerLoadRequest>(frame), "a payload of 4 bytes ends before 2 more floats");
}

TEST(PeerMessages, AnotherTypeIsRefused) {
  EXPECT_ERROR(decode<PeerRunReply>(encode(PeerRunRequest{})), "expected a frame of type ran");
}

TEST(PeerWorkerOptions, ArriveAsTheyWereSent) {
  const PeerWorkerOptions sent{.peer = "onednn", .cores = {0, 3}, .parent = 17};
  EXPECT_EQ(*parse_peer_worker_options(print(sent)), sent);
}

TEST(PeerEnvironment, LimitsTheThreadsOfEveryLibrary) {
  const std::vector<std::string> environment = peer_environment(2);
  for (const char* entry : {"OMP_NUM_THREADS=2", "OPENBLAS_NUM_THREADS=2"}) {
    EXPECT_NE(std::find(environment.begin(), environment.end(), entry), environment.end());
  }
}

}  // namespace
}  // namespace dovetail
