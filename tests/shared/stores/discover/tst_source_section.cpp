// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/config/config.h"
#include "shared/stores/discover/scoring.h"
#include "shared/stores/discover/source_section.h"
#include "tests/shared/stores/discover/corpus.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <toml++/toml.h>

namespace tst_source_section {

using namespace lockkeeper;
using namespace lockkeeper::stores::discover;

namespace {

QString s(const char *text)
{
    return QString::fromUtf8(text);
}

/** The agent's own reader parses the section of every layout in the corpus, whatever its scheme. */
Candidate candidateNamed(const QString &table, const QString &column)
{
    Candidate candidate;
    candidate.table = table;
    candidate.scheme = "sql.insert";
    candidate.config.table = table;
    candidate.config.name = {column, s("second")};
    candidate.config.holder = column;
    candidate.config.expiresAt = s("until");
    candidate.config.units.insert(s("expires_at"), s("epoch_ms"));
    return candidate;
}

} // namespace

class TestSourceSection : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hostileNamesComeBack_data();
    void hostileNamesComeBack();
    void agentReadsEveryCandidate_data();
    void agentReadsEveryCandidate();
    void overlapsGetSourcesOfTheirOwn();
    void agentReadsTheConnection();
    void neverHasAPassword();
    void namesSources_data();
    void namesSources();
};

void TestSourceSection::hostileNamesComeBack_data()
{
    QTest::addColumn<QString>("name");
    QTest::newRow("quotes") << s("a\"b'c\"\"\"d'''e");
    QTest::newRow("backslashes") << s("a\\b\\\\\\\"u0041");
    QTest::newRow("newlines") << s("a\nb\r\n[[source]]\nname = \"x\"\n");
    QTest::newRow("brackets") << s("x]] [[agent]] ]");
    QTest::newRow("controls") << s("\x01\x1b[31m\x7f\t");
    QTest::newRow("unicode") << s("锁\u202e🔒");
    QTest::newRow("comment") << s("# no");
    QTest::newRow("empty") << QString();
}

void TestSourceSection::hostileNamesComeBack()
{
    QFETCH(QString, name);
    QUrl url(s("mysql://u@h:3306/app"));
    const auto explain = [&name](const Candidate &) { return QStringList{name, s("because ") + name}; };
    const QString text =
        commentLines({name}) + sourceSection({name.isEmpty() ? s("x") : name, url, s("env:P"), {}},
                                             {candidateNamed(name, name)}, explain);
    toml::table root;
    try {
        root = toml::parse(text.toStdString());
    } catch (const toml::parse_error &error) {
        QFAIL(qPrintable(QString::fromStdString(std::string(error.description())) + text));
    }
    QCOMPARE(root.size(), size_t(1)); // nothing broke out of its string or comment
    const auto *sources = root["source"].as_array();
    QVERIFY(sources && sources->size() == 1);
    const auto &source = *sources->get(0)->as_table();
    const auto &locks = *(*source["locks"].as_array())[0].as_table();
    const auto textOf = [](const toml::node_view<const toml::node> &node) {
        return QString::fromStdString(node.value_or(std::string("(none)")));
    };
    QCOMPARE(textOf(locks["table"]), name);
    QCOMPARE(textOf(locks["name"][0]), name);
    QCOMPARE(textOf(locks["expires_at_unit"]), s("epoch_ms"));
    if (!name.isEmpty()) {
        QCOMPARE(textOf(source["name"]), name);
        QCOMPARE(textOf(locks["holder"]), name);
    }
}

void TestSourceSection::agentReadsEveryCandidate_data()
{
    QTest::addColumn<int>("index");
    const auto tables = tests::corpus();
    for (int i = 0; i < tables.size(); ++i) {
        if (tables.at(i).isLock)
            QTest::addRow("%d %s", i, qPrintable(tables.at(i).facts.name)) << i;
    }
}

