// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace lockkeeper::app::cli {

/** Columns of a terminal that `text` takes: wide characters (Chinese, …) two, combining marks none. */
int displayWidth(const QString &text);

/** `text` in at most `width` columns, with "…" for what was left out of its middle. */
QString elided(const QString &text, int width);

/** A table of plain texts, fitted to a width. Texts must have been made fit for a terminal before. */
class Table
{
public:
    enum class Align : quint8 { Left, Right };
    struct Column
    {
        QString title;
        Align align = Align::Left;
        bool stretch = false; ///< gives way first, down to `least`
        int least = 8;
        int rank = 0; ///< where all are at their least, the highest rank is left out first; 0: never
    };

    explicit Table(QList<Column> columns) : m_columns(std::move(columns)) {}

    /** `code`: SGR parameters ("31;1") for the first cell, empty for none. */
    void add(QStringList cells, QString code = {});
    /** Before the others, the same cell in each row; colours stay where they are. */
    void prepend(Column column, const QString &cell);
    /** The rows of a table with the same columns. */
    void append(const Table &other);
    bool isEmpty() const { return m_rows.isEmpty(); }
    /** The header and the rows, each with its line end. Colours only with `coloured`. */
    QString render(int width, bool coloured) const;

private:
    struct Row
    {
        QStringList cells;
        QString code;
    };
    QList<int> widths(int total) const;
    QString line(const Row &row, const QList<int> &widths, bool coloured) const;

    QList<Column> m_columns;
    QList<Row> m_rows;
    qsizetype m_coloured = 0; ///< column
};

} // namespace lockkeeper::app::cli
