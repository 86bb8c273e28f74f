// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/tables.h"

#include "app/cli/command.h"
#include "app/cli/lock_name.h"
#include "app/cli/times.h"
#include "app/records/records.h"
#include "shared/base/clock.h"

namespace lockkeeper::app::cli {

using namespace records;

using domain::Condition;

namespace {

QString ownerText(bool known, const QByteArray &owner)
{
    if (!known)
        return QStringLiteral("NULL");
    return owner.isEmpty() ? dash() : shownText(owner); // a layout that keeps no holder
}

QString ownerText(const events::LockEvent &event)
{
    const bool unseen = !event.ownerKnown && event.detail.unseen;
    return unseen ? QStringLiteral("not seen") : ownerText(event.ownerKnown, event.owner);
}

QString zoneNow()
{
    return zoneName(base::SystemClock().wallUs());
}

QString waitersText(const domain::LockState &lock)
{
    const auto count = lock.waiterCount();
    return count ? QString::number(*count) : dash();
}

/** "previous w2, cause gap": the detail of an event in its own order. */
QString detailText(const events::LockEvent &event)
{
    QStringList parts;
    if (event.waiter)
        parts.append(QStringLiteral("waiter %1").arg(base::displayText(*event.waiter)));
    if (event.ttlMs)
        parts.append(QStringLiteral("lease %1").arg(durationText(*event.ttlMs * 1000)));
    const QJsonObject detail = event.detail.toJson();
    for (auto it = detail.begin(); it != detail.end(); ++it) {
        const QJsonValue value = it.value();
        const QString text = value.isString()   ? base::displayText(value.toString())
                             : value.isDouble() ? QString::number(value.toInteger())
                             : value.isBool()
                                 ? (value.toBool() ? QStringLiteral("yes") : QStringLiteral("no"))
                                 : QString();
        if (it.key().endsWith(QLatin1String("_us")) && value.isDouble())
            parts.append(QStringLiteral("%1 %2").arg(it.key().chopped(3), timeText(value.toInteger())));
        else if (!text.isEmpty())
            parts.append(QStringLiteral("%1 %2").arg(base::displayText(it.key()), text));
    }
    if (!event.command.isEmpty())
        parts.append(QStringLiteral("command %1").arg(base::displayText(event.command)));
    return parts.join(QStringLiteral(", "));
}

/** The uncertainty of the event's time; an event found at the start is older than its time. */
QString windowOf(const events::LockEvent &event)
{
    return event.detail.firstSeen ? QStringLiteral("≥") : windowText(event.windowUs);
}

} // namespace

QString conditionText(Condition condition)
{
    switch (condition) {
    case Condition::Unknown:
        return tr("unknown");
    case Condition::Stuck:
        return tr("stuck");
    case Condition::Expired:
        return tr("expired");
    case Condition::Contended:
        return tr("contended");
    case Condition::Expiring:
        return tr("expiring");
    case Condition::Held:
        return tr("held");
    case Condition::Optimistic:
        return tr("optimistic");
    case Condition::Free:
        return tr("free");
    }
    return {};
}

QString conditionCode(Condition condition)
{
    switch (condition) {
    case Condition::Stuck:
        return QStringLiteral("1;31");
    case Condition::Expired:
    case Condition::Expiring:
        return QStringLiteral("33");
    case Condition::Contended:
        return QStringLiteral("35");
    case Condition::Held:
        return QStringLiteral("34");
    case Condition::Unknown:
        return QStringLiteral("3");
    case Condition::Optimistic:
    case Condition::Free:
        return QStringLiteral("2");
    }
    return {};
}

Table locksTable(const QList<domain::LockState> &locks, const LiveTable &live, qint64 wallUs)
{
    using Align = Table::Align;
    Table table({{QStringLiteral("STATE"), Align::Left, false, 8, 0},
                 {QStringLiteral("LOCK"), Align::Left, true, 16, 0},
                 {QStringLiteral("HOLDER"), Align::Left, true, 10, 0},
                 {QStringLiteral("HELD_FOR"), Align::Right, false, 8, 2},
                 {QStringLiteral("±"), Align::Left, false, 1, 2},
                 {QStringLiteral("REMAINING"), Align::Right, false, 8, 1},
                 {QStringLiteral("WAITERS"), Align::Right, false, 7, 4},
                 {QStringLiteral("SOURCE"), Align::Left, false, 8, 3},
                 {QStringLiteral("SCHEME"), Align::Left, false, 8, 5},
                 {QStringLiteral("PLACE"), Align::Left, false, 5, 6}});
    QHash<QString, SourceView> views;
    for (const domain::LockState &lock : locks) {
        auto view = views.constFind(lock.key.source);
        if (view == views.constEnd())
            view = views.insert(lock.key.source, live.view(lock.key.source, wallUs));
        const Condition condition = conditionOf(lock, *view);
        const QString unseen = QStringLiteral("?");
        const QString word = latin(domain::conditionName(condition));
        table.add({lock.mayHaveChanged ? word + QLatin1Char('~') : word, lockName(lock.key),
                   lock.isHeld() ? ownerText(lock.ownerKnown, lock.owner) : dash(),
                   view->stale ? unseen : heldText(lock, view->nowUs),
                   view->stale ? unseen : heldWindowText(lock),
                   view->stale ? unseen : remainingText(lock, view->nowUs), waitersText(lock),
                   base::displayText(lock.key.source), base::displayText(lock.key.scheme),
                   base::displayText(lock.key.place)},
                  conditionCode(condition));
    }
    return table;
}

QString momentText(qint64 atUs, const QList<domain::SourceState> &sources, const QString &onlySource,
                   const QString &prefix)
{
    return momentLine(atUs) + unseenLines(sources, onlySource, prefix) + QLatin1Char('\n');
}

QString momentLine(qint64 atUs)
{
    return tr("As of %1 %2").arg(timeText(atUs), zoneName(atUs)) + QLatin1Char('\n');
}

QString unseenLines(const QList<domain::SourceState> &sources, const QString &onlySource,
                    const QString &prefix)
{
    QString text;
    for (const domain::SourceState &source : sources) {
        if (!onlySource.isEmpty() && source.name != onlySource)
            continue;
        const QString name = prefix + base::displayText(source.name);
        for (const domain::Finding &finding : source.findings) {
            if (finding.code == domain::kPartUnseen)
                text += tr("%1: its part %2 wasn't seen then: its locks may have changed (~)")
                            .arg(name, base::displayText(finding.value)) +
                        QLatin1Char('\n');
        }
        if (source.link == domain::Link::Up)
            continue;
        text += (source.gapSinceUs ? tr("%1: not seen then, last at %2; its locks are as last known")
                                         .arg(name, timeText(*source.gapSinceUs))
                                   : tr("%1: not seen then, nor before").arg(name)) +
                QLatin1Char('\n');
    }
    return text;
}

Table eventsTable(const QList<events::LockEvent> &events)
{
    using Align = Table::Align;
    Table table({{QStringLiteral("TIME(%1)").arg(zoneNow()), Align::Left, false, 12, 0},
                 {QStringLiteral("±"), Align::Left, false, 1, 2},
                 {QStringLiteral("EVENT"), Align::Left, false, 8, 0},
                 {QStringLiteral("LOCK"), Align::Left, true, 16, 0},
                 {QStringLiteral("HOLDER"), Align::Left, true, 10, 1},
                 {QStringLiteral("SOURCE"), Align::Left, false, 8, 2},
                 {QStringLiteral("SEQ"), Align::Right, false, 4, 3},
                 {QStringLiteral("DETAIL"), Align::Left, true, 8, 4}});
    for (const events::LockEvent &e : events)
        table.add({timeText(e.timeUs), windowOf(e), latin(events::kindName(e.kind)),
                   e.isSourceEvent() ? dash() : lockName(e.key), e.isSourceEvent() ? dash() : ownerText(e),
                   base::displayText(e.key.source), e.seq ? QString::number(e.seq) : dash(), detailText(e)});
    return table;
}

QString eventLine(const events::LockEvent &event)
{
    const bool ofLock = !event.isSourceEvent();
    QStringList parts{timeText(event.timeUs),
                      zoneName(event.timeUs),
                      windowOf(event),
                      latin(events::kindName(event.kind)),
                      base::displayText(event.key.source),
                      ofLock ? lockName(event.key) : dash(),
                      ofLock ? ownerText(event) : dash()};
    const QString detail = detailText(event);
    if (!detail.isEmpty())
        parts << QLatin1Char('(') + detail + QLatin1Char(')');
    return parts.join(QStringLiteral("  "));
}

Table holdsTable(const QList<protocol::Hold> &holds)
{
    using Align = Table::Align;
    Table table({{QStringLiteral("FROM(%1)").arg(zoneNow()), Align::Left, false, 12, 0},
                 {QStringLiteral("±"), Align::Left, false, 1, 3},
                 {QStringLiteral("TO"), Align::Left, false, 12, 3},
                 {QStringLiteral("±"), Align::Left, false, 1, 3},
                 {QStringLiteral("HELD_FOR"), Align::Right, false, 8, 0},
                 {QStringLiteral("WAITED"), Align::Right, false, 6, 4},
                 {QStringLiteral("±"), Align::Left, false, 1, 4},
                 {QStringLiteral("END"), Align::Left, false, 8, 1},
                 {QStringLiteral("LOCK"), Align::Left, true, 16, 0},
                 {QStringLiteral("HOLDER"), Align::Left, true, 10, 0},
                 {QStringLiteral("SOURCE"), Align::Left, false, 8, 2},
                 {QStringLiteral("RENEWALS"), Align::Right, false, 8, 5},
                 {QStringLiteral("BY"), Align::Left, false, 4, 4},
                 {QStringLiteral("REASON"), Align::Left, true, 8, 4}});
    for (const protocol::Hold &h : holds) {
        const QString may = h.mayBe.isEmpty() ? QString() : QStringLiteral("?");
        table.add({timeText(h.fromUs), h.startSeen ? windowText(h.fromWindowUs) : QStringLiteral("≥"),
                   timeText(h.toUs), h.toUs ? windowText(h.toWindowUs) : dash(),
                   h.toUs ? durationText(*h.toUs - h.fromUs) : dash(),
                   h.waitedUs ? durationText(*h.waitedUs) : dash(),
                   !h.waitedUs  ? dash()
                   : h.waitSeen ? windowText(h.fromWindowUs)
                                : QStringLiteral("≥"),
                   h.end.isEmpty() ? QStringLiteral("held") : base::displayText(h.end) + may, lockName(h.key),
                   ownerText(h.ownerKnown, h.owner), base::displayText(h.key.source),
                   QString::number(h.renewals), h.by.isEmpty() ? dash() : base::displayText(h.by),
                   h.reason.isEmpty() ? dash() : base::displayText(h.reason)});
    }
    return table;
}

Table auditTable(const QList<domain::AuditEntry> &entries)
{
    using Align = Table::Align;
    Table table({{QStringLiteral("ID"), Align::Right, false, 3, 0},
                 {QStringLiteral("TIME(%1)").arg(zoneNow()), Align::Left, false, 12, 2},
                 {QStringLiteral("WHO"), Align::Left, false, 6, 0},
                 {QStringLiteral("OUTCOME"), Align::Left, false, 8, 0},
                 {QStringLiteral("LOCK"), Align::Left, true, 16, 0},
                 {QStringLiteral("HOLDER"), Align::Left, true, 10, 1},
                 {QStringLiteral("SOURCE"), Align::Left, false, 8, 3},
                 {QStringLiteral("COMMAND"), Align::Left, false, 8, 4},
                 {QStringLiteral("REASON"), Align::Left, true, 12, 0}});
    // An entry whose intent was lost has neither time nor user nor lock.
    for (const domain::AuditEntry &e : entries) {
        const QString who = e.approver.isEmpty() ? e.who : e.who + QStringLiteral(" + ") + e.approver;
        table.add({QString::number(e.id) + (e.intact ? QString() : QStringLiteral("!")),
                   e.timeUs == 0 ? dash() : timeText(e.timeUs),
                   who.isEmpty() ? dash() : base::displayText(who), latin(domain::outcomeName(e.outcome)),
                   e.isProbe()                             ? QStringLiteral("(probe)")
                   : e.isLogin()                           ? QStringLiteral("(login)")
                   : e.isDiscovery()                       ? QStringLiteral("(discover)")
                   : e.isAcceptance()                      ? QStringLiteral("(audit)")
                   : e.key.name.isEmpty() && e.timeUs == 0 ? dash()
                                                           : lockName(e.key),
                   e.holder.isEmpty() ? dash() : base::displayText(e.holder),
                   e.key.source.isEmpty() ? dash() : base::displayText(e.key.source),
                   e.command.isEmpty() ? dash() : base::displayText(e.command), base::displayText(e.reason)});
    }
    return table;
}

Table sourcesTable(const protocol::Status &status)
{
    using Align = Table::Align;
    Table table({{QStringLiteral("SOURCE"), Align::Left, true, 10, 0},
                 {QStringLiteral("LINK"), Align::Left, false, 4, 0},
                 {QStringLiteral("SEEN_AGO"), Align::Right, false, 6, 0},
                 {QStringLiteral("LOCKS"), Align::Right, false, 5, 0},
                 {QStringLiteral("HELD"), Align::Right, false, 4, 4},
                 {QStringLiteral("EXPIRED"), Align::Right, false, 7, 3},
                 {QStringLiteral("STUCK"), Align::Right, false, 5, 2},
                 {QStringLiteral("CONTENDED"), Align::Right, false, 9, 5},
                 {QStringLiteral("GAP_SINCE"), Align::Left, false, 9, 6},
                 {QStringLiteral("CLOCK"), Align::Right, false, 6, 7},
                 {QStringLiteral("SERVER"), Align::Left, true, 8, 8}});
    const auto count = [](qint64 locks) { return locks < 0 ? dash() : QString::number(locks); };
    for (const domain::SourceState &s : status.sources)
        table.add({base::displayText(s.name), latin(domain::linkName(s.link)),
                   s.lastSeenWallUs ? durationText(std::max<qint64>(0, status.wallUs - *s.lastSeenWallUs))
                                    : QStringLiteral("never"),
                   count(s.counts.total), count(s.counts.held), count(s.counts.expired),
                   count(s.counts.stuck), count(s.counts.contended), timeText(s.gapSinceUs),
                   durationText(s.clockOffsetUs), base::displayText(s.server)},
                  s.link == domain::Link::Up || s.link == domain::Link::Standby ? QString()
                                                                                : QStringLiteral("1;31"));
    return table;
}

} // namespace lockkeeper::app::cli
