// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/connection/sql_errors.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_sql_errors {

using namespace lockkeeper;
using namespace lockkeeper::stores::sql;
using base::ErrorCode;

/** What the server's and the client library's error numbers mean. */
class SqlErrorsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void errors_data();
    void errors();
};

void SqlErrorsTest::errors_data()
{
    QTest::addColumn<int>("number");
    QTest::addColumn<ErrorCode>("code");
    QTest::addColumn<bool>("refusal");
    QTest::addColumn<bool>("lost");
    const auto row = [](int number, ErrorCode code, bool refusal, bool lost) {
        QTest::addRow("%d", number) << number << code << refusal << lost;
    };
    row(1040, ErrorCode::Unreachable, false, true);
    row(1044, ErrorCode::PermissionDenied, true, false);
    row(1045, ErrorCode::Authentication, true, false);
    row(1049, ErrorCode::NotFound, true, false);
    row(1053, ErrorCode::ConnectionLost, false, true);
    row(1054, ErrorCode::SchemaMismatch, true, false);
    row(1142, ErrorCode::PermissionDenied, true, false);
    row(1143, ErrorCode::PermissionDenied, true, false);
    row(1146, ErrorCode::SchemaMismatch, true, false);
    row(1205, ErrorCode::Busy, true, false);
    row(1213, ErrorCode::Busy, true, false);
    row(1290, ErrorCode::ReadOnly, true, false);
    row(1792, ErrorCode::ReadOnly, true, false);
    row(1969, ErrorCode::Timeout, true, false);
    row(3024, ErrorCode::Timeout, true, false);
    row(2002, ErrorCode::Unreachable, false, true);
    row(2003, ErrorCode::Unreachable, false, true);
    row(2006, ErrorCode::ConnectionLost, false, true);
    row(2013, ErrorCode::ConnectionLost, false, true);
    row(1234, ErrorCode::Unknown, true, false);
}

void SqlErrorsTest::errors()
{
    QFETCH(int, number);
    const base::Error error = errorOf(number, QStringLiteral("text\n of it"));
    QTEST(error.code, "code");
    QTEST(isServerRefusal(number), "refusal");
    QTEST(isLinkLost(error.code), "lost");
    QVERIFY(!error.line().contains(QLatin1Char('\n')));
}

LOCKKEEPER_TEST(SqlErrorsTest)

} // namespace tst_sql_errors

#include "tst_sql_errors.moc"
