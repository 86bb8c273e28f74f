// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/overview_command.h"

#include "app/cli/contention_command.h"
#include "app/cli/tables.h"
#include "app/cli/times.h"
#include "app/overview/overview_formatter.h"

#include <QJsonArray>

#include <algorithm>

namespace lockkeeper::app::cli {

using overview::Overview;
using overview::OverviewFormatter;

namespace {

constexpr qint64 kHourUs = 3'600'000'000;
constexpr std::array<qint64, 3> kAgoUs{0, 24 * kHourUs, 7 * 24 * kHourUs};
constexpr int kMostRanked = 1'000;
constexpr int kTop = 5;
constexpr int kMostBreaks = 5;
constexpr int kAuditPage = 50; ///< probes stand in the audit, too

enum Question : quint64 { AskStatus = 1, AskLocks, AskAudit, AskPeriods };

Table attentionTable(const Overview &overview)
{
    using Align = Table::Align;
    Table table({{tr("STATE"), Align::Left, false, 8, 0},
                 {tr("LOCK"), Align::Left, true, 16, 0},
                 {tr("FOR"), Align::Right, false, 8, 0},
                 {tr("WAITERS"), Align::Right, false, 7, 2},
                 {tr("SOURCE"), Align::Left, false, 8, 1},
                 {tr("WHY"), Align::Left, true, 12, 3}});
    for (const overview::Attention &one : overview.attention) {
        const domain::Condition condition = domain::condition(one.lock, one.nowUs);
        const auto waiters = one.lock.waiterCount();
        table.add({conditionText(condition), base::displayText(one.lock.key.name),
                   one.sinceUs ? durationText(std::max<qint64>(0, one.nowUs - *one.sinceUs)) : dash(),
                   waiters ? QString::number(*waiters) : dash(), base::displayText(one.lock.key.source),
                   OverviewFormatter::why(one.why)},
                  conditionCode(condition));
    }
    return table;
}

QJsonValue text(const QString &value)
{
    return value.isEmpty() ? QJsonValue() : QJsonValue(value);
}

} // namespace

OverviewCommand::OverviewCommand(const OverviewOptions &, Context &context)
    : Command(context, {QString::fromLatin1(protocol::kFeatureContention)})
{
}

void OverviewCommand::connected(const protocol::Welcome &welcome)
{
    m_ranks = welcome.features.contains(QLatin1String(protocol::kFeatureContention));
    send(protocol::StatusQuery{AskStatus});
    send(protocol::LocksQuery{AskLocks, {}, {}});
    protocol::AuditQuery audit;
    audit.id = AskAudit;
    audit.limit = kAuditPage;
    send(audit);
    const qint64 nowUs = context().clock.wallUs();
    for (size_t i = 0; m_ranks && i < kAgoUs.size(); ++i) {
        protocol::ContentionQuery query;
        query.id = AskPeriods + i;
        query.fromUs = nowUs - kHourUs - kAgoUs[i];
        query.toUs = nowUs - kAgoUs[i];
        query.limit = kMostRanked;
        send(query);
    }
}

void OverviewCommand::received(const protocol::Message &message)
{
    if (const auto *status = std::get_if<protocol::Status>(&message)) {
        m_status = *status;
    } else if (const auto *locks = std::get_if<protocol::SnapshotPage>(&message)) {
        m_tableRead = m_table.add(*locks);
    } else if (const auto *page = std::get_if<protocol::ContentionPage>(&message)) {
        took(*page);
    } else if (const auto *audit = std::get_if<protocol::AuditPage>(&message)) {
        m_breaks.emplace();
        std::copy_if(audit->entries.cbegin(), audit->entries.cend(), std::back_inserter(*m_breaks),
                     [](const domain::AuditEntry &entry) { return !entry.isProbe(); });
        m_breaks->resize(std::min<qsizetype>(kMostBreaks, m_breaks->size()));
    }
    const bool ranked = !m_ranks || std::all_of(m_periods.cbegin(), m_periods.cend(),
                                                [](const auto &period) { return period.has_value(); });
    if (m_status && m_tableRead && m_breaks && ranked)
        conclude();
}

void OverviewCommand::took(protocol::ContentionPage page)
{
    if (page.id < AskPeriods || page.id >= AskPeriods + m_periods.size())
        return;
    Period &period = m_periods[page.id - AskPeriods].emplace();
    for (const domain::Contention &lock : std::as_const(page.locks)) {
        period.waitedUs += lock.waits.totalUs;
        period.waits += lock.waits.count;
        period.acquisitions += lock.acquisitions;
        period.forced += lock.forced;
        period.observedUs = std::max(period.observedUs, lock.observedUs);
    }
    period.page = std::move(page);
}

void OverviewCommand::conclude()
{
    overview::OverviewBuilder builder([this](const QString &source) {
        const SourceView view = m_table.view(source, m_status->wallUs);
        return state::LockContext{view.nowUs, view.stale, false, agent()};
    });
    for (const domain::SourceState &source : m_table.sources())
        builder.add(source);
    for (const domain::LockState &lock : m_table.locks())
        builder.add(lock);
    const Overview overview = builder.take();
    if (context().json)
        context().out.write(jsonLine(object(overview)));
    else
        print(overview);
    finish(Exit::Done);
}

QString OverviewCommand::periodLine(const QString &name, const Period &period) const
{
    if (period.page.locks.isEmpty())
        return tr("%1: no lock was waited for or changed hands in what was seen").arg(name);
    return tr("%1: %2 of waiting in %3 waits, %4 acquisitions, %5 forced")
               .arg(name, durationText(period.waitedUs))
               .arg(period.waits)
               .arg(period.acquisitions)
               .arg(period.forced) +
           (period.page.more ? tr(", at least: of the first %1 locks").arg(kMostRanked) : QString());
}

void OverviewCommand::print(const Overview &overview)
{
    const auto show = [this](const QString &title, const Table &table) {
        if (!table.isEmpty())
            context().out.text(QLatin1Char('\n') + title + QLatin1Char('\n') +
                               table.render(context().terminal.width, context().terminal.colours));
    };
    QString verdict = OverviewFormatter::verdict(overview, m_status->wallUs, durationText);
    verdict[0] = verdict.at(0).toUpper();
    context().out.text(verdict + QStringLiteral(".\n"));
    show(tr("Needs a look"), attentionTable(overview));
    if (overview.moreAttention > 0)
        context().out.text(tr("and %1 more: lockkeeperctl locks").arg(overview.moreAttention) +
                           QLatin1Char('\n'));
    if (m_ranks) {
        const std::array names{tr("Last hour"), tr("The same hour a day ago"), tr("A week ago")};
        QString lines(QLatin1Char('\n'));
        for (size_t i = 0; i < m_periods.size(); ++i)
            lines += periodLine(names[i], *m_periods[i]) + QLatin1Char('\n');
        context().out.text(lines);
        protocol::ContentionPage top = m_periods[0]->page;
        top.locks.resize(std::min<qsizetype>(kTop, top.locks.size()));
        show(tr("What cost the most waiting in the last hour"), contentionTable(top));
    }
    show(tr("Last force-releases"), auditTable(*m_breaks));
    show(tr("Sources"), sourcesTable(*m_status));
}

QJsonValue OverviewCommand::periodObject(const Period &period) const
{
    return QJsonObject{
        {QStringLiteral("from_us"), period.page.fromUs},       {QStringLiteral("to_us"), period.page.toUs},
        {QStringLiteral("wait_total_us"), period.waitedUs},    {QStringLiteral("waits"), period.waits},
        {QStringLiteral("acquisitions"), period.acquisitions}, {QStringLiteral("forced"), period.forced},
        {QStringLiteral("truncated"), period.page.more}};
}

QJsonObject OverviewCommand::object(const Overview &overview) const
{
    QJsonArray unseen;
    for (const overview::UnseenSource &source : overview.unseen)
        unseen.append(QJsonObject{{QStringLiteral("source"), source.name},
                                  {QStringLiteral("seen_us"), number(source.sinceWallUs)},
                                  {QStringLiteral("why"), text(source.why.line())}});
    QJsonArray attention;
    for (const overview::Attention &one : overview.attention) {
        const SourceView view = m_table.view(one.lock.key.source, m_status->wallUs);
        attention.append(QJsonObject{{QStringLiteral("why"), OverviewFormatter::why(one.why)},
                                     {QStringLiteral("since_us"), number(one.sinceUs)},
                                     {QStringLiteral("lock"), lockObject(one.lock, view, agent())}});
    }
    QJsonArray top;
    QJsonArray breaks;
    for (const domain::AuditEntry &entry : *m_breaks)
        breaks.append(auditObject(entry));
    QJsonArray periods;
    for (const auto &period : m_periods)
        periods.append(period ? periodObject(*period) : QJsonValue());
    if (m_periods[0]) {
        const protocol::ContentionPage &page = m_periods[0]->page;
        for (qsizetype i = 0; i < std::min<qsizetype>(kTop, page.locks.size()); ++i)
            top.append(contentionObject(page.locks.at(i), page));
    }
    return {{QStringLiteral("agent"), agent()},
            {QStringLiteral("t_us"), m_status->wallUs},
            {QStringLiteral("verdict"), OverviewFormatter::verdict(overview, m_status->wallUs, durationText)},
            {QStringLiteral("fine"), overview.isFine() && overview.unseen.isEmpty()},
            {QStringLiteral("locks"), overview.locks},
            {QStringLiteral("stuck"), overview.stuck},
            {QStringLiteral("expired"), overview.expired},
            {QStringLiteral("contended"), overview.contended},
            {QStringLiteral("unreadable"), overview.unreadable},
            {QStringLiteral("waiting"), overview.waiting},
            {QStringLiteral("longest_wait_us"), number(overview.longestWaitUs)},
            {QStringLiteral("longest_wait_lock"),
             overview.longestWaitUs ? QJsonValue(base::textOf(overview.longest.name)) : QJsonValue()},
            {QStringLiteral("unseen"), unseen},
            {QStringLiteral("attention"), attention},
            {QStringLiteral("more_attention"), overview.moreAttention},
            {QStringLiteral("hours"), periods},
            {QStringLiteral("top"), top},
            {QStringLiteral("breaks"), breaks},
            {QStringLiteral("sources"), statusObject(*m_status).value(QLatin1String("sources"))}};
}

} // namespace lockkeeper::app::cli
