// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/past/contention_command.h"

#include "app/cli/agents/look_command.h"
#include "app/cli/lock_name.h"
#include "app/cli/times.h"
#include "app/records/records.h"

#include <algorithm>
#include <tuple>

namespace lockkeeper::app::cli {

using namespace records;

namespace {

using domain::Contention;
using domain::Spread;

/** Keeps milliseconds for holds under a second. */
QString shortText(qint64 us)
{
    return us < 1'000'000 ? QStringLiteral("%1ms").arg((us + 500) / 1000) : durationText(us);
}

QString pairText(qint64 a, qint64 b)
{
    return shortText(a) + QLatin1Char('/') + shortText(b);
}

QString spreadText(const Spread &spread)
{
    return spread.count > 0 ? pairText(spread.p50Us, spread.p95Us) : dash();
}

/** "3ms", or "0ms–500ms" if the windows leave it open. */
QString betweenText(qint64 low, qint64 high)
{
    return low == high ? shortText(low) : QStringLiteral("%1–%2").arg(shortText(low), shortText(high));
}

QString percentText(qint64 partUs, qint64 wholeUs)
{
    return QStringLiteral("%1%").arg(100.0 * double(partUs) / double(wholeUs), 0, 'f', 1);
}

QString heldShareText(const Contention &c)
{
    if (c.observedUs <= 0)
        return dash();
    const QString low = percentText(c.heldLowUs, c.observedUs);
    const QString high = percentText(c.heldHighUs, c.observedUs);
    return low == high ? low : QStringLiteral("%1–%2").arg(low, high);
}

QStringList cellsOf(const Contention &c, qint64 rangeUs)
{
    const bool waited = c.waitersVisible;
    return {lockName(c.key),
            base::displayText(c.key.place),
            waited ? durationText(c.waits.totalUs) : QStringLiteral("?"),
            waited ? QString::number(c.waits.count) : QStringLiteral("?"),
            waited ? spreadText(c.waits) : QStringLiteral("?"),
            spreadText(c.holds),
            c.handoverLow.count > 0 ? betweenText(c.handoverLow.p50Us, c.handoverHigh.p50Us) : dash(),
            heldShareText(c),
            c.observedUs > 0 ? QString::number(double(c.acquisitions) * 6e7 / double(c.observedUs), 'f', 1)
                             : dash(),
            QString::number(c.forced),
            base::displayText(c.key.source),
            rangeUs > 0 ? percentText(c.observedUs, rangeUs) : dash()};
}

struct ContentionOptions
{
    QString source;      ///< empty: all
    QByteArray lockGlob; ///< empty: all
    std::optional<qint64> fromUs;
    std::optional<qint64> toUs;
    qint64 top = 20;
    domain::ContentionRanking ranking = domain::ContentionRanking::Lock;
};

/** The cost of locks in a range of time, ranked by waiting. */
class ContentionCommand final : public Command
{
    Q_OBJECT

public:
    ContentionCommand(ContentionOptions options, Context &context);

protected:
    void connected(const protocol::Welcome &welcome) override;
    void received(const protocol::Message &message) override;

private:
    ContentionOptions m_options;
};

ContentionCommand::ContentionCommand(ContentionOptions options, Context &context)
    : Command(context), m_options(std::move(options))
{
}

void ContentionCommand::connected(const protocol::Welcome &)
{
    protocol::ContentionQuery query;
    query.id = 1;
    query.source = m_options.source;
    query.lockGlob = m_options.lockGlob;
    query.fromUs = m_options.fromUs;
    query.toUs = m_options.toUs;
    query.limit = int(m_options.top);
    query.ranking = m_options.ranking;
    send(query);
}

void ContentionCommand::received(const protocol::Message &message)
{
    const auto *page = std::get_if<protocol::ContentionPage>(&message);
    if (!page)
        return;
    context().part->contention = *page;
    finish(Exit::Done);
}

/** Ranks as an agent does: by total waiting time, then the number of waits, then the number of holds. */
bool costsMore(const Contention &a, const Contention &b)
{
    const auto rank = [](const Contention &c) {
        return std::tuple(c.waits.totalUs, c.waits.count, c.holds.count);
    };
    return rank(a) > rank(b);
}

using domain::BlockerCost;
using domain::ContentionRanking;
using domain::WaiterCost;

QString observedCell(qint64 observedUs, const protocol::ContentionPage &page)
{
    return page.toUs > page.fromUs ? percentText(observedUs, page.toUs - page.fromUs) : dash();
}

Table waiterTable(const QList<WaiterCost> &waiters, const protocol::ContentionPage &page)
{
    using Align = Table::Align;
    Table table({{QStringLiteral("WAITER"), Align::Left, true, 16, 0},
                 {QStringLiteral("WAITING"), Align::Right, false, 8, 0},
                 {QStringLiteral("LONGEST"), Align::Right, false, 8, 2},
                 {QStringLiteral("WAITS"), Align::Right, false, 5, 3},
                 {QStringLiteral("LOCKS"), Align::Right, false, 5, 4},
                 {QStringLiteral("SOURCE"), Align::Left, false, 8, 5},
                 {QStringLiteral("OBSERVED"), Align::Right, false, 7, 0}});
    for (const WaiterCost &cost : waiters)
        table.add({base::displayText(cost.waiter), durationText(cost.totalUs), shortText(cost.maxUs),
                   QString::number(cost.waits), QString::number(cost.locks), base::displayText(cost.source),
                   observedCell(cost.observedUs, page)});
    return table;
}

Table blockerTable(const QList<BlockerCost> &blockers, ContentionRanking ranking,
                   const protocol::ContentionPage &page)
{
    using Align = Table::Align;
    const bool isForStatements = ranking == ContentionRanking::Statement;
    Table table(
        {{isForStatements ? QStringLiteral("STATEMENT") : QStringLiteral("HOLDER"), Align::Left, true, 16, 0},
         {QStringLiteral("WAITING"), Align::Right, false, 8, 0},
         {QStringLiteral("LONGEST"), Align::Right, false, 8, 2},
         {QStringLiteral("WAITS"), Align::Right, false, 5, 3},
         {QStringLiteral("WAITERS"), Align::Right, false, 7, 4},
         {QStringLiteral("LOCKS"), Align::Right, false, 5, 5},
         {QStringLiteral("SOURCE"), Align::Left, false, 8, 6},
         {QStringLiteral("OBSERVED"), Align::Right, false, 7, 0}});
    for (const BlockerCost &cost : blockers)
        table.add({base::displayText(isForStatements ? cost.statement : cost.holder),
                   durationText(cost.totalUs), shortText(cost.maxUs), QString::number(cost.waits),
                   QString::number(cost.waiters), QString::number(cost.locks), base::displayText(cost.source),
                   observedCell(cost.observedUs, page)});
    return table;
}

class ContentionSpec final : public LookSpec, public WithOptions<ContentionOptions>
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::cli)

public:
    Summary summary() const override
    {
        return {"contention", tr("locks ranked by waiting, with wait and hold times"), "contention",
                "contention --from 'yesterday 22:00' --to 06:00 --top 5"};
    }
    void declare(Arguments &arguments) override
    {
        arguments.source(options.source);
        arguments.lockGlob(options.lockGlob);
        arguments.time("--from", options.fromUs, help("since this time: RFC 3339, or -15m (default -1h)"));
        arguments.time("--to", options.toUs, help("until this time (default now)"));
        arguments.choice(
            "--by", {"lock", "waiter", "holder", "statement"},
            [this](std::size_t index) { options.ranking = domain::ContentionRanking(index); },
            help("rank locks (the default), waiters, or the holders or statements that others waited for"));
        arguments.number("--top", options.top, help("maximum number (default 20, at most 1000)"));
    }
    void check(Arguments &arguments) override
    {
        if (!options.fromUs)
            options.fromUs = arguments.nowUs() - base::kHourUs;
        if (options.top < 1 || options.top > 1000)
            arguments.blame("--top", tr("a ranking has 1 to 1000 locks"));
        else if (*options.fromUs >= options.toUs.value_or(arguments.nowUs()))
            arguments.blame("--from", tr("the range ends before it begins"));
    }
    std::unique_ptr<Command> make(Context &context) const override
    {
        return std::make_unique<ContentionCommand>(options, context);
    }
    void print(Listing &listing) const override;

private:
    void printLocks(Listing &listing) const;
    void printWaiters(Listing &listing) const;
    void printBlockers(Listing &listing) const;
    static void noteMore(Listing &listing, bool more);
};

