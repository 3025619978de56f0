// The shipped tests of classic shapes: each is read, and its verdict is what the reference model says.
#include <set>

#include "gicsim/litmus/litmus_file.h"
#include "litmus_fixture.h"
#include "support/reference_model.h"

using namespace gicsim;
using namespace gicsim::litmus;

namespace {

std::vector<LitmusTest> classic_tests() {
    std::vector<LitmusTest> tests;
    for (const auto& file : find_litmus_files(GICSIM_SOURCE_DIR "/configs/litmus/classic")) {
        tests.push_back(read_litmus_file(file));
    }
    return tests;
}

}  // namespace

TEST_CASE("classic: every file has the name of its test, a description, a verdict and its source") {
    for (const LitmusTest& test : classic_tests()) {
        INFO(test.file);
        CHECK(std::filesystem::path(test.file).stem() == test.name);
        CHECK_FALSE(test.description.empty());
        CHECK(test.expected.verdict != Verdict::unknown);
        CHECK(test.expected.source.starts_with("DDI 0487 B2.3: "));
    }
}

TEST_CASE("classic: all shapes are there, ninety tests and more, each family with both verdicts") {
    std::map<std::string, std::set<Verdict>> verdicts;
    const auto tests = classic_tests();
    CHECK(tests.size() >= 90);
    for (const LitmusTest& test : tests) verdicts[test.family].insert(test.expected.verdict);
    for (const char* family : {"MP", "SB", "LB", "R", "S", "2+2W", "WRC", "ISA2", "RWC", "IRIW"}) {
        INFO(family);
        CHECK(verdicts[family].size() == 2);
    }
    for (const char* family : {"CoRR", "CoWW", "CoRW1", "CoRW2", "CoWR", "RMW"}) {
        INFO(family);
        CHECK(verdicts[family] == std::set<Verdict>{Verdict::forbidden});
    }
}

TEST_CASE("classic: the reference model agrees with every verdict") {
    for (const LitmusTest& test : classic_tests()) {
        INFO(test.file);
        CHECK(to_string(reference::verdict(test)) == to_string(test.expected.verdict));
    }
}
