// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/journal.h"
#include "app/models/history_model.h"
#include "app/presentation/theme.h"
#include "app/replica/alert_board.h"
#include "app/replica/holder_checks.h"
#include "app/replica/replica.h"
#include "app/replica/selection.h"
#include "app/session/agent_group.h"
#include "app/settings/settings.h"
#include "app/views/history/history_view.h"
#include "app/views/table/exporter.h"
#include "app/views/widgets/requests.h"
#include "app/words/time_format.h"
#include "shared/base/clock.h"
#include "tests/support/agent_process.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QSignalSpy>
#include <QTest>

#include <malloc.h>

namespace tst_export_many {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using app::records::FileFormat;

namespace {

constexpr int kLocks = 500;
constexpr qint64 kMostMib = 4; ///< a page of each kind, and the memory that the heap keeps

/** LOCKKEEPER_EXPORT_EVENTS (a million in a recorded run), or this default. */
int eventCount()
{
    bool set = false;
    const int events = qEnvironmentVariableIntValue("LOCKKEEPER_EXPORT_EVENTS", &set);
    return set ? events : 50'000;
}

/** Acquired and released in turn by one lock after the other, the last of them now. */
events::LockEvent eventAt(int number, qint64 timeUs)
{
    events::LockEvent event;
    event.key = {QStringLiteral("orders"), "redis.token", "db0",
                 "lock:order:" + QByteArray::number(number / 2 % kLocks)};
    event.store = "redis";
    event.kind = number % 2 == 0 ? events::EventKind::Acquired : events::EventKind::Released;
    event.owner = "worker-" + QByteArray::number(number / 2 % 7);
    event.timeUs = timeUs;
    event.observedUs = timeUs + 900;
    if (number % 2 == 0) {
        domain::LockState &after = event.after.emplace();
        after.key = event.key;
        after.phase = domain::Phase::Held;
        after.owner = after.token = event.owner;
        after.acquiredUs = timeUs;
        after.acquiredBy = domain::Evidence::Observation;
        after.guard = QByteArray(64, 'a');
        after.seenUs = event.observedUs;
    }
    return event;
}

qint64 heapMib()
{
    return qint64(mallinfo2().uordblks) / 1024 / 1024;
}

/** The most that process `pid` has had resident. */
qint64 peakMib(qint64 pid)
{
    QFile status(QStringLiteral("/proc/%1/status").arg(pid));
    if (!status.open(QIODevice::ReadOnly))
        return 0;
    const QByteArrayList lines = status.readAll().split('\n');
    for (const QByteArray &line : lines) {
        if (line.startsWith("VmHWM:"))
            return line.simplified().split(' ').at(1).toLongLong() / 1024;
    }
    return 0;
}

/** A console's parts on a session to a real agent. */
struct ConsoleParts
{
    ConsoleParts()
        : settings(folder.filePath(QStringLiteral("console.ini"))),
          replica(clock),
          session(QStringLiteral("test"))
    {
        replica.follow(&session);
    }
    ~ConsoleParts() { replica.follow(nullptr); }

    app::views::ConsoleContext context()
    {
        return {&session, &replica, &selection, &settings, &clock,
                &theme,   &times,   &requests,  &alerts,   &holders};
    }

    QTemporaryDir folder;
    base::SystemClock clock;
    app::settings::Settings settings;
    app::presentation::Theme theme;
    app::words::TimeFormat times;
    app::replica::Replica replica;
    app::replica::Selection selection;
    app::views::Requests requests;
    app::session::AgentGroup session;
    app::replica::AlertBoard alerts{session, clock};
    app::replica::HolderChecks holders{session, clock};
};

} // namespace

/** An export needs the same memory for any number of events of a real agent. */
class TestExportMany : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void consoleTakesOneAtATime();
    void programStreams();

private:
    AgentProcess m_agent;
    const int m_events = eventCount();
};

