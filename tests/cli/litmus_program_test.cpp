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

TEST_CASE("litmus 7. A time limit leaves the tests that it reached out, and says how many") {
    const Answer answer = program("litmus " + classic + " --time-limit 0.001 --jobs 1 --iterations 20000");
    CHECK(answer.code == 0);
    CHECK_THAT(answer.out, Contains("more were not run"));
}
