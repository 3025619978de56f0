#include "gicsim/explore/litmus_matrix.h"

#include <optional>

#include "gicsim/config/data_folder.h"
#include "gicsim/laboratory/variants.h"
#include "gicsim/litmus/litmus_file.h"

namespace gicsim {

std::vector<LinesAt> matrix_places(const MachineDescription& machine) {
    const CpuPlace& sender = machine.cpus.front();
    const auto last_where = [&](auto&& predicate) -> std::optional<unsigned> {
        for (std::size_t n = machine.cpus.size(); n > 2; --n) {
            if (predicate(machine.cpus[n - 1])) return static_cast<unsigned>(n - 1);
        }
        return std::nullopt;
    };
    std::vector<LinesAt> places{{"sender", 0}};
    const auto other_die = [&](const CpuPlace& place) {
        return place.socket == sender.socket && place.die != sender.die;
    };
    if (const auto cpu = last_where(other_die)) places.push_back({"other die", *cpu});
    const auto other_socket = [&](const CpuPlace& place) { return place.socket != sender.socket; };
    if (const auto cpu = last_where(other_socket)) places.push_back({"other socket", *cpu});
    return places;
}

std::vector<LitmusJob> matrix_jobs(const MachineDescription& machine) {
    std::vector<LitmusJob> jobs;
    for (const auto& path : litmus::find_litmus_files(data_folder() / "litmus" / "matrix")) {
        const litmus::LitmusTest test = litmus::read_litmus_file(path);
        for (const SenderOrder& order : SenderOrder::all()) {
            for (const LinesAt& lines : matrix_places(machine)) {
                LitmusJob job{with_sender_order(test, order), order.name() + ", " + lines.name};
                for (litmus::Location& location : job.test.locations) location.owner = lines.cpu;
                jobs.push_back(std::move(job));
            }
        }
    }
    return jobs;
}

}  // namespace gicsim
