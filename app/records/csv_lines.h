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

/** The columns of exported events, in order. */
QStringList eventColumns();
/** The columns of exported locks, in order; `past`: as they were at a past moment. */
QStringList lockColumns(bool past);

} // namespace lockkeeper::app::records
