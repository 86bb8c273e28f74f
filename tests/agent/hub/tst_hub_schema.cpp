// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `lockkeeper-agent hub`, the rights of the two roles, and the queries of the Grafana dashboard.
#include "agent/hub/hub_schema.h"
#include "tests/agent/hub/hub_rig.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

#include <memory>
#include <vector>

namespace tst_hub_schema {

using namespace lockkeeper;
using namespace lockkeeper::agent::hub;
using namespace lockkeeper::tests;

class TestHubSchema : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void installsTwice();
    void installsForAnOwner();
    void migrates();
    void installsOnceFromSeveral();
    void refusesANewerSchema();
    void printsForPsql();
    void refusesAPassword();
    void namesWhatIsMissing();
    void grantsExactlyTheDocumentedRights();
    void everyDashboardQueryRuns();
    void showsGaps();

private:
    struct Ended
    {
        int status = -1;
        QByteArray output;
        QByteArray errors;
    };
    /** Runs the agent to its end. */
    static Ended run(const QStringList &arguments,
                     const QString &program = QStringLiteral("lockkeeper-agent"),
                     const QByteArray &input = {});
    QString urlText() const { return m_rig.target(QStringLiteral("root")).url; }

    HubRig m_rig;
};

TestHubSchema::Ended TestHubSchema::run(const QStringList &arguments, const QString &program,
                                        const QByteArray &input)
{
    QProcess process;
    const QString folder = qEnvironmentVariable("LOCKKEEPER_BIN");
    process.start(program == QStringLiteral("lockkeeper-agent") ? folder + QLatin1Char('/') + program
                                                                : program,
                  arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(60'000))
        return {};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

void TestHubSchema::installsTwice()
{
    QVERIFY(m_rig.start(false));
    const QStringList init{QStringLiteral("hub"), QStringLiteral("--init"), urlText()};
    const Ended first = run(init);
    QVERIFY2(first.status == 0, first.errors.constData());
    QVERIFY(first.output.startsWith("Installed 0001_hub.sql, "));
    QVERIFY(first.output.contains("SELECT lockkeeper.add_agent('dc1', 'dc1');"));
    const Ended second = run(init);
    QCOMPARE(second.status, 0);
    QVERIFY(second.output.startsWith("The schema is up to date: version 5\n"));
    QCOMPARE(m_rig.ask("SELECT value FROM lockkeeper.meta WHERE key = 'version'"), QByteArray("5"));
}

void TestHubSchema::installsForAnOwner()
{
    QVERIFY(m_rig.start(false));
    m_rig.ask("CREATE ROLE \"hub owner\"");
    m_rig.ask("DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO \"hub owner\"', "
              "current_database()); END $$");
    const Ended done = run({QStringLiteral("hub"), QStringLiteral("--init"), urlText(),
                            QStringLiteral("--owner"), QStringLiteral("hub owner")});
    QVERIFY2(done.status == 0, done.errors.constData());
    QCOMPARE(m_rig.ask("SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'lockkeeper'"),
             QByteArray("hub owner"));
    const Ended missing = run({QStringLiteral("hub"), QStringLiteral("--init"), urlText(),
                               QStringLiteral("--owner"), QStringLiteral("nobody\"; DROP")});
    QCOMPARE(missing.status, 1);
}

/** A schema that an older build installed gets the newer files, and keeps its rows. */
void TestHubSchema::migrates()
{
    QVERIFY(m_rig.start(false));
    const base::Interrupt interrupt;
    PgConnection connection(interrupt);
    QVERIFY_DONE(connection.open(m_rig.target(QStringLiteral("root"))));
    QByteArray old;
    for (const char *name : {"schema.sql", "0001_hub.sql", "0002_writing.sql"}) {
        QFile file(QStringLiteral(":/lockkeeper/hub/") + QLatin1String(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        old += file.readAll();
    }
    QVERIFY_DONE(connection.runScript(old + "INSERT INTO lockkeeper.meta VALUES ('version', 2); "
                                            "SELECT lockkeeper.add_agent('dc1', 'dc1');"));
    const auto applied = installHubSchema(connection);
    QVERIFY_DONE(applied);
    QCOMPARE(*applied, (QStringList{QStringLiteral("0003_upkeep.sql"), QStringLiteral("0004_views.sql"),
                                    QStringLiteral("0005_rights.sql")}));
    QCOMPARE(m_rig.ask("SELECT agent FROM lockkeeper.agents_v1"), QByteArray("dc1"));
}

void TestHubSchema::installsOnceFromSeveral()
{
    QVERIFY(m_rig.start(false));
    std::vector<std::unique_ptr<QProcess>> processes;
    for (int i = 0; i < 3; ++i) {
        processes.push_back(std::make_unique<QProcess>());
        processes.back()->start(qEnvironmentVariable("LOCKKEEPER_BIN") + QStringLiteral("/lockkeeper-agent"),
                                {QStringLiteral("hub"), QStringLiteral("--init"), urlText()});
    }
    int installed = 0;
    for (const auto &process : processes) {
        QVERIFY(process->waitForFinished(60'000));
        QVERIFY2(process->exitCode() == 0, process->readAllStandardError().constData());
        installed += process->readAllStandardOutput().startsWith("Installed");
    }
    QCOMPARE(installed, 1);
}

void TestHubSchema::refusesANewerSchema()
{
    QVERIFY(m_rig.start());
    m_rig.ask("UPDATE lockkeeper.meta SET value = 99 WHERE key = 'version'");
    const Ended done = run({QStringLiteral("hub"), QStringLiteral("--init"), urlText()});
    QCOMPARE(done.status, 1);
    QVERIFY2(done.errors.contains("a hub of another version: its schema is 99"), done.errors.constData());
}

void TestHubSchema::printsForPsql()
{
    QVERIFY(m_rig.start(false));
    const Ended printed = run({QStringLiteral("hub"), QStringLiteral("--print-schema")});
    QCOMPARE(printed.status, 0);
    const Ended applied = run(
        {QStringLiteral("-q"), QStringLiteral("-v"), QStringLiteral("ON_ERROR_STOP=1"), QStringLiteral("-d"),
         urlText().replace(QStringLiteral("postgresql:/"), QStringLiteral("postgresql:///"))},
        QStringLiteral("psql"), printed.output);
    QVERIFY2(applied.status == 0, applied.errors.constData());
    m_rig.ask("SELECT lockkeeper.add_agent('dc1', 'root')");
    HubWriter writer(m_rig.target(QStringLiteral("root")));
    MadeJournal journal;
    QVERIFY_DONE(writer.open(journal.agent));
    QVERIFY_DONE(writer.write(journal.hold("a", "one").take()));
    QVERIFY(run({QStringLiteral("hub"), QStringLiteral("--init"), urlText()})
                .output.startsWith("The schema is up"));
}

void TestHubSchema::refusesAPassword()
{
    const Ended done =
        run({QStringLiteral("hub"), QStringLiteral("--init"), QStringLiteral("postgresql://u:secret@h/d")});
    QCOMPARE(done.status, 1);
    QVERIFY(done.errors.contains("PGPASSWORD"));
    QVERIFY(!done.errors.contains("secret"));
    QCOMPARE(run({QStringLiteral("hub")}).status, 2);
    QCOMPARE(run({QStringLiteral("hub"), QStringLiteral("--print-schema"), QStringLiteral("--owner"),
                  QStringLiteral("x")})
                 .status,
             2);
}

void TestHubSchema::namesWhatIsMissing()
{
    QVERIFY(m_rig.start(false));
    m_rig.ask("CREATE ROLE plain LOGIN");
    const Ended done =
        run({QStringLiteral("hub"), QStringLiteral("--init"), m_rig.target(QStringLiteral("plain")).url});
    QCOMPARE(done.status, 1);
    QVERIFY2(done.errors.contains("permission denied"), done.errors.constData());
}

/** hub-database.md lists these rights. */
void TestHubSchema::grantsExactlyTheDocumentedRights()
{
    QVERIFY(m_rig.start());
    const QByteArray tables =
        "SELECT privilege_type || ' ' || table_name FROM information_schema.table_privileges "
        "WHERE table_schema = 'lockkeeper' AND grantee = '%' ORDER BY 1";
    const QByteArray functions =
        "SELECT proname FROM pg_proc WHERE pronamespace = 'lockkeeper'::regnamespace AND "
        "has_function_privilege('%', oid, 'EXECUTE') ORDER BY 1";
    const auto of = [](QByteArray sql, const QByteArray &role) { return sql.replace("%", role); };
    QCOMPARE(m_rig.ask(of(tables, "lockkeeper_agent")),
             QByteArray("INSERT events,INSERT holds,INSERT locks,INSERT waits,SELECT meta"));
    QCOMPARE(m_rig.ask(of(functions, "lockkeeper_agent")),
             QByteArray("add_hole,add_record,add_signature,add_source,begin_batch,end_batch,hour_of,maintain,"
                        "open_journal"));
    QCOMPARE(m_rig.ask(of(tables, "lockkeeper_reader")),
             QByteArray("SELECT agents_v1,SELECT audit_v1,SELECT days_v1,SELECT events_v1,SELECT gaps_v1,"
                        "SELECT holds_v1,SELECT hours_v1,SELECT locks_v1,SELECT waits_v1"));
    QCOMPARE(
        m_rig.ask(of(functions, "lockkeeper_reader")),
        QByteArray(
            "events_after_v1,hold_end_name,hour_of,json_field,kind_name,later,lock_events_v1,locks_at_v1,"
            "outcome_name,phase_name,text_of,worst_locks_v1"));
    QCOMPARE(m_rig.ask(of(tables, "PUBLIC")), QByteArray());
    m_rig.ask("CREATE ROLE stranger LOGIN");
    QVERIFY(
        m_rig.ask("SELECT * FROM lockkeeper.meta", QStringLiteral("stranger")).contains("permission denied"));
}

void TestHubSchema::everyDashboardQueryRuns()
{
    QVERIFY(m_rig.start());
    m_rig.ask("CREATE ROLE grafana LOGIN IN ROLE lockkeeper_reader");
    HubWriter writer(m_rig.target());
    MadeJournal journal;
    QVERIFY_DONE(writer.open(journal.agent));
    QVERIFY_DONE(writer.write(journal.hold("a", "one").record(QStringLiteral("alice")).take()));
    QFile file(qEnvironmentVariable("LOCKKEEPER_SOURCE") +
               QStringLiteral("/resources/grafana/lockkeeper-fleet-dashboard.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject dashboard = QJsonDocument::fromJson(file.readAll()).object();
    QStringList queries;
    const QJsonArray panels = dashboard[QStringLiteral("panels")].toArray();
    for (const QJsonValue panel : panels) {
        const QJsonArray targets = panel[QStringLiteral("targets")].toArray();
        for (const QJsonValue target : targets)
            queries.append(target[QStringLiteral("rawSql")].toString());
    }
    const QJsonArray variables = dashboard[QStringLiteral("templating")][QStringLiteral("list")].toArray();
    for (const QJsonValue variable : variables) {
        if (variable[QStringLiteral("type")].toString() == QStringLiteral("query"))
            queries.append(variable[QStringLiteral("query")].toString());
    }
    QVERIFY(queries.size() > 8);
    for (QString query : queries) { // as Grafana replaces its macros
        query.replace(QStringLiteral("$__timeFrom()"), QStringLiteral("(now() - interval '6 hours')"));
        query.replace(QStringLiteral("$__timeTo()"), QStringLiteral("now()"));
        query.replace(QStringLiteral("$agent"), QStringLiteral("'dc1','dc2'"));
        QVERIFY2(!query.contains(QLatin1Char('$')), qPrintable(query));
        const QByteArray answer = m_rig.ask(query.toUtf8(), QStringLiteral("grafana"));
        QVERIFY2(!answer.startsWith("ERROR"), (query.toUtf8() + '\n' + answer).constData());
    }
}

void TestHubSchema::showsGaps()
{
    QVERIFY(m_rig.start());
    HubWriter writer(m_rig.target());
    MadeJournal journal;
    QVERIFY_DONE(writer.open(journal.agent));
    HubBatch batch = journal.event({}, events::EventKind::GapOpened, {})
                         .hold("a", "one")
                         .event({}, events::EventKind::GapClosed, {})
                         .hole(5)
                         .event({}, events::EventKind::GapOpened, {})
                         .take();
    batch.events[0].event.detail.error = base::ErrorCode::Unreachable;
    QVERIFY_DONE(writer.write(batch));
    const QByteArray gaps =
        "SELECT concat_ws(' ', source, cause, from_seq, lockkeeper.us_of(to_at - from_at)) FROM "
        "lockkeeper.gaps_v1 WHERE agent = 'dc1' ORDER BY from_seq";
    QCOMPARE(
        m_rig.ask(gaps),
        QByteArray(
            "orders-redis unreachable 1 3000,deleted before it was forwarded 5 1000,orders-redis gap 10"));
    m_rig.ask("UPDATE lockkeeper.journals SET heard = now() - interval '1 hour'");
    QVERIFY(m_rig.ask(gaps).endsWith(",not received 11"));
    QCOMPARE(m_rig.ask("SELECT is_receiving FROM lockkeeper.agents_v1 WHERE agent = 'dc1'"), QByteArray("f"));
}

LOCKKEEPER_TEST(TestHubSchema)

} // namespace tst_hub_schema

#include "tst_hub_schema.moc"
