// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/redlock/stir.h"

#include <algorithm>
#include <bit>

namespace lockkeeper::stores::redis {

namespace {
constexpr qsizetype kMostChanges = 128;

QList<quint32> sum(QList<quint32> a, const QList<quint32> &b)
{
    a.resize(std::max(a.size(), b.size()));
    for (qsizetype i = 0; i < b.size(); ++i)
        a[i] += b.at(i);
    return a;
}
} // namespace

void Stir::note(const NodeChange &change)
{
    m_sinceUs = std::min(m_sinceUs.value_or(change.sinceUs), change.sinceUs);
    if (m_told.size() <= change.node)
        m_told.resize(change.node + 1);
    m_told[change.node] += change.told;
    const auto bit = quint16(1u << change.node);
    if (change.unseen)
        m_unseen |= bit;
    if (!change.token.isEmpty())
        noteToken(change.token, bit);
    if (m_changes.size() >= kMostChanges)
        m_changes.removeFirst();
    m_changes.append(change);
}

void Stir::append(const Stir &later)
{
    const QList<quint32> told = m_told;
    for (const NodeChange &change : later.m_changes)
        note(change);
    // Of those that are no longer listed only the number is left.
    m_told = sum(told, later.m_told);
    if (later.m_restSinceUs)
        m_restSinceUs = std::min(m_restSinceUs.value_or(*later.m_restSinceUs), *later.m_restSinceUs);
    m_unseen |= later.m_unseen;
    for (const auto &[token, nodes] : later.m_tokens.asKeyValueRange())
        noteToken(token, nodes);
    if (later.m_sinceUs)
        m_sinceUs = std::min(m_sinceUs.value_or(*later.m_sinceUs), *later.m_sinceUs);
}

Stir Stir::takeIf(const std::function<bool(const NodeChange &)> &which)
{
    Stir taken;
    for (const NodeChange &change : std::as_const(m_changes)) {
        if (which(change))
            taken.note(change);
    }
    if (taken.m_changes.isEmpty())
        return taken;
    m_changes.removeIf(which);
    for (qsizetype i = 0; i < taken.m_told.size(); ++i)
        m_told[i] -= taken.m_told.at(i);
    taken.m_sinceUs = m_sinceUs;
    return taken;
}

void Stir::noteToken(const QByteArray &token, quint16 nodes)
{
    if (m_tokens.size() < kMostChanges || m_tokens.contains(token))
        m_tokens[token] |= nodes;
}

bool Stir::mayHaveHeld(qsizetype quorum, const QList<QByteArray> &besides) const
{
    if (std::popcount(m_unseen) >= quorum)
        return true;
    for (const auto &[token, nodes] : m_tokens.asKeyValueRange()) {
        if (std::popcount(quint16(m_unseen | nodes)) >= quorum && !besides.contains(token))
            return true;
    }
    return false;
}

Stir Stir::rest(const QList<QByteArray> &besides) const
{
    Stir rest;
    rest.m_restSinceUs = restSinceUs();
    rest.m_told = m_told;
    rest.m_unseen = m_unseen;
    rest.m_tokens = m_tokens;
    for (const QByteArray &token : besides)
        rest.m_tokens.remove(token);
    return rest;
}

quint32 Stir::told() const
{
    return m_told.isEmpty() ? 0 : *std::max_element(m_told.cbegin(), m_told.cend());
}

quint32 Stir::toldUntil(qint64 us) const
{
    QList<quint32> told = m_told;
    for (const NodeChange &change : m_changes) {
        if (change.readUs > us)
            told[change.node] -= change.told;
    }
    return told.isEmpty() ? 0 : *std::max_element(told.cbegin(), told.cend());
}

qsizetype Stir::nodesTold() const
{
    return std::count_if(m_told.cbegin(), m_told.cend(), [](quint32 told) { return told > 0; });
}

void Stir::count(const Stir &other)
{
    m_told = sum(m_told, other.m_told);
}

bool Stir::isOpen() const
{
    QHash<qsizetype, bool> open;
    for (const NodeChange &change : m_changes)
        open[change.node] = !change.token.isEmpty();
    return std::any_of(open.cbegin(), open.cend(), [](bool any) { return any; });
}

QList<Stir::Sight> Stir::sights() const
{
    QList<Sight> all;
    QHash<qsizetype, const NodeChange *> last; // by node
    for (const NodeChange &change : m_changes) {
        const NodeChange *before = last.value(change.node);
        if (before != nullptr && !before->token.isEmpty() && before->readUs <= change.sinceUs)
            all.append({before->token, before->readUs, change.sinceUs});
        last.insert(change.node, &change);
    }
    return all;
}

QList<BriefHold> Stir::briefHolds(qsizetype quorum, const QList<QByteArray> &besides) const
{
    QList<Sight> all = sights();
    std::sort(all.begin(), all.end(), [](const Sight &a, const Sight &b) { return a.fromUs < b.fromUs; });
    QList<BriefHold> found;
    QList<QByteArray> done = besides;
    for (const Sight &sight : std::as_const(all)) {
        if (done.contains(sight.token))
            continue;
        // Sights of one node don't overlap: each of these is another node's.
        const qint64 atUs = sight.fromUs;
        const auto holds = std::count_if(all.cbegin(), all.cend(), [&](const Sight &other) {
            return other.token == sight.token && other.fromUs <= atUs && atUs <= other.untilUs;
        });
        if (holds < quorum)
            continue;
        found.append({sight.token, atUs});
        done.append(sight.token);
    }
    return found;
}

} // namespace lockkeeper::stores::redis
