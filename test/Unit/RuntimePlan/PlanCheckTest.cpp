// Every rule of the plan check: a good plan with one thing wrong.
#include "test/Support/UnigramBundle.h"

#include <functional>
#include <gtest/gtest.h>

namespace llmc::rt {
namespace {

plan::PlanT goodPlan() { return unigram::makePlan("cpu", 2, 3); }

std::string check(const plan::PlanT &plan) {
  std::string bytes = unigram::pack(plan);
  return checkPlan(bytes, "plan.bin").message();
}

TEST(PlanCheck, AcceptsAGoodPlan) { EXPECT_EQ(check(goodPlan()), ""); }

TEST(PlanCheck, AnswersWhatIsAsked) {
  std::string bytes = unigram::pack(goodPlan());
  Expected<const plan::Plan *> plan = checkPlan(bytes, "plan.bin");
  ASSERT_TRUE(plan.ok()) << plan.message();
  const plan::Entry *entry = findEntry(**plan, "train_step");
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(microBatchesOf(*entry), 3);
  EXPECT_EQ(findEntry(**plan, "logits"), nullptr);
  EXPECT_NE(findInput(**plan, "evaluate", "labels"), nullptr);
  EXPECT_EQ(findScalar(**plan, "t")->ref()->bytes(), 8u);
  EXPECT_EQ(findScalar(**plan, "momentum"), nullptr);
  EXPECT_EQ(findArena(**plan, plan::Arena::slot)->count(), 2u);
  EXPECT_EQ(findArena(**plan, plan::Arena::send), nullptr);
  uint64_t workspace = findArena(**plan, plan::Arena::workspace)->bytes();
  EXPECT_EQ(planBytes(**plan),
            64u + 64 + 2 * 64 + 704 + 64 + (workspace + 63) / 64 * 64);
}

struct Fault {
  const char *expected;
  std::function<void(plan::PlanT &)> plant;
};

plan::InstructionT &launchOf(plan::PlanT &plan) {
  return *plan.blocks[0]->instructions[2];
}
plan::InstructionT &matmulOf(plan::PlanT &plan) {
  return *plan.blocks[0]->instructions[3];
}

const Fault faults[] = {
    {"plan version 9, expected 1", [](auto &p) { p.version = 9; }},
    {"the plan is for 0 threads", [](auto &p) { p.threads = 0; }},
    {"the plan names no target", [](auto &p) { p.target = ""; }},
    {"arena kind 77", [](auto &p) { p.arenas[0]->arena = plan::Arena(77); }},
    {"arena 'parameter' is given twice",
     [](auto &p) { p.arenas[1]->arena = plan::Arena::parameter; }},
    {"arena 'slot' has 0 x 64 bytes", [](auto &p) { p.arenas[2]->count = 0; }},
    {"arena 'scratch' has 1 x 18446744073709551615 bytes",
     [](auto &p) { p.arenas[3]->bytes = UINT64_MAX; }},
    {"the arenas have more than 281474976710656 bytes in all",
     [](auto &p) {
       p.arenas[2]->bytes = uint64_t(1) << 47;
       p.arenas[2]->count = 4;
     }},
    {"a kernel without a name", [](auto &p) { p.kernels[0]->symbol = ""; }},
    {"kernel 'unigram' has extent 0",
     [](auto &p) { p.kernels[2]->extent = 0; }},
    {"kernel 'unigram' has no operands",
     [](auto &p) { p.kernels[2]->operands = 0; }},
    {"matmul 0 has an extent of 0", [](auto &p) { p.matmuls[0]->k = 0; }},
    {"matmul 0 has an extent of -6", [](auto &p) { p.matmuls[0]->m = -6; }},
    {"matmul 0 has 1 strides",
     [](auto &p) { p.matmuls[0]->lhs_strides = {4}; }},
    {"matmul 0 has 0 strides", [](auto &p) { p.matmuls[0]->rhs_strides = {}; }},
    {"matmul 0 has a stride of 0",
     [](auto &p) { p.matmuls[0]->rhs_strides = {1, 0}; }},
    {"matmul 0 accumulates and has an epilogue",
     [](auto &p) { p.matmuls[0]->accumulate = true; }},
    {"bytes of scratch, arena 'workspace' has",
     [](auto &p) { p.matmuls[0]->workspace += 4096; }},
    {"a block without a name", [](auto &p) { p.blocks[0]->name = ""; }},
    {"block 'FB0' is given twice", [](auto &p) { p.blocks[1]->name = "FB0"; }},
    {"block 'FB0', instruction 2 is of kind 9",
     [](auto &p) { launchOf(p).kind = plan::InstructionKind(9); }},
    {"has predicate 5", [](auto &p) { launchOf(p).when = plan::When(5); }},
    {"names kernel 6 of 6", [](auto &p) { launchOf(p).index = 6; }},
    {"names matmul 1 of 1", [](auto &p) { matmulOf(p).index = 1; }},
    {"has 4 operands, expected 5",
     [](auto &p) { launchOf(p).operands.pop_back(); }},
    {"has 4 operands, expected 5",
     [](auto &p) { matmulOf(p).operands.pop_back(); }},
    {"writes 0 of its 5 operands", [](auto &p) { launchOf(p).outputs = 0; }},
    {"writes 6 of its 5 operands", [](auto &p) { launchOf(p).outputs = 6; }},
    {"writes 2 of its 5 operands", [](auto &p) { matmulOf(p).outputs = 2; }},
    {"operand 1 is 64 bytes at 16 of arena 'parameter', which has 64",
     [](auto &p) {
       launchOf(p).operands[1] = plan::Ref(plan::Arena::parameter, 16, 64);
     }},
    {"operand 1 is 18446744073709551615 bytes at 1",
     [](auto &p) {
       launchOf(p).operands[1] =
           plan::Ref(plan::Arena::parameter, 1, UINT64_MAX);
     }},
    {"operand 1 is 0 bytes",
     [](auto &p) {
       launchOf(p).operands[1] = plan::Ref(plan::Arena::parameter, 0, 0);
     }},
    {"lies in arena 6, which the plan does not have",
     [](auto &p) {
       launchOf(p).operands[1] = plan::Ref(plan::Arena::send, 0, 4);
     }},
    {"lies in arena 200, which the plan does not have",
     [](auto &p) {
       launchOf(p).operands[1] = plan::Ref(plan::Arena(200), 0, 4);
     }},
    {"operand 0 has 92 bytes, the matmul needs 96",
     [](auto &p) {
       matmulOf(p).operands[0] = plan::Ref(plan::Arena::scratch, 0, 92);
     }},
    {"operand 0 has 96 bytes, the matmul needs",
     [](auto &p) { p.matmuls[0]->lhs_strides = {2147483647, 2147483647}; }},
    {"operand 4 begins at byte 510, expected a multiple of 4",
     [](auto &p) {
       matmulOf(p).operands[4] = plan::Ref(plan::Arena::scratch, 510, 192);
     }},
    {"entry 'train_step' is given twice",
     [](auto &p) { p.entries[1]->name = "train_step"; }},
    {"action 0 names block 3 of 3",
     [](auto &p) { p.entries[0]->actions[0]->block = 3; }},
    {"action 0 uses slot 2 of 2",
     [](auto &p) { p.entries[0]->actions[0]->slot = 2; }},
    {"action 0 names micro-batch 4294967295",
     [](auto &p) { p.entries[0]->actions[0]->microbatch = UINT32_MAX; }},
    {"input 'tokens' of entry 'nowhere': the plan has no such entry",
     [](auto &p) { p.inputs[0]->entry = "nowhere"; }},
    {"expected tokens, labels or logits",
     [](auto &p) { p.inputs[0]->role = "images"; }},
    {"has a dimension of -4", [](auto &p) { p.inputs[0]->shape = {-4, -2}; }},
    {"has no dimensions", [](auto &p) { p.inputs[0]->shape = {}; }},
    {"elements",
     [](auto &p) {
       p.inputs[0]->shape = {int64_t(1) << 40, int64_t(1) << 40};
     }},
    {"its shape needs 64", [](auto &p) { p.inputs[0]->shape = {8, 2}; }},
    {"scalar 'speed' has no known role",
     [](auto &p) { p.scalars[0]->role = "speed"; }},
    {"scalar 'lr' is given twice", [](auto &p) { p.scalars[1]->role = "lr"; }},
    {"scalar 't' is 4 bytes",
     [](auto &p) { *p.scalars[1]->ref = plan::Ref(plan::Arena::step, 8, 4); }},
    {"scalar 'lr' lies in arena 'slot'",
     [](auto &p) { *p.scalars[0]->ref = plan::Ref(plan::Arena::slot, 0, 4); }},
    {"a parameter without a name", [](auto &p) { p.parameters[0]->name = ""; }},
    {"is a matrix of 5 x 1, its shape has 4",
     [](auto &p) { p.parameters[0]->out = 5; }},
    {"has no valid initialisation",
     [](auto &p) { p.parameters[0]->init = plan::InitKind(3); }},
    {"has no valid initialisation", [](auto &p) { p.parameters[0]->std = -1; }},
    {"has no buffer 'parameter'",
     [](auto &p) { p.parameters[0]->buffers[0]->role = "moment1"; }},
    {"buffer 'gradient' is 12 bytes",
     [](auto &p) {
       *p.parameters[0]->buffers[1]->ref =
           plan::Ref(plan::Arena::gradient, 0, 12);
     }},
    {"file tensor 'unigram.weight' is 3 x 1, the parameter is 4 x 1",
     [](auto &p) { p.parameters[0]->file_shape = {3}; }},
    {"the parameter is 4 x 1 at 1",
     [](auto &p) { p.parameters[0]->file_offset = 1; }},
    {"the parameter is 4 x 1 at -9223372036854775808",
     [](auto &p) { p.parameters[0]->file_offset = INT64_MIN; }},
    {"has 3 dimensions",
     [](auto &p) { p.parameters[0]->file_shape = {1, 2, 2}; }},
};

TEST(PlanCheck, RefusesEveryFault) {
  for (const Fault &fault : faults) {
    plan::PlanT plan = goodPlan();
    fault.plant(plan);
    std::string message = check(plan);
    EXPECT_TRUE(contains(message, fault.expected))
        << "expected " << fault.expected << "\n   found " << message;
  }
}

TEST(PlanCheck, RefusesWhatIsNoPlan) {
  EXPECT_EQ(checkPlan("", "plan.bin").message(),
            "'plan.bin': 0 bytes, expected a plan of at least 16 bytes and "
            "less than 2 GiB");
  EXPECT_EQ(checkPlan(std::string(64, 'x'), "plan.bin").message(),
            "'plan.bin': not a plan file, its mark is not 'LLMC'");
}

TEST(PlanCheck, RefusesACutFile) {
  std::string bytes = unigram::pack(goodPlan());
  for (size_t size = 0; size + 8 < bytes.size(); size += 8)
    EXPECT_FALSE(checkPlan(bytes.substr(0, size), "plan.bin").ok()) << size;
}

/// Damage that the hash would find must not crash the check either; what it
/// accepts may be another, valid plan.
TEST(PlanCheck, SurvivesEveryFlippedByte) {
  std::string bytes = unigram::pack(goodPlan());
  for (size_t at = 0; at < bytes.size(); ++at)
    for (unsigned char mask : {1, 0x80, 0xff}) {
      std::string damaged = bytes;
      damaged[at] = char(damaged[at] ^ mask);
      Expected<const plan::Plan *> plan = checkPlan(damaged, "plan.bin");
      if (plan) {
        EXPECT_LE(planBytes(**plan), uint64_t(1) << 48);
      }
    }
}

} // namespace
} // namespace llmc::rt
