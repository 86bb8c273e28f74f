// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/locks_command.h"

#include "app/cli/agents/look_command.h"
#include "app/cli/agents/seen_once.h"
#include "app/cli/tables.h"
#include "app/records/records.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lockkeeper::app::cli {

using namespace records;

namespace {

/** In the order of LocksOrder. */
const std::vector<std::string> kOrders{"severity", "name", "source", "held", "remaining", "waiters"};

/** Explains "~" at a lock of the past; empty if no lock has it. */
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

/** Prints the table once: the current one, or that of a past time. Without a part it writes JSON page by
 * page, as it comes. */
class LocksCommand final : public Command
{
    Q_OBJECT

public:
    LocksCommand(LocksOptions options, Context &context) : Command(context), m_options(std::move(options)) {}

protected:
    void connected(const protocol::Welcome &welcome) override;
    void received(const protocol::Message &message) override;

private:
    bool streams() const { return !context().part; }
    void ask() { send(protocol::LocksQuery{1, m_options.source, m_options.nameGlob, m_options.atUs}); }
    void writeLines(const QList<domain::LockState> &locks, qint64 wallUs);

    LocksOptions m_options;
    LiveTable m_table;
};

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
        send(protocol::HolderChecksQuery{1, {}});
        return;
    }
    if (const auto *checks = std::get_if<protocol::HolderChecksPage>(&message)) {
        m_table.setChecks(checks->checks);
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
            appendLock(lines, lock, *view, agent(), {}, m_table.checkOf(lock));
    }
    write(lines);
}

std::optional<QStringList> othersOf(const Listing &listing, const ShownLocks &own, qsizetype lock)
{
    return listing.isOfSeveral() ? std::optional(own.also.at(lock)) : std::nullopt;
}

QByteArray lines(const Listing &listing, const ShownLocks &own, const LocksOptions &options)
{
    QByteArray lines;
    QHash<QString, SourceView> views;
    for (qsizetype i = 0; i < own.locks.size(); ++i) {
        const domain::LockState &lock = own.locks.at(i);
        auto view = views.find(lock.key.source);
        if (view == views.end()) {
            view = views.insert(lock.key.source,
                                listing.part(own.agent).locks.view(lock.key.source, own.wallUs));
            view->asOfUs = options.atUs;
        }
        appendLock(lines, lock, *view, listing.label(own.agent), othersOf(listing, own, i),
                   listing.part(own.agent).locks.checkOf(lock));
    }
    return lines;
}

class LocksSpec final : public LookSpec, public WithOptions<LocksOptions>
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::cli)

public:
    Summary summary() const override
    {
        return {"locks", tr("the live table, or as it was at a time"), "locks --state stuck",
                "locks --at 'yesterday 22:00' --sort held"};
    }
    void declare(Arguments &arguments) override
    {
        arguments.source(options.source);
        declareLocks(arguments, options);
    }
    std::unique_ptr<Command> make(Context &context) const override
    {
        return makeLocksCommand(options, context);
    }
    /** In no order, millions of locks are written as they come. */
    bool printsAlone(const Context &context) const override
    {
        return context.json && !options.order && !options.atUs;
    }
    void print(Listing &listing) const override;
};

void LocksSpec::print(Listing &listing) const
{
    const QList<ShownLocks> shown = shownLocks(listing, options);
    Output &out = listing.context().out;
    if (listing.isJson()) {
        for (const ShownLocks &own : shown)
            out.write(lines(listing, own, options));
        return;
    }
    QString mark;
    QString moment = options.atUs ? momentLine(*options.atUs) : QString();
    for (const ShownLocks &own : shown) {
        const LiveTable &live = listing.part(own.agent).locks;
        for (qsizetype i = 0, next = 0; i < own.locks.size(); i = next) {
            while (next < own.locks.size() && own.also.at(next) == own.also.at(i))
                ++next;
            const QStringList seers = QStringList{listing.label(own.agent)} + own.also.at(i);
            listing.add(locksTable(own.locks.mid(i, next - i), live, own.wallUs),
                        seers.join(QLatin1Char(',')));
        }
        if (mark.isEmpty())
            mark = changeMark(own.locks);
        if (options.atUs)
            moment +=
                unseenLines(live.sources(), options.source, listing.prefix(own.agent, QLatin1String("/")));
    }
    if (options.atUs)
        out.text(moment + QLatin1Char('\n'));
    listing.show(tr("no lock matches"));
    out.text(mark);
}

} // namespace

QList<ShownLocks> shownLocks(const Listing &listing, const LocksOptions &options)
{
    const QList<qsizetype> agents = listing.answered();
    QList<const LiveTable *> tables;
    for (const qsizetype i : agents)
        tables.append(&listing.part(i).locks);
    const SeenOnce once(tables);
    QList<ShownLocks> shown;
    for (qsizetype i = 0; i < agents.size(); ++i) {
        ShownLocks own{
            agents.at(i), options.atUs.value_or(tables.at(i)->wallUs(listing.context().clock)), {}, {}};
        for (const domain::LockState &lock : tables.at(i)->listed(options, own.wallUs)) {
            if (once.isShownByAnother(i, lock.key))
                continue;
            QStringList also;
            for (const qsizetype other : once.alsoSeenBy(i, lock.key))
                also.append(listing.label(agents.at(other)));
            own.locks.append(lock);
            own.also.append(also);
        }
        shown.append(own);
    }
    return shown;
}

void eachLock(const Listing &listing, const LocksOptions &options,
              const std::function<void(const QJsonObject &)> &take)
{
    for (const ShownLocks &own : shownLocks(listing, options)) {
        for (qsizetype i = 0; i < own.locks.size(); ++i) {
            const domain::LockState &lock = own.locks.at(i);
            SourceView view = listing.part(own.agent).locks.view(lock.key.source, own.wallUs);
            view.asOfUs = options.atUs;
            take(lockObject(lock, view, listing.label(own.agent), othersOf(listing, own, i),
                            listing.part(own.agent).locks.checkOf(lock)));
        }
    }
}

void declareLocks(Arguments &arguments, LocksOptions &options)
{
    arguments.state(options.state,
                    {"held", "free", "expired", "stuck", "contended", "expiring", "optimistic", "unknown"},
                    help("held (and healthy), free, expired, stuck, contended"));
    arguments.bytes("--name", options.nameGlob, help("only names that match this glob"));
    arguments.bytes("--place", options.placeGlob,
                    help("only places that match this glob: a database, a table"));
    arguments.pastTime("--at", options.atUs,
                       help("as it was at this time: RFC 3339, -15m, 02:00, \"yesterday 22:00\""));
    arguments.choice(
        "--sort", kOrders, [&options](std::size_t order) { options.order = LocksOrder(order); },
        help("severity (default: the worst first; with --json as they come), name, source, held "
             "(the longest first), remaining (the least first), waiters (the most first)"));
}

std::unique_ptr<Command> makeLocksCommand(const LocksOptions &options, Context &context)
{
    return std::make_unique<LocksCommand>(options, context);
}

std::unique_ptr<CommandSpec> locksCommand()
{
    return std::make_unique<LocksSpec>();
}

} // namespace lockkeeper::app::cli

#include "locks_command.moc"
