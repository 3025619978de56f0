// `gicsim litmus` as a user meets it.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "support/catch.h"

using Catch::Matchers::Contains;

namespace {

const std::string classic = std::string(GICSIM_SOURCE_DIR) + "/configs/litmus/classic/";
const std::string payload = std::string(GICSIM_SOURCE_DIR) + "/configs/litmus/matrix/payload.litmus.toml";

/// A folder of its own, gone at the end.
class Folder {
public:
    Folder() : path_(std::filesystem::temp_directory_path() / ("gicsim-litmus-" + std::to_string(getpid()))) {
        std::filesystem::create_directory(path_);
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    [[nodiscard]] std::string file(const std::string& name, const std::string& text) const {
        std::ofstream(path_ / name) << text;
        return (path_ / name).string();
    }
    [[nodiscard]] std::string path() const { return path_.string(); }

private:
    std::filesystem::path path_;
};

}  // namespace

TEST_CASE("litmus 1. A file gives a row and exit code 0") {
    const Answer answer = program("litmus " + classic + "SB.litmus --iterations 500");
    CHECK(answer.code == 0);
    CHECK_THAT(answer.out, Contains("SB") && Contains("Allowed") && Contains("1 ok"));
}

TEST_CASE("litmus 2. A forbidden state that is seen is a violation and exit code 1") {
    const Folder folder;
    const std::string file = folder.file("SB.litmus",
                                         "AArch64 SB\nExpected=Forbidden\nSource=wrong on purpose\n"
                                         "{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; }\n"
                                         " P0 | P1 ;\n MOV W0,#1 | MOV W0,#1 ;\n STR W0,[X1] | STR W0,[X1] ;\n"
                                         " LDR W2,[X3] | LDR W2,[X3] ;\nexists (0:W2=0 /\\ 1:W2=0)\n");
    const Answer answer = program("litmus " + file + " --iterations 500");
    CHECK(answer.code == 1);
    CHECK_THAT(answer.out, Contains("VIOLATION") && Contains("wrong on purpose"));
}

TEST_CASE("litmus 3. The same bytes for the same seed, whatever the number of workers") {
    const std::string arguments = "litmus " + classic + "MP.litmus " + classic + "SB.litmus " + classic +
                                  "LB.litmus --iterations 400 --format json --jobs ";
    const Answer one = program(arguments + "1");
    CHECK(one.code == 0);
    CHECK(one.out == program(arguments + "2").out);
    CHECK(nlohmann::json::parse(one.out)["tests"].size() == 3);
}

TEST_CASE("litmus 4. --barrier crosses a test, and a witness of each state is written") {
    const Folder folder;
    const Answer answer =
        program("litmus " + payload + " --barrier 'dmb ishst, dsb ishst+isb' --iterations 2000 --witness " +
                folder.path() + "/out --format csv");
    CHECK(answer.code == 0);
    CHECK_THAT(answer.out, Contains("\"dmb ishst\"") && Contains("\"dsb ishst + isb\""));
    std::size_t texts = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path() + "/out")) {
        texts += entry.path().extension() == ".txt" ? 1 : 0;
    }
    CHECK(texts >= 3);
    std::ifstream json(folder.path() + "/out/witnesses.json");
    CHECK_FALSE(nlohmann::json::parse(json)["tests"][0]["states"][0]["timeline"].empty());
}

TEST_CASE("litmus 5. Bad command lines end with 2, bad files with 3") {
    const Folder folder;
    CHECK(program("litmus " + classic + "MP.litmus --iterations 0").code == 2);
    CHECK(program("litmus " + classic + "MP.litmus --iterations -5").code == 2);
    CHECK(program("litmus " + classic + "MP.litmus --jobs many").code == 2);
    CHECK(program("litmus " + classic + "MP.litmus --time-limit soon").code == 2);
    CHECK(program("litmus " + payload + " --barrier 'dsb foo'").code == 2);
    CHECK(program("litmus --matrix " + payload).code == 2);
    CHECK(program("litmus " + classic + "MP.litmus --machine no-such").code == 2);
    CHECK(program("litmus " + classic + "no-such.litmus").code == 3);
    CHECK(program("litmus " + classic + "MP.litmus --barrier 'dsb sy'").code == 3);
    CHECK(program("litmus " + folder.file("a.litmus", "AArch64 a\n{ x=0; }\n P0 ;\n FROB X1 ;\nexists (x=0)\n")).code ==
          3);
    CHECK(program("litmus " + folder.file("b.litmus", "AArch64 b\n{ x=0; }\n P0 ;\n NOP ;\n")).code == 3);
    CHECK(program("litmus " + folder.file("c.litmus", "")).code == 3);
    CHECK(program("litmus " + folder.path() + "/c.txt").code == 3);
}

