#ifndef GICSIM_REPORT_TEXT_TABLE_H
#define GICSIM_REPORT_TEXT_TABLE_H

#include <string>
#include <vector>

namespace gicsim {

/// Columns of text, as wide as their widest cell; the first `left` columns are set flush left, the others right.
class TextTable {
public:
    explicit TextTable(std::vector<std::string> header, std::size_t left = 1);
    void add(std::vector<std::string> row);
    /// A line of dashes between rows.
    void add_rule();
    [[nodiscard]] std::string to_string(const std::string& indent = "") const;

private:
    std::vector<std::vector<std::string>> rows_;  ///< an empty row is a rule
    std::size_t columns_;
    std::size_t left_;
};

/// 1234567.89 with `digits` behind the point, as "1,234,567.89".
std::string grouped(double value, int digits);

}  // namespace gicsim

#endif
