// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/table.h"

#include <QChar>

#include <algorithm>

namespace lockkeeper::app::cli {

namespace {

constexpr int kGap = 2;

/** East Asian wide and full-width blocks, and the emoji that terminals draw wide. */
bool isWide(char32_t c)
{
    return (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF && c != 0x303F) ||
           (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE6F) ||
           (c >= 0xFF00 && c <= 0xFF60) || (c >= 0xFFE0 && c <= 0xFFE6) || (c >= 0x1F300 && c <= 0x1FAFF) ||
           (c >= 0x20000 && c <= 0x3FFFD);
}

int widthOf(char32_t c)
{
    const QChar::Category category = QChar::category(c);
    if (category == QChar::Mark_NonSpacing || category == QChar::Mark_Enclosing ||
        category == QChar::Other_Format)
        return 0;
    return isWide(c) ? 2 : 1;
}

/** The longest prefix of `text` in at most `width` columns. */
QList<uint> front(const QList<uint> &text, int width)
{
    QList<uint> taken;
    for (const uint c : text) {
        width -= widthOf(c);
        if (width < 0)
            break;
        taken.append(c);
    }
    return taken;
}

QString padded(const QString &text, int width, Table::Align align)
{
    const QString space(std::max(0, width - displayWidth(text)), QLatin1Char(' '));
    return align == Table::Align::Right ? space + text : text + space;
}

} // namespace

int displayWidth(const QString &text)
{
    int width = 0;
    const QList<uint> points = text.toUcs4();
    for (const uint c : points)
        width += widthOf(c);
    return width;
}

QString elided(const QString &text, int width)
{
    if (displayWidth(text) <= width)
        return text;
    if (width <= 0)
        return {};
    const QList<uint> points = text.toUcs4();
    const int tail = (width - 1) / 2;
    const QList<uint> head = front(points, width - 1 - tail);
    QList<uint> end = front(QList<uint>(points.crbegin(), points.crend()), tail);
    std::reverse(end.begin(), end.end());
    const auto join = [](const QList<uint> &part) {
        return QString::fromUcs4(reinterpret_cast<const char32_t *>(part.constData()), part.size());
    };
    return join(head) + QStringLiteral("…") + join(end);
}

void Table::add(QStringList cells, QString code)
{
    m_rows.append({std::move(cells), std::move(code)});
}

void Table::prepend(TextColumn column, const QString &cell)
{
    m_columns.prepend(std::move(column));
    for (TextRow &row : m_rows)
        row.cells.prepend(cell);
    ++m_coloured;
}

void Table::append(const Table &other)
{
    m_rows += other.m_rows;
}

QList<int> Table::widths(int total) const
{
    QList<int> widths;
    for (qsizetype c = 0; c < m_columns.size(); ++c) {
        int width = displayWidth(m_columns.at(c).title);
        for (const TextRow &row : m_rows)
            width = std::max(width, displayWidth(row.cells.at(c)));
        widths.append(width);
    }
    const auto over = [&widths, total] {
        int sum = -kGap;
        for (const int width : widths)
            sum += width > 0 ? width + kGap : 0;
        return sum - total;
    };
    for (qsizetype c = 0; c < m_columns.size(); ++c) {
        if (m_columns.at(c).stretch && over() > 0)
            widths[c] = std::max(std::min(widths.at(c), m_columns.at(c).least), widths.at(c) - over());
    }
    while (over() > 0) {
        const auto last = std::max_element(m_columns.begin(), m_columns.end(),
                                           [&](const TextColumn &a, const TextColumn &b) {
                                               const auto rank = [&](const TextColumn &x) {
                                                   return widths.at(&x - m_columns.data()) > 0 ? x.rank : 0;
                                               };
                                               return rank(a) < rank(b);
                                           });
        const qsizetype index = last - m_columns.begin();
        if (last->rank == 0 || widths.at(index) == 0)
            break;
        widths[index] = 0;
    }
    // The width freed by omitted columns goes back to the columns that were narrowed.
    for (qsizetype c = 0; c < m_columns.size() && over() < 0; ++c) {
        int wanted = displayWidth(m_columns.at(c).title);
        for (const TextRow &row : m_rows)
            wanted = std::max(wanted, displayWidth(row.cells.at(c)));
        if (m_columns.at(c).stretch && widths.at(c) > 0)
            widths[c] = std::min(wanted, widths.at(c) - over());
    }
    return widths;
}

QString Table::line(const TextRow &row, const QList<int> &widths, bool coloured) const
{
    QString text;
    for (qsizetype c = 0; c < m_columns.size(); ++c) {
        if (widths.at(c) == 0)
            continue;
        const TextColumn &column = m_columns.at(c);
        QString cell = padded(elided(row.cells.at(c), widths.at(c)), widths.at(c), column.align);
        if (coloured && c == m_coloured && !row.code.isEmpty())
            cell = QStringLiteral("\x1b[%1m%2\x1b[0m").arg(row.code, cell);
        if (!text.isEmpty())
            text += QString(kGap, QLatin1Char(' '));
        text += cell;
    }
    while (text.endsWith(QLatin1Char(' ')))
        text.chop(1);
    return text + QLatin1Char('\n');
}

QString Table::render(int width, bool coloured) const
{
    const QList<int> fitted = widths(width);
    TextRow header;
    for (const TextColumn &column : m_columns)
        header.cells.append(column.title);
    QString text = line(header, fitted, false);
    for (const TextRow &row : m_rows)
        text += line(row, fitted, coloured);
    return text;
}

} // namespace lockkeeper::app::cli
