// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/watch_command.h"

#include "app/cli/agents/look_command.h"
#include "app/cli/tables.h"
#include "app/records/records.h"
#include "app/words/error_words.h"
#include "shared/base/java_text.h"
#include "shared/events/event_line.h"

#include <QTimer>

#include <algorithm>

namespace lockkeeper::app::cli {

using namespace records;

using domain::Condition;
using events::EventKind;

namespace {

constexpr int kFirstRetryMs = 200;
constexpr int kLongestRetryMs = 5'000;

/** The states of `--state`: the events that bring a lock into each. */
bool bringsInto(Condition state, EventKind kind)
{
    switch (state) {
    case Condition::Held:
        return kind == EventKind::Acquired || kind == EventKind::TakenOver;
    case Condition::Free:
        return kind == EventKind::Released || kind == EventKind::ForceReleased || kind == EventKind::Lost;
    case Condition::Expired:
        return kind == EventKind::Expired;
    case Condition::Stuck:
        return kind == EventKind::Stuck;
    case Condition::Contended:
        return kind == EventKind::WaitStart;
    default:
        return false;
    }
}

/**
 * Prints events as they arrive. Reconnects automatically and resumes after the last printed event, so that no
 * event is repeated or lost. If the first connection fails, the command ends with status 3.
 */
class WatchCommand final : public Command
{
    Q_OBJECT

public:
    WatchCommand(WatchOptions options, Context &context);
    void start() override;

protected:
    void connected(const protocol::Welcome &welcome) override;
    void received(const protocol::Message &message) override;
    void lost(const base::Error &error) override;

private:
    void subscribed(const protocol::Subscribed &answer);
    void print(const protocol::EventBatch &batch);
    bool fits(const events::LockEvent &event) const;

    WatchOptions m_options;
    QTimer m_end;
    QTimer m_retry;
    std::unique_ptr<QuitSignals> m_signals;
    std::optional<quint64> m_last; ///< the stream's position, once known
    QByteArray m_journal;
    int m_attempts = 0;
    bool m_wasConnected = false;
};

WatchCommand::WatchCommand(WatchOptions options, Context &context)
    : Command(context),
      m_options(std::move(options)),
      m_last(m_options.since ? std::optional(quint64(*m_options.since)) : std::nullopt)
{
    m_retry.setSingleShot(true);
    m_end.setSingleShot(true);
    m_end.setTimerType(Qt::PreciseTimer);
    connect(&m_retry, &QTimer::timeout, this, [this] { reopen(); });
    connect(&m_end, &QTimer::timeout, this, [this] { finish(Exit::Done); });
    if (!context.part) { // with several agents, their common task handles the signals
        m_signals = std::make_unique<QuitSignals>();
        connect(m_signals.get(), &QuitSignals::quit, this, [this] { finish(Exit::Done); });
    }
}

void WatchCommand::start()
{
    if (m_options.forUs)
        m_end.start(int((*m_options.forUs + 999) / 1000));
    Command::start();
}

void WatchCommand::connected(const protocol::Welcome &)
{
    if (m_wasConnected)
        context().out.note(tr("connected again"));
    m_wasConnected = true;
    m_attempts = 0;
    protocol::Subscribe request;
    request.id = 1;
    request.since = m_last;
    request.journal = m_journal;
    request.snapshot = false;
    request.renewals = m_options.renewals;
    send(request);
}

void WatchCommand::received(const protocol::Message &message)
{
    if (const auto *answer = std::get_if<protocol::Subscribed>(&message))
        subscribed(*answer);
    else if (const auto *batch = std::get_if<protocol::EventBatch>(&message))
        print(*batch);
}

void WatchCommand::subscribed(const protocol::Subscribed &answer)
{
    m_journal = answer.journal;
    // Without --since the stream begins now: nothing before it can be missed.
    if (answer.fresh && m_last) {
        if (context().json)
            context().out.write(jsonLine(
                {{QStringLiteral("fresh"), true}, {QStringLiteral("from_seq"), qint64(answer.fromSeq)}}));
        else
            context().out.text(tr("The journal doesn't reach back to event %1. Events after %2 follow.")
                                   .arg(*m_last)
                                   .arg(answer.fromSeq) +
                               QLatin1Char('\n'));
    }
    m_last = answer.fromSeq;
}

/**
 * Prints the batch in one write: a line whose successor has already arrived doesn't wait and doesn't cost a
 * separate write.
 */
void WatchCommand::print(const protocol::EventBatch &batch)
{
    QByteArray lines;
    const QString label = context().part ? base::displayText(agent()) + QStringLiteral("  ") : QString();
    for (const events::LockEvent &event : batch.events) {
        if (event.seq == 0 && !m_options.renewals)
            continue;
        if (event.seq != 0) {
            if (m_last && event.seq <= *m_last)
                continue;
            m_last = event.seq;
        }
        if (!fits(event))
            continue;
        if (context().json)
            events::appendLine(lines, event, agent());
        else
            lines += (label + eventLine(event) + QLatin1Char('\n')).toUtf8();
    }
    if (!lines.isEmpty())
        context().out.write(lines);
}

/** A user who watches one lock also sees when its source isn't observed, unless --event excludes that. */
bool WatchCommand::fits(const events::LockEvent &event) const
{
    if (!m_options.source.isEmpty() && event.key.source != m_options.source)
        return false;
    if (!m_options.kinds.isEmpty() && !m_options.kinds.contains(event.kind))
        return false;
    if (event.isSourceEvent())
        return true;
    return (m_options.lockGlob.isEmpty() || base::nameFits(m_options.lockGlob, event.key.name)) &&
           (!m_options.state || bringsInto(*m_options.state, event.kind));
}

void WatchCommand::lost(const base::Error &error)
{
    const bool permanent = exitOf(error) != Exit::Unreachable && error.code != base::ErrorCode::Protocol &&
                           error.code != base::ErrorCode::Busy;
    if (!m_wasConnected || !m_options.reconnect || permanent) {
        fail(error);
        return;
    }
    if (m_attempts == 0)
        context().out.note(tr("the link is lost: %1").arg(words::ErrorWords::line(error)));
    m_retry.start(std::min(kLongestRetryMs, kFirstRetryMs << std::min(m_attempts, 10)));
    ++m_attempts;
}

/** Prints the events of several agents as they come, until a signal ends them all. */
class WatchLook final : public LookCommand
{
public:
    WatchLook(const LookSpec &spec, const std::vector<NamedAgent> &agents, bool reconnect)
        : LookCommand(spec, agents, true), m_reconnect(reconnect)
    {
        connect(&m_signals, &QuitSignals::quit, this, [this] { this->agents().end(); });
    }

private:
    void ended(qsizetype) override
    {
        if (!m_reconnect && agents().status() != Exit::Done)
            agents().end(); // with --no-reconnect, a broken link ends the command
    }

