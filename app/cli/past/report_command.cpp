// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/agents/look_command.h"
#include "app/cli/lock_name.h"
#include "app/records/records.h"
#include "app/report/incident_reader.h"
#include "app/report/incident_record.h"
#include "app/report/report_html.h"
#include "app/report/report_stream.h"
#include "app/words/error_words.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QProcessEnvironment>
#include <QSaveFile>
#include <QStandardPaths>

#include <CLI/CLI.hpp>
#include <algorithm>

namespace lockkeeper::app::cli {

namespace {

constexpr qint64 kDefaultRangeUs = base::kHourUs;
constexpr int kMostFound = 1000; ///< holds and events read to find the lock
constexpr int kPdfWithinMs = 60'000;

bool isPdf(const QString &file)
{
    return file.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive);
}

struct ReportOptions
{
    QString source;      ///< empty: all
    QByteArray lockGlob; ///< must match one lock
    QByteArray placeGlob;
    std::optional<qint64> fromUs;
    std::optional<qint64> toUs;
    QString file; ///< empty: standard output
};

/** Finds the lock at one agent, and reads the evidence about it if the agent knows only one such lock. */
class ReportCommand final : public Command
{
    Q_OBJECT

public:
    ReportCommand(ReportOptions options, Context &context) : Command(context), m_options(std::move(options))
    {
    }

protected:
    void connected(const protocol::Welcome &welcome) override;
    void received(const protocol::Message &message) override;
    void refused(const protocol::Failed &failed) override;

private:
    static constexpr quint64 kFindHolds = 1;
    static constexpr quint64 kFindEvents = 2;
    static constexpr quint64 kFirstQuestion = 3;

    void found(const domain::LockKey &key);
    void read();
    void ask(protocol::Message message, report::IncidentReader::Take take);
    void answer(base::Result<protocol::Message> message);

