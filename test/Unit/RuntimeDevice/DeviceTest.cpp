// The conformance suite of devices: it runs on all of them, and looks at
// numbers where a device computes.
#include "runtime/device/Device.h"
#include "runtime/device/cpu/CpuDevice.h"
#include "runtime/device/null/NullDevice.h"

#include <gtest/gtest.h>

namespace llmc::rt {
namespace {

struct Target {
  const char *name;
  unsigned threads;
};

void PrintTo(const Target &target, std::ostream *out) {
  *out << target.name << " with " << target.threads << " threads";
}

class DeviceTest : public testing::TestWithParam<Target> {
protected:
  void SetUp() override {
    Expected<std::unique_ptr<Device>> made =
        createDevice(GetParam().name, GetParam().threads);
    ASSERT_TRUE(made.ok()) << made.message();
    device = std::move(*made);
  }

  float *floats(uint64_t n) {
    Expected<uint8_t *> memory =
        device->allocate(n * sizeof(float), "arena 'scratch'");
    EXPECT_TRUE(memory.ok()) << memory.message();
    return memory ? reinterpret_cast<float *>(*memory) : nullptr;
  }

  Status loadKernels(std::vector<KernelDesc> kernels) {
    return device->loadKernels(TEST_KERNELS, kernels);
  }

  std::unique_ptr<Device> device;
};

INSTANTIATE_TEST_SUITE_P(All, DeviceTest,
                         testing::Values(Target{"cpu", 1}, Target{"cpu", 2},
                                         Target{"cpu", 3}, Target{"null", 1}));

TEST_P(DeviceTest, TellsItsName) { EXPECT_EQ(device->name(), GetParam().name); }

TEST_P(DeviceTest, MemoryIsAlignedAndZero) {
  Expected<uint8_t *> memory = device->allocate(1000, "arena 'step'");
  ASSERT_TRUE(memory.ok());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(*memory) % 64, 0u);
  for (int i = 0; i < 1000; ++i)
    ASSERT_EQ((*memory)[i], 0);
}

TEST_P(DeviceTest, AnArenaMayBeEmpty) {
  Expected<uint8_t *> memory = device->allocate(0, "arena 'send'");
  ASSERT_TRUE(memory.ok());
}

TEST_P(DeviceTest, MemoryThatDoesNotExistIsAnError) {
  Expected<uint8_t *> memory =
      device->allocate(uint64_t(1) << 60, "arena 'slot'");
  ASSERT_FALSE(memory.ok());
  EXPECT_EQ(memory.message(), "cannot allocate 1152921504606846976 bytes for "
                              "arena 'slot': Cannot allocate memory");
}

TEST_P(DeviceTest, LaunchesCoverTheExtent) {
  for (int64_t extent : {1, 2, 3, 7, 64}) {
    SetUp();
    ASSERT_TRUE(loadKernels({{"fill_zero", 1}, {"double_it", extent}}).ok());
    float *x = floats(extent), *y = floats(extent);
    for (int64_t i = 0; i < extent; ++i)
      x[i] = float(i + 1);
    void *operands[] = {x, y};
    ASSERT_TRUE(device->launch(1, operands).ok());
    for (int64_t i = 0; i < extent; ++i)
      ASSERT_EQ(y[i], device->computes() ? 2 * x[i] : 0) << extent;
  }
}

TEST_P(DeviceTest, MatmulsOfEqualShapeAreKeptApart) {
  MatmulDesc desc{.m = 2, .n = 1, .k = 2, .lhsStrides = {2, 1}};
  desc.rhsStrides = {1, 2};
  MatmulDesc adds = desc;
  adds.accumulate = true;
  Expected<uint64_t> bytes = matmulWorkspaceBytes(adds, GetParam().threads);
  ASSERT_TRUE(bytes.ok()) << bytes.message();
  float *workspace = floats(*bytes / 4 + 1), *all = floats(64);
  Status made = device->createMatmuls(std::vector<MatmulDesc>{desc, adds, desc},
                                      workspace, *bytes + 4);
  ASSERT_TRUE(made.ok()) << made.message();
  float *lhs = all, *rhs = all + 16, *out = all + 32;
  lhs[0] = 1, lhs[1] = 2, lhs[2] = 3, lhs[3] = 4;
  rhs[0] = 5, rhs[1] = 6;
  void *operands[] = {lhs, rhs, out};
  for (uint32_t index : {0, 1, 2, 1})
    ASSERT_TRUE(device->matmul(index, operands).ok());
  EXPECT_EQ(out[0], device->computes() ? 34 : 0);
  EXPECT_EQ(out[1], device->computes() ? 78 : 0);
}

TEST(CreateDevice, RefusesUnknownTargets) {
  Expected<std::unique_ptr<Device>> device = createDevice("cuda", 1);
  ASSERT_FALSE(device.ok());
  EXPECT_EQ(device.message(), "target 'cuda', expected cpu or null");
}

TEST(CpuDevice, RefusesAKernelThatIsNotThere) {
  CpuDevice device(1);
  std::vector<KernelDesc> kernels{{"gelu_768", 4}};
  Status status = device.loadKernels(TEST_KERNELS, kernels);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.message(), "'" TEST_KERNELS "' has no kernel 'gelu_768'");
}

TEST(CpuDevice, RefusesAFileThatIsNoSharedObject) {
  CpuDevice device(1);
  Status status = device.loadKernels("no-such-file.so", {});
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.message().find("cannot load kernels: ./no-such-file.so"),
            std::string::npos);
}

TEST(CpuDevice, RefusesAWorkspaceThatIsTooSmall) {
  CpuDevice device(1);
  std::vector<MatmulDesc> matmuls{{.m = 64, .n = 64, .k = 64}};
  matmuls[0].lhsStrides = {64, 1};
  matmuls[0].rhsStrides = {1, 64};
  Status status = device.createMatmuls(matmuls, nullptr, 0);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.message().find("bytes of scratch for a matmul of 64 x 64 x "
                                  "64, the plan has 0"),
            std::string::npos);
}

TEST(NullDevice, RecordsWhatItWasAsked) {
  NullDevice device;
  std::vector<KernelDesc> kernels{{"a", 1}, {"b", 7}};
  ASSERT_TRUE(device.loadKernels("nowhere", kernels).ok());
  int x, y;
  void *operands[] = {&x, &y};
  ASSERT_TRUE(device.launch(1, operands).ok());
  ASSERT_TRUE(device.matmul(0, operands).ok());
  ASSERT_EQ(device.records().size(), 2u);
  EXPECT_FALSE(device.records()[0].isMatmul);
  EXPECT_EQ(device.records()[0].index, 1u);
  EXPECT_EQ(device.records()[0].operands, (std::vector<void *>{&x, &y}));
  EXPECT_TRUE(device.records()[1].isMatmul);
  EXPECT_EQ(device.kernels()[1].extent, 7);
}

} // namespace
} // namespace llmc::rt
