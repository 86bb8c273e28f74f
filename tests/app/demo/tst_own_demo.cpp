// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/demo.h"
#include "app/views/widgets/banner_area.h"
#include "app/views/window/main_window.h"
#include "app/views/window/start_page.h"
#include "shared/base/clock.h"
#include "tests/app/views/support/demo_feed.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

namespace tst_own_demo {

using namespace lockkeeper;
using namespace lockkeeper::app;

constexpr int kPatienceMs = 60'000;

/** *Try the demo* with the machine's own redis-server, and with the programs of this build. */
class OwnDemoTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void showsLocksAndEnds();
    void endsWithTheConsole();
    void saysWhatFailed();

private:
    static QString program(const char *name)
    {
        return qEnvironmentVariable("LOCKKEEPER_BIN") + QLatin1Char('/') + QLatin1String(name);
    }
    /**
     * Servers and programs of this test's demos: their command lines name a folder below its own temporary
     * one. The same test may run beside this one, on another display.
     */
    int running() const
    {
        int count = 0;
        for (const QString &id : QDir(QStringLiteral("/proc")).entryList({QStringLiteral("[1-9]*")})) {
            QFile file(QStringLiteral("/proc/%1/cmdline").arg(id));
            if (file.open(QIODevice::ReadOnly))
                count += file.readAll().contains(m_temporary.path().toLocal8Bit() + "/lockkeeper-own-demo")
                             ? 1
                             : 0;
        }
        return count;
    }

    QTemporaryDir m_temporary;
};

void OwnDemoTest::initTestCase()
{
    if (QStandardPaths::findExecutable(QStringLiteral("redis-server")).isEmpty())
        QSKIP("redis-server isn't installed");
    QVERIFY(m_temporary.isValid());
    qputenv("TMPDIR", m_temporary.path().toLocal8Bit());
}

void OwnDemoTest::showsLocksAndEnds()
{
    const base::SystemClock clock;
    tests::ConsoleRig rig(clock);
    rig.console->demo()->setPrograms(program("lockkeeper-workload"), program("lockkeeper-agent"));
    views::MainWindow *window = rig.console->window();
    window->show();
    rig.console->start({});
    const QString last = rig.settings.value(settings::Key::LastAgent).toString();
    Q_EMIT window->demoAsked();
    QTRY_VERIFY_WITH_TIMEOUT(window->banners()->hasBanner("demo"), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(rig.console->replica()->locks().size() > 10, kPatienceMs);
    QVERIFY(window->currentView());
    // It isn't an agent to come back to.
    QCOMPARE(rig.settings.value(settings::Key::LastAgent).toString(), last);
    QVERIFY(rig.settings.recentAgents().isEmpty());
    QVERIFY(running() > 0);
    rig.console->endDemo();
    QVERIFY(!window->banners()->hasBanner("demo"));
    QVERIFY(!window->currentView()); // the start page
    QTRY_COMPARE_WITH_TIMEOUT(running(), 0, kPatienceMs);
}

void OwnDemoTest::endsWithTheConsole()
{
    auto demo = std::make_unique<demo::Demo>();
    demo->setPrograms(program("lockkeeper-workload"), program("lockkeeper-agent"));
    QSignalSpy ready(demo.get(), &demo::Demo::ready);
    demo->start();
    QTRY_COMPARE_WITH_TIMEOUT(ready.count(), 1, kPatienceMs);
    demo.reset();
    QTRY_COMPARE_WITH_TIMEOUT(running(), 0, kPatienceMs);
}

void OwnDemoTest::saysWhatFailed()
{
    demo::Demo demo;
    QSignalSpy failed(&demo, &demo::Demo::failed);
    demo.setPrograms(QStringLiteral("/nonexistent/lockkeeper-workload"), program("lockkeeper-agent"));
    demo.start();
    QTRY_COMPARE(failed.count(), 1);
    QVERIFY(!failed.first().first().toString().isEmpty());
    QVERIFY(!demo.isRunning());
}

LOCKKEEPER_TEST(OwnDemoTest)

} // namespace tst_own_demo

#include "tst_own_demo.moc"
