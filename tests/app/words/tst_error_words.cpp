// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/words/error_words.h"
#include "app/words/known_errors.h"
#include "tests/support/test_program.h"

#include <QDirIterator>
#include <QFile>
#include <QLocale>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QTest>

namespace tst_error_words {

using namespace lockkeeper;
using app::words::ErrorWords;

/** Errors of agents and stores in the user's language. tst_cli_language and tst_words show the Chinese. */
class TestErrorWords : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void lines_data();
    void lines();
    void patternsComeLast();
    void errorsAreKnown_data();
    void errorsAreKnown();
};

void TestErrorWords::lines_data()
{
    QTest::addColumn<QString>("language");
    QTest::addColumn<base::Error>("error");
    QTest::addColumn<QString>("line");
    const auto row = [](const char *name, const char *language, base::ErrorCode code, const char *cause,
                        const char *remedy, const char *line) {
        QTest::newRow(name) << QString::fromLatin1(language)
                            << base::Error{code, QString::fromUtf8(cause), QString::fromUtf8(remedy)}
                            << QString::fromUtf8(line);
    };
    using base::ErrorCode;
    row("English", "en", ErrorCode::Storage, "disk full", "Free space.", "disk full. Free space.");
    row("without a cause", "en", ErrorCode::Busy, "", "", "Busy: nothing was done");
    row("no error", "zh_CN", ErrorCode::Unknown, "", "", "");
    row("a server's own words", "zh_CN", ErrorCode::Storage, "OOM", "", "Reading or writing failed (OOM)");
    row("of no kind", "zh_CN", ErrorCode::Unknown, "OOM", "", "OOM");
    row("Chinese already", "zh_CN", ErrorCode::Usage, "原因为空", "请填写", "原因为空。请填写");
    row("known, without a catalogue", "zh_CN", ErrorCode::Timeout, "no login within 50 ms", "",
        "no login within 50 ms");
    row("on one line", "zh_CN", ErrorCode::Unknown, "a\nb", "", R"(a\x0ab)");
}

void TestErrorWords::lines()
{
    QFETCH(QString, language);
    QFETCH(base::Error, error);
    QFETCH(QString, line);
    const QLocale before;
    const auto restore = qScopeGuard([&before] { QLocale::setDefault(before); });
    QLocale::setDefault(QLocale(language));
    QCOMPARE(ErrorWords::line(error), line);
}

/** A text that begins with %1 would hide a better match after it. */
void TestErrorWords::patternsComeLast()
{
    bool isPattern = false;
    for (const char *text : app::words::knownErrors()) {
        const bool begins = text[0] == '%';
        QVERIFY2(begins || !isPattern, text);
        isPattern = begins;
    }
    QVERIFY(isPattern);
}

void TestErrorWords::errorsAreKnown_data()
{
    QTest::addColumn<QString>("room");
    for (const char *room : {"agent/alerts/delivery", "agent/release", "agent/requests",
                             "agent/journal/query", "agent/liveness", "agent/server", "shared/transport"})
        QTest::newRow(room) << QString::fromLatin1(room);
}

/**
 * Operators meet the errors of these rooms in both programs: each cause and remedy is in the table, so that
 * the catalogue translates it.
 */
void TestErrorWords::errorsAreKnown()
{
    QFETCH(QString, room);
    static const QString text = QStringLiteral(R"(QStringLiteral\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\))");
    static const QRegularExpression error(
        QStringLiteral(R"(ErrorCode::\w+,\s*%1(?:\s*\.arg\([^;]*?\))?,\s*(?:%1)?)").arg(text));
    static const QRegularExpression seam(QStringLiteral(R"("\s*")"));
    // The server's side of the transport: only the agent's log shows these.
    static const QRegularExpression listeners(QStringLiteral("_listener\\.cpp$"));
    QSet<QString> known{// their possible endings are in the table
                        QStringLiteral("request %1 %2"),
                        QStringLiteral("an earlier request (audit entry %1), whose reply was lost, %2")};
    for (const char *one : app::words::knownErrors())
        known.insert(QString::fromUtf8(one));
    QStringList unknown;
    int seen = 0;
    QDirIterator it(qEnvironmentVariable("LOCKKEEPER_SOURCE") + QLatin1Char('/') + room,
                    {QStringLiteral("*.cpp")}, QDir::Files);
    while (it.hasNext()) {
        QFile file(it.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        if (file.fileName().contains(listeners))
            continue;
        const QString source = QString::fromUtf8(file.readAll());
        for (auto match = error.globalMatch(source); match.hasNext();) {
            const QRegularExpressionMatch one = match.next();
            for (int part : {1, 2}) {
                QString words = one.captured(part).trimmed();
                if (words.isEmpty())
                    continue;
                words = words.mid(1, words.size() - 2)
                            .remove(seam)
                            .replace(QLatin1String("\\\""), QLatin1String("\""));
                ++seen;
                if (!known.contains(words))
                    unknown.append(words);
            }
        }
    }
    QVERIFY(seen > 5);
    QVERIFY2(unknown.isEmpty(), qPrintable(unknown.join(QLatin1Char('\n'))));
}

LOCKKEEPER_TEST(TestErrorWords)

} // namespace tst_error_words

#include "tst_error_words.moc"
