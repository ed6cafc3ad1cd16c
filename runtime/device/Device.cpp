// What all devices have in common, and the choice of one.
#include "runtime/device/Device.h"

#include "runtime/device/cpu/CpuDevice.h"
#include "runtime/device/null/NullDevice.h"

namespace llmc::rt {

Expected<uint8_t *> Device::allocate(uint64_t bytes, const std::string &what) {
  Expected<HostMemory> mapped = HostMemory::map(bytes, what);
  if (!mapped)
    return mapped.takeStatus();
  memory.push_back(std::move(*mapped));
  return memory.back().data();
}

Expected<std::unique_ptr<Device>> createDevice(std::string_view target,
                                               unsigned threads) {
  if (target == "cpu")
    return std::unique_ptr<Device>(std::make_unique<CpuDevice>(threads));
  if (target == "null")
    return std::unique_ptr<Device>(std::make_unique<NullDevice>());
  return Status::error("target '" + std::string(target) +
                       "', expected cpu or null");
}

} // namespace llmc::rt