TEST_CASE("litmus 6. An unknown instruction is named with file, line and column") {
    const Folder folder;
    const std::string file = folder.file("a.litmus", "AArch64 a\n{ x=0; }\n P0 ;\n FROB X1 ;\nexists (x=0)\n");
    const Answer answer = program("litmus " + file + " 2>&1 1>/dev/null");
    CHECK_THAT(answer.out, Contains("a.litmus:4:2") && Contains("FROB"));
}

TEST_CASE("litmus 7. A time limit breaks off the test that it reaches, and says how many it leaves out") {
    std::string arguments = "litmus";
    for (const char* name : {"SB+dmb.sys", "MP+dmb.sys", "MP"})
        arguments.append(" ").append(classic).append(name).append(".litmus");
    arguments += " --time-limit 0.4 --iterations 100000000 --jobs ";
    for (const char* jobs : {"1", "2"}) {
        const Answer answer = program(arguments + jobs);
        CHECK(answer.code == 0);
        CHECK_THAT(answer.out, Contains("partial") && Contains("of 100000000") && Contains("broken off") &&
                                   Contains("more were not run"));
    }
    const auto json = nlohmann::json::parse(
        program("litmus " + classic + "MP+dmb.sys.litmus --time-limit 0.2 --iterations 100000000 --format json").out);
    CHECK(json["tests"][0]["finding"] == "partial");
    CHECK(json["tests"][0]["interrupted"] == true);
    CHECK_THAT(
        program("litmus " + classic + "MP+dmb.sys.litmus --time-limit 0.2 --iterations 100000000 --format csv").out,
        Contains("partial") && Contains(",true\n"));
}

TEST_CASE("litmus 8. A forbidden state of a test that comes to no end is no success: exit code 4") {
    const Folder folder;
    const std::string file = folder.file("w.litmus",
                                         "AArch64 w\nExpected=Forbidden\nSource=test\n{ 0:X1=x; }\n P0 ;\n WFI ;\n"
                                         " LDR X0,[X1] ;\nexists (0:X0=0)\n");
    const Answer answer = program("litmus " + file + " --iterations 50");
    CHECK(answer.code == 4);
    CHECK_THAT(answer.out, Contains("unfinished") && Contains("50 of 50 executions came to no end"));
}

TEST_CASE("litmus 9. A test whose SGI finds no CPU on the machine is no success: exit code 3") {
    const Answer answer = program("litmus " + payload + " --machine kunpeng920-96 --barrier 'dsb sy' --iterations 20");
    CHECK(answer.code == 3);
    CHECK_THAT(answer.out,
               Contains("no target") && Contains("P0 sends an SGI to 0.0.0.1") && Contains("kunpeng920-96"));
}

TEST_CASE("litmus 10. A bad file ends with 3 with any number of workers") {
    const Folder folder;
    const std::string wild =
        folder.file("wild.litmus", "AArch64 wild\n{ x=0; }\n P0 ;\n LDR X0,[X1] ;\nexists (x=0)\n");
    const std::string twice = "litmus " + wild + " " + wild + " --jobs ";
    for (const char* jobs : {"1 2>&1 1>/dev/null", "2 2>&1 1>/dev/null"}) {
        const Answer answer = program(twice + jobs);
        CHECK(answer.code == 3);
        CHECK_THAT(answer.out, Contains("wild.litmus:4:2") && !Contains("internal"));
    }
    std::filesystem::create_directory(folder.path() + "/empty");
    const Answer empty = program("litmus " + folder.path() + "/empty 2>&1");
    CHECK(empty.code == 3);
    CHECK_THAT(empty.out, Contains("no litmus test"));
}

TEST_CASE(
    "litmus 11. Two tests of one name have witnesses of their own, and a report outlives what cannot be written") {
    const Folder folder;
    const std::string file = classic + "SB.litmus";
    const Answer answer =
        program("litmus " + file + " " + file + " --iterations 500 --witness " + folder.path() + "/out");
    CHECK(answer.code == 0);
    std::size_t texts = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path() + "/out")) {
        texts += entry.path().extension() == ".txt" ? 1 : 0;
    }
    CHECK(texts == 8);
    const std::string there = folder.file("file", "");
    const Answer lost = program("litmus " + file + " --iterations 500 --witness " + there + "/out");
    CHECK(lost.code == 3);
    CHECK_THAT(lost.out, Contains("1 tests: 1 ok"));
}

TEST_CASE("litmus 12. Every barrier on a shipped test of SGIs gives verdicts") {
    const Answer answer = program("litmus " GICSIM_SOURCE_DIR "/configs/litmus/sgi/MPviaSGI.litmus.toml --barrier all");
    CHECK(answer.code == 0);
    CHECK_THAT(answer.out, Contains("54 tests") && Contains(" 0 without verdict"));
}
