// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace lockkeeper::app::cli {

/** Columns of a terminal that `text` takes: wide characters (Chinese, …) two, combining marks none. */
int displayWidth(const QString &text);

/** `text` in at most `width` columns, with "…" in place of the omitted middle. */
QString elided(const QString &text, int width);

/** A table of plain texts, fitted to a width. The caller has already made the texts safe for a terminal. */
class Table
{
public:
    enum class Align : quint8 { Left, Right };
    struct TextColumn
    {
        QString title;
        Align align = Align::Left;
        bool stretch = false; ///< shrinks first, down to `least`
        int least = 8;
        int rank = 0; ///< if all columns are at `least`, the highest rank is omitted first; 0: never
    };

    explicit Table(QList<TextColumn> columns) : m_columns(std::move(columns)) {}

    /** `code`: SGR parameters ("31;1") for the first cell, empty for none. */
    void add(QStringList cells, QString code = {});
    /** Inserts a first column with the same cell in each row; colours stay in their column. */
    void prepend(TextColumn column, const QString &cell);
    /** Appends the rows of a table with the same columns. */
    void append(const Table &other);
    bool isEmpty() const { return m_rows.isEmpty(); }
    /** The header and the rows, each with its line end. Colours only with `coloured`. */
    QString render(int width, bool coloured) const;

private:
    struct TextRow
    {
        QStringList cells;
        QString code;
    };
    QList<int> widths(int total) const;
    QString line(const TextRow &row, const QList<int> &widths, bool coloured) const;

    QList<TextColumn> m_columns;
    QList<TextRow> m_rows;
    qsizetype m_coloured = 0; ///< column
};

} // namespace lockkeeper::app::cli