    ReportOptions m_options;
    quint64 m_question = kFirstQuestion;
    report::IncidentReader::Take m_take; ///< of the pending question; empty: none
    QList<domain::LockState> m_locks;    ///< of the pages so far
    std::unique_ptr<report::IncidentReader> m_reader;
};

void ReportCommand::connected(const protocol::Welcome &)
{
    protocol::HoldsQuery holds;
    holds.id = kFindHolds;
    holds.source = m_options.source;
    holds.lockGlob = m_options.lockGlob;
    holds.fromUs = m_options.fromUs;
    holds.toUs = m_options.toUs;
    holds.limit = kMostFound;
    send(holds);
}

void ReportCommand::found(const domain::LockKey &key)
{
    if (!m_options.placeGlob.isEmpty() && !base::globMatches(m_options.placeGlob, key.place))
        return;
    if (!key.name.isEmpty() && !context().part->reported.keys.contains(key))
        context().part->reported.keys.append(key);
}

void ReportCommand::received(const protocol::Message &message)
{
    if (m_reader) {
        const auto *locks = std::get_if<protocol::SnapshotPage>(&message);
        if (locks)
            m_locks += locks->locks;
        if (locks && !locks->last)
            return;
        return answer(locks ? protocol::Message(protocol::SnapshotPage{locks->id, locks->atSeq, true, m_locks,
                                                                       locks->sources})
                            : message);
    }
    if (const auto *holds = std::get_if<protocol::HoldPage>(&message)) {
        for (const protocol::Hold &hold : holds->holds)
            found(hold.key);
        protocol::HistoryQuery query;
        query.id = kFindEvents;
        query.source = m_options.source;
        query.lockGlob = m_options.lockGlob;
        query.fromUs = m_options.fromUs;
        query.toUs = m_options.toUs;
        query.limit = kMostFound;
        query.descending = true;
        send(query);
    } else if (const auto *events = std::get_if<protocol::EventPage>(&message)) {
        for (const events::LockEvent &event : events->events)
            found(event.key);
        read();
    }
}

void ReportCommand::read()
{
    if (context().part->reported.keys.size() != 1)
        return finish(Exit::Done); // ReportLook reports what was found
    report::IncidentEvidence evidence;
    evidence.key = context().part->reported.keys.constFirst();
    evidence.range = {*m_options.fromUs, *m_options.toUs};
    evidence.agent = agent();
    evidence.program = QStringLiteral("lockkeeperctl " LOCKKEEPER_VERSION);
    evidence.madeUs = context().clock.wallUs();
    m_reader = std::make_unique<report::IncidentReader>(
        evidence, [this](const protocol::Message &message, auto take) { ask(message, std::move(take)); });
    connect(m_reader.get(), &report::IncidentReader::finished, this, [this] {
        context().part->reported.evidence = m_reader->evidence();
        finish(Exit::Done);
    });
    m_reader->start();
}

void ReportCommand::ask(protocol::Message message, report::IncidentReader::Take take)
{
    m_take = std::move(take);
    m_locks.clear();
    std::visit(
        [this](auto &request) {
            if constexpr (requires { request.id; })
                request.id = ++m_question;
        },
        static_cast<protocol::AnyMessage &>(message));
    send(message);
}

/** Takes the answer to the only pending question. */
void ReportCommand::answer(base::Result<protocol::Message> message)
{
    if (const auto take = std::exchange(m_take, {}))
        take(std::move(message));
}

/** A question that fails doesn't end the report: it names what it lacks. */
void ReportCommand::refused(const protocol::Failed &failed)
{
    if (!m_reader)
        return fail(failed.error);
    answer(tl::unexpected(failed.error));
}

/** Writes the report on the only lock that the agents have found. */
class ReportLook final : public LookCommand
{
    Q_OBJECT

public:
    ReportLook(const LookSpec &spec, const ReportOptions &options, const std::vector<NamedAgent> &agents)
        : LookCommand(spec, agents), m_options(options)
    {
    }

protected:
    void conclude() override;

private:
    Exit refuse(base::ErrorCode code, const QString &cause);
    Exit conclude(report::IncidentEvidence evidence);
    Exit put(const QByteArray &bytes);
    Exit putPdf(const report::IncidentReport &report);

