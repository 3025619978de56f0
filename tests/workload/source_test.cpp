#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "support/catch.h"

namespace {

namespace fs = std::filesystem;

/// What only a core may ask a barrier; and the policy's barrier other than as the operand of a barrier instruction.
const std::regex asks_a_barrier(R"(covers_stores|covers_loads|(\.|->)\s*(kind|type|domain|crm)\s*\(\s*\))");
const std::regex policy_barrier(R"((policy|send)\s*(\.|->|_\.)\s*barrier\b)");
const std::string handed_on = "co_await barrier(cpu, policy.barrier);";

struct Findings {
    std::size_t files = 0;
    std::size_t handed_on = 0;
    std::set<std::string> reads;
};

void search(const fs::path& folder, Findings& findings) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
        if (!entry.is_regular_file()) continue;
        ++findings.files;
        std::ifstream stream(entry.path());
        std::string line;
        for (std::size_t number = 1; std::getline(stream, line); ++number) {
            for (std::size_t at = line.find(handed_on); at != std::string::npos; at = line.find(handed_on)) {
                line.erase(at, handed_on.size());
                ++findings.handed_on;
            }
            if (!std::regex_search(line, asks_a_barrier) && !std::regex_search(line, policy_barrier)) continue;
            findings.reads.insert(entry.path().string() + ":" + std::to_string(number) + ": " + line);
        }
    }
}

}  // namespace

TEST_CASE("no workload and no model outside the core reads a barrier") {
    const fs::path root = GICSIM_SOURCE_DIR;
    Findings findings;
    for (const char* folder : {"src/workload", "src/platform", "include/gicsim/workload", "include/gicsim/platform"}) {
        search(root / folder, findings);
    }
    for (const fs::directory_entry& room : fs::directory_iterator(root / "models")) {
        const std::string name = room.path().filename();
        if (name == "core" || !room.is_directory()) continue;
        search(room.path(), findings);
        search(root / "include/gicsim" / name, findings);
    }
    CHECK(findings.files > 40);
    // The three places of Kernel::send_sgis.
    CHECK(findings.handed_on == 3);
    std::ostringstream text;
    for (const std::string& each : findings.reads) text << each << '\n';
    INFO(text.str());
    CHECK(findings.reads.empty());
}
