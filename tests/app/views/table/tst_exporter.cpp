// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/table/ask_export.h"
#include "app/views/table/exporter.h"
#include "app/words/error_words.h"
#include "tests/app/views/support/view_rig.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QFileDialog>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <QProgressDialog>
#include <QPushButton>
#include <QSignalSpy>
#include <QtTest>

#include <array>

namespace tst_exporter {

using namespace lockkeeper;
using namespace lockkeeper::app::views;
using app::records::FileFormat;
using tests::ViewRig;
using Format = FileFormat::Syntax;

namespace {

/**
 * Emits the requested number of parts, of a kilobyte each. It withholds part `stopAt`, and fails at part
 * `failAt`.
 */
class Parts : public ExportSource
{
public:
    explicit Parts(qint64 count) : m_count(count) {}

    void next() override
    {
        ++asked;
        if (asked == failAt)
            Q_EMIT failed({base::ErrorCode::ConnectionLost, QStringLiteral("the link broke"), {}});
        else if (asked != stopAt)
            Q_EMIT part(QByteArray(1023, 'x') + '\n', 1, double(asked) / double(m_count), asked == m_count);
    }

    qint64 asked = 0;
    qint64 failAt = 0;
    qint64 stopAt = 0;

private:
    qint64 m_count;
};

FileFormat fileOf(Format kind)
{
    return {kind, {QStringLiteral("lock"), QStringLiteral("held_by")}};
}

/** Rows of two texts. */
class Rows : public app::models::RawModel
{
public:
    static constexpr std::array<const char *, 2> kColumns{"lock", "held_by"};

