// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/listing_commands.h"

#include "app/cli/tables.h"
#include "app/cli/times.h"
#include "app/findings/error_words.h"
#include "app/findings/finding_formatter.h"
#include "app/records/records.h"
#include "shared/events/event_line.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::app::cli {

using namespace records;

using findings::FindingFormatter;

namespace {

constexpr qint64 kAuditPage = 1000;
/** An agent signs at each hundredth record and each hour. */
constexpr qint64 kUnsignedRecords = 100;
constexpr qint64 kUnsignedUs = 2 * 3'600'000'000;

QByteArray textOf(const Table &table, const Context &context)
{
    return table.render(context.terminal.width, context.terminal.colours).toUtf8();
}

/** The findings of a source, one per line, each with its remedy below. */
QString findingLines(const domain::SourceState &source, const QString &name)
{
    QString text;
    for (const domain::Finding &finding : source.findings) {
        const QString line = QStringLiteral("%1: %2: %3")
                                 .arg(name, FindingFormatter::severity(finding.severity).toLower(),
                                      FindingFormatter::text(finding, timeText(finding.whenUs)));
        const QString advice = FindingFormatter::advice(finding);
        text += QLatin1Char('\n') + line + QLatin1Char('\n');
        if (!advice.isEmpty())
            text += QStringLiteral("  ") + advice + QLatin1Char('\n');
    }
    return text;
}

} // namespace

/** Shows if this agent is the observing one, if several agents elect one; otherwise empty. */
static QString electionLine(const protocol::Status &status)
{
    if (!status.election)
        return {};
    const domain::ElectionState &election = *status.election;
    const QString since = durationInSentence(status.wallUs - election.sinceWallUs);
    const QString holder = base::displayText(election.holder);
    QString line = election.active
                       ? tr("Active for %1, epoch %2").arg(since, base::displayText(election.epoch))
                   : holder.isEmpty() ? tr("Standby for %1; no active agent is known").arg(since)
                                      : tr("Standby for %1; active is %2").arg(since, holder);
    if (election.error != base::Error())
        line += QStringLiteral(": ") + findings::ErrorWords::line(election.error);
    return line + QLatin1Char('\n');
}

QString statusHead(const protocol::Status &status)
{
    return tr("Agent %1, version %2, up %3, at event %4 (kept from %5)")
               .arg(base::displayText(status.agent), base::displayText(status.version),
                    durationInSentence(status.wallUs - status.startedWallUs))
               .arg(status.lastSeq)
               .arg(status.firstSeq) +
           QLatin1Char('\n') +
           tr("Journal %1 MiB, %2 MiB free, sessions: %3, times in %4")
               .arg(status.journalBytes / (1 << 20))
               .arg(status.diskFreeBytes / (1 << 20))
               .arg(status.sessions)
               .arg(zoneName(status.wallUs)) +
           QLatin1Char('\n') + electionLine(status);
}

QString journalFault(const protocol::Status &status)
{
    const base::Error &error = status.journalError;
    if (error == base::Error())
        return {};
    return (error.code == base::ErrorCode::Corrupt ? tr("the journal or its audit is incomplete: %1")
                                                   : tr("the journal can't write: %1"))
        .arg(findings::ErrorWords::line(error));
}

QString sourceNotes(const protocol::Status &status, const QString &prefix)
{
    QString text;
    for (const domain::SourceState &source : status.sources) {
        const QString name = prefix + base::displayText(source.name);
        const bool failed =
            source.link == domain::Link::Down || source.error.code != base::ErrorCode::Unknown;
        if (failed && !findings::ErrorWords::line(source.error).isEmpty())
            text += QStringLiteral("\n%1: %2\n").arg(name, findings::ErrorWords::line(source.error));
        text += findingLines(source, name);
        for (const domain::Access &access : source.access) {
            if (!access.granted)
                text += tr("\n%1: missing %2: %3\n")
                            .arg(name, base::displayText(access.need), base::displayText(access.remedy));
        }
    }
    return text;
}

QString changeMark(const QList<domain::LockState> &locks)
{
    const bool any = std::any_of(locks.cbegin(), locks.cend(),
                                 [](const domain::LockState &lock) { return lock.mayHaveChanged; });
    return any ? tr("~: may have changed by then: its next change can't be dated more exactly, or a part of "
                    "its "
                    "source wasn't seen.") +
                     QLatin1Char('\n')
               : QString();
}

void StatusCommand::connected(const protocol::Welcome &)
{
    send(protocol::StatusQuery{1});
}

void StatusCommand::received(const protocol::Message &message)
{
    const auto *status = std::get_if<protocol::Status>(&message);
    if (!status)
        return;
    context().part->status = *status;
    finish(Exit::Done);
}

void LocksCommand::connected(const protocol::Welcome &)
{
    if (!m_options.atUs)
        send(protocol::StatusQuery{1});
    else
        ask();
}

