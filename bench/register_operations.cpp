#include "register_operations.h"

#include <random>

namespace gicsim::bench {
namespace {

constexpr unsigned pes = 8;

GicParameters parameters() {
    GicParameters p;
    p.spis = most_spis;
    return p;
}

std::vector<Affinity> affinities() {
    std::vector<Affinity> all;
    for (unsigned n = 0; n < pes; ++n) all.push_back(Affinity{0, 0, 0, static_cast<std::uint8_t>(n)});
    return all;
}

/// Offset and size of some register of a frame.
template <class Frame>
std::pair<std::uint32_t, std::uint8_t> some_register(const Frame& frame, std::mt19937_64& random) {
    const auto rows = frame.rows();
    const auto& row = rows[random() % rows.size()];
    const auto n = static_cast<std::uint32_t>(random() % row.count);
    return {row.offset + n * row.bits / 8, static_cast<std::uint8_t>(row.bits / 8)};
}

}  // namespace

RegisterOperations::RegisterOperations() : parameters_(parameters()), distributor_(parameters_, affinities()) {
    for (unsigned n = 0; n < pes; ++n) {
        redistributors_.emplace_back(parameters_, cpu_id(n), affinities()[n], n + 1 == pes);
        interfaces_.emplace_back(parameters_);
    }
    std::mt19937_64 random(1);
    operations_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        Operation operation{};
        operation.target = static_cast<Target>(random() % 3);
        operation.write = random() % 2 == 0;
        operation.security = random() % 2 == 0 ? Security::secure : Security::non_secure;
        operation.pe = static_cast<std::uint8_t>(random() % pes);
        operation.value = static_cast<std::uint32_t>(random());
        if (operation.target == Target::icc) {
            operation.where = static_cast<std::uint32_t>(random() % icc_register_count);
        } else if (operation.target == Target::gicd) {
            std::tie(operation.where, operation.size) = some_register(DistributorState::frame(), random);
        } else {
            const bool sgi = random() % 2 == 0;
            const auto& frame = sgi ? RedistributorState::sgi_frame() : RedistributorState::rd_frame();
            std::tie(operation.where, operation.size) = some_register(frame, random);
            if (sgi) operation.where += frame_alignment;
        }
        operations_.push_back(operation);
    }
}

std::uint64_t RegisterOperations::run() {
    distributor_.reset(parameters_);
    for (RedistributorState& each : redistributors_) each.reset(parameters_);
    for (CpuInterfaceState& each : interfaces_) each.reset(parameters_);
    std::uint64_t sum = 0;
    for (const Operation& operation : operations_) {
        if (operation.target == Target::icc) {
            CpuInterfaceState& state = interfaces_[operation.pe];
            const auto reg = static_cast<IccRegister>(operation.where);
            CpuInterfaceEffects effects;
            if (operation.write) {
                state.write(reg, operation.value, operation.security, effects);
            } else {
                sum += state.read(reg, operation.security, effects);
            }
        } else if (operation.target == Target::gicd) {
            if (operation.write) {
                DistributorEffects effects;
                distributor_.write(operation.where, operation.value, operation.size, operation.security, effects);
            } else {
                sum += distributor_.read(operation.where, operation.size, operation.security).value;
            }
        } else {
            RedistributorState& state = redistributors_[operation.pe];
            if (operation.write) {
                RedistributorEffects effects;
                state.write(operation.where, operation.value, operation.size, operation.security, effects);
            } else {
                sum += state.read(operation.where, operation.size, operation.security).value;
            }
        }
    }
    return sum;
}

}  // namespace gicsim::bench
