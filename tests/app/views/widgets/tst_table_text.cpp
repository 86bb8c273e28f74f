// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/widgets/banner_area.h"
#include "app/views/widgets/export_file.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/table_text.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

namespace tst_table_text {

using namespace lockkeeper;
using namespace lockkeeper::app;

class TableTextTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tsvKeepsOneLine();
    void labelsArePlain();
    void fileIsWrittenWhole();
    void bannersShowTwo();
    void worstBannersFirst();
};

void TableTextTest::tsvKeepsOneLine()
{
    QCOMPARE(views::toTsv({{QStringLiteral("a\tb"), QStringLiteral("c\r\nd")}}),
             QStringLiteral("a b\tc  d\n"));
    QCOMPARE(views::toTsv({{QStringLiteral("\x1b[31m")}}), QStringLiteral("\\x1b[31m\n"));
}

void TableTextTest::labelsArePlain()
{
    views::PlainLabel label(QStringLiteral("<b>x</b>"));
    QCOMPARE(label.textFormat(), Qt::PlainText);
    QCOMPARE(views::plainToolTip(QStringLiteral("lock:a")), QStringLiteral("lock:a"));
    QVERIFY(views::plainToolTip(QStringLiteral("<img src=x>")).contains(QLatin1String("&lt;img")));
}

void TableTextTest::fileIsWrittenWhole()
{
    QTemporaryDir folder;
    QObject asker;
    int good = 0;
    int bad = 0;
    views::writeFile(folder.filePath(QStringLiteral("a.csv")), "x", &asker,
                     [&](auto result) { good += result ? 1 : 0; });
    views::writeFile(folder.filePath(QStringLiteral("none/a.csv")), "x", &asker,
                     [&](auto result) { bad += result ? 0 : 1; });
    QTRY_COMPARE(good, 1);
    QTRY_COMPARE(bad, 1);
    QFile file(folder.filePath(QStringLiteral("a.csv")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("x"));
}

void TableTextTest::bannersShowTwo()
{
    presentation::Theme theme;
    views::BannerArea area(&theme);
    for (const char *id : {"a", "b", "c", "d"})
        area.showBanner({id, presentation::BannerKind::Warning, QString::fromLatin1(id), {}, {}, true});
    QCOMPARE(area.texts().size(), 4);
    QCOMPARE(area.findChildren<views::PlainLabel *>(QString(), Qt::FindChildrenRecursively).isEmpty(), false);
    QSignalSpy dismissed(&area, &views::BannerArea::dismissed);
    area.showBanner({"a", presentation::BannerKind::Warning, QStringLiteral("<b>again</b>"), {}, {}, true});
    QCOMPARE(area.texts().first(), QStringLiteral("<b>again</b>"));
    area.removeBanner("a");
    QVERIFY(!area.hasBanner("a"));
    QCOMPARE(dismissed.size(), 0);
}

void TableTextTest::worstBannersFirst()
{
    using presentation::BannerKind;
    presentation::Theme theme;
    views::BannerArea area(&theme);
    const auto show = [&area](const char *id, BannerKind kind, int lifeMs = 0) {
        area.showBanner({id, kind, QString::fromLatin1(id), {}, {}, true, lifeMs});
    };
    show("news", BannerKind::Info, 1);
    show("silent", BannerKind::Warning);
    show("lost", BannerKind::Error);
    show("silent too", BannerKind::Warning);
    QCOMPARE(area.texts().join(QLatin1Char(',')), QStringLiteral("lost,silent,silent too,news"));
    show("lost", BannerKind::Info);
    QCOMPARE(area.texts().first(), QStringLiteral("silent"));
    QTRY_VERIFY(!area.hasBanner("news")); // its time is over
    QVERIFY(area.hasBanner("lost"));
}

LOCKKEEPER_TEST(TableTextTest)

} // namespace tst_table_text

#include "tst_table_text.moc"
