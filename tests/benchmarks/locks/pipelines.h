// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <hiredis/hiredis.h>
#include <vector>

namespace lockkeeper::tests {

/** Acquires and releases locks with plain hiredis and the scripts of the lock library. */
class RawPairs
{
public:
    RawPairs(const QString &socketPath, bool fencing);
    ~RawPairs();
    Q_DISABLE_COPY_MOVE(RawPairs)

    /** One command at a time. */
    void oneByOne(int pairs);
    /** `atOnce` acquisitions in one write, then their releases. */
    void pipelined(int pairs, int atOnce);

private:
    void appendAcquire(int lock);
    void appendRelease(int lock);
    void take();

    redisContext *m_context;
    bool m_fencing;
    std::vector<QByteArray> m_names;
    std::vector<QByteArray> m_counters;
    std::vector<QByteArray> m_tokens;
    QByteArray m_acquire; ///< their names on the server
    QByteArray m_unlock;
};

} // namespace lockkeeper::tests
