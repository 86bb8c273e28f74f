// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/application/finding_text.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

namespace tst_finding_text {

using namespace lockkeeper;
using agent::application::findingText;
using domain::Finding;
using domain::Severity;

/** Findings as --check prints them. */
class TestFindingText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void texts_data();
    void texts();
    void everyCodeHasASentence();
};

void TestFindingText::texts_data()
{
    QTest::addColumn<Finding>("finding");
    QTest::addColumn<QString>("text");
    const auto row = [](const char *name, Finding finding, const char *text) {
        QTest::newRow(name) << std::move(finding) << QString::fromUtf8(text);
    };
    row("without its value", {"no_persistence", Severity::Warning, "85"},
        "nothing is saved to disk: a restart loses every lock (no_persistence)");
    row("with its value", {"eviction_policy", Severity::Warning, "allkeys-lru"},
        "locks may be evicted when memory runs short: maxmemory-policy is allkeys-lru (eviction_policy)");
    row("without a value", {"replica_lag", Severity::Warning, {}},
        "this server is a replica, and may be behind its primary (seconds: unknown) (replica_lag)");
    Finding node{"single_member", Severity::Notice, {}};
    node.node = "h1:2379";
    row("a node's", node, "h1:2379: a single server: there is no failover (single_member)");
    row("a newer code", {"x_ray", Severity::Notice, "7"}, "7 (x_ray)");
    row("a newer code alone", {"x_ray", Severity::Notice, {}}, "x_ray");
}

void TestFindingText::texts()
{
    QFETCH(Finding, finding);
    QFETCH(QString, text);
    QCOMPARE(findingText(finding), text);
}

/** PROTOCOL.md lists the codes. */
void TestFindingText::everyCodeHasASentence()
{
    QFile file(qEnvironmentVariable("LOCKKEEPER_SOURCE") + QStringLiteral("/shared/protocol/PROTOCOL.md"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(file.readAll());
    const qsizetype from = text.indexOf(QLatin1String("| `node_unreachable` |"));
    const QString table = text.mid(from, text.indexOf(QLatin1String("\n\n"), from) - from);
    static const QRegularExpression code(QStringLiteral("^\\| `(\\w+)` \\|"),
                                         QRegularExpression::MultilineOption);
    int codes = 0;
    for (auto it = code.globalMatch(table); it.hasNext(); ++codes) {
        const QString name = it.next().captured(1);
        const QString words = findingText({name.toLatin1(), Severity::Notice, {}});
        QVERIFY2(words.endsWith(QStringLiteral(" (%1)").arg(name)), qPrintable(words));
    }
    QVERIFY(codes > 25);
}

LOCKKEEPER_TEST(TestFindingText)

} // namespace tst_finding_text

#include "tst_finding_text.moc"