/** The agent reads the section as Discover wrote it: the same table, columns and units. */
void TestSourceSection::agentReadsEveryCandidate()
{
    QFETCH(int, index);
    const tests::CorpusTable table = tests::corpus().at(index);
    Candidate candidate = judge(table.facts, knownLayouts());
    refine(candidate, table.facts, {});
    const QUrl url(s("mysql://u@127.0.0.1:3306/app"));
    const QString section = sourceSection({{}, url, {}, {}}, {candidate},
                                          [](const Candidate &one) { return QStringList{one.table}; });
    const QTemporaryDir folder;
    QFile file(folder.filePath(s("agent.toml")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[agent]\ndata_dir = \"data\"\n" + section.toUtf8());
    file.close();
    const auto config = agent::config::read(file.fileName());
    if (!config)
        QFAIL(qPrintable(config.error().first().text() + QLatin1Char('\n') + section));
    const stores::LockSet &read = config->sources.first().locks.first();
    QCOMPARE(read.scheme, candidate.scheme);
    QCOMPARE(read.preset, candidate.preset);
    QCOMPARE(read.table, candidate.config);
}

/** Lock sets that overlap would be refused in one source. */
void TestSourceSection::overlapsGetSourcesOfTheirOwn()
{
    QList<Candidate> found(3);
    found[0].scheme = "redis.token";
    found[0].match = "lock:*";
    found[1].scheme = "redis.redisson";
    found[1].match = "lock:*";
    found[1].neverBroken = true;
    found[2].scheme = "redis.token";
    found[2].match = "lock:pay:*";
    const QString section = sourceSection({s("r"), QUrl(s("redis://127.0.0.1/0")), {}, {}}, found,
                                          [](const Candidate &) { return QStringList(); });
    const QTemporaryDir folder;
    QFile file(folder.filePath(s("agent.toml")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[agent]\ndata_dir = \"data\"\n" + section.toUtf8());
    file.close();
    const auto config = agent::config::read(file.fileName());
    if (!config)
        QFAIL(qPrintable(config.error().first().text() + QLatin1Char('\n') + section));
    QCOMPARE(config->sources.size(), 2);
    QCOMPARE(config->sources.at(0).locks.size(), 2);
    QCOMPARE(config->sources.at(1).name, s("r-2"));
    QCOMPARE(config->sources.at(1).locks.first().scheme, QByteArray("redis.redisson"));
    for (const stores::SourceSpec &source : config->sources) {
        for (const stores::LockSet &set : source.locks) // one source would be the way around the other
            QCOMPARE(set.breakMode, stores::BreakMode::Never);
    }
}

/** Encryption, zone and clock come out as the agent reads them. */
void TestSourceSection::agentReadsTheConnection()
{
    const QHash<QString, QString> tls{{s("verify"), s("ca")},
                                      {s("ca"), s("/a \"b\"/ca.pem")},
                                      {s("cert"), s("/c.pem")},
                                      {s("key"), s("/k.pem")}};
    const TableFacts facts = tests::corpus().first().facts;
    Candidate candidate = judge(facts, knownLayouts());
    refine(candidate, facts, {});
    SectionSource source{{}, QUrl(s("postgresql://u@h:5432/app")), {}, s("Asia/Shanghai")};
    source.tls = tls;
    source.clientClock = true;
    const QTemporaryDir folder;
    QFile file(folder.filePath(s("agent.toml")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[agent]\ndata_dir = \"data\"\n" +
               sourceSection(source, {candidate}, [](const Candidate &) { return QStringList(); }).toUtf8());
    file.close();
    const auto config = agent::config::read(file.fileName());
    if (!config)
        QFAIL(qPrintable(config.error().first().text()));
    const stores::SourceSpec &read = config->sources.first();
    QCOMPARE(read.tls, tls);
    QCOMPARE(read.timeZone, QByteArray("Asia/Shanghai"));
    QVERIFY(read.clientClock);
}

void TestSourceSection::neverHasAPassword()
{
    QUrl url(s("mysql://u:geheim@h:3306/app"));
    const QString text = sourceSection({{}, url, {}, {}}, {}, {});
    QVERIFY(!text.contains(s("geheim")));
    QVERIFY(text.contains(s("mysql://u@h:3306/app")));
}

void TestSourceSection::namesSources_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("name");
    QTest::newRow("database") << s("mysql://u@h:3306/orders") << s("orders");
    QTest::newRow("socket") << s("mysql+unix:///run/x.sock?db=orders&user=u") << s("orders");
    QTest::newRow("file") << s("sqlite:/var/lib/app.v2.db") << s("app.v2");
    QTest::newRow("control characters") << s("mysql://u@h:3306/a%0Ab") << s("a\\x0ab");
    QTest::newRow("long") << s("sqlite:/%1.db").arg(QString(99, QLatin1Char('x')))
                          << QString(64, QLatin1Char('x'));
    QTest::newRow("etcd") << s("etcd://e1:2379") << s("e1");
    QTest::newRow("etcd here") << s("etcd://127.0.0.1:2379") << s("etcd");
    QTest::newRow("ZooKeeper") << s("zookeeper://z1:2181") << s("z1");
    QTest::newRow("ZooKeeper here") << s("zookeeper://127.0.0.1:2181") << s("zookeeper");
    QTest::newRow("ZooKeeper with a chroot") << s("zookeeper://z1:2181/orders") << s("orders");
    QTest::newRow("host") << s("mysql://u@h:3306/") << s("h");
}

void TestSourceSection::namesSources()
{
    QFETCH(QString, url);
    QFETCH(QString, name);
    QCOMPARE(sourceName(QUrl(url)), name);
}

LOCKKEEPER_TEST(TestSourceSection)

} // namespace tst_source_section

#include "tst_source_section.moc"
