// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/agents/look_command.h"
#include "app/cli/lock_name.h"
#include "app/cli/times.h"
#include "app/records/records.h"
#include "app/words/advice_formatter.h"

#include <limits>
#include <tuple>

namespace lockkeeper::app::cli {

using namespace records;

namespace {

using domain::Advice;
using words::AdviceFormatter;

struct AdviseOptions
{
    QString source;      ///< empty: all
    QByteArray lockGlob; ///< empty: all
    std::optional<qint64> fromUs;
    std::optional<qint64> toUs;
};

/** The advice that the evidence of a range of time supports. */
class AdviseCommand final : public Command
{
    Q_OBJECT

public:
    AdviseCommand(AdviseOptions options, Context &context) : Command(context), m_options(std::move(options))
    {
    }

protected:
    void connected(const protocol::Welcome &) override
    {
        send(
            protocol::AdviceQuery{1, m_options.source, m_options.lockGlob, m_options.fromUs, m_options.toUs});
    }
    void received(const protocol::Message &message) override
    {
        if (const auto *page = std::get_if<protocol::AdvicePage>(&message)) {
            context().part->advice = *page;
            finish(Exit::Done);
        }
    }

private:
    AdviseOptions m_options;
};

bool isSurer(const Advice &a, const Advice &b)
{
    return std::tuple(-int(a.confidence), a.code) < std::tuple(-int(b.confidence), b.code);
}

class AdviseSpec final : public LookSpec, public WithOptions<AdviseOptions>
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::cli)

public:
    Summary summary() const override
    {
        return {"advise", tr("what to change at the locks, from the evidence of a range of time"), "advise",
                "advise --from -7d --lock 'lock:orders:*'"};
    }
    void declare(Arguments &arguments) override
    {
        arguments.source(options.source);
        arguments.lockGlob(options.lockGlob);
        arguments.time("--from", options.fromUs, help("since this time: RFC 3339, or -15m (default -24h)"));
        arguments.time("--to", options.toUs, help("until this time (default now)"));
    }
    void check(Arguments &arguments) override
    {
        if (!options.fromUs)
            options.fromUs = options.toUs.value_or(arguments.nowUs()) - 24 * base::kHourUs;
        if (*options.fromUs >= options.toUs.value_or(arguments.nowUs()))
            arguments.blame("--from", tr("the range ends before it begins"));
    }
    std::unique_ptr<Command> make(Context &context) const override
    {
        return std::make_unique<AdviseCommand>(options, context);
    }
    void print(Listing &listing) const override;

private:
    /** Four lines: the fault and its lock, the evidence, the change, the document. */
    static QString blockOf(const Advice &advice, const QString &prefix);
    static void noteBounds(const Listing &listing);
};

QString AdviseSpec::blockOf(const Advice &advice, const QString &prefix)
{
    QString subject = advice.isOfLock() ? lockName(advice.lock) : base::displayText(advice.lock.source);
    if (!advice.other.name.isEmpty())
        subject = tr("%1 and %2").arg(subject, lockName(advice.other));
    if (advice.isOfLock())
        subject +=
            QStringLiteral(" (%1, %2)")
                .arg(prefix + base::displayText(advice.lock.source), base::displayText(advice.lock.place));
    else
        subject = prefix + subject;
    return QStringLiteral("%1: %2 [%3]\n    %4\n    %5\n    %6\n")
        .arg(subject, AdviceFormatter::title(advice.code), AdviceFormatter::confidence(advice.confidence),
             AdviceFormatter::evidence(advice), AdviceFormatter::change(advice),
             AdviceFormatter::document(advice.code));
}

/** Silence of the rules must not pass for a statement about time that nobody observed. */
void AdviseSpec::noteBounds(const Listing &listing)
{
    for (const qsizetype agent : listing.answered()) {
        const protocol::AdvicePage &page = listing.part(agent).advice;
        const QString prefix = listing.prefix(agent, QLatin1String(": "));
        if (page.more)
            listing.context().out.note(
                prefix + tr("not everything was read: choose a shorter range, a source or a lock"));
        if (page.locks > 0 && page.observedPermille < 990)
            listing.context().out.note(
                prefix +
                tr("only %1% of the range was observed").arg(double(page.observedPermille) / 10, 0, 'f', 1));
    }
}

void AdviseSpec::print(Listing &listing) const
{
    const auto merged = listing.merge<Advice>(
        listing.answered(),
        [](const AgentPart &part) {
            return Answers<Advice>{part.advice.advice, part.advice.more};
        },
        isSurer, std::numeric_limits<qsizetype>::max());
    for (const Merged<Advice> &one : merged.list) {
        if (listing.isJson())
            listing.write(adviceObject(one.item, listing.part(one.agent).advice), one.agent);
        else
            listing.context().out.text(blockOf(one.item, listing.prefix(one.agent, QLatin1String("/"))));
    }
    if (!listing.isJson() && merged.list.isEmpty()) {
        qint64 locks = 0;
        qint64 holds = 0;
        for (const qsizetype agent : listing.answered()) {
            locks += listing.part(agent).advice.locks;
            holds += listing.part(agent).advice.holds;
        }
        listing.show(tr("no advice: %1 holds of %2 locks show no fault").arg(holds).arg(locks));
    }
    noteBounds(listing);
}

} // namespace

std::unique_ptr<CommandSpec> adviseCommand()
{
    return std::make_unique<AdviseSpec>();
}

} // namespace lockkeeper::app::cli

#include "advise_command.moc"
