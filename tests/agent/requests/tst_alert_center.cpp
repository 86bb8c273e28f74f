// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/requests/alert_center.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

namespace tst_alert_center {

using namespace lockkeeper;
using agent::requests::AlertCenter;
using domain::AlertCondition;

namespace {

class NoSources final : public agent::release::SourceDirectory
{
public:
    QList<agent::release::SourcePort *> sources() const override { return {}; }
    agent::release::SourcePort *source(const QString &) const override { return nullptr; }
};

/** The error that `begin` passes to its callback; code Unknown and no cause: none. */
template <typename Begin> base::Error errorOf(const Begin &begin)
{
    base::Error error;
    begin([&error](const base::Result<void> &done) { error = done ? base::Error() : done.error(); });
    return error;
}

} // namespace

/** The agent's alerts without any source: receivers, and the end. */
class TestAlertCenter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void removedReceiversEndTheirAlerts();
    void answersWhileTheAgentEnds();

private:
    std::unique_ptr<AlertCenter> open(const agent::config::Config &config)
    {
        auto center = std::make_unique<AlertCenter>(AlertCenter::AlertContext{
            m_sources, m_clock, [] { return agent::alerts::AgentHealth(); }, [] { return false; }});
        if (!center->open(config))
            return nullptr;
        center->start();
        return center;
    }

    NoSources m_sources;
    base::SystemClock m_clock;
};

void TestAlertCenter::removedReceiversEndTheirAlerts()
{
    QTemporaryDir folder;
    agent::config::Config config;
    config.dataDir = folder.path();
    agent::config::AlertRule failing;
    failing.name = QStringLiteral("failing");
    failing.when = AlertCondition::ReceiverFailing;
    agent::config::AlertRule always;
    always.name = QStringLiteral("always");
    always.when = AlertCondition::AlwaysFiring;
    config.alerts = {{failing, always}, {}, 0};
    agent::config::ReceiverSettings hook;
    hook.name = QStringLiteral("hook");
    agent::config::CommandReceiver command;
    command.command = QStringList{folder.filePath(QStringLiteral("missing"))};
    hook.target = command;
    config.receivers = {hook};
    const auto center = open(config);
    QVERIFY(center);
    const auto alert = [&center]() -> std::optional<domain::Alert> {
        for (const domain::Alert &one : center->alerts({}).list) {
            if (one.condition == AlertCondition::ReceiverFailing)
                return one;
        }
        return std::nullopt;
    };
    QTRY_VERIFY(alert());
    QVERIFY(!alert()->isResolved());
    config.receivers.clear();
    center->configure(config);
    QTRY_VERIFY(alert()->isResolved());
}

void TestAlertCenter::answersWhileTheAgentEnds()
{
    QTemporaryDir folder;
    agent::config::Config config;
    config.dataDir = folder.path();
    const auto center = open(config);
    QVERIFY(center);
    center->close();
    const base::Error acted = errorOf([&](const AlertCenter::Done &done) {
        center->act(protocol::AlertAction{}, agent::release::Asker{}, {}, done);
    });
    QCOMPARE(acted.code, base::ErrorCode::Shutdown);
    const base::Error tested =
        errorOf([&](const AlertCenter::Done &done) { center->test(QStringLiteral("hook"), done); });
    QCOMPARE(tested.code, base::ErrorCode::Shutdown);
}

LOCKKEEPER_TEST(TestAlertCenter)

} // namespace tst_alert_center

#include "tst_alert_center.moc"
