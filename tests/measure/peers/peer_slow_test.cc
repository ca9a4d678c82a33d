// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/cores.h"
#include "core/ir/region/region_text.h"
#include "measure/peers/peer_choice.h"
#include "measure/peers/peer_session.h"
#include "tests/measure/candidates.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

using testing::operator_of;

constexpr uint64_t kSeed = 5;

std::vector<int> last_cores(size_t count) {
  const std::vector<int> all = allowed_cores();
  return {all.end() - static_cast<std::ptrdiff_t>(std::min(count, all.size())), all.end()};
}

struct Case {
  std::string peer;
  std::string spec;
};

void PrintTo(const Case& value, std::ostream* out) { *out << value.peer << " " << value.spec; }

// All nine kinds; with uneven padding, groups, output padding, epilogues.
constexpr const char* kSpecs[] = {
    "c1d:ci=16,co=32,w=37,k=3,s=2,p=1",
    "c1d:ci=12,co=20,w=37,k=5,g=4,d=2,p=1:2",
    "c2d:ci=3,co=16,h=15,w=14,k=7,s=2,p=3",
    "c2d:n=2,ci=32,co=32,h=14,w=14,k=3,p=1",
    "c2d:ci=32,co=32,h=14,w=14,k=3,p=1+bias+relu",
    "c2d:ci=16,co=32,h=9,w=9,k=1+bias+add+relu",
    "c2d:ci=16,co=32,h=9,w=9,k=3,p=0:1x1:0+relu6",
    "c2d:ci=16,co=16,h=9,w=9,k=3+bias+gelu",
    "c3d:ci=8,co=16,depth=5,h=7,w=9,k=3,p=1",
    "grp:ci=32,co=64,h=14,w=14,k=3,p=1,g=4",
    "dil:ci=16,co=16,h=17,w=17,k=3,p=2,d=2",
    "dep:c=32,h=14,w=14,k=3,p=1",
    "dep:c=32,m=2,h=15,w=15,k=3,s=2,p=1+clip(0,3)",
    "t2d:ci=16,co=32,h=7,w=7,k=4,s=2,p=1",
    "t2d:ci=16,co=8,h=7,w=7,k=3,s=2,p=1,op=1,g=2",
    "t3d:ci=8,co=16,depth=3,h=4,w=5,k=4,s=2,p=1+bias",
    "gmm:m=33,n=48,k=65",
    "gmm:b=3,m=17,n=32,k=20,ta=1,tb=1,b_const=0",
    "gmm:m=17,n=32,k=20,tb=1+bias+relu",
    "gmm:b=2,m=17,n=32,k=20+bias+add+silu",
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const char* peer : {"onednn", "libtorch"})
    for (const char* spec : kSpecs) cases.push_back({peer, spec});
  cases.push_back({"openblas", "gmm:m=33,n=48,k=65"});
  cases.push_back({"openblas", "gmm:b=3,m=17,n=32,k=20,ta=1,tb=1,b_const=0"});
  cases.push_back({"openblas", "c2d:n=2,ci=16,co=24,h=9,w=7,k=1"});
  return cases;
}

// oneDNN 2.6.3 adds the wrong elements here, which shows what the check is for.
bool is_known(const std::string& rejected) {
  return rejected.starts_with("x64:gemm:jit channels_last");
}

class EveryPeer : public ::testing::TestWithParam<Case> {};

TEST_P(EveryPeer, ComputesWhatTheReferenceDoes) {
  Result<PeerSession> session = PeerSession::start(GetParam().peer, last_cores(1));
  if (!session) GTEST_SKIP() << session.error().message;
  const Region region = *parse_region(GetParam().spec);
  const auto integers = CheckData::make(region, DataKind::small_integers, kSeed);
  const auto real = CheckData::make(region, DataKind::real, kSeed);
  const PeerChoice choice = choose_implementations(*session, *integers, *real);
  for (const std::string& line : choice.rejected) {
    EXPECT_TRUE(line.find("elements are wrong") == std::string::npos || is_known(line)) << line;
  }
  ASSERT_TRUE(choice.free.has_value()) << choice.reason;
  ASSERT_TRUE(choice.row_major.has_value()) << choice.reason;
  EXPECT_GT(choice.free->seconds, 0);
}

INSTANTIATE_TEST_SUITE_P(All, EveryPeer, ::testing::ValuesIn(all_cases()));

TEST(Peer, UsesAsManyThreadsAsCores) {
  const std::vector<int> cores = last_cores(2);
  if (cores.size() < 2) GTEST_SKIP() << "needs two cores";
  Result<PeerSession> session = PeerSession::start("onednn", cores);
  if (!session) GTEST_SKIP() << session.error().message;
  const Operator op = operator_of("c2d:ci=32,co=32,h=14,w=14,k=3,p=1");
  const auto integers = CheckData::make(region_of(op), DataKind::small_integers, kSeed);
  const auto real = CheckData::make(region_of(op), DataKind::real, kSeed);
  EXPECT_TRUE(choose_implementations(*session, *integers, *real).free.has_value());
}

TEST(Peer, SaysWhatItCannotDo) {
  Result<PeerSession> session = PeerSession::start("openblas", last_cores(1));
  if (!session) GTEST_SKIP() << session.error().message;
  const Operator op = operator_of("c2d:ci=4,co=4,h=5,w=5,k=3");
  const auto data = CheckData::make(region_of(op), DataKind::small_integers, kSeed);
  const auto loaded = session->load(*data);
  ASSERT_TRUE(loaded.has_value());
  EXPECT_TRUE(loaded->implementations.empty());
  EXPECT_EQ(loaded->reason, "OpenBLAS has matrix products only");
}

TEST(Peer, LoadsItsOperandsAgainAfterAnUnknownImplementation) {
  Result<PeerSession> session = PeerSession::start("onednn", last_cores(1));
  if (!session) GTEST_SKIP() << session.error().message;
  const Operator op = operator_of("gmm:m=8,n=8,k=8");
  const auto data = CheckData::make(region_of(op), DataKind::small_integers, kSeed);
  ASSERT_TRUE(session->load(*data).has_value());
  EXPECT_EQ(session->run(1000, true, true).status, Status::run_error);
  const PeerRunReply ran = session->run(0, true, true);
  EXPECT_EQ(ran.status, Status::ok) << ran.reason;
  EXPECT_EQ(check_peer_output(*data, "direct", ran.output).status, Status::ok);
}

TEST(Peer, IsRefusedByAnUnknownName) {
  const auto session = PeerSession::start("mkl", last_cores(1));
  EXPECT_ERROR(session, "unknown peer 'mkl'; expected one of: onednn, libtorch, openblas");
}

}  // namespace
}  // namespace dovetail
