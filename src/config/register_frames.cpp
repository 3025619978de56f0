#include "register_frames.h"

#include <fmt/format.h>

#include <algorithm>

#include "gicsim/arch/gic.h"

namespace gicsim {

namespace {

/// Where a frame lies and where the file says so.
struct Frame {
    std::uint64_t base;
    std::uint64_t bytes;
    std::string name;
    Origin origin;

    [[nodiscard]] std::uint64_t last() const { return base + bytes - 1; }
    [[nodiscard]] std::string range() const { return fmt::format("{} ({:#x} to {:#x})", name, base, last()); }
};

}  // namespace

void check_register_frames(const MachineFile& file, std::uint64_t gicd_base) {
    const std::string path = "gic.gicd_base";
    const Frame distributor{gicd_base, distributor_frame_bytes, "the frame of the Distributor",
                            file.parameters.at(path).value.origin};
    if (gicd_base % frame_alignment != 0) {
        throw ConfigError(distributor.origin, path,
                          fmt::format("{:#x} cannot be the base of the Distributor's frame", gicd_base),
                          "frames are aligned to 64 KB");
    }
    std::vector<Frame> frames;
    for (std::size_t n = 0; n < file.cpus.size(); ++n) {
        frames.push_back({file.cpus[n].gicr_base, redistributor_frame_bytes, fmt::format("the frames of GICR {}", n),
                          origin_of(file.cpus[n], CpuColumn::gicr_base, file.cpu_file)});
        const Frame& frame = frames.back();
        if (frame.base > distributor.last() || distributor.base > frame.last()) continue;
        throw ConfigError(
            distributor.origin, path,
            fmt::format("{} overlaps {} at {}", distributor.range(), frame.range(), frame.origin.to_string()));
    }
    std::sort(frames.begin(), frames.end(), [](const Frame& a, const Frame& b) { return a.base < b.base; });
    const auto overlap = std::adjacent_find(frames.begin(), frames.end(),
                                            [](const Frame& a, const Frame& b) { return b.base <= a.last(); });
    if (overlap == frames.end()) return;
    throw ConfigError(
        std::next(overlap)->origin, {},
        fmt::format("{} overlap {} at {}", std::next(overlap)->range(), overlap->range(), overlap->origin.to_string()),
        fmt::format("RD_base and SGI_base take {:#x} bytes", redistributor_frame_bytes));
}

}  // namespace gicsim
