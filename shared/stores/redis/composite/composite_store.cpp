// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/composite/composite_store.h"

#include "shared/stores/redis/health/health_check.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

namespace lockkeeper::stores::redis {

using namespace std::chrono_literals;
using base::Error;
using domain::Access;
using domain::Finding;
using domain::Severity;

namespace {
constexpr auto kLossKnown = 300ms;
}

CompositeStore::CompositeStore(bool push, QObject *parent) : Store(parent), m_push(push)
{
    m_loss.setSingleShot(true);
    connect(&m_loss, &QTimer::timeout, this, &CompositeStore::tellPush);
}

void CompositeStore::setPaused(bool paused)
{
    m_paused = paused;
    for (Member *member : std::as_const(m_members))
        member->store->setPaused(paused);
}

void CompositeStore::add(Member &member)
{
    Store *store = member.store.get();
    store->setPaused(m_paused);
    m_members.append(&member);
    connect(store, &Store::findingsRead, this, [this, &member](const QList<Finding> &findings) {
        member.findings = findings;
        tellFindings();
    });
    connect(store, &Store::pushStateChanged, this,
            [this, &member](const PushState &state) { takePushState(member, state); });
}

void CompositeStore::addAlone(Member &member)
{
    Store *store = member.store.get();
    store->setPaused(m_paused);
    m_members.append(&member);
    connect(store, &Store::pageTold, this, &Store::pageTold);
    connect(store, &Store::pushed, this, &Store::pushed);
    connect(store, &Store::pushStateChanged, this, &Store::pushStateChanged);
    connect(store, &Store::findingsRead, this, &Store::findingsRead);
}

void CompositeStore::retire(Member &member)
{
    m_members.removeOne(&member);
    RedisStore *store = member.store.release();
    disconnect(store, &Store::opened, this, nullptr);
    disconnect(store, &Store::failed, this, nullptr);
    disconnect(store, &Store::findingsRead, this, nullptr);
    disconnect(store, &Store::pushStateChanged, this, nullptr);
    store->close();
    store->deleteLater();
}

qsizetype CompositeStore::upCount() const
{
    return std::ranges::count(m_members, true, &Member::up);
}

bool CompositeStore::isSettled() const
{
    return std::ranges::none_of(m_members, &Member::opening);
}

void CompositeStore::beginGathering()
{
    m_gathering = true;
    tellPush();
    tellFindings();
}

void CompositeStore::endGathering()
{
    ++m_links;
    m_gathering = m_pushed = m_stated = false;
    m_loss.stop();
    for (Member *member : std::as_const(m_members))
        member->toldUs = 0;
}

void CompositeStore::failLater(const Error &error)
{
    later([this, error, link = m_links] {
        if (link == m_links)
            Q_EMIT failed(error);
    });
}

void CompositeStore::takePushState(Member &member, const PushState &state)
{
    const std::optional<PushState> before = std::exchange(member.push, state);
    tellFindings();
    if (!m_gathering || !member.up)
        return;
    if (m_pushed && !state.on && base::isTransient(state.why.code)) {
        if (!m_loss.isActive())
            m_loss.start(kLossKnown);
        return;
    }
    if (m_pushed && state.on && !before)
        everything(untoldSinceUs());
    else if (m_pushed && state.on && !before->on) // it may have missed changes
        Q_EMIT pushStateChanged({true, true, before->why, toldUntil(member, *before)});
    tellPush();
}

void CompositeStore::tellPush()
{
    if (!m_gathering || !m_push)
        return;
    PushState state;
    state.on = true;
    for (const Member *member : std::as_const(m_members)) {
        if (!member->up)
            continue;
        if (!member->push)
            return; // its push state will be known in a moment
        if (member->push->on || !state.on)
            continue;
        state = *member->push;
        state.why.cause = QStringLiteral("the node %1 doesn't report changes: %2")
                              .arg(QString::fromUtf8(member->address), state.why.cause);
        state.toldUntilUs = toldUntil(*member, state);
    }
    if (std::exchange(m_stated, true) && state.on == m_pushed)
        return;
    state.blind = state.on || m_pushed;
    m_pushed = state.on;
    Q_EMIT pushStateChanged(state);
}

qint64 CompositeStore::toldUntil(const Member &member, const PushState &state) const
{
    return state.toldUntilUs > 0 ? sourceUs(member, state.toldUntilUs) : 0;
}

void CompositeStore::everything(qint64 sinceUs)
{
    Push push;
    push.everything = true;
    push.sinceUs = sinceUs;
    Q_EMIT pushed(push);
}

/** While the member reports no time, the last known time stays. */
void CompositeStore::note(Member &member)
{
    const qint64 us = member.store->tracker().toldUntilUs();
    if (us > 0)
        member.toldUs = sourceUs(member, us);
}

qint64 CompositeStore::watermarkUs()
{
    qint64 leastUs = std::numeric_limits<qint64>::max();
    for (Member *member : std::as_const(m_members)) {
        if (!member->up)
            continue;
        note(*member);
        leastUs = std::min(leastUs, member->toldUs);
    }
    return leastUs == std::numeric_limits<qint64>::max() ? 0 : leastUs;
}

void CompositeStore::tellWatermark(qint64 us)
{
    if (m_pushed && us > 0)
        Q_EMIT pageTold({us, us, {}});
}

qint64 CompositeStore::untoldSinceUs() const
{
    qint64 sinceUs = 0;
    for (const Member *member : std::as_const(m_members)) {
        if (member->toldUs > 0)
            sinceUs = sinceUs == 0 ? member->toldUs : std::min(sinceUs, member->toldUs);
    }
    return sinceUs;
}

/** Reports the worst finding of each kind that any member shows, and the members that are away. */
void CompositeStore::tellFindings()
{
    if (!m_gathering)
        return;
    QList<Finding> findings;
    for (const Member *member : std::as_const(m_members)) {
        if (!member->up) {
            if (!member->idle)
                findings.append({QByteArrayLiteral("node_unreachable"), Severity::Warning, member->address});
            continue;
        }
        if (member->push && !member->push->on)
            findings.append({QByteArrayLiteral("node_polled"), Severity::Notice, member->address});
        QList<Finding> own = member->findings;
        addClock(own, member->lead.aheadUs());
        addWorst(findings, own, member->address);
    }
    Q_EMIT findingsRead(findings);
}

ServerInfo CompositeStore::merged(qsizetype tolerated) const
{
    ServerInfo info;
    QStringList versions;
    QHash<QByteArray, qsizetype> refused;
    for (const Member *member : std::as_const(m_members)) {
        if (!member->up)
            continue;
        const ServerInfo &own = member->info;
        if (!versions.contains(own.server))
            versions.append(own.server);
        if (info.warning.cause.isEmpty())
            info.warning = own.warning;
        info.store = own.store;
        info.places = own.places;
        for (const Access &access : own.access) {
            auto all = std::ranges::find(info.access, access.need, &Access::need);
            if (all == info.access.end())
                all = info.access.insert(info.access.end(), {access.need, true, access.forBreaking, {}});
            if (access.granted)
                continue;
            if (all->remedy.isEmpty())
                all->remedy =
                    QStringLiteral("%1 (on %2)").arg(access.remedy, QString::fromUtf8(member->address));
            all->granted = ++refused[access.need] <= tolerated;
        }
    }
    for (Access &access : info.access) {
        if (access.granted)
            access.remedy.clear();
    }
    info.server = versions.join(QLatin1String(", "));
    return info;
}

} // namespace lockkeeper::stores::redis
