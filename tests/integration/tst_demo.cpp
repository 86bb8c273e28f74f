// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/program.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <functional>
#include <sys/prctl.h>

namespace tst_demo {

using namespace lockkeeper::tests;

namespace {

constexpr int kStartMs = 90'000;
constexpr int kShowMs = 120'000; ///< a minute, and as much again on a busy machine
constexpr int kEndMs = 30'000;

QString text(const QJsonObject &row, const char *key)
{
    return row.value(QLatin1String(key)).toString();
}

int number(const QJsonObject &row, const char *key)
{
    return row.value(QLatin1String(key)).toInt();
}

/** Something that the demo is to show. */
struct Scene
{
    const char *name;
    const char *command; ///< of lockkeeperctl
    std::function<bool(const QJsonObject &)> isShown;
};

Scene adviceOn(const char *code, const char *lock)
{
    return {code, "advise", [code, lock](const QJsonObject &row) {
                return text(row, "code") == QLatin1String(code) && text(row, "lock") == QLatin1String(lock);
            }};
}

QList<Scene> scenes()
{
    return {
        {"a chain of five sessions", "chains", [](const auto &row) { return number(row, "depth") == 4; }},
        {"a table locked whole", "chains",
         [](const auto &row) {
             return text(row.value(QLatin1String("whole_tables")).toArray().at(0).toObject(), "place") ==
                    QLatin1String("app.stock");
         }},
        {"a lock taken twice", "locks",
         [](const auto &row) {
             return text(row, "scheme") == QLatin1String("sql.reentrant") && number(row, "depth") == 2;
         }},
        {"an optimistic counter", "locks",
         [](const auto &row) {
             return text(row, "lock") == QLatin1String("stats:page-views") &&
                    number(row, "changes_per_minute") > 0;
         }},
        {"a JSON lease", "locks",
         [](const auto &row) {
             return text(row, "scheme") == QLatin1String("redis.json") &&
                    text(row, "state") == QLatin1String("held");
         }},
        {"a fair queue", "locks",
         [](const auto &row) {
             return text(row, "scheme") == QLatin1String("redis.redisson") &&
                    row.value(QLatin1String("waiters")).toArray().size() >= 2;
         }},
        {"a Redlock without one of its nodes", "locks",
         [](const auto &row) {
             const QJsonArray nodes = row.value(QLatin1String("nodes")).toArray();
             return nodes.size() == 5 && text(row, "state") == QLatin1String("held") &&
                    std::any_of(nodes.cbegin(), nodes.cend(), [](const QJsonValue &node) {
                        return text(node.toObject(), "holds") == QLatin1String("unreachable");
                    });
         }},
        {"the node is back", "history",
         [](const auto &row) {
             return text(row, "event") == QLatin1String("gap_closed") &&
                    text(row, "source") == QLatin1String("payments-redlock");
         }},
        {"a dead owner's lease ran out", "history",
         [](const auto &row) {
             return text(row, "event") == QLatin1String("expired") &&
                    text(row, "lock") == QLatin1String("import:catalog");
         }},
        {"the reaper would have broken it", "audit",
         [](const auto &row) {
             return text(row, "outcome") == QLatin1String("would_release") &&
                    text(row, "role") == QLatin1String("policy");
         }},
        {"a lock lost in a failover", "history",
         [](const auto &row) {
             return text(row, "event") == QLatin1String("lost") &&
                    text(row.value(QLatin1String("detail")).toObject(), "cause") ==
                        QLatin1String("lost_in_failover");
         }},
        {"a dead process holds a lock", "locks",
         [](const auto &row) {
             return text(row, "lock") == QLatin1String("lock:payout:batch-7") &&
                    text(row, "state") == QLatin1String("stuck") &&
                    row.value(QLatin1String("alive"))[QLatin1String("probe")][QLatin1String("verdict")] ==
                        QLatin1String("dead");
         }},
        {"a scheduler is gone", "alerts",
         [](const auto &row) {
             return text(row, "rule") == QLatin1String("the nightly scheduler is gone") &&
                    text(row, "lock") == QLatin1String("sync:nightly-scheduler");
         }},
        adviceOn("lease_too_short", "lock:reports:daily"),
        adviceOn("unusually_long_hold", "lock:archive:weekly"),
        adviceOn("opposite_orders", "sync:ledger-eu"),
        adviceOn("polls_too_fast", "sync:partner-feed"),
    };
}

} // namespace

/** `./run demo` shows what it promises, and leaves nothing behind. */
class TestDemo : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsEverything()
    {
        const QString source = qEnvironmentVariable("LOCKKEEPER_SOURCE");
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("TMPDIR"), m_folder.path());
        m_demo.setProcessEnvironment(environment);
        m_demo.setProcessChannelMode(QProcess::MergedChannels);
        m_demo.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
        m_demo.start(source + QStringLiteral("/run"),
                     {QStringLiteral("demo"), QStringLiteral("--headless"), QStringLiteral("--failover"),
                      QStringLiteral("--quick"), QStringLiteral("--bin"),
                      qEnvironmentVariable("LOCKKEEPER_BIN")});
        const auto isUpOrOver = [this] {
            return (m_said += m_demo.readAll()).contains("Ctrl-C") || m_demo.state() == QProcess::NotRunning;
        };
        QTRY_VERIFY2_WITH_TIMEOUT(isUpOrOver(), m_said.constData(), kStartMs);
        QVERIFY2(m_demo.state() == QProcess::Running, m_said.constData());
        QList<Scene> missing = scenes();
        const auto isOver = [&] {
            for (const char *command : {"chains", "locks", "history", "audit", "alerts", "advise"})
                strike(missing, command);
            return missing.isEmpty();
        };
        QTRY_VERIFY2_WITH_TIMEOUT(isOver(), names(missing).constData(), kShowMs);
    }

    void cleanup()
    {
        m_demo.terminate();
        const bool ended = m_demo.waitForFinished(kEndMs);
        if (!ended) {
            m_demo.kill();
            m_demo.waitForFinished();
        }
        QVERIFY2(ended, "it didn't end");
        QCOMPARE(QDir(m_folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList());
        QTRY_COMPARE_WITH_TIMEOUT(programs(), QStringList(), kEndMs);
    }

private:
    /** Takes those off the list that the command's rows show. */
    void strike(QList<Scene> &missing, const char *command) const
    {
        const auto isAsked = [command](const Scene &scene) { return qstrcmp(scene.command, command) == 0; };
        if (std::none_of(missing.cbegin(), missing.cend(), isAsked))
            return;
        const QByteArray mark("--agent ");
        const QByteArray agent = m_said.mid(m_said.indexOf(mark) + mark.size()).split(' ').constFirst();
        const Output output = run("lockkeeperctl", {QStringLiteral("--agent"), QString::fromLocal8Bit(agent),
                                                    QStringLiteral("--json"), QString::fromLatin1(command)});
        for (const QByteArray &line : output.out.split('\n')) {
            const QJsonObject row = QJsonDocument::fromJson(line).object();
            missing.removeIf([&](const Scene &scene) { return isAsked(scene) && scene.isShown(row); });
        }
    }

    static QByteArray names(const QList<Scene> &missing)
    {
        QByteArrayList all;
        for (const Scene &scene : missing)
            all.append(scene.name);
        return "not shown: " + all.join(", ");
    }

    /** Command lines of whatever runs in the demo's folder. */
    QStringList programs() const
    {
        QStringList found;
        for (const QString &pid : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
            QFile file(QStringLiteral("/proc/%1/cmdline").arg(pid));
            if (pid.toInt() == 0 || !file.open(QIODevice::ReadOnly))
                continue;
            const QString line = QString::fromLocal8Bit(file.readAll().replace('\0', ' '));
            if (line.contains(m_folder.path()))
                found.append(line);
        }
        return found;
    }

    QTemporaryDir m_folder;
    QProcess m_demo;
    QByteArray m_said;
};

LOCKKEEPER_TEST(TestDemo)

} // namespace tst_demo

#include "tst_demo.moc"
