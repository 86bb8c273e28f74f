// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/sql/stock_client.h"

#include <QTest>

#include <signal.h>
#include <sys/prctl.h>

namespace lockkeeper::tests {

namespace {
const char kPython[] = R"(
import sys
kind, socket, port, user, password, database = sys.argv[1:7]
if kind == 'pymysql':
    import pymysql
    where = {'unix_socket': socket} if socket else {'host': '127.0.0.1', 'port': int(port)}
    session = pymysql.connect(user=user, password=password, database=database, autocommit=True, **where)
else:
    import psycopg2
    session = psycopg2.connect(host=socket or '127.0.0.1', port=int(port), user=user, password=password, dbname=database)
    session.autocommit = True
for line in sys.stdin:
    if line.startswith('done-'):
        print(line.strip(), flush=True)
        continue
    try:
        with session.cursor() as cursor:
            cursor.execute(line)
            rows = cursor.fetchall() if cursor.description else []
        for row in rows:
            print('\t'.join(str(value) for value in row), flush=True)
    except Exception as problem:
        print('ERROR', str(problem).replace('\n', ' '), flush=True)
)";

QStringList pythonArguments(const QString &kind, const StockAddress &to)
{
    return {QStringLiteral("-u"),
            QStringLiteral("-c"),
            QString::fromLatin1(kPython),
            kind,
            to.socket,
            QString::number(to.port),
            to.user,
            to.password,
            to.database};
}

QStringList mariaDbArguments(const StockAddress &to)
{
    QStringList list{QStringLiteral("--no-defaults"),
                     QStringLiteral("-N"),
                     QStringLiteral("-B"),
                     QStringLiteral("-n"),
                     QStringLiteral("--force"),
                     QStringLiteral("--user=") + to.user};
    if (!to.socket.isEmpty())
        list << QStringLiteral("--socket=") + to.socket;
    else
        list << QStringLiteral("--host=127.0.0.1") << QStringLiteral("--port=%1").arg(to.port);
    if (!to.password.isEmpty())
        list << QStringLiteral("--password=") + to.password;
    return list << to.database;
}

QStringList psqlArguments(const StockAddress &to)
{
    return {QStringLiteral("-X"), QStringLiteral("-A"),
            QStringLiteral("-t"), QStringLiteral("-q"),
            QStringLiteral("-h"), to.socket.isEmpty() ? QStringLiteral("127.0.0.1") : to.socket,
            QStringLiteral("-p"), QString::number(to.port),
            QStringLiteral("-U"), to.user,
            to.database};
}
} // namespace

StockClient::StockClient(Kind kind, const StockAddress &address)
{
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    const pid_t parent = getpid();
    m_process.setChildProcessModifier([parent] {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(1);
    });
    const QString python = QStringLiteral("/usr/bin/python3");
    m_mark = kind == Kind::MariaDbCli ? QStringLiteral("\\! echo ")
             : kind == Kind::Psql     ? QStringLiteral("\\echo ")
                                      : QString();
    switch (kind) {
    case Kind::MariaDbCli:
        m_process.start(QStringLiteral("mariadb"), mariaDbArguments(address));
        break;
    case Kind::Psql:
        m_process.start(QStringLiteral("psql"), psqlArguments(address));
        break;
    case Kind::PyMySql:
        m_process.start(python, pythonArguments(QStringLiteral("pymysql"), address));
        break;
    case Kind::Psycopg2:
        m_process.start(python, pythonArguments(QStringLiteral("psycopg2"), address));
        break;
    }
    m_process.waitForStarted();
}

StockClient::~StockClient()
{
    crash();
}

void StockClient::send(const QString &sql)
{
    // The mark is the client's own: the server sees no statement but those of the test.
    m_process.write((sql + QStringLiteral(";\n%1done-%2\n").arg(m_mark).arg(++m_sent)).toUtf8());
    m_process.waitForBytesWritten();
}

bool StockClient::run(const QString &sql)
{
    send(sql);
    return finish();
}

bool StockClient::finish(int ms)
{
    const QByteArray mark = "done-" + QByteArray::number(m_sent) + '\n';
    return QTest::qWaitFor([&] { return output().contains(mark) || !isRunning(); }, ms) &&
           output().contains(mark);
}

QByteArray StockClient::output()
{
    m_output += m_process.readAll();
    return m_output;
}

bool StockClient::isCutOff()
{
    const qsizetype before = output().size();
    // Reads to the end: a rest of this answer would be mistaken for the beginning of the next answer.
    (void)run(QStringLiteral("SELECT 1"));
    const QByteArray answer = output().sliced(before);
    return !isRunning() || answer.contains("ERROR") || answer.contains("FATAL") ||
           answer.contains("terminat");
}

void StockClient::crash()
{
    m_process.kill();
    m_process.waitForFinished();
}

QString stockName(StockClient::Kind kind)
{
    switch (kind) {
    case StockClient::Kind::MariaDbCli:
        return QStringLiteral("mariadb");
    case StockClient::Kind::PyMySql:
        return QStringLiteral("pymysql");
    case StockClient::Kind::Psql:
        return QStringLiteral("psql");
    case StockClient::Kind::Psycopg2:
        break;
    }
    return QStringLiteral("psycopg2");
}

} // namespace lockkeeper::tests
