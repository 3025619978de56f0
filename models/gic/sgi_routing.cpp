#include "gicsim/gic/sgi_routing.h"

#include <stdexcept>

namespace gicsim {
namespace {

class HomeRouting : public SgiRouting {
public:
    [[nodiscard]] unsigned entry(unsigned) const override { return 0; }
    [[nodiscard]] unsigned exit(unsigned) const override { return 0; }
};

class ChipToChipRouting : public SgiRouting {
public:
    [[nodiscard]] unsigned entry(unsigned source_chip) const override { return source_chip; }
    [[nodiscard]] unsigned exit(unsigned target_chip) const override { return target_chip; }
};

template <class Policy>
std::unique_ptr<SgiRouting> make() {
    return std::make_unique<Policy>();
}

struct Entry {
    std::string_view name;
    std::unique_ptr<SgiRouting> (*make)();
};

constexpr Entry registry[] = {
    {"home", &make<HomeRouting>},
    {"chip-to-chip", &make<ChipToChipRouting>},
};

}  // namespace

std::vector<std::string> sgi_routing_names() {
    std::vector<std::string> names;
    for (const Entry& entry : registry) names.emplace_back(entry.name);
    return names;
}

std::unique_ptr<SgiRouting> make_sgi_routing(std::string_view name) {
    for (const Entry& entry : registry) {
        if (entry.name == name) return entry.make();
    }
    std::string message = "unknown SGI routing \"" + std::string(name) + "\"; known are:";
    for (const std::string& known : sgi_routing_names()) message += " " + known;
    throw std::invalid_argument(message);
}

}  // namespace gicsim