void LocksCommand::received(const protocol::Message &message)
{
    if (const auto *status = std::get_if<protocol::Status>(&message)) {
        m_table.setClock(status->wallUs, context().clock);
        if (streams()) // a lock's condition depends on its source, which the pages send last
            m_table.setSources(status->sources);
        ask();
        return;
    }
    const auto *page = std::get_if<protocol::SnapshotPage>(&message);
    if (!page)
        return;
    if (streams())
        writeLines(page->locks, m_table.wallUs(context().clock));
    else if (m_table.add(*page))
        context().part->locks = std::exchange(m_table, {});
    if (page->last)
        finish(Exit::Done);
}

void LocksCommand::writeLines(const QList<domain::LockState> &locks, qint64 wallUs)
{
    QHash<QString, SourceView> views;
    QByteArray lines;
    for (const domain::LockState &lock : locks) {
        auto view = views.find(lock.key.source);
        if (view == views.end())
            view = views.insert(lock.key.source, m_table.view(lock.key.source, wallUs));
        if (LiveTable::fits(lock, m_options, *view))
            appendLock(lines, lock, *view, agent());
    }
    write(lines);
}

void HistoryCommand::connected(const protocol::Welcome &welcome)
{
    const QByteArray before = std::exchange(m_journal, welcome.journal);
    if (!before.isEmpty() && before != m_journal)
        fail({base::ErrorCode::ConnectionLost, tr("the agent has started a new journal"), tr("Ask again")});
    else if (!m_writes)
        ask();
}

void HistoryCommand::ask()
{
    send(m_knowsReach || !m_pager.fromUs() ? m_pager.query() : reachQuery());
}

void HistoryCommand::lost(const base::Error &error)
{
    if (std::exchange(m_resumes, false))
        reopen();
    else
        fail(error);
}

void HistoryCommand::received(const protocol::Message &message)
{
    const auto *page = std::get_if<protocol::EventPage>(&message);
    if (!page)
        return;
    if (isReach(*page)) {
        if (const QString note = reachNote(*page, *m_pager.fromUs()); !note.isEmpty())
            context().out.note(note);
        m_knowsReach = true;
        return ask();
    }
    if (context().part) {
        const bool more = m_pager.advance(*page);
        context().part->takeEvents(page->events,
                                   more ? [this] { send(m_pager.query()); } : std::function<void()>());
        return more ? void() : finish(Exit::Done);
    }
    m_any = m_any || !page->events.isEmpty();
    QByteArray lines;
    if (context().json) {
        for (const events::LockEvent &event : page->events)
            events::appendLine(lines, event, agent());
    } else if (!page->events.isEmpty()) {
        lines = textOf(eventsTable(page->events), context());
    }
    if (m_pager.advance(*page)) {
        m_resumes = true;
        m_writes = true;
        write(lines, [this] {
            m_writes = false;
            send(m_pager.query());
        });
        return;
    }
    write(lines);
    if (!m_any && !context().json)
        context().out.note(tr("no event matches"));
    finish(Exit::Done);
}

void HoldsCommand::connected(const protocol::Welcome &)
{
    if (m_options.fromUs)
        send(reachQuery());
    else
        ask();
}

void HoldsCommand::ask()
{
    protocol::HoldsQuery query;
    query.id = 1;
    query.source = m_options.source;
    query.lockGlob = m_options.lockGlob;
    query.fromUs = m_options.fromUs;
    query.toUs = m_options.toUs;
    query.limit = m_options.limit;
    send(query);
}

void HoldsCommand::received(const protocol::Message &message)
{
    if (const auto *reach = std::get_if<protocol::EventPage>(&message)) {
        if (const QString note = reachNote(*reach, *m_options.fromUs); !note.isEmpty())
            context().out.note(note);
        return ask();
    }
    const auto *page = std::get_if<protocol::HoldPage>(&message);
    if (!page)
        return;
    context().part->holds = page->holds;
    context().part->more = page->more;
    finish(Exit::Done);
}

void AuditCommand::connected(const protocol::Welcome &)
{
    ask();
}

void AuditCommand::ask()
{
    protocol::AuditQuery query;
    query.id = 1;
    query.beforeId = m_before;
    query.limit = int(m_options.limit == 0 ? kAuditPage : std::min(kAuditPage, m_options.limit - m_count));
    query.verify = (m_options.verify || m_options.printsHead) && !m_chain;
    query.soughtHash = m_options.head;
    if (m_options.key)
        query.keyId = m_options.key->id();
    if (m_options.printsHead)
        query.limit = 1;
    send(query);
}

void AuditCommand::received(const protocol::Message &message)
{
    const auto *page = std::get_if<protocol::AuditPage>(&message);
    if (!page)
        return;
    if ((m_options.verify || m_options.printsHead) && !m_chain) {
        m_chain = *page;
        m_chain->entries.clear();
    }
    if (m_options.printsHead) {
        printHead();
        return;
    }
    m_count += page->entries.size();
    const bool full = m_options.limit != 0 && m_count >= m_options.limit;
    if (page->more && !full && !page->entries.isEmpty()) {
        m_before = page->entries.constLast().id;
        print(page->entries, [this] { ask(); });
        return;
    }
    print(page->entries);
    conclude();
}

