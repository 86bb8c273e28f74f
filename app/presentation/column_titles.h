// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QVariant>

#include <span>

namespace lockkeeper::app::words {
class TimeFormat;
}

namespace lockkeeper::app::presentation {

/** A column's title, as the source text that the formatter's own tr() translates. */
struct ColumnTitle
{
    const char *text;
    Qt::AlignmentFlag side = Qt::AlignLeft;
    bool zoned = false; ///< the text has a %1 for the time zone
};
using Translate = QString (*)(const char *text, const char *comment, int number);

/**
 * A header's text (Qt::DisplayRole), or the alignment of the header and its cells (Qt::TextAlignmentRole).
 * `titles` are by column; `times` provides the zone.
 */
QVariant titleOf(std::span<const ColumnTitle> titles, int column, int role, Translate translate,
                 const words::TimeFormat *times = nullptr);

} // namespace lockkeeper::app::presentation
