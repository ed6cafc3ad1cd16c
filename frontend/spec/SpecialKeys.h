// Readers and printers of the keys whose values are more than a scalar.
#ifndef LLMC_FRONTEND_SPEC_SPECIALKEYS_H
#define LLMC_FRONTEND_SPEC_SPECIALKEYS_H

#include "frontend/spec/Schema.h"

namespace llmc::frontend {

using Reader = void(const Node &, const SchemaKey &, Spec &, DiagnosticList &);
using Printer = std::string(const Spec &);

Reader readSlidingWindow, readPipelineLayers, readFp8Exclude, readRecompute,
    readBetas, readWeightDecayExclude, readOnSpike, readTrainData,
    readValidationData, readSchemaVersion;
Printer printSlidingWindow, printPipelineLayers, printFp8Exclude,
    printRecompute, printBetas, printWeightDecayExclude, printOnSpike,
    printTrainData, printValidationData, printSchemaVersion;

} // namespace llmc::frontend

#endif // LLMC_FRONTEND_SPEC_SPECIALKEYS_H
