// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/agents/look_command.h"
#include "app/cli/commands/chains_text.h"
#include "app/cli/lock_name.h"
#include "app/cli/past/contention_command.h"
#include "app/cli/tables.h"
#include "app/cli/times.h"
#include "app/overview/overview.h"
#include "app/overview/overview_formatter.h"
#include "app/overview/past.h"
#include "app/records/records.h"
#include "shared/base/clock.h"

#include <QJsonArray>

#include <algorithm>

namespace lockkeeper::app::cli {

using namespace records;

using overview::Overview;
using overview::OverviewFormatter;

namespace {

constexpr int kAuditRows = 200;             ///< the audit also lists probes
constexpr qint64 kFirstPassUs = 30'000'000; ///< from the agent's start to the end of the first scan
constexpr qsizetype kMostGaps = 5;          ///< of a source, in words
constexpr qint64 kDayUs = 24 * base::kHourUs;

constexpr qsizetype kMostHeads = 5; ///< of a source

enum OverviewQuery : quint64 { AskStatus = 1, AskLocks, AskAudit, AskChains, AskCosts = 10, AskSeen = 20 };

/** Marked if the beginning wasn't seen, or is dated with a window. */
QString forText(const overview::Attention &one)
{
    if (!one.sinceUs)
        return dash();
    const QString mark = !one.sinceSeen          ? QStringLiteral("≥")
                         : one.sinceWindowUs > 0 ? QStringLiteral("~")
                                                 : QString();
    return mark + durationText(std::max<qint64>(0, one.nowUs - *one.sinceUs));
}

Table attentionTable(const Overview &overview)
{
    using Align = Table::Align;
    Table table({{QStringLiteral("STATE"), Align::Left, false, 8, 0},
                 {QStringLiteral("LOCK"), Align::Left, true, 16, 0},
                 {QStringLiteral("FOR"), Align::Right, false, 8, 0},
                 {QStringLiteral("WAITERS"), Align::Right, false, 7, 2},
                 {QStringLiteral("SOURCE"), Align::Left, false, 8, 1},
                 {QStringLiteral("PLACE"), Align::Left, false, 5, 3},
                 {QStringLiteral("WHY"), Align::Left, true, 12, 4}});
    for (const overview::Attention &one : overview.attention) {
        const domain::Condition condition = domain::condition(one.lock, one.nowUs);
        const auto waiters = one.lock.waiterCount();
        table.add({latin(domain::conditionName(condition)), lockName(one.lock.key), forText(one),
                   waiters ? QString::number(*waiters) : dash(), base::displayText(one.lock.key.source),
                   base::displayText(one.lock.key.place),
                   QString::fromLatin1(OverviewFormatter::englishWhy(one.why))},
                  conditionCode(condition));
    }
    return table;
}

/** Shows on one screen whether anything is wrong now, like the console's Overview. */
class OverviewCommand final : public Command
{
    Q_OBJECT

public:
    explicit OverviewCommand(Context &context);

protected:
    void connected(const protocol::Welcome &welcome) override;
    void received(const protocol::Message &message) override;

private:
    /** Called once the agent's clock is known: the hours are counted by that clock. */
    void ask();
    bool hasAll() const;
    void conclude();
    overview::Hour hour(std::size_t number) const;
    void print(const overview::Overview &overview);
    void printChains();
    void printPast();
    void show(const QString &title, const Table &table);
    QString waitingLine() const;
    QString gapLines() const;
    Table hoursTable() const;
    QJsonObject object(const overview::Overview &overview) const;
    void addChains(QJsonObject &object) const;
    QJsonObject hourObject(const overview::Hour &hour) const;
    QJsonArray waitersArray() const;
    QJsonArray gapsArray() const;

