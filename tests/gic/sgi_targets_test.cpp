#include "gicsim/gic/sgi_targets.h"

#include <stdexcept>
#include <vector>

#include "support/catch.h"

using namespace gicsim;

namespace {

std::vector<unsigned> targets(const SgiTargets& map, const SgiRequest& request, unsigned source = 0) {
    std::vector<unsigned> found;
    map.for_each(request, cpu_id(source), [&](CpuId cpu) { found.push_back(index(cpu)); });
    return found;
}

SgiRequest request(Affinity group, std::uint16_t list, unsigned rs = 0) {
    SgiRequest result;
    result.aff3 = group.aff3;
    result.aff2 = group.aff2;
    result.aff1 = group.aff1;
    result.target_list = list;
    result.rs = static_cast<std::uint8_t>(rs);
    return result;
}

using Numbers = std::vector<unsigned>;

}  // namespace

TEST_CASE("SGI targets 1. An SGI reaches the PEs whose Aff3.Aff2.Aff1 match and whose Aff0 is in the list") {
    const std::vector<Affinity> cpus{{0, 0, 1, 1}, {0, 0, 0, 1}, {0, 0, 0, 0}, {0, 1, 0, 1}, {1, 0, 0, 1}};
    const SgiTargets map(cpus);
    CHECK(targets(map, request({0, 0, 0, 0}, 0b11)) == Numbers{2, 1});
    CHECK(targets(map, request({0, 0, 0, 0}, 0b10)) == Numbers{1});
    CHECK(targets(map, request({0, 0, 1, 0}, 0b11)) == Numbers{0});
    CHECK(targets(map, request({0, 1, 0, 0}, 0b10)) == Numbers{3});
    CHECK(targets(map, request({1, 0, 0, 0}, 0b10)) == Numbers{4});
}

TEST_CASE("SGI targets 2. All sixteen bits of the target list count") {
    std::vector<Affinity> cpus;
    Numbers all;
    for (unsigned n = 0; n < 16; ++n) {
        cpus.push_back({0, 0, 0, static_cast<std::uint8_t>(n)});
        all.push_back(n);
    }
    CHECK(targets(SgiTargets(cpus), request({}, 0xFFFF)) == all);
}

TEST_CASE("SGI targets 3. The range selector moves the list by sixteen") {
    std::vector<Affinity> cpus;
    for (unsigned n = 0; n < 256; ++n) cpus.push_back({0, 0, 7, static_cast<std::uint8_t>(n)});
    const SgiTargets map(cpus);
    CHECK(targets(map, request({0, 0, 7, 0}, 0b101, 0)) == Numbers{0, 2});
    CHECK(targets(map, request({0, 0, 7, 0}, 0b101, 3)) == Numbers{48, 50});
    CHECK(targets(map, request({0, 0, 7, 0}, 0x8000, 15)) == Numbers{255});
}

TEST_CASE("SGI targets 4. Targets that do not exist are ignored") {
    const std::vector<Affinity> cpus{{0, 0, 0, 0}, {0, 0, 0, 3}};
    const SgiTargets map(cpus);
    CHECK(targets(map, request({0, 0, 0, 0}, 0xFFFF)) == Numbers{0, 1});
    CHECK(targets(map, request({0, 0, 9, 0}, 0xFFFF)).empty());
    CHECK(targets(map, request({0, 0, 0, 0}, 0xFFFF, 1)).empty());
}

TEST_CASE("SGI targets 5. A broadcast reaches every PE but the writer, whatever the affinity fields say") {
    const std::vector<Affinity> cpus{{0, 0, 0, 0}, {0, 0, 1, 0}, {0, 0, 2, 0}, {3, 0, 0, 0}};
    SgiRequest all = request({9, 9, 9, 0}, 0b1);
    all.irm = true;
    CHECK(targets(SgiTargets(cpus), all, 2) == Numbers{0, 1, 3});
}

TEST_CASE("SGI targets 6. A list may name the writer itself") {
    const std::vector<Affinity> cpus{{0, 0, 0, 0}, {0, 0, 0, 1}};
    CHECK(targets(SgiTargets(cpus), request({}, 0b01), 0) == Numbers{0});
}

TEST_CASE("SGI targets 7. Two CPUs of one affinity are refused") {
    const std::vector<Affinity> cpus{{0, 0, 0, 1}, {0, 0, 0, 1}};
    CHECK_THROWS_AS(SgiTargets(cpus), std::invalid_argument);
}
