// What the TOML parser is not given.
#include "config_fixture.h"
#include "gicsim/config/toml_reader.h"

using namespace gicsim;

namespace {

std::string toml_error(const std::string& content) {
    return error_of([&content] { parse_toml(content, "t.toml"); });
}

const std::string message = "a character that is not ASCII can stand in strings and comments only";

}  // namespace

TEST_CASE("TOML: characters that are not ASCII stand in strings and comments") {
    CHECK(toml_error("a = \"é\" # é\nb = 'é'\nc = \"\"\"é \\\n  e\"\"\"\nd = '''é'''\n") == "no error");
    CHECK(toml_error("\xEF\xBB\xBF"
                     "a = \"\\\"é\"") == "no error");
}

TEST_CASE("TOML: characters that are not ASCII are refused where the parser looks for blanks") {
    CHECK(toml_error("a = 1\né = 2") == "t.toml:2:1: " + message);
    CHECK(toml_error("a = \"é\" é") == "t.toml:1:9: " + message);
    CHECK(toml_error("a = \"\"\"x\\\n  é\"\"\"") == "t.toml:2:3: " + message);
    CHECK(toml_error("a = \"\\é\"") == "t.toml:1:7: " + message);
    CHECK(toml_error("a = \"\"\"x\"\"\"\"é") == "t.toml:1:13: " + message);
}
