// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QString>

namespace lockkeeper::agent::login {

/**
 * How often a login may fail: for each name and each machine 20 times at once and 80 times more in an hour,
 * so never more than 100 times within any hour. Names that are no user's count alike, and
 * those that differ by case alone as one: PAM may take them for one. Bounded: past 10,000
 * entries the one with the fewest failures goes.
 */
class LoginLimits
{
public:
    /** Whether a password of this user may be looked at now. */
    bool mayTry(const QString &user, const QString &address, qint64 nowUs);
    void failed(const QString &user, const QString &address, qint64 nowUs);
    /** Takes back one failed(). */
    void succeeded(const QString &user, const QString &address);
    /** Of both together; for a test. */
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
