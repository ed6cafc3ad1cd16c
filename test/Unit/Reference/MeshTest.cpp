// Coordinates, groups and parts of tensors.
#include "codegen/Reference/Mesh.h"
#include "gtest/gtest.h"

using namespace llmc::reference;

namespace {

const Mesh mesh{{"pp", "dp", "tp"}, {2, 3, 2}};

TEST(Mesh, TheLastAxisIsTheFastest) {
  EXPECT_EQ(mesh.ranks(), 12);
  EXPECT_EQ(mesh.coordinate(7, "pp"), 1);
  EXPECT_EQ(mesh.coordinate(7, "dp"), 0);
  EXPECT_EQ(mesh.coordinate(7, "tp"), 1);
}

TEST(Mesh, AnAxisThatIsNotThereHasSizeOne) {
  EXPECT_EQ(mesh.sizeOf("cp"), 1);
  EXPECT_EQ(mesh.coordinate(11, "cp"), 0);
}

TEST(Mesh, AGroupIsOrderedByItsAxes) {
  EXPECT_EQ(mesh.group(7, {"dp"}), (std::vector<int64_t>{7, 9, 11}));
  std::vector<std::string> axes{"tp", "pp"};
  EXPECT_EQ(mesh.group(7, axes), (std::vector<int64_t>{0, 6, 1, 7}));
}

TEST(Mesh, AllButPipelineAndDataAxesSplitTheModel) {
  EXPECT_EQ(mesh.modelAxes(), std::vector<std::string>{"tp"});
}

TEST(Part, IsABlockOfTheWhole) {
  Value whole{{2, 3}, {0, 1, 2, 3, 4, 5}};
  Part part{{1, 1}, {1, 2}};
  EXPECT_EQ(slice(whole, part).data, (std::vector<double>{4, 5}));
  EXPECT_EQ(globalIndex(whole.shape, part, 1), 5);
}

} // namespace
