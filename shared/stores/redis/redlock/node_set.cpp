// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/redlock/node_set.h"

#include "shared/base/clock.h"
#include "shared/stores/redis/redlock/redlock_stores.h"

#include <QCryptographicHash>

namespace lockkeeper::stores::redis {

using base::Error;
using base::ErrorCode;

namespace {

constexpr qint64 kTurnedUs = 1'000; ///< the reference's clock may be this far off before ours follows it

} // namespace

QStringList NodeSet::missing() const
{
    QStringList addresses;
    for (const auto &node : m_nodes) {
        if (!node->up)
            addresses.append(QString::fromUtf8(node->address));
    }
    return addresses;
}

std::optional<Error> NodeSet::sameServer(const Node &node) const
{
    for (const auto &other : m_nodes) {
        if (other->isConnected() && !node.info.instance.isEmpty() &&
            other->info.instance == node.info.instance)
            return sameServerError(QString::fromUtf8(other->address), QString::fromUtf8(node.address));
    }
    return std::nullopt;
}

void NodeSet::setClock()
{
    for (qsizetype i = 0; m_reference < 0 && i < size(); ++i) {
        if (at(i).clock().isKnown()) {
            m_reference = i;
            m_offsetUs = at(i).clock().offsetUs();
        }
    }
    if (m_reference < 0 || !at(m_reference).up)
        return;
    const NodeClock &clock = at(m_reference).clock();
    if (qAbs(clock.offsetUs() - m_offsetUs) > clock.uncertaintyUs() + kTurnedUs)
        m_offsetUs = clock.offsetUs();
    const qint64 neededUs = clock.uncertaintyUs() + qAbs(clock.offsetUs() - m_offsetUs);
    if (neededUs > m_slackUs || neededUs * 2 < m_slackUs)
        m_slackUs = neededUs; // no finer, because deadlines would seem to move
}

Page NodeSet::widened(Page page) const
{
    if (page.beganUs > 0)
        page.beganUs -= m_slackUs;
    if (page.endedUs > 0)
        page.endedUs += m_slackUs;
    return page;
}

qint64 NodeSet::nowUs() const
{
    return m_reference < 0 ? 0 : base::SystemClock().monotonicUs() + m_offsetUs;
}

qint64 NodeSet::sourceUs(const Node &node, qint64 us) const
{
    return us + m_offsetUs - node.clock().offsetUs() - node.clock().uncertaintyUs();
}

NodeReading NodeSet::readingOf(qsizetype index, const Observation *lock) const
{
    const Node &node = at(index);
    NodeReading reading;
    reading.node = node.address;
    reading.instance = node.info.instance;
    reading.reachable = lock != nullptr;
    if (lock == nullptr)
        return reading;
    reading.lock = *lock;
    reading.shiftUs = m_offsetUs - node.clock().offsetUs();
    reading.uncertaintyUs = node.clock().uncertaintyUs() + m_slackUs;
    return reading;
}

QByteArray NodeSet::instance() const
{
    // Not the run ids: which of them are known changes whenever a node comes or goes, and a guard must not.
    // Each node's own is pinned apart, in the guard's freshness, and compared at that node.
    QCryptographicHash hash(QCryptographicHash::Sha1);
    for (const auto &node : m_nodes)
        hash.addData(node->address + '\n');
    return hash.result().toHex();
}

Error noQuorumError(const NodeSet &nodes)
{
    const QStringList missing = nodes.missing();
    Error first; // why one of them is away
    for (qsizetype i = 0; i < nodes.size() && first.cause.isEmpty(); ++i) {
        if (!nodes.at(i).up)
            first = nodes.at(i).error;
    }
    const QString cause = first.cause.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(first.cause);
    return {ErrorCode::Unreachable,
            QStringLiteral("%1 of %2 nodes are reachable, %3 are needed; unreachable: %4")
                .arg(nodes.size() - missing.size())
                .arg(nodes.size())
                .arg(nodes.quorum())
                .arg(missing.join(QLatin1String(", ")) + cause),
            first.remedy};
}

} // namespace lockkeeper::stores::redis
