// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/alerts/sample_alerts.h"
#include "tests/support/fake_clock.h"
#include "tests/support/test_program.h"

#include <QCoreApplication>
#include <QProcess>
#include <QRandomGenerator>
#include <QTemporaryDir>

#include <csignal>
#include <cstdio>
#include <sys/prctl.h>

namespace tst_alert_store_kill {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using namespace lockkeeper::agent::alerts;

namespace {

const QString kPager = QStringLiteral("pager");

void say(char what, const QByteArray &id)
{
    std::printf("%c %s\n", what, id.constData());
    std::fflush(stdout);
}

/**
 * The process that is killed. It fires alerts without end and delivers them, and prints a line for each:
 * "f ID" once its firing is committed, "s ID" for each message that a receiver would have got.
 */
int runVictim(const QString &path, const QByteArray &prefix)
{
    FakeClock clock;
    AlertStore store(clock);
    if (!store.open(path))
        qFatal("the store can't be opened");
    for (quint64 i = 0;; ++i) {
        const domain::Alert alert = firedAlert(prefix + QByteArray::number(i));
        if (!store.commit({alert}, {{kPager, alert.id}}, i))
            qFatal("no commit");
        say('f', alert.id);
        const auto due = store.outbox().due(kPager, clock.wallUs(), 10);
        for (const DueNotice &notice : due.value())
            say('s', notice.alert.id);
        if (!store.outbox().delivered(kPager, *due, clock.wallUs()))
            qFatal("not delivered");
    }
}

} // namespace

class AlertStoreKillTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyAlertIsSentAtMostTwice();
};

void AlertStoreKillTest::everyAlertIsSentAtMostTwice()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("alerts.db"));
    QHash<QByteArray, int> sent;
    QList<QByteArray> fired;
    for (int round = 0; round < 20; ++round) {
        QProcess victim;
        victim.setProgram(QCoreApplication::applicationFilePath());
        victim.setArguments({QStringLiteral("alert_victim"), path, QStringLiteral("r%1-").arg(round)});
        victim.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        QByteArray output;
        const int reports = 1 + int(QRandomGenerator::global()->bounded(40u));
        connect(&victim, &QProcess::readyRead, &victim, [&] {
            output += victim.readAll();
            if (output.count('\n') >= reports)
                victim.kill();
        });
        victim.start();
        QTRY_COMPARE_WITH_TIMEOUT(victim.state(), QProcess::NotRunning, 30'000);
        output += victim.readAll();
        QVERIFY(output.count('\n') >= reports);
        for (const QByteArray &line : output.first(output.lastIndexOf('\n')).split('\n')) {
            if (line.startsWith("f "))
                fired.append(line.sliced(2));
            else
                ++sent[line.sliced(2)];
        }
    }
    FakeClock clock;
    AlertStore store(clock);
    QVERIFY(store.open(path));
    QVERIFY(store.setAside().isEmpty());
    const QList<DueNotice> left = store.outbox().due(kPager, clock.wallUs(), 1'000).value();
    for (const DueNotice &notice : left)
        ++sent[notice.alert.id];
    for (const QByteArray &id : std::as_const(fired))
        QVERIFY2(sent.value(id) >= 1 && sent.value(id) <= 2, id.constData());
}

LOCKKEEPER_TEST(AlertStoreKillTest)

const tests::RegisteredTest alertVictim("alert_victim", [](int, char **argv) {
    prctl(PR_SET_PDEATHSIG, SIGKILL); // it must not outlive the test
    return runVictim(QString::fromLocal8Bit(argv[1]), argv[2]);
});

} // namespace tst_alert_store_kill

#include "tst_alert_store_kill.moc"