void AuditCommand::printHead()
{
    if (const QString fault = chainFault(); !fault.isEmpty()) {
        context().out.note(fault);
        finish(Exit::Failed);
        return;
    }
    const QString hash = QString::fromLatin1(m_chain->hash.toHex());
    if (context().json)
        write(jsonLine({{QStringLiteral("agent"), agent()},
                        {QStringLiteral("records"), m_chain->records},
                        {QStringLiteral("hash"), hash},
                        {QStringLiteral("t_us"), m_chain->checkedUs}}));
    else
        write(tr("%1 at %2 %3: the audit has %4 records. Compare later: "
                 "lockkeeperctl audit --verify --at-least %4 --head %5",
                 "agent, time, zone, number, hash")
                  .arg(base::displayText(agent()), timeText(m_chain->checkedUs), zoneName(m_chain->checkedUs))
                  .arg(m_chain->records)
                  .arg(hash)
                  .toUtf8() +
              '\n');
    finish(Exit::Done);
}

void AuditCommand::print(const QList<domain::AuditEntry> &entries, const std::function<void()> &then)
{
    QByteArray lines;
    if (context().part) {
        m_entries += entries;
    } else if (context().json) {
        for (const domain::AuditEntry &entry : entries)
            lines += jsonLine(auditObject(entry));
    } else if (!entries.isEmpty()) {
        lines = textOf(auditTable(entries), context());
    }
    write(lines, then);
}

void AuditCommand::conclude()
{
    if (context().part)
        context().part->audit = m_entries;
    else if (!context().json && m_count == 0)
        context().out.note(tr("the audit is empty"));
    if (!m_chain) {
        finish(Exit::Done);
        return;
    }
    if (context().json) {
        QJsonObject chain = chainObject(*m_chain);
        if (context().part)
            chain.insert(QStringLiteral("agent"), agent());
        write(jsonLine(chain));
    }
    for (const QString &fault : {chainFault(), expectationFault(), signatureFault()}) {
        if (fault.isEmpty())
            continue;
        context().out.note(fault);
        finish(Exit::Failed);
        return;
    }
    if (!context().json) {
        QString text =
            tr("Chain verified at %1 %2.").arg(timeText(m_chain->checkedUs), zoneName(m_chain->checkedUs));
        if (const auto &anchor = m_chain->anchor)
            text += QLatin1Char(' ') + tr("Compared with the head of %1 records that was signed at %2 %3.")
                                           .arg(anchor->records)
                                           .arg(timeText(anchor->timeUs), zoneName(anchor->timeUs));
        if (m_options.key)
            text += QLatin1Char(' ') + tr("Signed with this key until record %1 of %2.")
                                           .arg(m_chain->signature->records)
                                           .arg(m_chain->records);
        for (const qint64 id : std::as_const(m_chain->accepted))
            text += QLatin1Char(' ') + tr("An incomplete audit was accepted: entry %1.").arg(id);
        if (context().part)
            text.prepend(base::displayText(agent()) + QStringLiteral(": "));
        write((text + QLatin1Char('\n')).toUtf8());
    }
    finish(Exit::Done);
}

/** The reason why the agent rejects the chain; empty if the chain is intact. */
QString AuditCommand::chainFault() const
{
    if (m_chain->verified)
        return {};
    const QString where = m_chain->firstBadId ? tr("entry %1").arg(*m_chain->firstBadId) : tr("its end");
    return tr("the chain of the audit is broken at %1: %2", "entry, cause")
        .arg(where, findings::ErrorWords::line(m_chain->fault));
}

/** The reason why the chain doesn't match the caller's earlier knowledge; empty if it matches. */
QString AuditCommand::expectationFault() const
{
    if (m_chain->records < m_options.atLeast)
        return tr("the audit has %1 records and should have %2: the last ones are missing")
            .arg(m_chain->records)
            .arg(m_options.atLeast);
    if (!m_options.head.isEmpty() && !m_chain->soughtRecord)
        return tr("no record of the audit has the hash %1: it was rewritten, or is another agent's")
            .arg(QString::fromLatin1(m_options.head.toHex()));
    if (m_chain->anchor || !m_options.head.isEmpty())
        return {};
    return tr(
        "the chain holds, but there was no earlier head to compare it with: a shorter chain, or "
        "another one, would look the same. Compare it with a head of your own (--at-least, --head), and "
        "see in the agent's log why none is kept beside its key");
}

/** The reason why the given key doesn't verify the chain; empty if it does. */
QString AuditCommand::signatureFault() const
{
    if (!m_options.key)
        return {};
    const auto &signature = m_chain->signature;
    if (!signature || !signature->isBy(*m_options.key))
        return tr("the audit isn't signed with this key. Compare it with the agent's audit.key.pub");
    if (m_chain->records - signature->records < kUnsignedRecords &&
        m_chain->checkedUs - signature->timeUs < kUnsignedUs)
        return {};
    return tr("the last signature with this key is of %1 %2, at record %3 of %4. The agent's log says why it "
              "signs no more")
        .arg(timeText(signature->timeUs), zoneName(signature->timeUs))
        .arg(signature->records)
        .arg(m_chain->records);
}

} // namespace lockkeeper::app::cli
