// Loops of the root ops, one function a kind.
#ifndef LLMC_CODEGEN_CPU_ROOTKERNELS_H
#define LLMC_CODEGEN_CPU_ROOTKERNELS_H

#include "codegen/Cpu/Frame.h"
#include "dialects/Exec/Exec.h"
#include "dialects/Nn/Nn.h"

namespace llmc::codegen {

void emitFill(exec::KernelOp kernel, Code &code, const Frame &frame);

void emitKernel(nn::EmbeddingOp op, Code &code, const Frame &frame);
void emitKernel(nn::EmbeddingGradOp op, Code &code, const Frame &frame);
void emitKernel(nn::PositionsGradOp op, Code &code, const Frame &frame);
void emitKernel(nn::DocumentStartOp op, Code &code, const Frame &frame);
void emitKernel(nn::SumOp op, Code &code, const Frame &frame);
void emitKernel(nn::NormPartialsOp op, Code &code, const Frame &frame);
void emitKernel(nn::ClipFactorOp op, Code &code, const Frame &frame);
void emitKernel(nn::AdamwApplyOp op, Code &code, const Frame &frame);
void emitKernel(nn::SgdApplyOp op, Code &code, const Frame &frame);
void emitKernel(nn::SoftmaxCrossEntropyOp op, Code &code, const Frame &frame);
void emitKernel(nn::SquaredErrorOp op, Code &code, const Frame &frame);
void emitKernel(nn::AttentionOp op, Code &code, const Frame &frame);
void emitKernel(nn::AttentionGradOp op, Code &code, const Frame &frame);

} // namespace llmc::codegen

#endif // LLMC_CODEGEN_CPU_ROOTKERNELS_H
