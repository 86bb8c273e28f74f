// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/redlock/node_set.h"

#include "shared/base/clock.h"
#include "shared/stores/redis/clock_lead.h"
#include "shared/stores/redis/lens.h"

#include <QCryptographicHash>

#include <algorithm>

namespace lockkeeper::stores::redis {

using base::Error;
using base::ErrorCode;
using domain::Access;

namespace {

constexpr qint64 kTurnedUs = 1'000; ///< the reference's clock may be this far off before ours follows it

/** One need on all nodes that are up: granted where a majority grants it, the first remedy otherwise. */
Access merged(const NodeSet &nodes, const Access &sample)
{
    Access all = sample;
    qsizetype granted = 0;
    for (qsizetype i = 0; i < nodes.size(); ++i) {
        if (!nodes.at(i).isUp())
            continue;
        for (const Access &own : nodes.at(i).info().access) {
            if (own.need != sample.need)
                continue;
            granted += own.granted ? 1 : 0;
            if (!own.granted && all.remedy.isEmpty())
                all.remedy =
                    QStringLiteral("%1 (on %2)").arg(own.remedy, QString::fromUtf8(nodes.at(i).address()));
        }
    }
    all.granted = granted >= nodes.quorum();
    if (all.granted)
        all.remedy.clear();
    return all;
}

NodeInfo nodeInfoOf(const Node &node)
{
    NodeInfo info;
    info.address = node.address();
    info.up = node.isUp();
    info.server = node.info().server;
    info.readOnly = node.info().readOnly;
    info.error = node.error();
    for (const Access &access : node.info().access) {
        if (!access.granted)
            info.missing.append(access);
    }
    return info;
}

} // namespace

qsizetype NodeSet::upCount() const
{
    return std::count_if(m_nodes.cbegin(), m_nodes.cend(), [](const auto &node) { return node->isUp(); });
}

QStringList NodeSet::missing() const
{
    QStringList addresses;
    for (const auto &node : m_nodes) {
        if (!node->isUp())
            addresses.append(QString::fromUtf8(node->address()));
    }
    return addresses;
}

void NodeSet::setClock()
{
    for (qsizetype i = 0; m_reference < 0 && i < size(); ++i) {
        if (at(i).clock().isKnown()) {
            m_reference = i;
            m_offsetUs = at(i).clock().offsetUs();
        }
    }
    if (m_reference < 0 || !at(m_reference).isUp())
        return;
    const NodeClock &clock = at(m_reference).clock();
    if (qAbs(clock.offsetUs() - m_offsetUs) > clock.uncertaintyUs() + kTurnedUs)
        m_offsetUs = clock.offsetUs();
    const qint64 neededUs = clock.uncertaintyUs() + qAbs(clock.offsetUs() - m_offsetUs);
    if (neededUs > m_slackUs || neededUs * 2 < m_slackUs)
        m_slackUs = neededUs; // no finer: deadlines would seem to move
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

qint64 NodeSet::sourceUs(qsizetype index, qint64 us, bool latest) const
{
    const NodeClock &clock = at(index).clock();
    const qint64 slackUs = clock.uncertaintyUs();
    return us + m_offsetUs - clock.offsetUs() + (latest ? slackUs : -slackUs);
}

NodeReading NodeSet::readingOf(qsizetype index, const Observation *lock) const
{
    const Node &node = at(index);
    NodeReading reading;
    reading.node = node.address();
    reading.instance = node.info().instance;
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
        hash.addData(node->address() + '\n');
    return hash.result().toHex();
}

ServerInfo infoOf(const NodeSet &nodes, qsizetype lockSets, const QByteArray &place)
{
    ServerInfo info;
    info.store = QByteArrayLiteral("redis");
    info.instance = nodes.instance();
    info.places = QList<QByteArray>(lockSets, place);
    QStringList versions;
    qsizetype writable = 0;
    for (qsizetype i = 0; i < nodes.size(); ++i) {
        info.nodes.append(nodeInfoOf(nodes.at(i)));
        if (!nodes.at(i).isUp())
            continue;
        const ServerInfo &own = nodes.at(i).info();
        writable += own.readOnly ? 0 : 1;
        if (!versions.contains(own.server))
            versions.append(own.server);
        for (const Access &access : own.access) {
            const bool known = std::any_of(info.access.cbegin(), info.access.cend(),
                                           [&](const Access &any) { return any.need == access.need; });
            if (!known)
                info.access.append(merged(nodes, {access.need, true, access.forBreaking, {}}));
        }
        if (info.warning.cause.isEmpty())
            info.warning = own.warning;
    }
    info.readOnly = writable < nodes.quorum();
    info.server = QStringLiteral("%1, %2 nodes").arg(versions.join(QLatin1String(", "))).arg(nodes.size());
    return info;
}

/** What it shows itself, and its clock. */
static QList<domain::Finding> withClock(const Node &node)
{
    const base::SystemClock own;
    QList<domain::Finding> findings = node.findings();
    addClock(findings, node.clock().offsetUs() - (own.wallUs() - own.monotonicUs()));
    return findings;
}

QList<domain::Finding> findingsOf(const NodeSet &nodes)
{
    QList<domain::Finding> findings;
    for (qsizetype i = 0; i < nodes.size(); ++i) {
        const Node &node = nodes.at(i);
        if (!node.isUp()) {
            findings.append(
                {QByteArrayLiteral("node_unreachable"), domain::Severity::Warning, node.address()});
            continue;
        }
        if (node.push() && !node.push()->on)
            findings.append({QByteArrayLiteral("node_polled"), domain::Severity::Notice, node.address()});
        addWorst(findings, withClock(node), node.address());
    }
    return findings;
}

Error noQuorumError(const NodeSet &nodes)
{
    return {ErrorCode::Unreachable,
            QStringLiteral("%1 of %2 nodes can be reached, and %3 are needed to tell anything; away: %4")
                .arg(nodes.upCount())
                .arg(nodes.size())
                .arg(nodes.quorum())
                .arg(nodes.missing().join(QLatin1String(", "))),
            {}};
}

} // namespace lockkeeper::stores::redis
