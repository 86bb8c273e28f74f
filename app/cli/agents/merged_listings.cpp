// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/agents/merged_listings.h"

#include "app/cli/agents/seen_once.h"
#include "app/cli/approval_commands.h"
#include "app/cli/contention_command.h"
#include "app/cli/listing_commands.h"
#include "app/cli/tables.h"
#include "app/records/records.h"
#include "shared/base/text.h"
#include "shared/events/event_line.h"

#include <limits>
#include <tuple>

namespace lockkeeper::app::cli {

using namespace records;

namespace {

/** Ranks as an agent does: by total waiting time, then the number of waits, then the number of holds. */
bool costsMore(const domain::Contention &a, const domain::Contention &b)
{
    const auto rank = [](const domain::Contention &c) {
        return std::tuple(c.waits.totalUs, c.waits.count, c.holds.count);
    };
    return rank(a) > rank(b);
}

qsizetype limitOf(qint64 limit)
{
    return limit == 0 ? std::numeric_limits<qsizetype>::max() : qsizetype(limit);
}

} // namespace

QList<qsizetype> MergedListings::answered() const
{
    QList<qsizetype> answered;
    for (qsizetype i = 0; i < m_agents.count(); ++i) {
        if (m_agents.hasAnswered(i))
            answered.append(i);
    }
    return answered;
}

QString MergedListings::label(qsizetype agent) const
{
    return m_agents.part(agent).label;
}

/** A lone agent isn't named. */
QString MergedListings::prefix(qsizetype agent, QLatin1String separator) const
{
    return m_agents.count() > 1 ? base::displayText(label(agent)) + separator : QString();
}

QJsonObject MergedListings::named(QJsonObject object, qsizetype agent) const
{
    return m_agents.count() > 1 ? withAgent(std::move(object), label(agent)) : object;
}

void MergedListings::addRows(std::optional<Table> &all, Table rows, const QString &agent) const
{
    if (m_agents.count() > 1)
        rows.prepend({QStringLiteral("AGENT"), Table::Align::Left, false, 5, 0}, base::displayText(agent));
    if (all)
        all->append(rows);
    else
        all = std::move(rows);
}

void MergedListings::show(const std::optional<Table> &table, const QString &nothing)
{
    if (table && !table->isEmpty())
        m_context.out.text(table->render(m_context.terminal.width, m_context.terminal.colours));
    else if (!nothing.isEmpty() && m_agents.status() == Exit::Done) // otherwise that is unknown
        m_context.out.note(nothing);
}

void MergedListings::status()
{
    std::optional<Table> table;
    QString heads;
    QString notes;
    for (const qsizetype i : answered()) {
        protocol::Status status = m_agents.part(i).status.value_or(protocol::Status());
        status.agent = label(i);
        if (m_context.json) {
            m_context.out.write(jsonLine(statusObject(status)));
            continue;
        }
        heads += statusHead(status);
        notes += sourceNotes(status, prefix(i, QLatin1String("/")));
        if (const QString fault = journalFault(status); !fault.isEmpty())
            m_context.out.note(prefix(i, QLatin1String(": ")) + fault);
        addRows(table, sourcesTable(status), label(i));
    }
    if (heads.isEmpty())
        return;
    m_context.out.text(heads + QLatin1Char('\n'));
    show(table, {});
    m_context.out.text(notes);
}

QList<MergedListings::ShownLocks> MergedListings::shownLocks(const LocksOptions &options) const
{
    const QList<qsizetype> agents = answered();
    QList<const LiveTable *> tables;
    for (const qsizetype i : agents)
        tables.append(&m_agents.part(i).locks);
    const SeenOnce once(tables);
    QList<ShownLocks> shown;
    for (qsizetype i = 0; i < agents.size(); ++i) {
        ShownLocks own{agents.at(i), options.atUs.value_or(tables.at(i)->wallUs(m_context.clock)), {}, {}};
        for (const domain::LockState &lock : tables.at(i)->listed(options, own.wallUs)) {
            if (once.isShownByAnother(i, lock.key))
                continue;
            QStringList also;
            for (const qsizetype other : once.alsoSeenBy(i, lock.key))
                also.append(label(agents.at(other)));
            own.locks.append(lock);
            own.also.append(also);
        }
        shown.append(own);
    }
    return shown;
}

std::optional<QStringList> MergedListings::othersOf(const ShownLocks &own, qsizetype lock) const
{
    return m_agents.count() > 1 ? std::optional(own.also.at(lock)) : std::nullopt;
}

void MergedListings::eachLock(const LocksOptions &options,
                              const std::function<void(const QJsonObject &)> &take)
{
    for (const ShownLocks &own : shownLocks(options)) {
        for (qsizetype i = 0; i < own.locks.size(); ++i) {
            const domain::LockState &lock = own.locks.at(i);
            SourceView view = m_agents.part(own.agent).locks.view(lock.key.source, own.wallUs);
            view.asOfUs = options.atUs;
            take(lockObject(lock, view, label(own.agent), othersOf(own, i)));
        }
    }
}

QByteArray MergedListings::lines(const ShownLocks &own, const LocksOptions &options) const
{
    QByteArray lines;
    QHash<QString, SourceView> views;
    for (qsizetype i = 0; i < own.locks.size(); ++i) {
        const domain::LockState &lock = own.locks.at(i);
        auto view = views.find(lock.key.source);
        if (view == views.end()) {
            view = views.insert(lock.key.source,
                                m_agents.part(own.agent).locks.view(lock.key.source, own.wallUs));
            view->asOfUs = options.atUs;
        }
        appendLock(lines, lock, *view, label(own.agent), othersOf(own, i));
    }
    return lines;
}

void MergedListings::locks(const LocksOptions &options)
{
    const QList<ShownLocks> shown = shownLocks(options);
    if (m_context.json) {
        for (const ShownLocks &own : shown)
            m_context.out.write(lines(own, options));
        return;
    }
    std::optional<Table> table;
    QString mark;
    QString moment = options.atUs ? momentLine(*options.atUs) : QString();
    for (const ShownLocks &own : shown) {
        const LiveTable &live = m_agents.part(own.agent).locks;
        for (qsizetype i = 0, next = 0; i < own.locks.size(); i = next) {
            while (next < own.locks.size() && own.also.at(next) == own.also.at(i))
                ++next;
            const QStringList seers = QStringList{label(own.agent)} + own.also.at(i);
            addRows(table, locksTable(own.locks.mid(i, next - i), live, own.wallUs),
                    seers.join(QLatin1Char(',')));
        }
        if (mark.isEmpty())
            mark = changeMark(own.locks);
        if (options.atUs)
            moment += unseenLines(live.sources(), options.source, prefix(own.agent, QLatin1String("/")));
    }
    if (options.atUs)
        m_context.out.text(moment + QLatin1Char('\n'));
    show(table, tr("no lock matches"));
    m_context.out.text(mark);
}

void MergedListings::holds(const HoldsOptions &options)
{
    QList<Answers<protocol::Hold>> answers;
    const QList<qsizetype> agents = answered();
    for (const qsizetype i : agents)
        answers.append({m_agents.part(i).holds, m_agents.part(i).more});
    const auto later = [](const protocol::Hold &a, const protocol::Hold &b) { return a.fromUs > b.fromUs; };
    const auto merged = mergeInOrder(answers, later, options.limit);
    std::optional<Table> table;
    for (const Merged<protocol::Hold> &one : merged.list) {
        const qsizetype agent = agents.at(one.agent);
        if (m_context.json)
            m_context.out.write(jsonLine(named(holdObject(one.item), agent)));
        else
            addRows(table, holdsTable({one.item}), label(agent));
    }
    if (!m_context.json)
        show(table, tr("no hold matches"));
    if (merged.more)
        m_context.out.note(tr("there are more: narrow them with --from and --to, or raise --limit"));
}

void MergedListings::audit(const AuditOptions &options)
{
    QList<Answers<domain::AuditEntry>> answers;
    QList<qsizetype> agents;
    for (qsizetype i = 0; i < m_agents.count(); ++i) {
        if (const auto &entries = m_agents.part(i).audit) { // also if the chain is broken
            agents.append(i);
            answers.append({*entries, false});
        }
    }
    const auto later = [](const domain::AuditEntry &a, const domain::AuditEntry &b) {
        return a.timeUs > b.timeUs;
    };
    const auto merged = mergeInOrder(answers, later, limitOf(options.limit));
    std::optional<Table> table;
    for (const Merged<domain::AuditEntry> &one : merged.list) {
        const QString agent = label(agents.at(one.agent));
        if (m_context.json)
            m_context.out.write(jsonLine(withAgent(auditObject(one.item), agent)));
        else
            addRows(table, auditTable({one.item}), agent);
    }
    if (!m_context.json)
        show(table, tr("the audit is empty"));
}

void MergedListings::contention(const ContentionOptions &options)
{
    QList<Answers<domain::Contention>> answers;
    const QList<qsizetype> agents = answered();
    for (const qsizetype i : agents)
        answers.append({m_agents.part(i).contention.locks, m_agents.part(i).contention.more});
    const auto merged = mergeInOrder(answers, costsMore, options.top);
    std::optional<Table> table;
    QList<domain::Contention> shown;
    for (const Merged<domain::Contention> &one : merged.list) {
        const qsizetype agent = agents.at(one.agent);
        protocol::ContentionPage page = m_agents.part(agent).contention;
        page.locks = {one.item};
        shown.append(one.item);
        if (m_context.json)
            m_context.out.write(jsonLine(named(contentionObject(one.item, page), agent)));
        else
            addRows(table, contentionTable(page), label(agent));
    }
    if (!m_context.json) {
        show(table, tr("no lock was waited for or changed hands in this time"));
        if (const QString mark = blindMark(shown); !mark.isEmpty())
            m_context.out.note(mark);
    }
    if (merged.more)
        m_context.out.note(tr("there are more: raise --top"));
}

void MergedListings::approvals()
{
    std::optional<Table> table;
    for (const qsizetype i : answered()) {
        const QList<domain::ApprovalRequest> &requests = m_agents.part(i).approvals;
        if (!m_context.json)
            addRows(table, approvalsTable(requests, m_agents.part(i).status->wallUs), label(i));
        for (const domain::ApprovalRequest &request : requests) {
            if (m_context.json)
                m_context.out.write(jsonLine(approvalObject(request, label(i))));
        }
    }
    if (!m_context.json)
        show(table, tr("no force-release waits for approval"));
}

QByteArray MergedListings::events(const QList<Merged<events::LockEvent>> &list) const
{
    std::optional<Table> table;
    QByteArray lines;
    for (const auto &[agent, event] : list) {
        if (m_context.json)
            events::appendLine(lines, event, label(agent));
        else
            addRows(table, eventsTable({event}), label(agent));
    }
    if (table)
        lines = table->render(m_context.terminal.width, m_context.terminal.colours).toUtf8();
    return lines;
}

} // namespace lockkeeper::app::cli