    LiveTable m_table;
    std::optional<protocol::Status> m_status;
    bool m_tableRead = false;
    std::array<std::optional<protocol::ContentionPage>, overview::kHours> m_costs;
    std::array<std::optional<protocol::WaitingPage>, overview::kHours> m_seen;
    std::optional<overview::Breaks> m_breaks;
    std::optional<QList<domain::WaitGraph>> m_graphs;
};

OverviewCommand::OverviewCommand(Context &context) : Command(context) {}

void OverviewCommand::connected(const protocol::Welcome &)
{
    send(protocol::StatusQuery{AskStatus});
}

void OverviewCommand::ask()
{
    send(protocol::LocksQuery{AskLocks, {}, {}});
    protocol::AuditQuery audit;
    audit.id = AskAudit;
    audit.limit = kAuditRows;
    send(audit);
    send(protocol::ChainsQuery{AskChains, {}});
    const auto hours = overview::hoursBefore(m_status->wallUs);
    for (std::size_t i = 0; i < hours.size(); ++i) {
        protocol::ContentionQuery costs;
        costs.id = AskCosts + i;
        costs.fromUs = hours.at(i).fromUs;
        costs.toUs = hours.at(i).toUs;
        costs.limit = overview::kMostRanked;
        costs.sums = true;
        send(costs);
        send(protocol::WaitingQuery{AskSeen + i, hours.at(i).fromUs, hours.at(i).toUs,
                                    i == 0 ? overview::kMinutes : 0});
    }
}

void OverviewCommand::received(const protocol::Message &message)
{
    if (const auto *status = std::get_if<protocol::Status>(&message)) {
        m_status = *status;
        ask();
    } else if (const auto *locks = std::get_if<protocol::SnapshotPage>(&message))
        m_tableRead = m_table.add(*locks);
    else if (const auto *costs = std::get_if<protocol::ContentionPage>(&message))
        m_costs.at((costs->id - AskCosts) % m_costs.size()) = *costs;
    else if (const auto *seen = std::get_if<protocol::WaitingPage>(&message))
        m_seen.at((seen->id - AskSeen) % m_seen.size()) = *seen;
    else if (const auto *audit = std::get_if<protocol::AuditPage>(&message))
        m_breaks = overview::breaksOf(*audit, m_status->wallUs - kDayUs);
    else if (const auto *chains = std::get_if<protocol::ChainsPage>(&message))
        m_graphs = chains->graphs;
    if (hasAll())
        conclude();
}

bool OverviewCommand::hasAll() const
{
    const auto came = [](const auto &page) { return page.has_value(); };
    return m_status && m_tableRead && m_breaks && m_graphs &&
           std::all_of(m_costs.cbegin(), m_costs.cend(), came) &&
           std::all_of(m_seen.cbegin(), m_seen.cend(), came);
}

overview::Hour OverviewCommand::hour(std::size_t number) const
{
    return overview::hourOf(*m_costs.at(number), *m_seen.at(number));
}

void OverviewCommand::conclude()
{
    overview::OverviewBuilder builder([this](const QString &source) {
        const SourceView view = m_table.view(source, m_status->wallUs);
        return replica::LockContext{view.nowUs, view.stale, false, agent()};
    });
    for (const domain::SourceState &source : m_table.sources())
        builder.add(source);
    for (const domain::LockState &lock : m_table.locks())
        builder.add(lock);
    const Overview overview = builder.take();
    if (context().json) {
        QJsonObject whole = object(overview);
        addChains(whole);
        context().out.write(jsonLine(whole));
    } else {
        print(overview);
    }
    finish(Exit::Done);
}

Table OverviewCommand::hoursTable() const
{
    using Align = Table::Align;
    Table table({{QStringLiteral("HOUR"), Align::Left, false, 9, 0},
                 {QStringLiteral("WAITING"), Align::Right, false, 8, 0},
                 {QStringLiteral("WAITS"), Align::Right, false, 6, 0},
                 {QStringLiteral("ACQUIRED"), Align::Right, false, 8, 0},
                 {QStringLiteral("FORCED"), Align::Right, false, 6, 0},
                 {QStringLiteral("OBSERVED"), Align::Right, false, 8, 0}});
    const std::array names{QStringLiteral("last"), QStringLiteral("a_day_ago"), QStringLiteral("a_week_ago")};
    for (std::size_t i = 0; i < overview::kHours; ++i) {
        const overview::Hour one = hour(i);
        if (!one.isKnown()) {
            table.add({names.at(i), dash(), dash(), dash(), dash(),
                       one.observed ? QStringLiteral("0.0%") : dash()});
            continue;
        }
        const QString least = one.atLeast ? QStringLiteral("≥") : QString();
        const QString waited = one.waitsAtLeast ? least : QString();
        table.add({names.at(i), waited + durationText(one.waitedUs), waited + QString::number(one.waits),
                   least + QString::number(one.acquisitions), least + QString::number(one.forced),
                   QStringLiteral("%1%").arg(*one.observed * 100, 0, 'f', 1)});
    }
    return table;
}

QString OverviewCommand::waitingLine() const
{
    const QList<overview::Minute> minutes = overview::minutesOf(*m_seen[0]);
    double sum = 0;
    qsizetype known = 0;
    const overview::Minute *most = nullptr;
    for (const overview::Minute &minute : minutes) {
        if (!minute.waiting)
            continue;
        ++known;
        sum += *minute.waiting;
        if (!most || *minute.waiting > *most->waiting)
            most = &minute;
    }
    const QStringList blind = overview::blindOf(*m_seen[0]);
    const QString without = blind.isEmpty()
                                ? QString()
                                : tr("; without %1").arg(base::displayText(blind.join(QStringLiteral(", "))));
    if (!most)
        return tr("No waiter data for the last hour") + QLatin1Char('\n');
    return tr("Waiters, last hour: average %1, peak %2 (%3 %4); data for %5 of %6 minutes")
               .arg(sum / double(known), 0, 'f', 1)
               .arg(*most->waiting, 0, 'f', 1)
               .arg(timeText(most->span.fromUs), zoneName(most->span.fromUs))
               .arg(known)
               .arg(minutes.size()) +
           without + QLatin1Char('\n');
}

QString OverviewCommand::gapLines() const
{
    // The time before the agent's start is a gap of every source.
    const auto endsAtStart = [this](const events::Interval &gap) {
        return gap.fromUs <= m_seen[0]->fromUs && gap.toUs >= m_status->startedWallUs &&
               gap.toUs - m_status->startedWallUs < kFirstPassUs;
    };
    QString lines;
    bool isNew = false;
    for (const protocol::SourceWaiting &source : m_seen[0]->sources) {
        QList<events::Interval> gaps = source.gaps;
        isNew = gaps.removeIf(endsAtStart) > 0 || isNew;
        const qsizetype shown = std::min<qsizetype>(kMostGaps, gaps.size());
        for (const events::Interval &gap : gaps.first(shown))
            lines += tr("%1 not observed %2 – %3 %4 (%5)")
                         .arg(base::displayText(source.source), timeText(gap.fromUs), timeText(gap.toUs),
                              zoneName(gap.fromUs), durationText(gap.toUs - gap.fromUs)) +
                     QLatin1Char('\n');
        if (gaps.size() > shown)
            lines +=
                tr("%1: and %2 more gaps").arg(base::displayText(source.source)).arg(gaps.size() - shown) +
                QLatin1Char('\n');
    }
    if (isNew)
        lines.prepend(
            tr("agent started %1 ago").arg(durationInSentence(m_status->wallUs - m_status->startedWallUs)) +
            QLatin1Char('\n'));
    return lines;
}

void OverviewCommand::print(const Overview &overview)
{
    if (context().part)
        context().out.text(tr("Agent %1").arg(base::displayText(agent())) + QLatin1Char('\n'));
    context().out.text(
        tr("%1.", "the verdict").arg(OverviewFormatter::verdict(overview, m_status->wallUs, durationText)) +
        QLatin1Char('\n'));
    show(tr("Needs attention"), attentionTable(overview));
    if (overview.moreAttention > 0)
        context().out.text(tr("and %1 more: lockkeeperctl locks").arg(overview.moreAttention) +
                           QLatin1Char('\n'));
    printChains();
    printPast();
    show(tr("Sources"), sourcesTable(*m_status));
    context().out.text(gapLines());
}

void OverviewCommand::printChains()
{
    QString lines;
    for (const domain::WaitGraph &graph : std::as_const(*m_graphs)) {
        const QString source = base::displayText(graph.source);
        const QStringList heads = chainHeads(graph);
        for (const QString &head : heads.first(std::min(kMostHeads, heads.size())))
            lines += QStringLiteral("%1: %2\n").arg(source, head);
        if (heads.size() > kMostHeads)
            lines += tr("%1: and %2 more: lockkeeperctl chains").arg(source).arg(heads.size() - kMostHeads) +
                     QLatin1Char('\n');
    }
    if (!lines.isEmpty())
        context().out.text(QLatin1Char('\n') + tr("Sessions that block others") + QLatin1Char('\n') + lines);
}

void OverviewCommand::printPast()
{
    show(tr("The last hour, and the same hour before"), hoursTable());
    context().out.text(waitingLine());
    protocol::ContentionPage top = *m_costs[0];
    top.locks = overview::topOf(top);
    show(tr("Locks with the most waiting in the last hour"), contentionTable(top));
    const QString count =
        (m_breaks->atLeast ? QStringLiteral("≥") : QString()) + QString::number(m_breaks->count);
    if (m_breaks->count == 0)
        context().out.text(QLatin1Char('\n') + tr("No force-release in the last 24 hours") +
                           QLatin1Char('\n'));
    show(tr("Force-releases in the last 24 hours: %1").arg(count), auditTable(m_breaks->last));
}

void OverviewCommand::show(const QString &title, const Table &table)
{
    if (!table.isEmpty())
        context().out.text(QLatin1Char('\n') + title + QLatin1Char('\n') +
                           table.render(context().terminal.width, context().terminal.colours));
}

QJsonObject OverviewCommand::hourObject(const overview::Hour &hour) const
{
    const auto known = [&hour](qint64 figure) { return hour.isKnown() ? QJsonValue(figure) : QJsonValue(); };
    return QJsonObject{
        {QStringLiteral("from_us"), hour.range.fromUs},
        {QStringLiteral("to_us"), hour.range.toUs},
        {QStringLiteral("wait_total_us"), known(hour.waitedUs)},
        {QStringLiteral("waits"), known(hour.waits)},
        {QStringLiteral("acquisitions"), known(hour.acquisitions)},
        {QStringLiteral("forced"), known(hour.forced)},
        {QStringLiteral("observed_share"), hour.observed ? QJsonValue(*hour.observed) : QJsonValue()},
        {QStringLiteral("waits_truncated"), hour.waitsAtLeast},
        {QStringLiteral("truncated"), hour.atLeast}};
}

QJsonArray OverviewCommand::waitersArray() const
{
    QJsonArray minutes;
    const QList<overview::Minute> all = overview::minutesOf(*m_seen[0]);
    for (const overview::Minute &minute : all)
        minutes.append(QJsonObject{
            {QStringLiteral("from_us"), minute.span.fromUs},
            {QStringLiteral("to_us"), minute.span.toUs},
            {QStringLiteral("waiting"), minute.waiting ? QJsonValue(*minute.waiting) : QJsonValue()},
            {QStringLiteral("observed_share"), minute.observed}});
    return minutes;
}

QJsonArray OverviewCommand::gapsArray() const
{
    QJsonArray gaps;
    for (const protocol::SourceWaiting &source : m_seen[0]->sources) {
        for (const events::Interval &gap : source.gaps)
            gaps.append(QJsonObject{{QStringLiteral("source"), source.source},
                                    {QStringLiteral("from_us"), gap.fromUs},
                                    {QStringLiteral("to_us"), gap.toUs}});
    }
    return gaps;
}

/** The heads of all chains, and the deadlocks. */
void OverviewCommand::addChains(QJsonObject &object) const
{
    QJsonArray heads;
    QJsonArray deadlocks;
    for (const domain::WaitGraph &graph : std::as_const(*m_graphs)) {
        for (const QJsonObject &session : chainObjects(graph, agent())) {
            if (session.value(QLatin1String("blocked_by")).isNull() &&
                !session.value(QLatin1String("deadlock")).toBool() &&
                session.value(QLatin1String("blocks_all")).toInt() > 0)
                heads.append(session);
        }
        for (const QStringList &path : deadlocksOf(graph))
            deadlocks.append(QJsonObject{{QStringLiteral("source"), graph.source},
                                         {QStringLiteral("sessions"), QJsonArray::fromStringList(path)}});
    }
    object.insert(QStringLiteral("chain_heads"), heads);
    object.insert(QStringLiteral("deadlocks"), deadlocks);
}

QJsonObject OverviewCommand::object(const Overview &overview) const
{
    QJsonArray unseen;
    for (const overview::UnseenSource &source : overview.unseen)
        unseen.append(QJsonObject{{QStringLiteral("source"), source.name},
                                  {QStringLiteral("seen_us"), number(source.sinceWallUs)},
                                  {QStringLiteral("why"), textOrNull(source.why.line())}});
    QJsonArray attention;
    for (const overview::Attention &one : overview.attention) {
        const SourceView view = m_table.view(one.lock.key.source, m_status->wallUs);
        attention.append(
            QJsonObject{{QStringLiteral("why"), QString::fromLatin1(OverviewFormatter::englishWhy(one.why))},
                        {QStringLiteral("since_us"), number(one.sinceUs)},
                        {QStringLiteral("since_seen"), one.sinceSeen},
                        {QStringLiteral("since_window_us"), one.sinceWindowUs},
                        {QStringLiteral("lock"), lockObject(one.lock, view, agent())}});
    }
    QJsonArray top;
    QJsonArray breaks;
    for (const domain::AuditEntry &entry : m_breaks->last)
        breaks.append(auditObject(entry));
    QJsonArray hours;
    for (std::size_t i = 0; i < overview::kHours; ++i)
        hours.append(hourObject(hour(i)));
    const QList<domain::Contention> costs = overview::topOf(*m_costs[0]);
    for (const domain::Contention &lock : costs)
        top.append(contentionObject(lock, *m_costs[0]));
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
            {QStringLiteral("hours"), hours},
            {QStringLiteral("waiters"), waitersArray()},
            {QStringLiteral("top"), top},
            {QStringLiteral("breaks"), breaks},
            {QStringLiteral("breaks_24h"), m_breaks->count},
            {QStringLiteral("breaks_truncated"), m_breaks->atLeast},
            {QStringLiteral("gaps"), gapsArray()},
            {QStringLiteral("sources"), statusObject(*m_status).value(QLatin1String("sources"))}};
}

class OverviewSpec final : public LookSpec
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::cli)

public:
    Summary summary() const override
    {
        return {"overview", tr("the current problems, in one screen"), "overview",
                "overview --json | jq .unseen"};
    }
    std::unique_ptr<Command> make(Context &context) const override
    {
        return std::make_unique<OverviewCommand>(context);
    }
    bool printsAlone(const Context &) const override { return true; }
    void print(Listing &listing) const override
    {
        listing.showUnmerged(listing.isJson() ? QByteArray() : QByteArray("\n"));
    }
};

} // namespace

std::unique_ptr<CommandSpec> overviewCommand()
{
    return std::make_unique<OverviewSpec>();
}

} // namespace lockkeeper::app::cli

#include "overview_command.moc"
