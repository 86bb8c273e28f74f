// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/sources/probe_dialog.h"
#include "app/views/sources/sources_view.h"
#include "tests/app/views/support/view_rig.h"
#include "tests/support/test_program.h"

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QtTest>

namespace tst_probe_dialog {

using namespace lockkeeper;
using namespace lockkeeper::app::views;
using tests::ViewRig;

/** The dialog of a probe: says what it costs, asks once, shows the counts as they are. */
class TestProbeDialog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void saysTheCostAndCancels();
    void enterInAFieldPressesNoButton();
    void showsCounts();
    void tellsWhyNot_data();
    void tellsWhyNot();
    void openedFromSources();
    void speaksAnotherLanguage();

private:
    QLabel *label(const char *name) const { return m_dialog->findChild<QLabel *>(QLatin1String(name)); }
    QPushButton *action() const { return m_dialog->findChild<QPushButton *>(QStringLiteral("action")); }
    QTableWidget *counts() const { return m_dialog->findChild<QTableWidget *>(); }

    std::unique_ptr<ViewRig> m_rig;
    std::unique_ptr<ProbeDialog> m_dialog;
};

void TestProbeDialog::init()
{
    m_rig = std::make_unique<ViewRig>();
    QVERIFY(m_rig->connectAgent());
    QTRY_VERIFY(m_rig->isLive());
    m_dialog = std::make_unique<ProbeDialog>(m_rig->context, QStringLiteral("orders"));
    m_dialog->show();
}

void TestProbeDialog::cleanup()
{
    m_dialog.reset();
    m_rig.reset();
}

void TestProbeDialog::saysTheCostAndCancels()
{
    QVERIFY(label("cost")->text().contains(QStringLiteral("MONITOR")));
    QVERIFY(label("cost")->text().contains(QStringLiteral("throughput")));
    QVERIFY(!action()->isDefault() && !action()->autoDefault());
    QTest::keyClick(m_dialog.get(), Qt::Key_Return); // the default is Cancel
    QTRY_VERIFY(!m_dialog->isVisible());
    QCOMPARE(m_rig->probes.size(), 0);
}

void TestProbeDialog::enterInAFieldPressesNoButton()
{
    QWidgetList fields{m_dialog->findChild<QLineEdit *>(QStringLiteral("reason"))};
    for (QSpinBox *number : m_dialog->findChildren<QSpinBox *>())
        fields.append(number);
    QCOMPARE(fields.size(), 3);
    for (QWidget *field : std::as_const(fields)) {
        field->setFocus();
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(m_dialog->isVisible());
    }
    QCOMPARE(m_rig->probes.size(), 0);
}

void TestProbeDialog::showsCounts()
{
    m_rig->probe.beganUs = 1'000'000;
    m_rig->probe.endedUs = 3'000'000;
    m_rig->probe.commands = 4711;
    m_rig->probe.end = domain::ProbeEnd::Commands;
    m_rig->probe.counts = {{"<b>lock</b>", "10.0.0.7:51342", 900, 0, 900}, {"lock:b", "unix:/r", 2, 0, 2}};
    action()->click();
    QVERIFY(!action()->isEnabled()); // once
    QTRY_COMPARE(counts()->rowCount(), 2);
    QVERIFY(counts()->isVisible());
    QCOMPARE(counts()->item(0, 0)->text(), QStringLiteral("<b>lock</b>"));
    QCOMPARE(counts()->item(0, 1)->text(), QStringLiteral("10.0.0.7:51342"));
    QCOMPARE(counts()->item(0, 2)->text(), QLocale().toString(900));
    QVERIFY(label("status")->text().contains(QStringLiteral("doesn't report results")));
    QVERIFY2(label("status")->text().contains(QLocale().toString(4711)), qPrintable(label("status")->text()));
    QVERIFY(label("status")->text().contains(QStringLiteral("ended early")));
    QCOMPARE(m_rig->probes.size(), 1);
    QCOMPARE(m_rig->probes.first().source, QStringLiteral("orders"));
    QCOMPARE(m_rig->probes.first().forUs, 2'000'000);
    QCOMPARE(m_rig->probes.first().mostCommands, 100'000);
    QCOMPARE(m_rig->probes.first().command.size(), 32);
}

void TestProbeDialog::tellsWhyNot_data()
{
    QTest::addColumn<int>("code");
    QTest::newRow("not allowed") << int(base::ErrorCode::PermissionDenied);
    QTest::newRow("busy") << int(base::ErrorCode::Busy);
}

void TestProbeDialog::tellsWhyNot()
{
    QFETCH(int, code);
    m_rig->probe.error = {base::ErrorCode(code), QStringLiteral("the cause"), QStringLiteral("the remedy")};
    action()->click();
    QTRY_VERIFY2(label("status")->text().contains(QStringLiteral("the cause")),
                 qPrintable(label("status")->text()));
    QVERIFY(label("status")->text().contains(QStringLiteral("the remedy")));
    QVERIFY(!counts()->isVisible());
    QVERIFY(action()->isEnabled());
}

void TestProbeDialog::openedFromSources()
{
    SourcesView view(m_rig->context);
    view.resize(1000, 640);
    view.show();
    view.activate();
    auto *button = view.findChild<QPushButton *>(QStringLiteral("probe"));
    QVERIFY(!button->isVisible());
    m_rig->agent.sendToAll(protocol::StateBatch{{}, {m_rig->source(QStringLiteral("orders"))}, false, {}});
    QTRY_VERIFY(button->isVisible());
    button->click();
    QTRY_VERIFY(view.findChild<ProbeDialog *>() != nullptr);
    view.findChild<ProbeDialog *>()->close();
    domain::SourceState other = m_rig->source(QStringLiteral("orders"));
    other.store = "mysql";
    m_rig->agent.sendToAll(protocol::StateBatch{{}, {other}, false, {}});
    QTRY_VERIFY(!button->isVisible());
}

void TestProbeDialog::speaksAnotherLanguage()
{
    const tests::BracketLanguage language;
    QTRY_VERIFY(m_dialog->windowTitle().startsWith(QLatin1Char('[')));
    for (const char *name : {"cost"})
        QVERIFY(label(name)->text().startsWith(QLatin1Char('[')));
    QVERIFY(action()->text().startsWith(QLatin1Char('[')));
}

LOCKKEEPER_TEST(TestProbeDialog)

} // namespace tst_probe_dialog

#include "tst_probe_dialog.moc"
