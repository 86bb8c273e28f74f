// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QHash>
#include <QString>

namespace lockkeeper::domain {

/**
 * Identifies a lock, uniquely within an agent. `source` is the configured name; `scheme` the protocol id
 * ("redis.token"); `place` the location in the source ("db0", "app.shedlock"). `name` is the name in the
 * store, byte for byte: untrusted, and not always UTF-8.
 */
struct LockKey
{
    QString source;
    QByteArray scheme;
    QByteArray place;
    QByteArray name;

    bool operator==(const LockKey &) const = default;
    bool operator<(const LockKey &other) const;
};

/** True for the schemes whose locks belong to a database connection: a kill of the connection frees them. */
inline bool isConnectionScheme(QByteArrayView scheme)
{
    return scheme == "sql.row" || scheme == "sql.advisory";
}

size_t qHash(const LockKey &key, size_t seed = 0) noexcept;

} // namespace lockkeeper::domain
