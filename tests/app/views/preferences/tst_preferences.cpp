// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/preferences/preferences_dialog.h"
#include "tests/app/views/support/view_rig.h"
#include "tests/support/test_program.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QtTest>

namespace tst_preferences {

using namespace lockkeeper;
using namespace lockkeeper::app::views;
using app::settings::Key;
using tests::ViewRig;

class TestPreferences : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void choicesAreKept_data();
    void choicesAreKept();
    void checksAreKept_data();
    void checksAreKept();
    void everyControlHasALabel();
    void anotherLanguageChangesNoSetting();
    void closes();

private:
    static QList<std::pair<QByteArray, QString>> views()
    {
        return {{"locks", QStringLiteral("Locks")}, {"history", QStringLiteral("History")}};
    }
};

void TestPreferences::choicesAreKept_data()
{
    QTest::addColumn<QString>("control");
    QTest::addColumn<int>("key");
    QTest::addColumn<QVariant>("value");
    const auto row = [](const char *control, Key key, const QVariant &value) {
        QTest::newRow(qPrintable(QLatin1String(control) + QLatin1Char(' ') + value.toString()))
            << QString::fromLatin1(control) << int(key) << value;
    };
    row("language", Key::Language, QStringLiteral("zh_CN"));
    row("language", Key::Language, QStringLiteral("en"));
    row("appearance", Key::Appearance, QStringLiteral("light"));
    row("appearance", Key::Appearance, QStringLiteral("dark"));
    row("density", Key::Density, QStringLiteral("comfortable"));
    row("zone", Key::TimeZone, QStringLiteral("utc"));
    row("tick", Key::TickSeconds, 1);
    row("tick", Key::TickSeconds, 5);
    row("default_view", Key::DefaultView, QStringLiteral("locks"));
    row("default_view", Key::DefaultView, QStringLiteral("history"));
}

void TestPreferences::choicesAreKept()
{
    QFETCH(QString, control);
    QFETCH(int, key);
    QFETCH(QVariant, value);
    ViewRig rig;
    {
        const PreferencesDialog dialog(rig.context, views());
        auto *box = dialog.findChild<QComboBox *>(control);
        QVERIFY(box);
        QCOMPARE(box->currentData(), app::settings::Settings::defaultValue(Key(key)));
        QSignalSpy changed(&rig.settings, &app::settings::Settings::changed);
        box->setCurrentIndex(box->findData(value));
        QCOMPARE(changed.size(), 1);
        QCOMPARE(rig.settings.value(Key(key)), value);
    }
    const PreferencesDialog again(rig.context, views());
    QCOMPARE(again.findChild<QComboBox *>(control)->currentData(), value);
}

void TestPreferences::checksAreKept_data()
{
    QTest::addColumn<QString>("control");
    QTest::addColumn<int>("key");
    QTest::newRow("milliseconds") << QStringLiteral("milliseconds") << int(Key::Milliseconds);
    QTest::newRow("row marks") << QStringLiteral("row_marks") << int(Key::RowMarks);
    QTest::newRow("tints") << QStringLiteral("tints") << int(Key::Tints);
    QTest::newRow("notifications") << QStringLiteral("notifications") << int(Key::Notifications);
    QTest::newRow("reconnect") << QStringLiteral("reconnect") << int(Key::Reconnect);
}

void TestPreferences::checksAreKept()
{
    QFETCH(QString, control);
    QFETCH(int, key);
    ViewRig rig;
    bool turned = false;
    {
        const PreferencesDialog dialog(rig.context, views());
        auto *box = dialog.findChild<QCheckBox *>(control);
        QVERIFY(box);
        QCOMPARE(box->isChecked(), rig.settings.value(Key(key)).toBool());
        box->toggle();
        turned = box->isChecked();
        QCOMPARE(rig.settings.value(Key(key)).toBool(), turned);
    }
    const PreferencesDialog again(rig.context, views());
    QCOMPARE(again.findChild<QCheckBox *>(control)->isChecked(), turned);
}

void TestPreferences::everyControlHasALabel()
{
    ViewRig rig;
    PreferencesDialog dialog(rig.context, views());
    dialog.show();
    const QList<QComboBox *> boxes = dialog.findChildren<QComboBox *>();
    QCOMPARE(boxes.size(), 6);
    const QList<QLabel *> labels = dialog.findChildren<QLabel *>();
    for (const QComboBox *box : boxes) {
        QVERIFY2(!box->accessibleName().isEmpty(), qPrintable(box->objectName()));
        QVERIFY2(std::any_of(labels.begin(), labels.end(),
                             [box](const QLabel *label) {
                                 return label->buddy() == box && label->isVisible() &&
                                        !label->text().isEmpty() && label->width() > 0;
                             }),
                 qPrintable(box->objectName()));
    }
    QVERIFY(!dialog.findChild<QLineEdit *>(QStringLiteral("export_folder"))->accessibleName().isEmpty());
}

void TestPreferences::anotherLanguageChangesNoSetting()
{
    ViewRig rig;
    rig.settings.setValue(Key::TickSeconds, 5);
    rig.settings.setValue(Key::Density, QStringLiteral("comfortable"));
    PreferencesDialog dialog(rig.context, views());
    dialog.show();
    QSignalSpy changed(&rig.settings, &app::settings::Settings::changed);
    const tests::BracketLanguage language;
    QTRY_COMPARE(dialog.windowTitle(), QStringLiteral("[Preferences]"));
    QCOMPARE(dialog.findChild<QCheckBox *>(QStringLiteral("tints"))->text(),
             QStringLiteral("[Tint stuck and expired rows]"));
    const auto *density = dialog.findChild<QComboBox *>(QStringLiteral("density"));
    QCOMPARE(density->currentText(), QStringLiteral("[Comfortable]"));
    QCOMPARE(dialog.findChild<QComboBox *>(QStringLiteral("tick"))->currentData().toInt(), 5);
    // A language is named in itself.
    const auto *names = dialog.findChild<QComboBox *>(QStringLiteral("language"));
    QCOMPARE(names->itemText(names->findData(QStringLiteral("zh_CN"))), QStringLiteral("简体中文"));
    QCOMPARE(changed.size(), 0);
}

void TestPreferences::closes()
{
    ViewRig rig;
    PreferencesDialog dialog(rig.context, views());
    dialog.show();
    QTest::keyClick(&dialog, Qt::Key_Escape);
    QVERIFY(!dialog.isVisible());
}

LOCKKEEPER_TEST(TestPreferences)

} // namespace tst_preferences

#include "tst_preferences.moc"
