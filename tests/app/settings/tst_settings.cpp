// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings/settings.h"
#include "tests/support/test_program.h"

#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

namespace tst_settings {

using namespace lockkeeper::app::settings;

class TestSettings : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void everyKeyHasADefault();
    void values_data();
    void values();
    void nonsenseInTheFileReadsAsDefault();
    void columnsComeBackByName();
    void brokenColumnsAreLeftOut();
    void viewsAndFiltersComeBack();
    void recentAgentsAreTheLastOnes();
    void resetLayoutKeepsTheRest();
    void typedReaders();

private:
    QString file() const { return m_folder->filePath(QStringLiteral("console.ini")); }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestSettings::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
}

void TestSettings::everyKeyHasADefault()
{
    Settings settings(file());
    QSet<QString> names;
    for (int i = 0; i < int(Key::KeyCount); ++i) {
        names.insert(Settings::name(Key(i)));
        QVERIFY(Settings::defaultValue(Key(i)).isValid());
        QCOMPARE(settings.value(Key(i)), Settings::defaultValue(Key(i)));
        QVERIFY(settings.setValue(Key(i), Settings::defaultValue(Key(i))));
    }
    QCOMPARE(names.size(), int(Key::KeyCount));
}

void TestSettings::values_data()
{
    QTest::addColumn<Key>("key");
    QTest::addColumn<QVariant>("value");
    QTest::addColumn<bool>("fits");
    QTest::newRow("dark") << Key::Appearance << QVariant(QStringLiteral("dark")) << true;
    QTest::newRow("no such appearance") << Key::Appearance << QVariant(QStringLiteral("pink")) << false;
    QTest::newRow("no such zone") << Key::TimeZone << QVariant(QStringLiteral("source")) << false;
    QTest::newRow("5 s") << Key::TickSeconds << QVariant(5) << true;
    QTest::newRow("3 s") << Key::TickSeconds << QVariant(3) << false;
    QTest::newRow("0 s") << Key::TickSeconds << QVariant(0) << false;
    QTest::newRow("larger text") << Key::FontZoom << QVariant(120) << true;
    QTest::newRow("too large a text") << Key::FontZoom << QVariant(160) << false;
    QTest::newRow("between two sizes") << Key::FontZoom << QVariant(115) << false;
    QTest::newRow("text for a number") << Key::TickSeconds << QVariant(QStringLiteral("often")) << false;
    QTest::newRow("bool") << Key::Milliseconds << QVariant(true) << true;
    QTest::newRow("text for a bool") << Key::Milliseconds << QVariant(QStringLiteral("maybe")) << false;
    QTest::newRow("geometry") << Key::WindowGeometry << QVariant(QByteArray("\0\1\2", 3)) << true;
    QTest::newRow("text for bytes") << Key::WindowGeometry << QVariant(QStringLiteral("x")) << false;
    QTest::newRow("language") << Key::Language << QVariant(QStringLiteral("zh_CN")) << true;
}

void TestSettings::values()
{
    QFETCH(Key, key);
    QFETCH(QVariant, value);
    QFETCH(bool, fits);
    {
        Settings settings(file());
        QSignalSpy changed(&settings, &Settings::changed);
        QCOMPARE(settings.setValue(key, value), fits);
        QCOMPARE(changed.count(), fits ? 1 : 0);
        settings.setValue(key, value);
        QCOMPARE(changed.count(), fits ? 1 : 0);
    }
    Settings again(file());
    QCOMPARE(again.value(key), fits ? value : Settings::defaultValue(key));
}

void TestSettings::nonsenseInTheFileReadsAsDefault()
{
    {
        QSettings raw(file(), QSettings::IniFormat);
        raw.setValue(Settings::name(Key::TickSeconds), QStringLiteral("-7"));
        raw.setValue(Settings::name(Key::Appearance), QStringList{QStringLiteral("a"), QStringLiteral("b")});
        raw.setValue(Settings::name(Key::WindowState), QStringLiteral("not bytes"));
        raw.setValue(Settings::name(Key::Tints), QStringLiteral("2"));
    }
    const Settings settings(file());
    for (const Key key : {Key::TickSeconds, Key::Appearance, Key::WindowState, Key::Tints})
        QCOMPARE(settings.value(key), Settings::defaultValue(key));
}

void TestSettings::columnsComeBackByName()
{
    const ColumnSettings columns{
        {{"state", 108, true}, {"token", 0, false}, {"name", 300, true}}, "held_for", true};
    {
        Settings settings(file());
        QVERIFY(!settings.columns(QStringLiteral("locks")));
        settings.setColumns(QStringLiteral("locks"), columns);
        settings.setColumns(QStringLiteral("history"), {{{"time", 80, true}}, {}, false});
    }
    const Settings settings(file());
    QCOMPARE(settings.columns(QStringLiteral("locks")), std::optional(columns));
    QCOMPARE(settings.columns(QStringLiteral("history"))->sortColumn, QByteArray());
    QVERIFY(!settings.columns(QStringLiteral("audit")));
}

