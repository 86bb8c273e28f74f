// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/sessions/picture.h"

#include "shared/base/text.h"

#include <algorithm>

namespace lockkeeper::stores::sql {

using domain::ReleaseOff;

namespace {
constexpr qsizetype kMostEdges = 20'000;
constexpr qsizetype kMostOwnersNamed = 3;

/** The claims of one lock, as indexes. */
struct Contest
{
    QList<qsizetype> holders;
    QList<qsizetype> waiters; ///< in the order of their turn
};

QByteArray lockOf(const Claim &claim)
{
    return (claim.advisory ? QByteArrayLiteral("a") : QByteArrayLiteral("r")) + claim.place + '\0' +
           claim.name;
}

/** False for a hold on the gap alone: it doesn't count as a hold on the record's key. */
bool holdsRecord(const Claim &claim)
{
    return (claim.mode & (GapOnly | InsertIntention)) == 0;
}

/** The locks' claims, in the order in which the picture first names the locks. */
QList<Contest> contestsOf(const Picture &picture)
{
    QHash<QByteArray, qsizetype> index;
    QList<Contest> contests;
    for (qsizetype i = 0; i < picture.claims.size(); ++i) {
        const Claim &claim = picture.claims.at(i);
        const QByteArray lock = lockOf(claim);
        auto it = index.constFind(lock);
        if (it == index.constEnd()) {
            it = index.insert(lock, contests.size());
            contests.append(Contest());
        }
        (claim.waiting ? contests[*it].waiters : contests[*it].holders).append(i);
    }
    const auto earlier = [&picture](qsizetype a, qsizetype b) {
        const Claim &left = picture.claims.at(a);
        const Claim &right = picture.claims.at(b);
        return left.sinceUs.value_or(picture.endedUs) - left.windowUs <
               right.sinceUs.value_or(picture.endedUs) - right.windowUs;
    };
    for (Contest &contest : contests)
        std::stable_sort(contest.waiters.begin(), contest.waiters.end(), earlier);
    return contests;
}

/** The claims that a waiter waits for; where no holder is known, the waiter before it in the queue. */
QList<qsizetype> blockersOf(const Picture &picture, const Contest &contest, qsizetype place)
{
    const Claim &waiter = picture.claims.at(contest.waiters.at(place));
    QList<qsizetype> blockers;
    QList<qsizetype> others;
    for (const qsizetype holder : contest.holders) {
        const Claim &claim = picture.claims.at(holder);
        if (claim.session == waiter.session)
            continue;
        (hasToWait(waiter.mode, claim.mode) ? blockers : others).append(holder);
    }
    if (blockers.isEmpty())
        blockers = others;
    if (blockers.isEmpty() && place > 0)
        blockers = {contest.waiters.at(place - 1)};
    return blockers;
}

QList<domain::Waiter> waitersOf(const Picture &picture, const Contest &contest)
{
    QList<domain::Waiter> waiters;
    waiters.reserve(contest.waiters.size());
    for (const qsizetype i : contest.waiters) {
        const Claim &claim = picture.claims.at(i);
        const domain::Session session = picture.sessions.value(claim.session).session;
        waiters.append({ownerText(session), claim.sinceUs, session.statement, claim.windowUs});
    }
    return waiters;
}

QByteArray ownersText(const Picture &picture, const QList<qsizetype> &holders)
{
    QByteArray text;
    for (qsizetype i = 0; i < std::min(holders.size(), kMostOwnersNamed); ++i)
        text += (i == 0 ? "" : ", ") +
                ownerText(picture.sessions.value(picture.claims.at(holders.at(i)).session).session);
    if (holders.size() > kMostOwnersNamed)
        text += " and " + QByteArray::number(holders.size() - kMostOwnersNamed) + " more";
    return text;
}

bool matches(const PictureFilter &filter, const QByteArray &name)
{
    if (!filter.ignoresCase)
        return base::globMatches(filter.match, name);
    const auto folded = [](const QByteArray &text) {
        return QString::fromUtf8(text).toCaseFolded().toUtf8();
    };
    return base::globMatches(folded(filter.match), folded(name));
}

QByteArray identityOf(const Claim &claim, const SessionFacts &facts)
{
    return claim.advisory ? claim.event : facts.identity;
}

void describeHolder(Observation &lock, const Picture &picture, const Claim &claim,
                    const PictureMemory &memory)
{
    const SessionFacts facts = picture.sessions.value(claim.session);
    lock.identity = identityOf(claim, facts);
    lock.ownIdentity = true; // the server counts the events of a thread, and the transactions
    lock.acquiredUs = claim.sinceUs;
    lock.acquiredWindowUs = claim.windowUs;
    lock.session = std::make_shared<const domain::Session>(facts.session);
    lock.token = facts.session.id;
    lock.freshness = claim.freshness;
    lock.off = facts.session.protectedAs;
    if (lock.off == ReleaseOff::None && !facts.instrumented)
        lock.off = ReleaseOff::Instrument;
    if (lock.off == ReleaseOff::None && !memory.isMature(claim, lock.identity, picture.endedUs))
        lock.off = ReleaseOff::TooYoung;
}

Observation observationOf(const Picture &picture, const Contest &contest, const PictureFilter &filter,
                          const PictureMemory &memory)
{
    const bool held = !contest.holders.isEmpty();
    const Claim &claim = picture.claims.at(held ? contest.holders.first() : contest.waiters.first());
    Observation lock;
    lock.set = filter.set;
    lock.held = true;
    lock.expiry = domain::ExpiryKind::None;
    lock.name = claim.advisory ? claim.name : claim.place.sliced(filter.place.size()) + '/' + claim.name;
    lock.waitersVisible = !claim.advisory || picture.seesAdvisoryWaiters;
    lock.waiters = waitersOf(picture, contest);
    lock.ownerKnown = held;
    lock.owner = ownersText(picture, contest.holders);
    if (contest.holders.size() == 1)
        describeHolder(lock, picture, claim, memory);
    else if (held) // several sessions share it: ending one of them frees nothing
        lock.off = ReleaseOff::Unsupported;
    else
        lock.flaw = Flaw::NullIdentity;
    return lock;
}

/** The holders of the record itself; holders of a gap only where somebody waits for them. */
Contest relevant(const Picture &picture, const Contest &contest)
{
    Contest kept = contest;
    kept.holders.removeIf([&picture](qsizetype i) { return !holdsRecord(picture.claims.at(i)); });
    if (kept.holders.isEmpty() && !kept.waiters.isEmpty())
        kept.holders = blockersOf(picture, contest, 0);
    kept.holders.removeIf([&picture](qsizetype i) { return picture.claims.at(i).waiting; });
    // A session may hold one record in two modes.
    QSet<QByteArray> seen;
    kept.holders.removeIf([&](qsizetype i) {
        const QByteArray &session = picture.claims.at(i).session;
        const bool again = seen.contains(session);
        seen.insert(session);
        return again;
    });
    return kept;
}
} // namespace

QByteArray ownerText(const domain::Session &session)
{
    QByteArray text = session.user;
    if (!session.client.isEmpty())
        text += '@' + session.client;
    return text.isEmpty() ? session.id : text + '#' + session.id;
}

bool hasToWait(quint8 waiter, quint8 holder)
{
    if ((waiter & Shared) && (holder & Shared))
        return false;
    if (holder & InsertIntention)
        return false;
    if ((waiter & GapOnly) && !(waiter & InsertIntention))
        return false;
    if ((holder & GapOnly) && !(waiter & InsertIntention))
        return false;
    return !((waiter & (GapOnly | InsertIntention)) && (holder & RecordOnly));
}

QByteArray PictureMemory::keyOf(const Claim &claim, const QByteArray &identity)
{
    return lockOf(claim) + '\0' + identity;
}

/** If a session's statement began before the session was last seen waiting, it is still in the same wait. */
void PictureMemory::dateWaits(Picture &picture)
{
    QHash<QByteArray, WaitWindow> now;
    for (Claim &claim : picture.claims) {
        if (!claim.waiting || !claim.sinceUs)
            continue;
        WaitWindow span{*claim.sinceUs - claim.windowUs, *claim.sinceUs};
        const QByteArray key = lockOf(claim) + '\0' + claim.session;
        if (const auto known = m_waits.constFind(key);
            known != m_waits.constEnd() && span.fromUs <= known->toUs) {
            span.toUs = std::min(span.toUs, known->toUs);
            span.fromUs = std::min(std::max(span.fromUs, known->fromUs), span.toUs);
        }
        claim.sinceUs = span.toUs;
        claim.windowUs = span.toUs - span.fromUs;
        now.insert(key, span);
    }
    m_waits = std::move(now);
}

void PictureMemory::take(Picture &picture)
{
    dateWaits(picture);
    QSet<QByteArray> shown;
    for (const Claim &claim : std::as_const(picture.claims)) {
        if (!claim.waiting)
            shown.insert(lockOf(claim) + '\0' + claim.session);
    }
    if (!picture.seesAllRowHolders) {
        for (const auto &[claim, identity] : std::as_const(m_holds)) {
            const auto session = picture.sessions.constFind(claim.session);
            if (!claim.advisory && session != picture.sessions.constEnd() && session->identity == identity &&
                !shown.contains(lockOf(claim) + '\0' + claim.session))
                picture.claims.append(claim);
        }
    }
    m_holds.clear();
    QHash<QByteArray, Acquisition> now;
    for (const Claim &claim : std::as_const(picture.claims)) {
        if (claim.waiting)
            continue;
        const QByteArray identity = identityOf(claim, picture.sessions.value(claim.session));
        Acquisition known = m_acquisitions.value(keyOf(claim, identity), {picture.endedUs, 0});
        ++known.pictures;
        now.insert(keyOf(claim, identity), known);
        m_holds.append({claim, identity});
    }
    m_acquisitions = std::move(now);
}

QSet<QByteArray> PictureMemory::sessions() const
{
    QSet<QByteArray> ids;
    for (const auto &hold : m_holds)
        ids.insert(hold.first.session);
    return ids;
}

bool PictureMemory::isMature(const Claim &claim, const QByteArray &identity, qint64 nowUs) const
{
    const Acquisition known = m_acquisitions.value(keyOf(claim, identity));
    return known.pictures >= 2 && nowUs - known.firstUs >= kMatureUs;
}

QList<Observation> observationsOf(const Picture &picture, const PictureFilter &filter,
                                  const PictureMemory &memory)
{
    QList<Observation> locks;
    for (const Contest &any : contestsOf(picture)) {
        const Claim &claim = picture.claims.at((any.holders.isEmpty() ? any.waiters : any.holders).first());
        if (claim.advisory != filter.advisory || !claim.place.startsWith(filter.place) ||
            !matches(filter, claim.name))
            continue;
        const Contest contest = relevant(picture, any);
        if (!contest.holders.isEmpty() || !contest.waiters.isEmpty())
            locks.append(observationOf(picture, contest, filter, memory));
    }
    return locks;
}

domain::WaitGraph graphOf(const Picture &picture, const QString &source)
{
    domain::WaitGraph graph;
    graph.source = source;
    graph.beganUs = picture.beganUs;
    graph.endedUs = picture.endedUs;
    graph.evidence = picture.evidence;
    graph.truncated = picture.truncated;
    graph.wholeTables = picture.wholeTables;
    QSet<QByteArray> involved;
    const auto involve = [&](const QByteArray &id) {
        if (involved.contains(id))
            return;
        involved.insert(id);
        const SessionFacts facts = picture.sessions.value(id);
        domain::Session session = facts.session;
        session.id = id;
        if (facts.rowsChanged) { // a server that counts one of them counts both
            session.rowsLocked = facts.rowsLocked;
            session.rowsChanged = facts.rowsChanged;
        }
        graph.sessions.append(session);
    };
    for (const Contest &contest : contestsOf(picture)) {
        for (qsizetype place = 0; place < contest.waiters.size(); ++place) {
            const Claim &waiter = picture.claims.at(contest.waiters.at(place));
            const QByteArray scheme = waiter.advisory ? "sql.advisory" : "sql.row";
            for (const qsizetype i : blockersOf(picture, contest, place)) {
                if (graph.edges.size() >= kMostEdges) {
                    graph.truncated = true;
                    return graph;
                }
                const Claim &blocker = picture.claims.at(i);
                involve(blocker.session);
                involve(waiter.session);
                graph.edges.append({waiter.session,
                                    blocker.session,
                                    {source, scheme, waiter.place, waiter.name},
                                    waiter.sinceUs,
                                    waiter.windowUs});
            }
        }
    }
    for (const domain::WholeTableLock &table : picture.wholeTables)
        involve(table.session);
    return graph;
}

} // namespace lockkeeper::stores::sql