    const ReportOptions &m_options;
};

void ReportLook::conclude()
{
    QStringList candidates;
    qsizetype known = -1;
    QStringList leftOut;
    for (qsizetype i = 0; i < agents().count(); ++i) {
        const AgentPart &part = agents().part(i);
        if (!agents().hasAnswered(i)) {
            if (agents().count() > 1)
                leftOut.append(part.label);
            continue;
        }
        for (const domain::LockKey &key : part.reported.keys) {
            candidates.append(
                QStringLiteral("%1 (%2%3, %4)")
                    .arg(lockName(key),
                         agents().count() > 1 ? base::displayText(part.label) + QLatin1Char('/') : QString(),
                         base::displayText(key.source), base::displayText(key.place)));
            known = i;
        }
    }
    Exit status = agents().status();
    if (candidates.size() > 1) {
        status = refuse(base::ErrorCode::Ambiguous,
                        tr("several locks match: %1. Narrow them with --lock, --source and --place, or query "
                           "one agent")
                            .arg(candidates.join(QStringLiteral(", "))));
    } else if (known >= 0 && agents().part(known).reported.evidence) {
        report::IncidentEvidence evidence = *agents().part(known).reported.evidence;
        evidence.leftOutAgents = leftOut;
        const Exit written = conclude(evidence);
        status = written == Exit::Done ? status : written;
    } else if (status == Exit::Done) {
        status = refuse(base::ErrorCode::NotFound,
                        tr("no hold and no event of such a lock was seen in this time"));
    }
    tellFinished(int(status));
}

Exit ReportLook::refuse(base::ErrorCode code, const QString &cause)
{
    context().out.note(cause);
    return exitOf(base::Error{code, cause, {}});
}

Exit ReportLook::conclude(report::IncidentEvidence evidence)
{
    if (context().json)
        return put(records::jsonLine(report::incidentObject(evidence)));
    const words::TimeFormat times;
    const report::IncidentReport report = report::reportOf(evidence, times);
    return isPdf(m_options.file) ? putPdf(report) : put(report::reportHtml(report));
}

/** The console program draws it: this one has no GUI library. Blocks until it has ended. */
Exit ReportLook::putPdf(const report::IncidentReport &report)
{
    const QString name = QStringLiteral("lockkeeper");
    const QString beside = QDir(QCoreApplication::applicationDirPath()).filePath(name);
    QProcess console;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    console.setProcessEnvironment(environment);
    console.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    console.start(QFileInfo(beside).isExecutable() ? beside : QStandardPaths::findExecutable(name),
                  {QStringLiteral("--report-pdf"), QFileInfo(m_options.file).absoluteFilePath()});
    if (!console.waitForStarted()) {
        context().out.note(
            tr("PDF needs the console program 'lockkeeper', which isn't installed. Write HTML, "
               "and print it from a browser"));
        return Exit::Failed;
    }
    console.write(report::packReport(report));
    console.closeWriteChannel();
    const bool isDone = console.waitForFinished(kPdfWithinMs) &&
                        console.exitStatus() == QProcess::NormalExit && console.exitCode() == 0;
    if (!isDone)
        context().out.note(
            tr("the console program didn't write '%1'").arg(base::displayText(m_options.file)));
    return isDone ? Exit::Done : Exit::Failed;
}

Exit ReportLook::put(const QByteArray &bytes)
{
    if (m_options.file.isEmpty()) {
        context().out.write(bytes);
        return Exit::Done;
    }
    QSaveFile file(m_options.file);
    if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit())
        return Exit::Done;
    context().out.note(tr("can't write '%1': %2").arg(base::displayText(m_options.file), file.errorString()));
    return Exit::Failed;
}

class ReportSpec final : public LookSpec, public WithOptions<ReportOptions>
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::cli)

public:
    Summary summary() const override
    {
        return {"report", tr("an incident report about one lock, as one HTML or PDF file"),
                "report --lock payment:70310 --from 02:00 --to 04:00 -o report.html",
                "report --lock payment:70310 --json"};
    }
    void declare(Arguments &arguments) override
    {
        arguments.bytes("--lock", options.lockGlob, help("the lock: a glob that matches only its name"))
            ->required();
        arguments.source(options.source);
        arguments.bytes("--place", options.placeGlob, help("only a lock whose place matches this glob"));
        arguments.time("--from", options.fromUs,
                       help("since this time: RFC 3339, or -15m (default one hour before --to)"));
        arguments.time("--to", options.toUs, help("until this time (default now)"));
        arguments.text(
            "-o,--output", options.file,
            help("the file, replaced as a whole (default: standard output); \".pdf\" selects PDF"));
    }
    void check(Arguments &arguments) override;
    std::unique_ptr<Command> make(Context &context) const override
    {
        return std::make_unique<ReportCommand>(options, context);
    }
    std::unique_ptr<Task> task(std::vector<NamedAgent> &agents) const override
    {
        return std::make_unique<ReportLook>(*this, options, agents);
    }
    void print(Listing &) const override {} // ReportLook writes the report
};

void ReportSpec::check(Arguments &arguments)
{
    options.toUs = std::min(options.toUs.value_or(arguments.nowUs()), arguments.nowUs());
    if (!options.fromUs)
        options.fromUs = *options.toUs - kDefaultRangeUs;
    if (*options.fromUs >= *options.toUs)
        arguments.blame("--from", tr("the range ends before it begins"));
}

} // namespace

std::unique_ptr<CommandSpec> reportCommand()
{
    return std::make_unique<ReportSpec>();
}

} // namespace lockkeeper::app::cli

#include "report_command.moc"
