#include "base/sha256.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>

namespace assay {
namespace {

// The examples of FIPS 180-2, and the empty message.
TEST(Sha256Test, AnswersThePublishedExamples) {
  EXPECT_EQ(Sha256Hex(""),
            "e3b0c44298fc1c149afbf4c8996fb924"
            "27ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256Hex("abc"),
            "ba7816bf8f01cfea414140de5dae2223"
            "b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(
      Sha256Hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
      "248d6a61d20638b8e5c026930c3e6039"
      "a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(Sha256Hex(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67"
            "f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256Test, PartsMakeTheSameDigestAsTheWhole) {
  Sha256 hash;
  hash.Update("a");
  hash.Update("");
  hash.Update("bc");
  EXPECT_EQ(hash.HexDigest(), Sha256Hex("abc"));
}

TEST(Sha256Test, ZeroBytesCount) {
  EXPECT_NE(Sha256Hex(std::string("a\0b", 3)), Sha256Hex("ab"));
  EXPECT_NE(Sha256Hex(std::string("a\0", 2)), Sha256Hex("a"));
}

TEST(Sha256Test, AMovedHashGoesOn) {
  Sha256 first;
  first.Update("ab");
  Sha256 second = std::move(first);
  second.Update("c");
  EXPECT_EQ(second.HexDigest(), Sha256Hex("abc"));
}

// Guards digests that databases hold.
TEST(FieldDigestTest, StaysTheSameForEver) {
  FieldDigest digest("assay.test.v1");
  digest.Text("rmsnorm").Int(-7).Double(0.5);
  EXPECT_EQ(digest.Hex(),
            Sha256Hex("s13:assay.test.v1s7:rmsnormi-7;d4602678819172646912;"));
}

TEST(FieldDigestTest, DifferentSequencesDiffer) {
  const std::set<std::string> seen = {
      FieldDigest("x").Hex(),
      FieldDigest("x").Text("").Hex(),
      FieldDigest("x").Text("ab").Text("c").Hex(),
      FieldDigest("x").Text("a").Text("bc").Hex(),
      FieldDigest("x").Text("abc").Hex(),
      FieldDigest("xabc").Hex(),
      FieldDigest("x").Text("1").Hex(),
      FieldDigest("x").Int(1).Hex(),
      FieldDigest("x").Double(1).Hex(),
      // Texts that look like the encoding of other fields.
      FieldDigest("x").Text("i1;").Hex(),
      FieldDigest("x").Text("as1:b").Hex(),
      FieldDigest("x").Text("a").Text("b").Hex(),
  };
  EXPECT_EQ(seen.size(), 12U);
}

TEST(FieldDigestTest, DoublesCountByTheirBits) {
  EXPECT_NE(FieldDigest("x").Double(0.0).Hex(),
            FieldDigest("x").Double(-0.0).Hex());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(FieldDigest("x").Double(nan).Hex(),
            FieldDigest("x").Double(nan).Hex());
}

}  // namespace
}  // namespace assay
