// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>

namespace lockkeeper::tests {

/**
 * How applications use one table layout, as the SQL text that they send, in TestDatabase's common words.
 * "{ME}" is the holder's name. Each text is one statement.
 */
struct TableScript
{
    QByteArray preset;
    QByteArray lock;            ///< the lock's name as Lockkeeper shows it
    QStringList prepare;        ///< the table, and the row that exists before the lock is acquired
    QStringList take;           ///< fails, or changes no row, while another client holds it
    QStringList takeShort;      ///< the same for a second; empty: there is no expiry
    QStringList renew;          ///< empty: not in this layout
    QStringList giveBack;       ///< changes no row of another holder, where the layout distinguishes holders
    bool tellsOwner = true;     ///< the layout has a holder
    bool identity = true;       ///< false: can't be broken
    bool othersSafe = true;     ///< giveBack leaves a successor alone
    quint32 depthOnRenewal = 0; ///< renewing is entering again
    QStringList index = {};     ///< brings the deadlines in order; empty: there are none
};

/** Every known layout whose locks are rows. */
const QList<TableScript> &tableScripts();
const TableScript &tableScript(const QByteArray &preset);

} // namespace lockkeeper::tests
