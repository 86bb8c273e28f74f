// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QStringList>

namespace lockkeeper::app::records {

/**
 * RFC 4180 with CRLF. Text that a spreadsheet would take for a formula (it begins with = + - @, a tab or a
 * carriage return) gets a leading apostrophe; numbers are ours and stay numbers. A member "a.b" is b of the
 * object a; lists and objects become their JSON.
 */
QByteArray csvHeader(const QStringList &columns);
QByteArray csvRow(const QJsonObject &object, const QStringList &columns);

/** A file of records: CSV with these columns, or JSON Lines, which has every member. */
struct FileFormat
{
    enum class Syntax : quint8 { Csv = 0, JsonLines };
    Syntax kind = Syntax::Csv;
    QStringList columns;

    /** The bytes before all records. */
    QByteArray header() const;
    QByteArray line(const QJsonObject &record) const;
};

/** The columns of exported rows, in order; `past`: as they were at a past moment. Those of locks are in
 * records.h. */
QStringList eventColumns();
QStringList holdColumns();
QStringList auditColumns();
QStringList sourceColumns();
QStringList chainColumns(bool past);
QStringList contentionColumns();
QStringList blockerColumns();
QStringList adviceColumns();

} // namespace lockkeeper::app::records