void ContentionSpec::print(Listing &listing) const
{
    if (options.ranking == ContentionRanking::Lock)
        printLocks(listing);
    else if (options.ranking == ContentionRanking::Waiter)
        printWaiters(listing);
    else
        printBlockers(listing);
}

void ContentionSpec::noteMore(Listing &listing, bool more)
{
    if (more)
        listing.context().out.note(tr("there are more: raise --top"));
}

void ContentionSpec::printWaiters(Listing &listing) const
{
    const auto merged = listing.merge<WaiterCost>(
        listing.answered(),
        [](const AgentPart &part) {
            return Answers<WaiterCost>{part.contention.waiters, part.contention.more};
        },
        [](const WaiterCost &a, const WaiterCost &b) { return a.totalUs > b.totalUs; }, options.top);
    for (const Merged<WaiterCost> &one : merged.list) {
        const protocol::ContentionPage &page = listing.part(one.agent).contention;
        if (listing.isJson())
            listing.write(waiterObject(one.item, page), one.agent);
        else
            listing.add(waiterTable({one.item}, page), listing.label(one.agent));
    }
    if (!listing.isJson())
        listing.show(tr("no client waited in this time"));
    noteMore(listing, merged.more);
}

/** The waiting that counts for nobody is as much part of the answer as the rows. */
void ContentionSpec::printBlockers(Listing &listing) const
{
    const auto merged = listing.merge<BlockerCost>(
        listing.answered(),
        [](const AgentPart &part) {
            return Answers<BlockerCost>{part.contention.blockers, part.contention.more};
        },
        [](const BlockerCost &a, const BlockerCost &b) { return a.totalUs > b.totalUs; }, options.top);
    for (const Merged<BlockerCost> &one : merged.list) {
        const protocol::ContentionPage &page = listing.part(one.agent).contention;
        if (listing.isJson())
            listing.write(blockerObject(one.item, page), one.agent);
        else
            listing.add(blockerTable({one.item}, options.ranking, page), listing.label(one.agent));
    }
    if (!listing.isJson())
        listing.show(tr("no client is known to have held a lock while others waited for it"));
    for (const qsizetype agent : listing.answered()) {
        const qint64 restUs = listing.part(agent).contention.unattributedUs.value_or(0);
        if (restUs > 0)
            listing.context().out.note(
                listing.prefix(agent, QLatin1String(": ")) +
                tr("%1 of waiting isn't attributed: no hold with a known holder certainly lasted then")
                    .arg(shortText(restUs)));
    }
    noteMore(listing, merged.more);
}

