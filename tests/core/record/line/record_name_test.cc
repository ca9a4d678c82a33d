// SPDX-License-Identifier: Apache-2.0
#include "core/record/line/record.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

TEST(RecordName, ParsesWhatItPrints) {
  for (const RecordName& name :
       {RecordName{"tune.jsonl", 1, 17, ""}, RecordName{"a b/#3.4/x#y.jsonl", 12, 3, ""},
        RecordName{"net.jsonl", 2, 5, "c2d:ci=3,co=4,h=8,w=8,k=3+clip(0,1.5)"}}) {
    EXPECT_EQ(*parse_record_name(print(name)), name);
  }
}

TEST(RecordName, LooksAsTheDesignSays) {
  EXPECT_EQ(print(RecordName{"tune.jsonl", 1, 17, ""}), "tune.jsonl#1.17");
  EXPECT_EQ(print(RecordName{"net.jsonl", 1, 17, "gmm:m=5,n=8,k=6"}),
            "net.jsonl#1.17@gmm:m=5,n=8,k=6");
}

TEST(RecordName, RefusesWhatIsNone) {
  for (const char* text : {"", "tune.jsonl", "tune.jsonl#", "tune.jsonl#1", "tune.jsonl#1.", "#1.2",
                           "tune.jsonl#0.1", "tune.jsonl#1.0", "tune.jsonl#1.-2", "tune.jsonl#1.2x",
                           "tune.jsonl#1.2@", "tune.jsonl#1.99999999999999999999"}) {
    EXPECT_ERROR(parse_record_name(text),
                 "is not the name of a record; expected LOG#CAMPAIGN.TRIAL");
  }
}

}  // namespace
}  // namespace dovetail