/** The test writes the journal before it starts the agent, which then serves it. */
void TestExportMany::initTestCase()
{
    QVERIFY(QDir(m_agent.folder()).mkdir(QStringLiteral("data")));
    const base::SystemClock clock;
    const qint64 firstUs = clock.wallUs() - m_events * 1'000ll;
    agent::journal::Journal journal(clock);
    agent::journal::JournalOptions options;
    options.path = m_agent.folder() + QStringLiteral("/data/journal.db");
    QVERIFY(journal.open(options));
    for (int i = 0; i < m_events;) {
        QList<events::LockEvent> part;
        for (; part.size() < 5'000 && i < m_events; ++i)
            part.append(eventAt(i, firstUs + i * 1'000ll));
        journal.append(part);
        // Waits as a source would: the queue drops events beyond its memory, as a gap.
        QTRY_VERIFY_WITH_TIMEOUT(journal.queuedEvents() == 0 && !journal.hasBackPressure(), 60'000);
    }
    journal.close();
    // Nothing listens there: all answers come from the journal alone.
    m_agent.configure("[journal]\nurl = \"sqlite:journal.db\"\n"
                      "[[source]]\nname = \"orders\"\nurl = \"redis://127.0.0.1:1\"\n"
                      "  [[source.locks]]\n  scheme = \"redis.token\"\n  match = \"lock:*\"\n");
    QVERIFY2(m_agent.start(), m_agent.log().constData());
}

/** File → Export… of the History, to its end. */
void TestExportMany::consoleTakesOneAtATime()
{
    ConsoleParts console;
    console.session.open({m_agent.socket()});
    QTRY_COMPARE(console.session.link(), app::session::LinkState::Live);
    app::views::HistoryView view(console.context());
    view.setFilter(QStringLiteral("event:acquired,released"));
    view.show();
    view.activate();
    QTRY_VERIFY(view.model()->rowCount() > 0);
    const QString path = console.folder.filePath(QStringLiteral("all.jsonl"));
    app::views::Exporter exporter(path, view.list()->exportSource(FileFormat::Syntax::JsonLines));
    qint64 least = 0;
    qint64 most = 0;
    connect(&exporter, &app::views::Exporter::moved, this, [&](double share) {
        const qint64 mib = heapMib();
        if (share < 0.1)
            least = mib; // the first pages are on their way
        most = std::max(most, mib);
    });
    std::optional<base::Result<qint64>> ended;
    connect(&exporter, &app::views::Exporter::ended, this,
            [&ended](const base::Result<qint64> &rows) { ended = rows; });
    QElapsedTimer time;
    time.start();
    exporter.start();
    QTRY_VERIFY_WITH_TIMEOUT(ended, 600'000);
    QVERIFY2(*ended, ended->has_value() ? "" : qPrintable(ended->error().cause));
    QCOMPARE(**ended, qint64(m_events));
    const QByteArray told = QStringLiteral("%1 events, %2 MiB, in %3 s; heap %4 MiB at a tenth, %5 at most")
                                .arg(m_events)
                                .arg(QFileInfo(path).size() / 1024 / 1024)
                                .arg(double(time.elapsed()) / 1000, 0, 'f', 1)
                                .arg(least)
                                .arg(most)
                                .toUtf8();
    qInfo("%s; agent %lld MiB", told.constData(), qlonglong(m_agent.residentKib() / 1024));
    QVERIFY2(most - least <= kMostMib, told.constData());
}

void TestExportMany::programStreams()
{
    QProcess program;
    QElapsedTimer time;
    time.start();
    program.start(qEnvironmentVariable("LOCKKEEPER_BIN") + QStringLiteral("/lockkeeperctl"),
                  {QStringLiteral("--agent"), QStringLiteral("local:") + m_agent.socket(),
                   QStringLiteral("--json"), QStringLiteral("history"), QStringLiteral("--lock"),
                   QStringLiteral("lock:*"), QStringLiteral("--limit"), QStringLiteral("0")});
    QVERIFY(program.waitForStarted());
    qint64 rows = 0;
    qint64 bytes = 0;
    qint64 least = 0;
    qint64 most = 0;
    while (program.waitForReadyRead(60'000)) {
        const QByteArray part = program.readAllStandardOutput();
        rows += part.count('\n');
        bytes += part.size();
        const qint64 mib = peakMib(program.processId());
        if (rows < m_events / 10)
            least = mib;
        most = std::max(most, mib);
    }
    if (program.state() != QProcess::NotRunning)
        QVERIFY(program.waitForFinished());
    QCOMPARE(program.exitCode(), 0);
    QCOMPARE(rows, qint64(m_events));
    const QByteArray told = QStringLiteral("%1 events, %2 MiB, in %3 s; %4 MiB at a tenth, %5 at most")
                                .arg(m_events)
                                .arg(bytes / 1024 / 1024)
                                .arg(double(time.elapsed()) / 1000, 0, 'f', 1)
                                .arg(least)
                                .arg(most)
                                .toUtf8();
    qInfo("%s; agent %lld MiB", told.constData(), qlonglong(m_agent.residentKib() / 1024));
    QVERIFY2(most - least <= kMostMib, told.constData());
}

LOCKKEEPER_TEST(TestExportMany)

} // namespace tst_export_many

#include "tst_export_many.moc"
