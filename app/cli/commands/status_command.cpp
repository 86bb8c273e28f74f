// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/status_command.h"

#include "app/cli/agents/look_command.h"
#include "app/cli/tables.h"
#include "app/cli/times.h"
#include "app/records/records.h"
#include "app/words/error_words.h"
#include "app/words/finding_formatter.h"

namespace lockkeeper::app::cli {

using namespace records;

using words::FindingFormatter;

namespace {

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

/** Shows if this agent is the observing one, if several agents elect one; otherwise empty. */
QString electionLine(const protocol::Status &status)
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
        line += QStringLiteral(": ") + words::ErrorWords::line(election.error);
    return line + QLatin1Char('\n');
}

/** Describes the agent. */
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

/** Empty if the journal can be written. */
QString journalFault(const protocol::Status &status)
{
    const base::Error &error = status.journalError;
    if (error == base::Error())
        return {};
    return (error.code == base::ErrorCode::Corrupt ? tr("the journal or its audit is incomplete: %1")
                                                   : tr("the journal can't write: %1"))
        .arg(words::ErrorWords::line(error));
}

/** A line for each fault of the sources, with `prefix` before their names. */
QString sourceNotes(const protocol::Status &status, const QString &prefix)
{
    QString text;
    for (const domain::SourceState &source : status.sources) {
        const QString name = prefix + base::displayText(source.name);
        const bool failed =
            source.link == domain::Link::Down || source.error.code != base::ErrorCode::Unknown;
        if (failed && !words::ErrorWords::line(source.error).isEmpty())
            text += QStringLiteral("\n%1: %2\n").arg(name, words::ErrorWords::line(source.error));
        text += findingLines(source, name);
        for (const domain::Access &access : source.access) {
            if (!access.granted)
                text += tr("\n%1: missing %2: %3\n")
                            .arg(name, base::displayText(access.need), base::displayText(access.remedy));
        }
    }
    return text;
}

/**
 * The agent and its sources. The exit status is 0 even if a source is down, because the agent has reported
 * that.
 */
class StatusCommand final : public Command
{
    Q_OBJECT

public:
    explicit StatusCommand(Context &context) : Command(context) {}

protected:
    void connected(const protocol::Welcome &welcome) override;
    void received(const protocol::Message &message) override;
};

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

class StatusSpec final : public LookSpec
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::cli)

public:
    Summary summary() const override
    {
        return {"status", tr("agent, sources, links, lag, counts, gaps"), "status",
                "status --json | jq '.sources[] | select(.link != \"up\").name'"};
    }
    std::unique_ptr<Command> make(Context &context) const override
    {
        return std::make_unique<StatusCommand>(context);
    }
    void print(Listing &listing) const override;
};

void StatusSpec::print(Listing &listing) const
{
    QString heads;
    QString notes;
    for (const qsizetype i : listing.answered()) {
        protocol::Status status = listing.part(i).status.value_or(protocol::Status());
        status.agent = listing.label(i);
        if (listing.isJson()) {
            listing.context().out.write(jsonLine(statusObject(status)));
            continue;
        }
        heads += statusHead(status);
        notes += sourceNotes(status, listing.prefix(i, QLatin1String("/")));
        if (const QString fault = journalFault(status); !fault.isEmpty())
            listing.context().out.note(listing.prefix(i, QLatin1String(": ")) + fault);
        listing.add(sourcesTable(status), listing.label(i));
    }
    if (heads.isEmpty())
        return;
    listing.context().out.text(heads + QLatin1Char('\n'));
    listing.show({});
    listing.context().out.text(notes);
}

} // namespace

std::unique_ptr<CommandSpec> statusCommand()
{
    return std::make_unique<StatusSpec>();
}

} // namespace lockkeeper::app::cli

#include "status_command.moc"
