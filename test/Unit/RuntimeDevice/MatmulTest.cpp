// Matmuls of oneDNN against plain loops, over odd shapes, all orders of
// strides and all epilogues.
#include "runtime/device/cpu/CpuDevice.h"

#include <cmath>
#include <gtest/gtest.h>

namespace llmc::rt {
namespace {

struct Shape {
  int64_t m, n, k;
};

/// Where the unit strides are; padding makes rows longer than needed.
struct Layout {
  const char *name;
  bool lhsTransposed, rhsTransposed;
  int64_t padding;
};

constexpr Layout layouts[] = {
    {"forward", false, true, 0},         {"input gradient", false, false, 0},
    {"weight gradient", true, false, 0}, {"both transposed", true, true, 0},
    {"rows with gaps", false, true, 5},  {"columns with gaps", true, false, 3},
};

MatmulDesc makeDesc(Shape shape, const Layout &layout) {
  MatmulDesc desc;
  desc.m = shape.m, desc.n = shape.n, desc.k = shape.k;
  int64_t lhsRow = (layout.lhsTransposed ? shape.m : shape.k) + layout.padding;
  int64_t rhsRow = (layout.rhsTransposed ? shape.k : shape.n) + layout.padding;
  desc.lhsStrides = layout.lhsTransposed ? std::array{int64_t(1), lhsRow}
                                         : std::array{lhsRow, int64_t(1)};
  desc.rhsStrides = layout.rhsTransposed ? std::array{int64_t(1), rhsRow}
                                         : std::array{rhsRow, int64_t(1)};
  return desc;
}

std::vector<float> numbers(size_t n, unsigned seed) {
  std::vector<float> values(n);
  for (float &value : values) {
    seed = seed * 1664525 + 1013904223;
    value = float(seed >> 8) / float(1 << 24) - 0.5f;
  }
  return values;
}

struct Operands {
  std::vector<float> lhs, rhs, bias, addend, out;

  explicit Operands(const MatmulDesc &d)
      : lhs(numbers(size_t(d.m * d.lhsStrides[0] + d.k * d.lhsStrides[1]), 1)),
        rhs(numbers(size_t(d.k * d.rhsStrides[0] + d.n * d.rhsStrides[1]), 2)),
        bias(numbers(size_t(d.n), 3)), addend(numbers(size_t(d.m * d.n), 4)),
        out(numbers(size_t(d.m * d.n), 5)) {}

  std::vector<void *> pointers(const MatmulDesc &d) {
    std::vector<void *> list{lhs.data(), rhs.data()};
    if (d.bias)
      list.push_back(bias.data());
    if (d.addend)
      list.push_back(addend.data());
    list.push_back(out.data());
    return list;
  }
};

std::vector<double> reference(const MatmulDesc &d, const Operands &o) {
  std::vector<double> result(size_t(d.m * d.n));
  for (int64_t i = 0; i < d.m; ++i)
    for (int64_t j = 0; j < d.n; ++j) {
      double sum = 0;
      for (int64_t l = 0; l < d.k; ++l)
        sum += double(o.lhs[i * d.lhsStrides[0] + l * d.lhsStrides[1]]) *
               o.rhs[l * d.rhsStrides[0] + j * d.rhsStrides[1]];
      size_t at = size_t(i * d.n + j);
      sum += (d.accumulate ? o.out[at] : 0) + (d.bias ? o.bias[j] : 0) +
             (d.addend ? o.addend[at] : 0);
      result[at] = sum;
    }
  return result;
}

void check(const MatmulDesc &desc, unsigned threads) {
  Expected<uint64_t> bytes = matmulWorkspaceBytes(desc, threads);
  ASSERT_TRUE(bytes.ok()) << bytes.message();
  CpuDevice device(threads);
  Expected<uint8_t *> workspace = device.allocate(*bytes, "workspace");
  ASSERT_TRUE(workspace.ok());
  Status made = device.createMatmuls({&desc, 1}, *workspace, *bytes);
  ASSERT_TRUE(made.ok()) << made.message();
  Operands operands(desc);
  std::vector<double> expected = reference(desc, operands);
  Status ran = device.matmul(0, operands.pointers(desc));
  ASSERT_TRUE(ran.ok()) << ran.message();
  for (size_t i = 0; i < expected.size(); ++i)
    ASSERT_NEAR(operands.out[i], expected[i],
                1e-6 * std::sqrt(double(desc.k)) + 1e-6)
        << "element " << i << " of " << desc.m << " x " << desc.n << " x "
        << desc.k;
}

class MatmulTest : public testing::TestWithParam<Layout> {};

void PrintTo(const Layout &layout, std::ostream *out) { *out << layout.name; }

INSTANTIATE_TEST_SUITE_P(Layouts, MatmulTest, testing::ValuesIn(layouts));

constexpr Shape shapes[] = {{1, 1, 1},  {1, 7, 3},    {6, 10, 7},
                            {24, 1, 8}, {17, 33, 65}, {3, 97, 130}};

TEST_P(MatmulTest, AgreesWithLoops) {
  for (unsigned threads : {1, 2})
    for (Shape shape : shapes)
      for (int epilogue = 0; epilogue < 5; ++epilogue) {
        MatmulDesc desc = makeDesc(shape, GetParam());
        desc.accumulate = epilogue == 4;
        desc.bias = epilogue < 4 && (epilogue & 1);
        desc.addend = epilogue < 4 && (epilogue & 2);
        SCOPED_TRACE(testing::Message() << "epilogue " << epilogue << ", "
                                        << threads << " threads");
        ASSERT_NO_FATAL_FAILURE(check(desc, threads));
      }
}

TEST_P(MatmulTest, NeverFallsBackToTheReferenceLoops) {
  MatmulDesc desc = makeDesc({48, 80, 32}, GetParam());
  for (bool accumulate : {false, true}) {
    desc.accumulate = accumulate;
    Expected<std::string> name = matmulImplementation(desc, 2);
    ASSERT_TRUE(name.ok()) << name.message();
    EXPECT_EQ(name->find("ref"), std::string::npos) << *name;
  }
}

TEST(Matmul, BitsDoNotDependOnThreads) {
  MatmulDesc desc = makeDesc({96, 128, 256}, layouts[0]);
  std::vector<std::vector<float>> results;
  for (unsigned threads : {1, 2}) {
    Expected<uint64_t> bytes = matmulWorkspaceBytes(desc, threads);
    ASSERT_TRUE(bytes.ok()) << bytes.message();
    CpuDevice device(threads);
    Expected<uint8_t *> workspace = device.allocate(*bytes, "workspace");
    ASSERT_TRUE(device.createMatmuls({&desc, 1}, *workspace, *bytes).ok());
    Operands operands(desc);
    ASSERT_TRUE(device.matmul(0, operands.pointers(desc)).ok());
    results.push_back(operands.out);
  }
  EXPECT_EQ(results[0], results[1]);
}

} // namespace
} // namespace llmc::rt
