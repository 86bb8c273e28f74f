// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/connection/sql_errors.h"
#include "tests/support/test_program.h"

#include <QSqlError>
#include <QTest>

namespace tst_sql_errors {

using namespace lockkeeper;
using namespace lockkeeper::stores::sql;
using base::ErrorCode;

/** Meanings of the server's and the client library's error numbers. */
class SqlErrorsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void errors_data();
    void errors();
    void logins_data();
    void logins();
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
    QVERIFY2(error.line().startsWith(QStringLiteral("text; of it (error ")), qPrintable(error.line()));
}

void SqlErrorsTest::logins_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<ErrorCode>("code");
    const auto row = [](const char *name, const char *text, ErrorCode code) {
        QTest::newRow(name) << QString::fromLatin1(text) << code;
    };
    row("password",
        "connection to server at \"db\" (10.0.0.6), port 5432 failed: FATAL:  password authentication "
        "failed for user \"lk\"\nQPSQL: Unable to connect",
        ErrorCode::Authentication);
    row("no password", "fe_sendauth: no password supplied\n", ErrorCode::Authentication);
    row("host", "FATAL:  no pg_hba.conf entry for host \"10.0.0.9\", user \"lk\"", ErrorCode::Authentication);
    row("role", "FATAL:  role \"lk\" does not exist", ErrorCode::Authentication);
    row("refused", "connection to server failed: Connection refused\n\tIs the server running?",
        ErrorCode::ConnectionLost);
}

/** PostgreSQL's library reports a failed connection by words alone. */
void SqlErrorsTest::logins()
{
    QFETCH(const QString, text);
    QFETCH(const ErrorCode, code);
    const base::Error error =
        errorOf(QSqlError(QStringLiteral("Unable to connect"), text, QSqlError::ConnectionError),
                Dialect::PostgreSql);
    QCOMPARE(error.code, code);
    QCOMPARE(error.cause.startsWith(QStringLiteral("the login was rejected: ")),
             code == ErrorCode::Authentication);
    QVERIFY2(!error.line().contains(QStringLiteral("\\x0a")), qPrintable(error.line()));
}

LOCKKEEPER_TEST(SqlErrorsTest)

} // namespace tst_sql_errors

#include "tst_sql_errors.moc"
