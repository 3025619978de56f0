#include "isla_text.h"

namespace gicsim::litmus {

SourceText string_content(std::string_view file_text, const toml::node& node, const std::string& file,
                          const std::string& path) {
    const auto begin = node.source().begin;
    SourcePosition first{begin.line, begin.column};
    if (!node.is_string()) {
        throw ConfigError(Origin::in_file(file, first.line, first.column), path, "expected a string");
    }
    std::size_t line_start = 0;
    for (unsigned line = 1; line < first.line && line_start != std::string_view::npos; ++line) {
        line_start = file_text.find('\n', line_start);
        if (line_start != std::string_view::npos) ++line_start;
    }
    if (line_start == std::string_view::npos) line_start = file_text.size();
    // Columns count characters; before a value they are ASCII unless a quoted key says otherwise.
    std::string_view rest = file_text.substr(std::min<std::size_t>(line_start + first.column - 1, file_text.size()));
    if (rest.starts_with("\"\"\"") || rest.starts_with("'''")) {
        rest.remove_prefix(3);
        first.column += 3;
        // TOML drops a line end right behind the quotes.
        if (rest.starts_with("\n") || rest.starts_with("\r\n")) first = {first.line + 1, 1};
    } else {
        first.column += 1;
    }
    return {node.as_string()->get(), file, first};
}

}  // namespace gicsim::litmus
