// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"
#include "app/records/alert_records.h"
#include "app/records/records.h"
#include "app/report/incident_record.h"
#include "shared/events/lock_event.h"
#include "tests/support/test_program.h"

#include <QByteArrayList>
#include <QFile>
#include <QHash>
#include <QJsonArray>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

namespace tst_cli_manual {

using namespace lockkeeper;
using namespace lockkeeper::app::cli;
using namespace lockkeeper::app::records;

namespace {

/** The parts of lockkeeperctl(1) by the first word of their headings, without dashes' and fonts' marks. */
QHash<QString, QString> manual()
{
    QFile file(qEnvironmentVariable("LOCKKEEPER_SOURCE") + QLatin1String("/resources/man/lockkeeperctl.1"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    static const QRegularExpression fonts(QStringLiteral("\\\\f[BIPR]"));
    static const QRegularExpression heading(QStringLiteral("^\\.S[HS] "),
                                            QRegularExpression::MultilineOption);
    static const QRegularExpression space(QStringLiteral("\\s"));
    QString text = QString::fromUtf8(file.readAll());
    text.replace(QLatin1String("\\-"), QLatin1String("-")).remove(fonts);
    QHash<QString, QString> parts;
    for (const QString &part : text.split(heading))
        parts.insert(part.section(space, 0, 0), part);
    return parts;
}

QSet<QString> allOf(const QRegularExpression &expression, const QString &text)
{
    QSet<QString> found;
    for (auto it = expression.globalMatch(text); it.hasNext();)
        found.insert(it.next().captured(1));
    return found;
}

/** The words behind the title of a command in the manual's part on JSON. */
QSet<QString> fieldsOf(const QString &command)
{
    static const QRegularExpression word(QStringLiteral("([a-z_]+)"));
    const QRegularExpression title(QStringLiteral("\\b%1\\b").arg(command));
    for (const QString &entry : manual().value(QStringLiteral("JSON")).split(QLatin1String(".TP\n"))) {
        if (entry.section(QLatin1Char('\n'), 0, 0).contains(title))
            return allOf(word, entry.section(QLatin1Char('\n'), 1));
    }
    return {};
}

QString listed(const QSet<QString> &words)
{
    return QStringList(words.values()).join(QLatin1Char(' '));
}

} // namespace

/** lockkeeperctl(1) beside what the program takes and writes. */
class TestCliManual : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesEveryOption_data();
    void namesEveryOption();
    void listsTheFieldsOfJson_data();
    void listsTheFieldsOfJson();
};

void TestCliManual::namesEveryOption_data()
{
    QTest::addColumn<QByteArrayList>("line");
    QTest::addColumn<QStringList>("parts");
    QTest::newRow("the program") << QByteArrayList{} << QStringList{QStringLiteral("GENERAL")};
    for (const auto &command : allCommands()) {
        const char *name = command->summary().name;
        if (QLatin1String(name) != QLatin1String("export"))
            QTest::newRow(name) << QByteArrayList{name} << QStringList{QString::fromLatin1(name)};
    }
    QTest::newRow("export") << QByteArrayList{"export"}
                            << QStringList{QStringLiteral("export"), QStringLiteral("history")};
}

void TestCliManual::namesEveryOption()
{
    QFETCH(QByteArrayList, line);
    QFETCH(QStringList, parts);
    static const QRegularExpression shown(QStringLiteral("^ +(?:-[a-z],)?(--[a-z][a-z-]+)"),
                                          QRegularExpression::MultilineOption);
    static const QRegularExpression named(QStringLiteral("(--[a-z][a-z-]+)"));
    const Stop help = std::get<Stop>(parseCommandLine(line + QByteArrayList{"--help"}, 0, allCommands()));
    QCOMPARE(help.status, 0);
    QSet<QString> missing = allOf(shown, help.text);
    QVERIFY(missing.remove(QStringLiteral("--help")));
    for (const QString &part : std::as_const(parts)) {
        QVERIFY2(manual().contains(part), qPrintable(part));
        missing -= allOf(named, manual().value(part));
    }
    QVERIFY2(missing.isEmpty(), qPrintable(listed(missing)));
}

void TestCliManual::listsTheFieldsOfJson_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<QJsonObject>("object");
    protocol::Status status;
    status.sources.append(domain::SourceState());
    const QJsonObject told = statusObject(status);
    const auto row = [](const char *command, const char *what, const QJsonObject &object) {
        QTest::addRow("%s: %s", command, what) << QString::fromLatin1(command) << object;
    };
    row("locks", "a lock", lockObject(domain::LockState(), SourceView(), QString()));
    row("watch", "an event", events::toJson(events::LockEvent(), QString()));
    row("holds", "a hold", holdObject(protocol::Hold()));
    row("alerts", "an alert", alertObject(domain::Alert(), domain::AlertPhase::Active, QString()));
    row("alerts", "a receiver", receiverObject(protocol::AlertReceiver(), QString()));
    row("report", "an incident", app::report::incidentObject({}));
    row("audit", "an entry", auditObject(domain::AuditEntry()));
    row("release", "an outcome", releaseObject(protocol::ReleaseResult(), domain::LockState(), QString()));
    row("status", "the agent", told);
    row("status", "a source", told.value(QLatin1String("sources")).toArray().first().toObject());
}

void TestCliManual::listsTheFieldsOfJson()
{
    QFETCH(QString, command);
    QFETCH(QJsonObject, object);
    QVERIFY(object.size() > 5);
    const QStringList keys = object.keys();
    const QSet<QString> missing = QSet<QString>(keys.cbegin(), keys.cend()) - fieldsOf(command);
    QVERIFY2(missing.isEmpty(), qPrintable(listed(missing)));
}

LOCKKEEPER_TEST(TestCliManual)

} // namespace tst_cli_manual

#include "tst_cli_manual.moc"
