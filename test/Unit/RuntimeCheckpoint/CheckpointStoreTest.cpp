// Saved, found, pruned and loaded; complete or absent whatever happens.
#include "runtime/checkpoint/CheckpointStore.h"

#include "test/Unit/RuntimeCheckpoint/Tensors.h"

#include <set>

namespace fs = std::filesystem;

namespace llmc::rt {
namespace {

/// Weights and moments of one small model.
struct Model {
  MemoryTensor weight, bias, moment1, moment2;

  explicit Model(float first)
      : weight({"h.0.weight", {3, 4}, true, 0, 4, 3}, first),
        bias({"h.0.bias", {4}, false, 0, 4, 1}, first + 100),
        moment1(weight.mapping, first + 200),
        moment2(weight.mapping, first + 300) {}

  CheckpointTensors tensors() {
    return {{weight.ref(), bias.ref()},
            {{"moment1.", {moment1.ref()}}, {"moment2.", {moment2.ref()}}}};
  }
};

CheckpointState makeState(int64_t step) {
  return {step, uint64_t(step) * 8, 1234567890123456789u, "abc", 0, 77};
}

std::set<std::string> names(const std::string &directory) {
  std::set<std::string> result;
  for (auto &entry : fs::directory_iterator(directory))
    result.insert(entry.path().filename().string());
  return result;
}

TEST(CheckpointStore, LoadsWhatItSaved) {
  TempDir dir;
  Model saved(1), loaded(0);
  CheckpointStore store(dir.path("c"), 3);
  Status status =
      store.save(makeState(20), saved.tensors(), {{"spec.yaml", "llmc: 1\n"}});
  ASSERT_TRUE(status.ok()) << status.message();
  auto newest = CheckpointStore::newest(dir.path("c"));
  ASSERT_TRUE(newest);
  EXPECT_EQ(*newest, dir.path("c/step_00000020"));
  EXPECT_EQ(names(*newest),
            (std::set<std::string>{"model.safetensors", "optimizer.safetensors",
                                   "spec.yaml", "state.json"}));
  status = CheckpointStore::load(*newest, loaded.tensors());
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(loaded.weight.values, saved.weight.values);
  EXPECT_EQ(loaded.bias.values, saved.bias.values);
  EXPECT_EQ(loaded.moment1.values, saved.moment1.values);
  EXPECT_EQ(loaded.moment2.values, saved.moment2.values);
}

TEST(CheckpointStore, KeepsTheState) {
  TempDir dir;
  Model model(1);
  CheckpointStore store(dir.path(), 3);
  ASSERT_TRUE(store.save(makeState(20), model.tensors()).ok());
  auto state = CheckpointStore::readState(dir.path("step_00000020"));
  ASSERT_TRUE(state) << state.message();
  EXPECT_EQ(state->step, 20);
  EXPECT_EQ(state->windows, 160u);
  EXPECT_EQ(state->seed, 1234567890123456789u);
  EXPECT_EQ(state->specHash, "abc");
  EXPECT_EQ(state->windowsPerEpoch, 77u);
}

TEST(CheckpointStore, FindsTheOneBefore) {
  TempDir dir;
  Model model(1);
  CheckpointStore store(dir.path(), 3);
  for (int64_t step : {5, 10})
    ASSERT_TRUE(store.save(makeState(step), model.tensors()).ok());
  EXPECT_EQ(CheckpointStore::before(dir.path("step_00000010")),
            dir.path("step_00000005"));
  EXPECT_EQ(CheckpointStore::before(dir.path("step_00000005")), std::nullopt);
  EXPECT_EQ(CheckpointStore::before(dir.path("other")), std::nullopt);
}

TEST(CheckpointStore, StoresFileTensorsUnderTheirNames) {
  TempDir dir;
  Model model(1);
  CheckpointStore store(dir.path(), 3);
  ASSERT_TRUE(store.save(makeState(1), model.tensors()).ok());
  auto weights = WeightsFile::open(dir.path("step_00000001/model.safetensors"));
  EXPECT_TRUE(weights->check({{"h.0.weight", {3, 4}}, {"h.0.bias", {4}}}).ok());
  auto state =
      WeightsFile::open(dir.path("step_00000001/optimizer.safetensors"));
  EXPECT_TRUE(state
                  ->check({{"moment1.h.0.weight", {3, 4}},
                           {"moment2.h.0.weight", {3, 4}}})
                  .ok());
}

TEST(CheckpointStore, WithoutOptimiserStateThereIsNoFileOfIt) {
  TempDir dir;
  Model model(1), loaded(0);
  CheckpointTensors weightsOnly{model.tensors().weights, {}};
  CheckpointStore store(dir.path(), 3);
  ASSERT_TRUE(store.save(makeState(1), weightsOnly).ok());
  EXPECT_FALSE(fs::exists(dir.path("step_00000001/optimizer.safetensors")));
  EXPECT_TRUE(CheckpointStore::load(dir.path("step_00000001"),
                                    {loaded.tensors().weights, {}})
                  .ok());
  // A run that needs the moments does not begin without them.
  Status status =
      CheckpointStore::load(dir.path("step_00000001"), loaded.tensors());
  EXPECT_TRUE(contains(status.message(), "optimizer.safetensors"));
}

TEST(CheckpointStore, KeepsTheNewest) {
  TempDir dir;
  Model model(1);
  CheckpointStore store(dir.path(), 2);
  for (int64_t step : {5, 10, 100000000, 15})
    ASSERT_TRUE(store.save(makeState(step), model.tensors()).ok());
  EXPECT_EQ(names(dir.path()),
            (std::set<std::string>{"step_00000015", "step_100000000"}));
  EXPECT_EQ(*CheckpointStore::newest(dir.path()), dir.path("step_100000000"));
}

TEST(CheckpointStore, SavingAStepAgainReplacesIt) {
  TempDir dir;
  Model first(1), second(50), loaded(0);
  CheckpointStore store(dir.path(), 2);
  ASSERT_TRUE(store.save(makeState(5), first.tensors()).ok());
  ASSERT_TRUE(store.save(makeState(5), second.tensors()).ok());
  EXPECT_EQ(names(dir.path()), (std::set<std::string>{"step_00000005"}));
  ASSERT_TRUE(
      CheckpointStore::load(dir.path("step_00000005"), loaded.tensors()).ok());
  EXPECT_EQ(loaded.bias.values, second.bias.values);
}

TEST(CheckpointStore, OnlyCompleteDirectoriesAreFound) {
  TempDir dir;
  EXPECT_FALSE(CheckpointStore::newest(dir.path()));
  EXPECT_FALSE(CheckpointStore::newest(dir.path("gone")));
  Model model(1);
  CheckpointStore store(dir.path(), 9);
  ASSERT_TRUE(store.save(makeState(3), model.tensors()).ok());
  for (const char *name :
       {"step_00000007.partial", "step_00000008", "step_9", "step_0000000x",
        "step_99999999999999999999", "other"})
    fs::create_directory(dir.path(name));
  fs::copy(dir.path("step_00000003"), dir.path("step_00000006.partial"));
  EXPECT_EQ(*CheckpointStore::newest(dir.path()), dir.path("step_00000003"));
}

TEST(CheckpointStore, AFullDiskLeavesTheOldCheckpoint) {
  TempDir dir;
  Model old(1), grown(50), loaded(0);
  CheckpointStore store(dir.path(), 1);
  ASSERT_TRUE(store.save(makeState(5), old.tensors()).ok());
  auto weightBytes = fs::file_size(dir.path("step_00000005/model.safetensors"));
  auto stateBytes =
      fs::file_size(dir.path("step_00000005/optimizer.safetensors"));
  // The disk fills up in the first file, in the second, at their last bytes.
  for (uint64_t room : {uint64_t(0), uint64_t(100), weightBytes - 1,
                        weightBytes, stateBytes - 1}) {
    Status status;
    {
      FileSizeLimit limit(room);
      status = store.save(makeState(6), grown.tensors());
    }
    ASSERT_FALSE(status) << room;
    EXPECT_TRUE(contains(status.message(), " bytes needed, "))
        << status.message();
    EXPECT_EQ(names(dir.path()), (std::set<std::string>{"step_00000005"}));
    ASSERT_TRUE(
        CheckpointStore::load(dir.path("step_00000005"), loaded.tensors())
            .ok());
    EXPECT_EQ(loaded.weight.values, old.weight.values);
  }
  EXPECT_TRUE(store.save(makeState(6), grown.tensors()).ok());
}

TEST(CheckpointStore, AnUnwritableDirectoryIsFoundByTheProbe) {
  TempDir dir;
  dir.write("file", "x");
  EXPECT_TRUE(CheckpointStore(dir.path("new"), 1).probe().ok());
  Status status = CheckpointStore(dir.path("file/c"), 1).probe();
  EXPECT_EQ(status.message(), "cannot create directory '" + dir.path("file/c") +
                                  "': Not a directory");
}

TEST(CheckpointStore, AStateOfAnotherFormatIsRefused) {
  TempDir dir;
  dir.write("state.json", R"({"format_version": 2})");
  EXPECT_EQ(CheckpointStore::readState(dir.path()).message(),
            "'" + dir.path("state.json") +
                "': checkpoint format 2, expected 1");
}

TEST(CheckpointStore, ADamagedStateIsRefused) {
  TempDir dir;
  for (const char *text :
       {"", "{", "[]", "{}", R"({"format_version": 1})",
        R"({"format_version": 1, "step": -1, "windows": 0, "seed": 0,
            "spec_hash": ""})",
        R"({"format_version": 1, "step": 1, "windows": -1, "seed": 0,
            "spec_hash": ""})",
        R"({"format_version": 1, "step": 1, "windows": 0, "seed": "x",
            "spec_hash": ""})",
        R"({"format_version": 1, "step": 1, "windows": 0, "seed": 0})"}) {
    dir.write("state.json", text);
    auto state = CheckpointStore::readState(dir.path());
    EXPECT_TRUE(contains(state.message(), dir.path("state.json"))) << text;
  }
}

TEST(CheckpointStore, ACheckpointOfAnotherModelIsRefused) {
  TempDir dir;
  Model model(1);
  CheckpointStore store(dir.path(), 1);
  ASSERT_TRUE(store.save(makeState(5), model.tensors()).ok());
  MemoryTensor other({"h.1.weight", {2}, false, 0, 2, 1});
  Status status =
      CheckpointStore::load(dir.path("step_00000005"), {{other.ref()}, {}});
  EXPECT_TRUE(contains(status.message(), "1 missing, 2 extra"))
      << status.message();
}

TEST(CheckpointStore, ADamagedFileIsRefused) {
  TempDir dir;
  Model model(1);
  CheckpointStore store(dir.path(), 1);
  ASSERT_TRUE(store.save(makeState(5), model.tensors()).ok());
  std::string path = dir.path("step_00000005/model.safetensors");
  fs::resize_file(path, fs::file_size(path) - 3);
  Status status =
      CheckpointStore::load(dir.path("step_00000005"), model.tensors());
  EXPECT_TRUE(contains(status.message(), "the file is truncated"));
}

} // namespace
} // namespace llmc::rt
