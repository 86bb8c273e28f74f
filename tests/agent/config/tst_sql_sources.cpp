// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/config/config.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_sql_sources {

using namespace lockkeeper;

/** Sources that are databases: how their tables are read. */
class SqlSourcesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void wholeReadingsOfTables();
};

/** Tables may be read in part between two of them, without push or binlog. */
void SqlSourcesTest::wholeReadingsOfTables()
{
    for (const char *url : {"mysql://u@h/app", "postgresql://u@h/app"}) {
        const QByteArray toml = QByteArray("[[source]]\nname = \"s\"\nurl = \"") + url +
                                "\"\nreconcile_ms = 5000\n[[source.locks]]\nscheme = \"sql.shedlock\"\n";
        const auto config = agent::config::parse(toml, QStringLiteral("F"));
        QVERIFY2(config, url);
        QCOMPARE(config->sources.constFirst().reconcileMs, 5'000);
    }
}

LOCKKEEPER_TEST(SqlSourcesTest)

} // namespace tst_sql_sources

#include "tst_sql_sources.moc"
