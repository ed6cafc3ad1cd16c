// The generated definitions of the op interfaces.
#include "dialects/Interfaces/Interfaces.h"

#include "dialects/Interfaces/Interfaces.cpp.inc"
