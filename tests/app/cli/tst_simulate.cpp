// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/checker.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QHash>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

namespace tst_simulate {

using namespace lockkeeper::tests;

namespace {
constexpr int kPatience = 30'000;
}

/** `lockkeeperctl simulate` prints what happened. */
class TestSimulate : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init() { m_redis.command({"FLUSHALL"}); }
    void tellsWhatHappened();
    void theSameSeedDoesTheSame();
    void endsOnASignalAndLeavesNothing();
    void refusedScenario();

private:
    /** Standard output and error, and the status, of one run to its end. */
    QByteArray run(const QByteArray &workers, const QStringList &options, int status);
    void start(QProcess &process, const QByteArray &workers, const QStringList &options);

    RedisServer m_redis;
    QTemporaryDir m_folder;
};

void TestSimulate::initTestCase()
{
    QVERIFY(m_redis.start());
}

void TestSimulate::start(QProcess &process, const QByteArray &workers, const QStringList &options)
{
    QFile file(m_folder.filePath(QStringLiteral("scenario.toml")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[[source]]\nname = \"test\"\nurl = \"" + m_redis.url(3).toString().toUtf8() +
               "\"\n[[source.locks]]\nscheme = \"redis.token\"\n" + workers);
    file.close();
    process.start(qEnvironmentVariable("LOCKKEEPER_BIN") + QStringLiteral("/lockkeeperctl"),
                  QStringList{QStringLiteral("simulate"), file.fileName()} + options);
    QVERIFY(process.waitForStarted());
}

QByteArray TestSimulate::run(const QByteArray &workers, const QStringList &options, int status)
{
    QProcess process;
    start(process, workers, options);
    if (!process.waitForFinished(kPatience) || process.exitCode() != status)
        qWarning() << "status" << process.exitCode() << process.exitStatus();
    return process.readAllStandardOutput() + process.readAllStandardError();
}

void TestSimulate::tellsWhatHappened()
{
    const QByteArray out =
        run("[[workers]]\nworkers = 9\nper_process = 3\nlock = \"job-{n}\"\nlocks = 3\nttl = \"500ms\"\n"
            "hold = [\"5ms\", \"400ms\"]\nidle = \"~10ms\"\ncrash = 0.1\nrestart = \"50ms\"\n",
            {QStringLiteral("--for"), QStringLiteral("4s")}, 0);
    lockkeeper::tests::HistoryReader history;
    history.add("p", out);
    QVERIFY(history.holds().size() > 10);
    QVERIFY(lockkeeper::tests::check(history.holds()).isEmpty());
    QHash<QString, QString> holds; // token → worker
    QHash<QString, int> kinds;
    for (const QByteArray &line : out.split('\n')) {
        if (line.isEmpty())
            continue;
        const QJsonObject event = QJsonDocument::fromJson(line).object();
        const QJsonObject detail = event.value(QStringLiteral("detail")).toObject();
        const QString kind = event.value(QStringLiteral("event")).toString();
        const QString worker = detail.value(QStringLiteral("worker")).toString();
        const QString token = event.value(QStringLiteral("owner")).toString();
        ++kinds[kind + detail.value(QStringLiteral("cause")).toString()];
        QCOMPARE(event.value(QStringLiteral("place")).toString(), QStringLiteral("db3"));
        QCOMPARE(event.value(QStringLiteral("ttl_ms")).toInt(), 500);
        QVERIFY(event.value(QStringLiteral("seq")).isNull());
        QVERIFY(event.value(QStringLiteral("window_us")).toInteger() >= 0);
        if (kind == QLatin1String("acquired")) {
            QVERIFY2(!holds.contains(token), line.constData());
            holds.insert(token, worker);
            continue;
        }
        QVERIFY2(holds.value(token) == worker, line.constData());
        if (kind != QLatin1String("renewed"))
            holds.remove(token);
        if (detail.value(QStringLiteral("cause")) == QLatin1String("crash"))
            QVERIFY2(event.value(QStringLiteral("observed_us")).toInteger() >=
                         event.value(QStringLiteral("expires_us")).toInteger(),
                     line.constData());
    }
    QVERIFY(kinds.value(QStringLiteral("released")) > 5);
    QVERIFY(kinds.value(QStringLiteral("expiredcrash")) > 0);
}

void TestSimulate::theSameSeedDoesTheSame()
{
    const auto locksOf = [this](const char *seed) {
        QList<QByteArray> locks;
        const QByteArray out =
            run("[[workers]]\nlock = \"job-{n}\"\nlocks = 1000\nhold = \"1ms\"\nidle = [\"0ms\", \"20ms\"]\n",
                {QStringLiteral("--for"), QStringLiteral("1s"), QStringLiteral("--seed"),
                 QString::fromLatin1(seed)},
                0);
        for (const QByteArray &line : out.split('\n')) {
            const QJsonObject event = QJsonDocument::fromJson(line).object();
            if (event.value(QStringLiteral("event")) == QLatin1String("acquired"))
                locks.append(event.value(QStringLiteral("lock")).toString().toUtf8());
        }
        return locks.first(std::min<qsizetype>(locks.size(), 5)); // as many as a busy machine reaches
    };
    const QList<QByteArray> first = locksOf("7");
    QCOMPARE(first.size(), 5);
    QCOMPARE(locksOf("7"), first);
    QVERIFY(locksOf("8") != first);
}

void TestSimulate::endsOnASignalAndLeavesNothing()
{
    QProcess process;
    start(process,
          "[[workers]]\nworkers = 20\nlock = \"job-{n}\"\nlocks = 5\nhold = \"1h\"\nidle = \"1ms\"\n", {});
    m_redis.command({"SELECT", "3"});
    const auto held = [this] {
        return m_redis.command({"EXISTS", "job-0", "job-1", "job-2", "job-3", "job-4"}).integer;
    };
    // The simulation holds a lock once the server's answer has arrived. Only then does it report the hold's
    // end.
    QByteArray out;
    const auto taken = [&] {
        out += process.readAllStandardOutput();
        return out.count("\"acquired\"");
    };
    QTRY_COMPARE_WITH_TIMEOUT(taken(), 5, kPatience);
    QCOMPARE(held(), 5);
    ::kill(pid_t(process.processId()), SIGTERM);
    QTRY_COMPARE_WITH_TIMEOUT(process.state(), QProcess::NotRunning, kPatience);
    QCOMPARE(process.exitCode(), 0);
    QCOMPARE(held(), 0);
    out += process.readAllStandardOutput();
    QCOMPARE(out.count("\"released\""), 5);
}

void TestSimulate::refusedScenario()
{
    const QByteArray said =
        run("[[workers]]\nlock = \"a\"\nhodl = \"1s\"\n[[workers]]\nlock = \"b\"\nttl = \"0s\"\n", {}, 2);
    QCOMPARE(said.count('\n'), 2);
    QVERIFY2(said.contains("scenario.toml:8: ") && said.contains("Did you mean \"hold\"?"), said.constData());
    QVERIFY2(said.contains("scenario.toml:11: "), said.constData());
}

LOCKKEEPER_TEST(TestSimulate)

} // namespace tst_simulate

#include "tst_simulate.moc"
