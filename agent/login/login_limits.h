// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QString>

namespace lockkeeper::agent::login {

/**
 * Limits how often a login may fail: for each name and each machine 20 times at once and 80 times more per
 * hour, so never more than 100 times within any hour. Names of no user count as well. Names that differ only
 * in case count as one name, because PAM may treat them as one. Bounded to 5,000 names and 5,000 machines:
 * the entry with the fewest failures is dropped.
 */
class LoginLimits
{
public:
    /** Whether a password of this user may be verified now. */
    bool mayTry(const QString &user, const QString &address, qint64 nowUs);
    void failed(const QString &user, const QString &address, qint64 nowUs);
    /** Undoes one failed(). */
    void succeeded(const QString &user, const QString &address);
    /** The number of names and machines together; for tests. */
    qsizetype size() const { return m_users.size() + m_machines.size(); }

private:
    struct Bucket
    {
        double left = 0;
        qint64 atUs = 0;
    };
    using Buckets = QHash<QString, Bucket>;
    static double leftOf(const Buckets &buckets, const QString &key, qint64 nowUs);
    static void giveBack(Buckets &buckets, const QString &key);
    static void take(Buckets &buckets, const QString &key, qint64 nowUs);

    Buckets m_users;
    Buckets m_machines;
};

} // namespace lockkeeper::agent::login