void ContentionSpec::printLocks(Listing &listing) const
{
    const auto merged = listing.merge<Contention>(
        listing.answered(),
        [](const AgentPart &part) {
            return Answers<Contention>{part.contention.locks, part.contention.more};
        },
        costsMore, options.top);
    QList<Contention> shown;
    for (const Merged<Contention> &one : merged.list) {
        protocol::ContentionPage page = listing.part(one.agent).contention;
        page.locks = {one.item};
        shown.append(one.item);
        if (listing.isJson())
            listing.write(contentionObject(one.item, page), one.agent);
        else
            listing.add(contentionTable(page), listing.label(one.agent));
    }
    if (!listing.isJson()) {
        listing.show(tr("no lock was waited for or changed hands in this time"));
        if (const QString mark = blindMark(shown); !mark.isEmpty())
            listing.context().out.note(mark);
    }
    noteMore(listing, merged.more);
}

} // namespace

std::unique_ptr<CommandSpec> contentionCommand()
{
    return std::make_unique<ContentionSpec>();
}

QString blindMark(const QList<Contention> &locks)
{
    const bool any =
        std::any_of(locks.cbegin(), locks.cend(), [](const Contention &c) { return !c.waitersVisible; });
    return any ? tr("?: this scheme doesn't show waiters, only how fast and how often the lock changes hands")
               : QString();
}

Table contentionTable(const protocol::ContentionPage &page)
{
    using Align = Table::Align;
    Table table({{QStringLiteral("LOCK"), Align::Left, true, 16, 0},
                 {QStringLiteral("PLACE"), Align::Left, true, 8, 4},
                 {QStringLiteral("WAITING"), Align::Right, false, 8, 0},
                 {QStringLiteral("WAITS"), Align::Right, false, 5, 4},
                 {QStringLiteral("WAIT_P50/P95"), Align::Right, false, 8, 1},
                 {QStringLiteral("HOLD_P50/P95"), Align::Right, false, 8, 2},
                 {QStringLiteral("HAND-OVER_P50"), Align::Right, false, 8, 3},
                 {QStringLiteral("HELD"), Align::Right, false, 6, 6},
                 {QStringLiteral("CHANGES/MIN"), Align::Right, false, 6, 5},
                 {QStringLiteral("FORCED"), Align::Right, false, 6, 8},
                 {QStringLiteral("SOURCE"), Align::Left, false, 8, 7},
                 {QStringLiteral("OBSERVED"), Align::Right, false, 7, 0}});
    for (const Contention &contention : page.locks)
        table.add(cellsOf(contention, page.toUs - page.fromUs));
    return table;
}

} // namespace lockkeeper::app::cli

#include "contention_command.moc"
