// Files written and read back, and every way in which a file can lie.
#include "runtime/checkpoint/SafetensorsFile.h"

#include "test/Unit/RuntimeCheckpoint/Tensors.h"

#include <cmath>

namespace llmc::rt {
namespace {

/// What opening a file with these bytes says, without the path.
std::string openBytes(const std::string &bytes) {
  TempDir dir;
  std::string path = dir.write("f", bytes);
  std::string message = SafetensorsFile::open(path).message(),
              prefix = "'" + path + "': ";
  return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
}

std::string openHeader(const std::string &header, size_t dataBytes) {
  return openBytes(rawSafetensors(header, std::string(dataBytes, '\0')));
}

/// An entry of F32 elements.
std::string entry(const std::string &name, int elements, int begin, int end) {
  return "\"" + name + "\":{\"dtype\":\"F32\",\"shape\":[" +
         std::to_string(elements) + "],\"data_offsets\":[" +
         std::to_string(begin) + "," + std::to_string(end) + "]}";
}

TEST(Safetensors, ReadsBackWhatWasWritten) {
  TempDir dir;
  writeTensors(dir.path("f"),
               {countingTensor("b", {2, 3}), countingTensor("a", {4}, 100),
                countingTensor("scalar", {}, 7),
                countingTensor("empty", {0, 5})});
  auto file = SafetensorsFile::open(dir.path("f"));
  ASSERT_TRUE(file) << file.message();
  ASSERT_EQ(file->tensors().size(), 4u);
  EXPECT_EQ(file->find("b")->shape, (Shape{2, 3}));
  float values[2];
  file->read(*file->find("a"), 2, 2, values);
  EXPECT_EQ(values[0], 102);
  EXPECT_EQ(values[1], 103);
  file->read(*file->find("scalar"), 0, 1, values);
  EXPECT_EQ(values[0], 7);
  EXPECT_EQ(file->find("empty")->elements, 0u);
  EXPECT_EQ(file->find("c"), nullptr);
}

TEST(Safetensors, TheFileIsAlignedAndHasItsMetadata) {
  TempDir dir;
  for (size_t n = 1; n < 9; ++n) {
    std::string path =
        writeTensors(dir.path("f"), {countingTensor(std::string(n, 'x'), {1})});
    std::string bytes = readText(path);
    uint64_t header;
    std::memcpy(&header, bytes.data(), 8);
    EXPECT_EQ(header % 8, 0u);
    EXPECT_EQ(bytes.size(), 8 + header + 4);
    EXPECT_TRUE(bytes.substr(8).starts_with(
        "{\"__metadata__\":{\"format\":\"pt\"},\"x"));
    EXPECT_EQ(bytes.size(), SafetensorsWriter::fileBytes(
                                {{std::string(n, 'x'), {1}}}, FloatType::F32));
  }
}

TEST(Safetensors, SixteenBitsAreRounded) {
  TempDir dir;
  for (FloatType type : {FloatType::F16, FloatType::BF16, FloatType::F64}) {
    TestTensor tensor = countingTensor("a", {50000}, -64);
    for (float &value : tensor.values)
      value = std::fmod(value, 100.0f);
    writeTensors(dir.path("f"), {tensor}, type);
    auto weights = WeightsFile::open(dir.path("f"));
    EXPECT_EQ(readValues(*weights, "a"), tensor.values);
  }
}

TEST(Safetensors, TheWriterWantsAllElements) {
  TempDir dir;
  auto writer =
      SafetensorsWriter::create(dir.path("f"), {{"a", {2}}}, FloatType::F32);
  float value = 0;
  ASSERT_TRUE(writer->write(&value, 1).ok());
  EXPECT_FALSE(writer->write(std::vector<float>(2).data(), 2).ok());
  EXPECT_FALSE(writer->finish().ok());
}

TEST(Safetensors, MetadataAndPaddingAreAccepted) {
  EXPECT_EQ(openHeader("{\"__metadata__\":{\"a\":\"b\"}," +
                           entry("x", 2, 0, 8) + "}   ",
                       8),
            "");
  EXPECT_EQ(openHeader("{}", 0), "");
}

TEST(Safetensors, AFileShorterThanItsLength) {
  EXPECT_EQ(openBytes("1234"),
            "4 bytes, expected at least the 8 of a safetensors file");
}

TEST(Safetensors, AHeaderThatClaims2To60Bytes) {
  EXPECT_EQ(openBytes(bytesOf<uint64_t>({uint64_t(1) << 60}) + "{}"),
            "a header of 1152921504606846976 bytes, expected at most "
            "100000000: this is no safetensors file");
}

TEST(Safetensors, AHeaderLongerThanTheFile) {
  EXPECT_EQ(openBytes(bytesOf<uint64_t>({500}) + "{}"),
            "the file is truncated: a header of 500 bytes in a file of 10");
}

TEST(Safetensors, AFileCutInTheMiddle) {
  TempDir dir;
  std::string bytes =
      readText(writeTensors(dir.path("f"), {countingTensor("a", {100})}));
  EXPECT_EQ(openBytes(bytes.substr(0, bytes.size() - 150)),
            "the file is truncated: 250 bytes of data, expected 400");
}

TEST(Safetensors, EveryCutIsNoticed) {
  TempDir dir;
  std::string bytes =
      readText(writeTensors(dir.path("f"), {countingTensor("a", {3})}));
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(openBytes(bytes.substr(0, size)), "") << size;
}

TEST(Safetensors, AFileThatIsTooLong) {
  EXPECT_EQ(openHeader("{" + entry("x", 1, 0, 4) + "}", 5),
            "the file is too long: 5 bytes of data, expected 4");
}

TEST(Safetensors, AHole) {
  EXPECT_EQ(
      openHeader("{" + entry("x", 1, 0, 4) + "," + entry("y", 1, 8, 12) + "}",
                 12),
      "bytes 4 to 8 of the data belong to no tensor, there is a hole before "
      "'y'");
  EXPECT_TRUE(contains(openHeader("{" + entry("x", 1, 4, 8) + "}", 8),
                       "there is a hole before 'x'"));
}

TEST(Safetensors, AnOverlap) {
  EXPECT_EQ(
      openHeader("{" + entry("x", 2, 0, 8) + "," + entry("y", 2, 4, 12) + "}",
                 12),
      "tensors 'x' and 'y' overlap at byte 4 of the data");
}

TEST(Safetensors, AnOffsetOutOfRange) {
  EXPECT_EQ(openHeader("{" + entry("x", 1, 0, 4) + "," +
                           entry("y", 1, 1000, 1004) + "}",
                       8),
            "the offset of tensor 'y' is out of range: it ends at byte 1004 "
            "of 8 bytes of data");
}

TEST(Safetensors, AnEndBeforeTheBegin) {
  EXPECT_EQ(openHeader("{" + entry("x", 1, 8, 4) + "}", 8),
            "tensor 'x' begins at byte 8 behind its end 4");
}

TEST(Safetensors, ASizeThatDoesNotMatchTheType) {
  EXPECT_EQ(openHeader("{" + entry("x", 3, 0, 8) + "}", 8),
            "tensor 'x' has 8 bytes, expected 12 for F32 [3]");
}

TEST(Safetensors, AShapeThatOverflows) {
  EXPECT_EQ(openHeader(R"({"x":{"dtype":"F32","shape":[4294967296,4294967296],)"
                       R"("data_offsets":[0,0]}})",
                       0),
            "tensor 'x' of shape [4294967296, 4294967296] has more than 2^64 "
            "bits");
}

TEST(Safetensors, ADimensionThatOverflows) {
  EXPECT_EQ(openHeader(R"({"x":{"dtype":"F32","shape":[18446744073709551615],)"
                       R"("data_offsets":[0,0]}})",
                       0),
            "tensor 'x' has a dimension of 18446744073709551615");
}

TEST(Safetensors, BitsThatDoNotFillABytes) {
  EXPECT_NE(openHeader(R"({"x":{"dtype":"F4","shape":[3],)"
                       R"("data_offsets":[0,1]}})",
                       1),
            "");
  EXPECT_EQ(openHeader(R"({"x":{"dtype":"F4","shape":[4],)"
                       R"("data_offsets":[0,2]}})",
                       2),
            "");
}

TEST(Safetensors, ANameGivenTwice) {
  EXPECT_EQ(openHeader(
                "{" + entry("x", 1, 0, 4) + "," + entry("x", 1, 4, 8) + "}", 8),
            "tensor 'x' is given twice");
}

TEST(Safetensors, AFieldGivenTwice) {
  EXPECT_EQ(openHeader(R"({"x":{"dtype":"F32","dtype":"F32","shape":[1],)"
                       R"("data_offsets":[0,4]}})",
                       4),
            "tensor 'x' has dtype twice");
}

TEST(Safetensors, AMissingField) {
  EXPECT_EQ(openHeader(R"({"x":{"dtype":"F32","shape":[1]}})", 4),
            "tensor 'x' needs dtype, shape and data_offsets");
}

TEST(Safetensors, AnUnknownField) {
  EXPECT_EQ(openHeader(R"({"x":{"strides":[1]}})", 4),
            "tensor 'x' has an unknown key, expected dtype, shape and "
            "data_offsets");
}

TEST(Safetensors, AnUnknownDtype) {
  EXPECT_EQ(openHeader(R"({"x":{"dtype":"F128","shape":[1],)"
                       R"("data_offsets":[0,16]}})",
                       16),
            "tensor 'x' has unknown dtype 'F128'");
}

TEST(Safetensors, OffsetsThatAreNotTwo) {
  EXPECT_EQ(openHeader(R"({"x":{"data_offsets":[0]}})", 4),
            "data_offsets of tensor 'x' needs two numbers");
  EXPECT_EQ(openHeader(R"({"x":{"data_offsets":[0,4,8]}})", 4),
            "data_offsets of tensor 'x' has more than two numbers");
}

TEST(Safetensors, AControlCharacterInAName) {
  EXPECT_EQ(openHeader(R"({"a\u001b[2J":{}})", 0),
            "the name of a tensor holds a control character");
}

TEST(Safetensors, WrongKindsOfValues) {
  for (const char *header :
       {R"({"x":[]})", R"({"x":1})", R"({"x":null})", R"({"x":"y"})",
        R"({"x":{"dtype":1}})", R"({"x":{"dtype":[]}})",
        R"({"x":{"shape":{}}})", R"({"x":{"shape":[[1]]}})",
        R"({"x":{"shape":[-1]}})", R"({"x":{"shape":[1.5]}})",
        R"({"x":{"shape":["1"]}})", R"({"x":{"shape":3}})",
        R"({"x":{"data_offsets":true}})", R"({"__metadata__":{"a":1}})",
        R"({"__metadata__":{"a":{}}})", R"({"__metadata__":[]})"})
    EXPECT_TRUE(contains(openHeader(header, 0), "the header holds")) << header;
}

TEST(Safetensors, TextThatIsNotJson) {
  EXPECT_TRUE(contains(openHeader("{\"x\":", 0), "not valid JSON"));
  EXPECT_TRUE(contains(openHeader("{} {}", 0), "not valid JSON"));
  EXPECT_TRUE(contains(openHeader("{\"\xff\":{}}", 0), "not valid JSON"));
  EXPECT_EQ(openHeader("[]", 0), "the header does not begin with '{'");
  EXPECT_EQ(openHeader("", 0), "the header does not begin with '{'");
}

TEST(Safetensors, DeepNestingEndsAtOnce) {
  std::string header = "{\"x\":";
  for (int i = 0; i < 100000; ++i)
    header += "{\"x\":";
  EXPECT_NE(openHeader(header, 0), "");
}

TEST(Safetensors, MoreDimensionsThanAnyoneNeeds) {
  std::string header = "{\"x\":{\"shape\":[1";
  for (int i = 0; i < 40; ++i)
    header += ",1";
  EXPECT_EQ(openHeader(header + "]}}", 0),
            "tensor 'x' has more than 32 dimensions");
}

TEST(Safetensors, EveryFlippedHeaderByteIsHarmless) {
  TempDir dir;
  std::string bytes =
      readText(writeTensors(dir.path("f"), {countingTensor("abc", {2, 3}),
                                            countingTensor("de", {4})}));
  size_t dataStart = bytes.size() - 40;
  for (size_t i = 0; i < dataStart; ++i)
    for (int bit = 0; bit < 8; ++bit) {
      std::string flipped = bytes;
      flipped[i] = char(flipped[i] ^ 1 << bit);
      auto file = SafetensorsFile::open(dir.write("g", flipped));
      if (!file)
        continue;
      // What is still accepted lies inside of the file.
      for (const TensorEntry &tensor : file->tensors())
        EXPECT_LE(tensor.end, 40u);
    }
}

TEST(Safetensors, AMissingFileIsNamed) {
  EXPECT_EQ(SafetensorsFile::open("/nowhere").message(),
            "cannot read '/nowhere': No such file or directory");
}

} // namespace
} // namespace llmc::rt
