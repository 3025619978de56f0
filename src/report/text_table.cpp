#include "gicsim/report/text_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace gicsim {

TextTable::TextTable(std::vector<std::string> header, std::size_t left) : columns_(header.size()), left_(left) {
    rows_.push_back(std::move(header));
    add_rule();
}

void TextTable::add(std::vector<std::string> row) {
    row.resize(columns_);
    rows_.push_back(std::move(row));
}

void TextTable::add_rule() {
    rows_.emplace_back();
}

std::string TextTable::to_string(const std::string& indent) const {
    std::vector<std::size_t> widths(columns_, 0);
    for (const auto& row : rows_) {
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    std::string text;
    for (const auto& row : rows_) {
        std::string line = indent;
        for (std::size_t i = 0; i < columns_; ++i) {
            if (i != 0) line += "  ";
            if (row.empty()) {
                line += std::string(widths[i], '-');
            } else if (i < left_) {
                line += fmt::format("{:<{}}", row[i], widths[i]);
            } else {
                line += fmt::format("{:>{}}", row[i], widths[i]);
            }
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

std::string grouped(double value, int digits) {
    const std::string plain = fmt::format("{:.{}f}", value, digits);
    const std::size_t first = plain.front() == '-' ? 1 : 0;
    const std::size_t point = std::min(plain.find('.'), plain.size());
    std::string text;
    for (std::size_t i = 0; i < plain.size(); ++i) {
        if (i > first && i < point && (point - i) % 3 == 0) text += ',';
        text += plain[i];
    }
    return text;
}

}  // namespace gicsim
