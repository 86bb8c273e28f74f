// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace lockkeeper::agent::config {

/** One [[forward]]: a hub's database that receives the journal. The password is resolved: never log it. */
struct ForwardSettings
{
    QString name;        ///< unique
    QByteArray url;      ///< a connection URI as libpq reads it, without a password
    QByteArray password; ///< empty: the login needs none, or libpq finds it
    int keepMib = 1'024; ///< retention keeps this much of the journal that isn't forwarded yet
    bool operator==(const ForwardSettings &) const = default;
};

} // namespace lockkeeper::agent::config
