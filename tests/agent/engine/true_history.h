// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/store.h"

#include <QHash>

#include <random>

namespace lockkeeper::tests {

/** One hold as it truly was. */
struct TrueHold
{
    QByteArray owner;
    qint64 beganUs = 0;
    qint64 endedUs = 0;
    bool expired = false; ///< false: released, or taken away by another
};

/**
 * A key-value store's whole life, made up in advance from a seed. The engine sees glimpses of each key's
 * values. The true holds serve to judge the engine's claims.
 */
class TrueHistory
{
public:
    TrueHistory(quint32 seed, int keys, qint64 fromUs, qint64 toUs);

    const QList<QByteArray> &keys() const { return m_keys; }
    const QList<TrueHold> &holds(const QByteArray &key) const { return *m_holds.constFind(key); }
    /** A reader's observation of a key at `us`; `slackUs`: the uncertainty of its deadline. */
    stores::Observation at(const QByteArray &key, qint64 us, qint64 slackUs) const;
    /** True where the key was absent for some time between the two. */
    bool wasAbsent(const QByteArray &key, qint64 fromUs, qint64 toUs) const;

private:
    struct Version
    {
        qint64 sinceUs = 0;
        QByteArray owner;     ///< empty: absent
        qint64 expiresUs = 0; ///< 0: never
    };
    void makeLife(const QByteArray &key, qint64 fromUs, qint64 toUs);
    void hold(const QByteArray &key, qint64 &nowUs);
    qint64 draw(qint64 low, qint64 high);

    std::mt19937 m_random;
    int m_owners = 0;
    QList<QByteArray> m_keys;
    QHash<QByteArray, QList<Version>> m_versions;
    QHash<QByteArray, QList<TrueHold>> m_holds;
};

} // namespace lockkeeper::tests
