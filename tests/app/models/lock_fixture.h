// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/locks_proxy.h"
#include "tests/app/session/replay_agent.h"
#include "tests/support/fake_clock.h"

#include <QAbstractItemModelTester>

namespace lockkeeper::tests {

/** A replica with locks from readable rows, a model and a proxy on it; nothing ticks by itself. */
class LockFixture
{
public:
    LockFixture()
    {
        replica.setTurnLocks(10'000); // each change is in at once
        replica.setLive(true, QStringLiteral("dc1"));
        model = std::make_unique<app::models::LockModel>(replica, clock);
        proxy = std::make_unique<app::models::LocksProxy>(*model);
        proxy->setTickMs(0);
        m_modelTester = std::make_unique<QAbstractItemModelTester>(model.get());
        m_proxyTester = std::make_unique<QAbstractItemModelTester>(proxy.get());
    }

    domain::SourceState source(const QString &name) const
    {
        domain::SourceState state;
        state.name = name;
        state.link = domain::Link::Up;
        state.pollMs = 500;
        state.lastSeenUs = clock.wallUs();
        return state;
    }

    /** "name;what;number": held (seconds held), wait (seconds the longest waits), ttl (seconds left of 30),
     * stuck, free. */
    domain::LockState lock(const QByteArray &row) const
    {
        const QByteArrayList parts = row.split(';');
        domain::LockState state = heldLock(parts[0]);
        const QByteArray what = parts.value(1, "held");
        const qint64 us = parts.value(2, "60").toLongLong() * 1'000'000;
        state.waitersVisible = true;
        state.acquiredUs = m_startUs - 60'000'000;
        if (what == "held")
            state.acquiredUs = m_startUs - us;
        else if (what == "wait")
            state.waiters = {{"w9", m_startUs - us, {}}};
        else if (what == "stuck")
            state.stuck = domain::StuckReason::NoExpiry;
        else if (what == "free")
            state.phase = domain::Phase::Free;
        if (what == "ttl") {
            state.expiry = domain::ExpiryKind::At;
            state.expiresUs = m_startUs + us;
            state.ttlMs = 30'000;
        }
        if (parts.size() > 3)
            state.owner = parts[3];
        return state;
    }

    void load(const QByteArrayList &rows, const QStringList &sources = {QStringLiteral("s")})
    {
        QList<domain::LockState> locks;
        for (const QByteArray &row : rows)
            locks.append(lock(row));
        QList<domain::SourceState> states;
        for (const QString &name : sources)
            states.append(source(name));
        replica.beginTable();
        replica.addPage(locks, states);
        replica.completeTable(replica.seq());
        proxy->tick();
    }
    void set(const QByteArray &row)
    {
        replica.takeEvents({acquired(lock(row), replica.seq() + 1)});
        replica.flush();
    }
    void remove(const QByteArray &name)
    {
        replica.takeEvents({released(heldLock(name), replica.seq() + 1)});
        replica.flush();
    }
    /** The rows' names in order: "[group 3]" for a group, "(a)" for a lock that has gone. */
    QByteArray order() const
    {
        QByteArrayList list;
        for (int row = 0; row < proxy->rowCount(); ++row) {
            if (const auto *group = proxy->groupAt(row))
                list.append('[' + group->key + ' ' + QByteArray::number(group->total) + ']');
            else if (const auto *one = proxy->lockAt(row))
                list.append(one->gone ? '(' + one->lock.key().name + ')' : one->lock.key().name);
        }
        return list.join(' ');
    }

    FakeClock clock;
    app::replica::Replica replica{clock};
    std::unique_ptr<app::models::LockModel> model;
    std::unique_ptr<app::models::LocksProxy> proxy;

private:
    qint64 m_startUs = clock.wallUs();
    std::unique_ptr<QAbstractItemModelTester> m_modelTester;
    std::unique_ptr<QAbstractItemModelTester> m_proxyTester;
};

} // namespace lockkeeper::tests
