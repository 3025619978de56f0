// Files, folders and the verdicts beside them.
#include "gicsim/litmus/litmus_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "litmus_fixture.h"

using namespace gicsim;
using namespace gicsim::litmus;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;

namespace {

namespace fs = std::filesystem;

class Folder {
public:
    Folder() : path_(fs::temp_directory_path() / ("gicsim-litmus-" + std::to_string(getpid()))) {
        fs::remove_all(path_);
        fs::create_directories(path_ / "inner");
    }
    ~Folder() { fs::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    fs::path write(const std::string& name, const std::string& content) const {
        std::ofstream(path_ / name, std::ios::binary) << content;
        return path_ / name;
    }
    [[nodiscard]] const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

const std::string herd = "AArch64 A\n{}\n P0 ;\n NOP ;\nexists true\n";
const std::string isla =
    "arch=\"AArch64\"\nname=\"B\"\nsymbolic=[]\n[thread.0]\ncode=\"NOP\"\n[final]\nassertion=\"true\"\n";

std::string error_for(const fs::path& file) {
    return error_of([&file] { read_litmus_file(file); });
}

}  // namespace

TEST_CASE("the name of a file says its format") {
    const Folder folder;
    CHECK(read_litmus_file(folder.write("a.litmus", herd)).name == "A");
    CHECK(read_litmus_file(folder.write("b.litmus.toml", isla)).name == "B");
    CHECK(read_litmus_file(folder.write("c.toml", isla)).name == "B");
    CHECK_THAT(error_for(folder.write("d.txt", herd)), Contains("is no litmus test by its name"));
}

TEST_CASE("what is no regular file, too large or not there is refused") {
    const Folder folder;
    CHECK_THAT(error_for(folder.path() / "none.litmus"), EndsWith("none.litmus: there is no such file"));
    fs::create_directory(folder.path() / "folder.litmus");
    CHECK_THAT(error_for(folder.path() / "folder.litmus"), Contains("is a folder, not a file"));
    const fs::path pipe = folder.path() / "pipe.litmus";
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    CHECK_THAT(error_for(pipe), Contains("is no regular file"));
    CHECK_THAT(error_for(folder.write("large.litmus", std::string(largest_file + 1, ' '))), Contains("is larger than"));
}

TEST_CASE("a verdict beside a test applies to it unless it has its own") {
    const Folder folder;
    folder.write("expected.toml",
                 "schema = 1\nkind = \"expected-verdicts\"\n[verdicts]\n"
                 "A = { verdict = \"forbidden\", source = \"the paper\" }\n");
    CHECK(read_litmus_file(folder.write("a.litmus", herd)).expected.verdict == Verdict::forbidden);
    CHECK(read_litmus_file(folder.write("b.litmus.toml", isla)).expected.verdict == Verdict::unknown);
    std::string own = herd;
    own.insert(own.find('{'), "Expected=Allowed\nSource=own\n");
    CHECK(read_litmus_file(folder.write("own.litmus", own)).expected.source == "own");
}

TEST_CASE("a bad file of verdicts is an error") {
    const Folder folder;
    folder.write("expected.toml", "schema = 1\nkind = \"expected-verdicts\"\n[verdicts]\nA = { verdict = \"no\" }\n");
    CHECK_THAT(error_for(folder.write("a.litmus", herd)), Contains("expected.toml:4:7: verdicts.A.verdict: unknown"));
}

TEST_CASE("the tests of a folder, in order, without the files that are none") {
    const Folder folder;
    folder.write("b.litmus", herd);
    folder.write("inner/a.litmus.toml", isla);
    folder.write("a.litmus", herd);
    folder.write("expected.toml", "");
    folder.write("notes.txt", "");
    const auto files = find_litmus_files(folder.path());
    REQUIRE(files.size() == 3);
    CHECK(files[0].filename() == "a.litmus");
    CHECK(files[1].filename() == "b.litmus");
    CHECK(files[2].filename() == "a.litmus.toml");
    CHECK(find_litmus_files("x.litmus") == std::vector<fs::path>{"x.litmus"});
}
