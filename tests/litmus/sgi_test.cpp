// The shipped tests of interrupts: each can be read and says what is expected of it, and why.
#include <algorithm>
#include <set>

#include "gicsim/litmus/litmus_file.h"
#include "litmus_fixture.h"

using namespace gicsim;
using namespace gicsim::litmus;

TEST_CASE("sgi: every file has the name of its test, a title, a verdict, and a source that anybody can look up") {
    std::map<std::string, std::set<Verdict>> verdicts;
    const auto files = find_litmus_files(GICSIM_SOURCE_DIR "/configs/litmus/sgi");
    CHECK(files.size() >= 90);
    for (const auto& file : files) {
        INFO(file.string());
        const LitmusTest test = read_litmus_file(file);
        CHECK(file.filename() == test.name + ".litmus.toml");
        CHECK_FALSE(test.title.empty());
        CHECK(test.expected.verdict != Verdict::unknown);
        const auto has = [&](const char* what) { return test.expected.source.find(what) != std::string::npos; };
        CHECK((has("DDI 0487") || has("IHI 0069") || has("Linux") || has("doi 10.1145/3695053.3731102")));
        CHECK((test.condition.quantifier == Quantifier::exists) == (test.expected.verdict == Verdict::allowed));
        verdicts[test.family].insert(test.expected.verdict);
    }
    for (const char* family :
         {"MPviaSGI", "RCU", "MP", "LB", "SB", "2SGIs", "DIR", "rendezvous", "resched", "doorbell", "IAR"}) {
        INFO(family);
        CHECK(verdicts[family].size() == 2);
    }
}