    bool m_reconnect;
    QuitSignals m_signals;
};

class WatchSpec final : public LookSpec, public WithOptions<WatchOptions>
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::cli)

public:
    Summary summary() const override
    {
        return {"watch", tr("events as they come"), "watch --event stuck,expired",
                "watch --source orders-redis --lock 'payment:*' --json"};
    }
    void declare(Arguments &arguments) override;
    void check(Arguments &) override { options.reconnect = !m_ends; }
    QString whyOneAgent() const override
    {
        return options.since
                   ? tr("--since: each agent numbers its own events. Remove the option, or query one agent")
                   : QString();
    }
    std::unique_ptr<Command> make(Context &context) const override
    {
        return std::make_unique<WatchCommand>(options, context);
    }
    std::unique_ptr<Task> task(std::vector<NamedAgent> &agents) const override
    {
        if (agents.size() == 1)
            return make(agents.front().context);
        return std::make_unique<WatchLook>(*this, agents, options.reconnect);
    }
    void print(Listing &) const override {} // each agent's events are printed as they come

private:
    bool m_ends = false; ///< --no-reconnect
};

void WatchSpec::declare(Arguments &arguments)
{
    arguments.number("--since", options.since, help("events after this sequence number; 0: all available"));
    arguments.duration("--for", options.forUs, help("end after this long: 500ms, 30s, 10m, 2h"),
                       Arguments::kLongestTimerUs);
    arguments.flag("--renewals", options.renewals, help("also print renewals, which aren't journalled"));
    arguments.flag("--no-reconnect", m_ends, help("exit with status 3 when the link is lost"));
    arguments.source(options.source);
    arguments.bytes(
        "--lock", options.lockGlob,
        help("only locks whose names match this glob, and gaps in the observation of the source"));
    arguments.kinds(options.kinds);
    arguments.state(options.state, {"held", "free", "expired", "stuck", "contended"},
                    help("only events that bring a lock into this state, and gaps in the observation"));
}

} // namespace

std::unique_ptr<CommandSpec> watchCommand()
{
    return std::make_unique<WatchSpec>();
}

} // namespace lockkeeper::app::cli

#include "watch_command.moc"