void TestSettings::brokenColumnsAreLeftOut()
{
    {
        QSettings raw(file(), QSettings::IniFormat);
        raw.setValue(QStringLiteral("views/locks/columns"),
                     QStringList{QStringLiteral("state:108:shown"), QStringLiteral("x"),
                                 QStringLiteral("a:-5:shown"), QStringLiteral("b:9999999:shown"),
                                 QStringLiteral("c:10:maybe"), QStringLiteral(":10:shown"),
                                 QStringLiteral("name:20:hidden")});
    }
    const Settings settings(file());
    const QList<ColumnSetting> expected{{"state", 108, true}, {"name", 20, false}};
    QCOMPARE(settings.columns(QStringLiteral("locks"))->columns, expected);
}

void TestSettings::viewsAndFiltersComeBack()
{
    const ViewState view{
        QStringLiteral("source:a \"b c\""), "holder", QStringLiteral("24h"), {QStringLiteral("free")}};
    const SavedFilter mine{{}, QStringLiteral("夜间"), QStringLiteral("wait>1m"), {}};
    {
        Settings settings(file());
        QSignalSpy changed(&settings, &Settings::savedFiltersChanged);
        settings.setViewState(QStringLiteral("locks"), view);
        settings.setSavedFilters({mine, {{}, QString(), QStringLiteral("nameless"), {}}});
        settings.setSavedFilters({mine});
        QCOMPARE(changed.count(), 2);
    }
    const Settings settings(file());
    QCOMPARE(settings.viewState(QStringLiteral("locks")), std::optional(view));
    QVERIFY(!settings.viewState(QStringLiteral("history")));
    QCOMPARE(settings.savedFilters(), QList<SavedFilter>{mine});
    QCOMPARE(Settings::shippedFilters().size(), 3);
    for (const SavedFilter &shipped : Settings::shippedFilters())
        QVERIFY(!shipped.id.isEmpty() && shipped.name.isEmpty() && !shipped.query.isEmpty());
}

void TestSettings::recentAgentsAreTheLastOnes()
{
    Settings settings(file());
    QCOMPARE(settings.recentAgents(), QStringList());
    QSignalSpy changed(&settings, &Settings::recentAgentsChanged);
    for (int i = 0; i < 12; ++i)
        settings.noteAgent(QStringLiteral("local:/a,%1.sock").arg(i)); // a comma separates nothing
    settings.noteAgent(QStringLiteral("local:/a,5.sock"));
    QCOMPARE(changed.count(), 13);
    QCOMPARE(settings.recentAgents().size(), 10);
    QCOMPARE(settings.recentAgents().mid(0, 3),
             QStringList({QStringLiteral("local:/a,5.sock"), QStringLiteral("local:/a,11.sock"),
                          QStringLiteral("local:/a,10.sock")}));
    settings.forgetAgent(QStringLiteral("local:/a,11.sock"));
    settings.sync();
    const QStringList kept = Settings(file()).recentAgents();
    QCOMPARE(kept, settings.recentAgents());
    QVERIFY(kept.size() == 9 && !kept.contains(QStringLiteral("local:/a,11.sock")));
}

void TestSettings::resetLayoutKeepsTheRest()
{
    Settings settings(file());
    settings.setValue(Key::WindowGeometry, QByteArray("g"));
    settings.setValue(Key::Language, QStringLiteral("en"));
    settings.setColumns(QStringLiteral("locks"), {{{"state", 1, true}}, "state", false});
    settings.setViewState(QStringLiteral("locks"), {QStringLiteral("x"), {}, {}, {}});
    settings.setSplitter(QStringLiteral("locks"), QByteArray("s"));
    QCOMPARE(settings.splitter(QStringLiteral("locks")), QByteArray("s"));
    settings.resetLayout();
    QCOMPARE(settings.splitter(QStringLiteral("locks")), QByteArray());
    QCOMPARE(settings.value(Key::WindowGeometry).toByteArray(), QByteArray());
    QVERIFY(!settings.columns(QStringLiteral("locks")));
    QCOMPARE(settings.language(), QStringLiteral("en"));
    QCOMPARE(settings.viewState(QStringLiteral("locks"))->filter, QStringLiteral("x"));
}

void TestSettings::typedReaders()
{
    Settings settings(file());
    QCOMPARE(settings.appearance(), Appearance::System);
    QCOMPARE(settings.density(), Density::Compact);
    QCOMPARE(settings.timeZone(), Zone::Local);
    QCOMPARE(settings.tickMs(), 2000);
    settings.setValue(Key::Appearance, QStringLiteral("dark"));
    settings.setValue(Key::TimeZone, QStringLiteral("utc"));
    settings.setValue(Key::Density, QStringLiteral("comfortable"));
    QCOMPARE(settings.appearance(), Appearance::Dark);
    QCOMPARE(settings.timeZone(), Zone::Utc);
    QCOMPARE(settings.density(), Density::Comfortable);
}

LOCKKEEPER_TEST(TestSettings)

} // namespace tst_settings

#include "tst_settings.moc"