    explicit Rows(int count) : RawModel(kColumns), m_count(count) {}
    void add()
    {
        beginInsertRows({}, m_count, m_count);
        ++m_count;
        endInsertRows();
    }
    QJsonObject record(int row) const override
    {
        return {{QStringLiteral("lock"), QString::number(row)},
                {QStringLiteral("held_by"), QStringLiteral("w")}};
    }

private:
    int rows() const override { return m_count; }
    int m_count;
};

} // namespace

class TestExporter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void csvIsRfc4180_data();
    void csvIsRfc4180();
    void jsonIsALineARow();
    void writesPartByPart();
    void leavesNoHalfFile_data();
    void leavesNoHalfFile();
    void keepsTheFileThatWasThere();
    void saysWhyItCantWrite();
    void saysWhyInTheLanguage();
    void destroyedMeanwhileItLeavesNothing();
    void aModelThatMovesIsWrittenOnce();
    void aMillionRowsTakeShortTurns();
    void progressIsCalmAndCancels();

private:
    QStringList files() const { return QDir(m_folder.path()).entryList(QDir::Files | QDir::Hidden); }
    QString path() const { return m_folder.filePath(QStringLiteral("rows.csv")); }
    QByteArray content() const
    {
        QFile file(path());
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    QTemporaryDir m_folder;
};

void TestExporter::csvIsRfc4180_data()
{
    QTest::addColumn<QString>("cell");
    QTest::addColumn<QByteArray>("written");
    const auto row = [](const char *cell, const QByteArray &written) {
        QTest::newRow(cell) << QString::fromUtf8(cell) << written;
    };
    row("plain", "plain");
    row("a,b", "\"a,b\"");
    row("a \"b\"", "\"a \"\"b\"\"\"");
    row("a\nb", "a\\x0ab"); // a control character would act on a terminal
    row("a\r\nb", "a\\x0d\\x0ab");
    row(" a", "\" a\"");
    row("锁", "锁");
    row("=1+1", "'=1+1");
    row("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0");
    row("+1+cmd", "'+1+cmd");
    row("-1-cmd", "'-1-cmd");
    row("@SUM(A1,A2)", "\"'@SUM(A1,A2)\"");
    row("\t=1", "\\x09=1");
    row("\r=1", "\\x0d=1");
    row("-15", "-15"); // a number isn't a formula
    row("\x1b[31m\x07", "\\x1b[31m\\x07");
}

void TestExporter::csvIsRfc4180()
{
    QFETCH(QString, cell);
    QFETCH(QByteArray, written);
    const QJsonObject record{{QStringLiteral("lock"), QStringLiteral("lock:a")},
                             {QStringLiteral("held_by"), cell}};
    QCOMPARE(fileOf(Format::Csv).header() + fileOf(Format::Csv).line(record),
             "lock,held_by\r\nlock:a," + written + "\r\n");
}

void TestExporter::jsonIsALineARow()
{
    const QByteArray out =
        fileOf(Format::JsonLines).header() + fileOf(Format::JsonLines)
                                                 .line({{QStringLiteral("lock"), QStringLiteral("a\"b\n")},
                                                        {QStringLiteral("held_by"), QStringLiteral("=1")}});
    QCOMPARE(out.count('\n'), 1);
    const QJsonObject object = QJsonDocument::fromJson(out).object();
    QCOMPARE(object.value(QLatin1String("lock")).toString(), QStringLiteral("a\"b\n"));
    QCOMPARE(object.value(QLatin1String("held_by")).toString(), QStringLiteral("=1"));
}

void TestExporter::writesPartByPart()
{
    auto source = std::make_unique<Parts>(300);
    Exporter exporter(path(), std::move(source));
    QSignalSpy ended(&exporter, &Exporter::ended);
    QSignalSpy moved(&exporter, &Exporter::moved);
    exporter.start();
    QTRY_COMPARE(ended.count(), 1);
    QCOMPARE(ended.first().first().value<base::Result<qint64>>(), base::Result<qint64>(300));
    QCOMPARE(moved.count(), 300);
    QCOMPARE(content().size(), 300 * 1024);
    QCOMPARE(files(), QStringList{QStringLiteral("rows.csv")});
    QFile::remove(path());
}

void TestExporter::leavesNoHalfFile_data()
{
    QTest::addColumn<bool>("cancel");
    QTest::newRow("cancelled") << true;
    QTest::newRow("its source failed") << false;
}

void TestExporter::leavesNoHalfFile()
{
    QFETCH(bool, cancel);
    auto source = std::make_unique<Parts>(300);
    Parts *parts = source.get();
    (cancel ? parts->stopAt : parts->failAt) = 200;
    Exporter exporter(path(), std::move(source));
    QSignalSpy ended(&exporter, &Exporter::ended);
    exporter.start();
    if (cancel) {
        QTRY_COMPARE(parts->asked, 200);
        exporter.cancel();
        exporter.cancel();
    }
    QTRY_COMPARE(ended.count(), 1);
    const auto result = ended.first().first().value<base::Result<qint64>>();
    QVERIFY(!result);
    QCOMPARE(result.error().code, cancel ? base::ErrorCode::Cancelled : base::ErrorCode::ConnectionLost);
    QTRY_COMPARE(files(), QStringList());
}

void TestExporter::keepsTheFileThatWasThere()
{
    QFile before(path());
    QVERIFY(before.open(QIODevice::WriteOnly) && before.write("as it was") > 0);
    before.close();
    auto source = std::make_unique<Parts>(300);
    source->failAt = 100;
    Exporter exporter(path(), std::move(source));
    QSignalSpy ended(&exporter, &Exporter::ended);
    exporter.start();
    QTRY_COMPARE(ended.count(), 1);
    QTRY_COMPARE(files(), QStringList{QStringLiteral("rows.csv")});
    QCOMPARE(content(), QByteArray("as it was"));
    QFile::remove(path());
}

void TestExporter::saysWhyItCantWrite()
{
    Exporter exporter(m_folder.filePath(QStringLiteral("none/rows.csv")), std::make_unique<Parts>(3));
    QSignalSpy ended(&exporter, &Exporter::ended);
    exporter.start();
    QTRY_COMPARE(ended.count(), 1);
    const auto result = ended.first().first().value<base::Result<qint64>>();
    QVERIFY(!result && !result.error().cause.isEmpty());
}

void TestExporter::saysWhyInTheLanguage()
{
    ViewRig rig;
    rig.language.setLanguage(QStringLiteral("zh_CN"));
    QWidget window;
    window.show();
    QStringList told;
    connect(&rig.requests, &Requests::messageCame, this, [&told](const QString &text) { told.append(text); });
    const auto failing = [](Format) {
        auto source = std::make_unique<Parts>(3);
        source->failAt = 2;
        return source;
    };
    exportRowsTo(path(), rig.context, &window, failing);
    QTRY_COMPARE(told.size(), 1);
    QCOMPARE(told.first(), QStringLiteral("未写入：连接已断开（the link broke）"));
    exportRowsTo(m_folder.filePath(QStringLiteral("none/rows.csv")), rig.context, &window, failing);
    QTRY_COMPARE(told.size(), 2);
    QCOMPARE(told.last(), QStringLiteral("未写入：此文件或目录不存在"));
    // The same applies to a picture's file.
    exportFile(
        rig.context, &window, QStringLiteral("a.png"), {QStringLiteral("PNG (*.png)")},
        [](const QString &) { return QByteArray("bytes"); }, [](const QString &) { return QString(); });
    auto *dialog = window.findChild<QFileDialog *>();
    QVERIFY(dialog);
    Q_EMIT dialog->fileSelected(m_folder.filePath(QStringLiteral("none/a.png")));
    QTRY_COMPARE(told.size(), 3);
    QCOMPARE(told.last(), told.at(1));
}

void TestExporter::destroyedMeanwhileItLeavesNothing()
{
    auto source = std::make_unique<Parts>(300);
    Parts *parts = source.get();
    parts->stopAt = 50;
    auto exporter = std::make_unique<Exporter>(path(), std::move(source));
    exporter->start();
    QTRY_COMPARE(parts->asked, 50);
    exporter.reset();
    QTRY_COMPARE(files(), QStringList());
}

/** If rows arrive during an export, the file still has each row of the final table once. */
void TestExporter::aModelThatMovesIsWrittenOnce()
{
    Rows model(20'000);
    ModelSource source(&model, Format::Csv);
    QByteArray written;
    bool ended = false;
    int turns = 0;
    connect(&source, &ExportSource::part, this, [&](const QByteArray &bytes, qint64, double, bool last) {
        written += bytes;
        ended = last;
    });
    for (; !ended && turns < 10'000; ++turns) {
        source.next();
        if (!ended && turns < 20)
            model.add();
    }
    QVERIFY(ended);
    const QByteArrayList lines = written.split('\n');
    QCOMPARE(lines.size() - 2, model.rowCount()); // without the title and the empty end
    QCOMPARE(QSet<QByteArray>(lines.begin(), lines.end()).size(), lines.size());
}

void TestExporter::aMillionRowsTakeShortTurns()
{
    const Rows model(1'000'000);
    ModelSource source(&model, Format::JsonLines);
    bool ended = false;
    qint64 rows = 0;
    int turns = 0;
    connect(&source, &ExportSource::part, this, [&](const QByteArray &, qint64 count, double, bool last) {
        rows += count;
        ended = last;
    });
    for (; !ended; ++turns)
        source.next();
    QCOMPARE(rows, 1'000'000);
    QVERIFY2(turns > 10, QByteArray::number(turns).constData());
}

/** A quick export shows no progress. A slow export shows a bar and a button that cancels it. */
void TestExporter::progressIsCalmAndCancels()
{
    ViewRig rig;
    QWidget window;
    window.show();
    QStringList told;
    connect(&rig.requests, &Requests::messageCame, this, [&told](const QString &text) { told.append(text); });
    exportRowsTo(path(), rig.context, &window, [](Format) { return std::make_unique<Parts>(3); });
    QTRY_COMPARE(told.size(), 1);
    QCOMPARE(told.first(), QStringLiteral("3 row(s) written to %1").arg(path()));
    QTRY_VERIFY(!window.findChild<QProgressDialog *>());
    QFile::remove(path());

    exportRowsTo(path(), rig.context, &window, [](Format) {
        auto slow = std::make_unique<Parts>(10);
        slow->stopAt = 6;
        return slow;
    });
    auto *progress = window.findChild<QProgressDialog *>();
    QVERIFY(progress && !progress->isVisible() && !progress->isModal());
    QTRY_VERIFY(progress->isVisible());
    QCOMPARE(progress->value(), 500);
    QTest::mouseClick(progress->findChild<QPushButton *>(), Qt::LeftButton);
    QTRY_COMPARE(told.size(), 2);
    QVERIFY(told.last().contains(QStringLiteral("nothing was written")));
    QTRY_COMPARE(files(), QStringList());
}

LOCKKEEPER_TEST(TestExporter)

} // namespace tst_exporter

#include "tst_exporter.moc"
