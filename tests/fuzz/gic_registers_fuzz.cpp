#include <cstdlib>
#include <vector>

#include "support/settled_gic.h"

// Register accesses of any kind to a GIC of four PEs, by a stream of bytes. Nothing may crash, hang or leave an
// exchange of packets unfinished, whatever software does.

namespace {

using namespace gicsim;

/// Bytes as they are asked for; zeros behind the end.
class Stream {
public:
    Stream(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}
    [[nodiscard]] bool empty() const { return left_ == 0; }
    std::uint64_t take(unsigned bytes) {
        std::uint64_t value = 0;
        for (unsigned n = 0; n < bytes && left_ > 0; ++n, --left_) value |= std::uint64_t{*data_++} << (8 * n);
        return value;
    }

private:
    const std::uint8_t* data_;
    std::size_t left_;
};

GicParameters parameters(std::uint64_t choice) {
    GicParameters p;
    p.single_security = (choice & 1) != 0;
    p.priority_bits = 5 + (choice >> 1 & 3);
    p.spis = (choice & 8) != 0 ? 988 : 40;
    p.extended_spis = (choice & 16) != 0 ? 1024 : 0;
    p.extended_ppis = (choice & 32) != 0 ? 64 : 0;
    p.non_maskable = (choice & 64) != 0;
    p.one_of_n = (choice & 128) != 0;
    return p;
}

/// One operation: what, by whom, where; then a value where one is needed.
void operate(test::SettledGic& gic, Stream& bytes) {
    const std::uint64_t what = bytes.take(1);
    const CpuId cpu = cpu_id(what >> 6);
    const Security security = (what & 0x20) != 0 ? Security::secure : Security::non_secure;
    const unsigned size = 1U << (what >> 3 & 3);
    const auto where = static_cast<std::uint32_t>(bytes.take(2));
    const IccRegister reg = static_cast<IccRegister>(where % icc_register_count);
    const Accessor accessor = (where & 0x8000) != 0 ? Accessor::at_el3(security) : Accessor(security);
    // Registers of words lie at multiples of four; every eighth access is anywhere.
    const std::uint32_t offset = (where & 7) == 7 ? where : where & ~3U;
    switch (what & 7) {
        case 0: gic.read_gicd(offset, size, security); break;
        case 1: gic.write_gicd(offset, bytes.take(4), size, security); break;
        case 2: gic.read_gicr(cpu, offset + 0x10000 * (size & 1), size, security); break;
        case 3: gic.write_gicr(cpu, (offset & 0xFFF) | 0x10000, bytes.take(4), size, security); break;
        case 4: gic.read_icc(cpu, reg, accessor); break;
        case 5: gic.write_icc(cpu, reg, bytes.take(3), accessor); break;
        case 6: gic.set_spi_line(intid(where & 0x1FFF), (where & 0x8000) != 0); break;
        case 7:
            if ((where & 0x4000) != 0) {
                gic.write_gicr(cpu, 0x14, where & 2, 4, Security::secure);
            } else {
                gic.set_ppi_line(cpu, intid(where & 0x7FF), (where & 0x8000) != 0);
            }
            break;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::vector<Affinity> affinities{{0, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 1, 0}, {1, 2, 3, 17}};
    Stream bytes(data, size);
    test::SettledGic gic(parameters(bytes.take(1)), affinities);
    while (!bytes.empty()) operate(gic, bytes);
    if (gic.protocol_errors() != 0) std::abort();
    return 0;
}
