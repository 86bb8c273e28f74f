// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Discover over real servers of Redis: every key of the corpus made for real, and the section that
// lockkeeperctl prints given to lockkeeper-agent --check.
#include "shared/base/java_text.h"
#include "shared/base/text.h"
#include "shared/stores/discover/discoverer.h"
#include "shared/stores/discover/redis_discoverer.h"
#include "shared/stores/factory.h"
#include "tests/shared/stores/discover/key_corpus.h"
#include "tests/support/program.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_program.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace tst_discover_redis {

using namespace lockkeeper;
using tests::Output;
using tests::run;
using namespace lockkeeper::stores::discover;

namespace {

constexpr int kPatienceMs = 60'000;

QString s(const char *text)
{
    return QString::fromUtf8(text);
}

/** The build may not speak every scheme that Discover recognises. */
bool isSpoken(const QByteArray &scheme)
{
    return stores::isSchemeOf(scheme, "redis");
}

} // namespace

class TestDiscoverRedis : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void corpusOnAServer();
    void sectionPassesTheCheck();
    void hostileNamesStayInTheirLine();
    void jsonLines();
    void leasesAreSeenToBeRenewed();
    void rareLocksAmongManyKeys();
    void readsNothingLong();
    void usesOnlyReadingCommands();
    void missingRightsAreTold();
    void whatAUserMayNotSee();
    void passwordIsAsked();
    void cancelsAtOnce();
    void anotherDatabase();
    void permitsInSeconds();
    void emptyServer();

private:
    Discovery look(const QUrl &url, const QByteArray &password = {}, SampleLimits limits = {});
    static const Candidate *find(const Discovery &discovery, const QByteArray &match);

    tests::RedisServer m_server;
    QList<tests::KeyLine> m_lines;
    QTemporaryDir m_folder;
};

void TestDiscoverRedis::initTestCase()
{
    QVERIFY(m_server.start({}, true));
    m_lines = tests::keyCorpus(QDateTime::currentSecsSinceEpoch());
    tests::RedisPlain plain(m_server.socketPath());
    QList<KeyFacts> keys = tests::helperKeys();
    for (const tests::KeyLine &line : std::as_const(m_lines))
        keys += line.keys;
    for (KeyFacts &key : keys) {
        // The test takes longer than the shortest of them live.
        if (key.ttlMs >= 0 && key.ttlMs < 60'000)
            key.ttlMs += 60'000;
        for (const QByteArrayList &command : tests::commandsFor(key))
            QVERIFY2(!plain.command(command).isError(), key.name.constData());
    }
}

Discovery TestDiscoverRedis::look(const QUrl &url, const QByteArray &password, SampleLimits limits)
{
    stores::SourceSpec spec;
    spec.url = url;
    spec.password = password;
    RedisDiscoverer discoverer(spec, *stores::redis::endpointOf(url), limits);
    std::optional<Discovery> found;
    connect(&discoverer, &Discoverer::found, this, [&](const Discovery &discovery) { found = discovery; });
    QSignalSpy done(&discoverer, &Discoverer::found);
    QSignalSpy failed(&discoverer, &Discoverer::failed);
    discoverer.start();
    if (!QTest::qWaitFor([&] { return !done.isEmpty() || !failed.isEmpty(); }, kPatienceMs) || !found)
        qFatal("%s", failed.isEmpty() ? "no answer"
                                      : qPrintable(failed.first().first().value<base::Error>().line()));
    return *found;
}

const Candidate *TestDiscoverRedis::find(const Discovery &discovery, const QByteArray &match)
{
    for (const auto *list : {&discovery.found, &discovery.near, &discovery.rest}) {
        for (const Candidate &candidate : *list) {
            if (candidate.match == match)
                return &candidate;
        }
    }
    return nullptr;
}

void TestDiscoverRedis::corpusOnAServer()
{
    const Discovery discovery = look(m_server.url());
    QCOMPARE(discovery.store, QByteArray("redis"));
    QCOMPARE(discovery.database, s("db0"));
    QVERIFY(discovery.allSeen);
    // A set of Java's serialised names matches the text within them.
    const auto isMatch = [](const Candidate &candidate, const QByteArray &name) {
        return base::globMatches(candidate.match, base::withoutJavaHeader(name).toByteArray());
    };
    int locks = 0;
    int found = 0;
    QStringList wrong;
    for (const tests::KeyLine &line : std::as_const(m_lines)) {
        const bool expected = line.isLock && isSpoken(line.scheme);
        const bool proposed = std::all_of(line.keys.begin(), line.keys.end(), [&](const KeyFacts &key) {
            return std::any_of(discovery.found.begin(), discovery.found.end(),
                               [&](const Candidate &candidate) {
                                   return candidate.scheme == line.scheme && isMatch(candidate, key.name);
                               });
        });
        const bool touched = std::any_of(line.keys.begin(), line.keys.end(), [&](const KeyFacts &key) {
            return std::any_of(discovery.found.begin(), discovery.found.end(),
                               [&](const Candidate &candidate) { return isMatch(candidate, key.name); });
        });
        locks += expected;
        found += expected && proposed;
        if (expected != proposed || (!line.isLock && touched))
            wrong.append(QString::fromLatin1(line.text.toPercentEncoding("{}:")));
    }
    qInfo("%lld prefixes, %lld proposals, recall %d of %d", qint64(m_lines.size()),
          qint64(discovery.found.size()), found, locks);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char(' '))));
    for (const Candidate &candidate : discovery.found)
        QVERIFY2(!candidate.access.isEmpty(), candidate.match.constData());
    // Locks that this build doesn't support are marked as such.
    for (const Candidate &candidate : discovery.near)
        if (candidate.score >= kProposed)
            QVERIFY(candidate.missing.contains(Missing::Support));
}

void TestDiscoverRedis::sectionPassesTheCheck()
{
    const Output section = run("lockkeeperctl", {s("discover"), m_server.url().toString(QUrl::FullyEncoded)});
    QCOMPARE(section.err, QByteArray());
    QCOMPARE(section.status, 0);
    QVERIFY(section.out.count("[[source.locks]]") > 20);
    QVERIFY(section.out.contains("match = \"lock:*\""));
    QFile file(m_folder.filePath(s("redis.toml")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[agent]\ndata_dir = \"data\"\n" + section.out);
    file.close();
    const Output check = run("lockkeeper-agent", {s("--config"), file.fileName(), s("--check")});
    QVERIFY2(check.status == 0, (check.out + check.err).constData());
    QVERIFY2(!check.out.contains("FAILED"), check.out.constData());
}

/** Names with newlines, quotes, bidirectional marks and bytes that aren't UTF-8 end neither comment nor
 * string. */
void TestDiscoverRedis::hostileNamesStayInTheirLine()
{
    const Output section = run("lockkeeperctl", {s("discover"), m_server.url().toString(), s("--all")});
    QCOMPARE(section.status, 0);
    for (const QByteArray &line : section.out.split('\n')) {
        const QByteArray text = line.trimmed();
        static const QRegularExpression kLine(QStringLiteral("^$|^#|^\\[\\[source| = "));
        QVERIFY2(QString::fromUtf8(text).contains(kLine), line.constData());
        for (const char c : line)
            QVERIFY2(uchar(c) >= 0x20 && c != 0x7f, line.constData());
    }
    QVERIFY(!section.out.contains("\xe2\x80\xae"));
    QVERIFY(QString::fromUtf8(section.out).toUtf8() == section.out);
    QVERIFY(section.out.contains(R"(match = "line\u000abreak:lock:*")"));
    QVERIFY(section.out.contains(R"(match = "\"quoted\":lock:*")"));
    QVERIFY(section.out.contains(R"(match = "\u202eevil:lock:*")"));
    QVERIFY(section.out.contains(R"(match = "glob\\*\\[x\\]:lock:*")"));
    QVERIFY(section.out.contains("match = \"bin\?\?:lock:*\""));
}

void TestDiscoverRedis::jsonLines()
{
    const Output output =
        run("lockkeeperctl", {s("--json"), s("discover"), m_server.tcpUrl().toString(), s("--all")});
    QCOMPARE(output.status, 0);
    int proposed = 0;
    for (const QByteArray &line : output.out.trimmed().split('\n')) {
        const QJsonObject object = QJsonDocument::fromJson(line).object();
        QCOMPARE(object.value(s("store")).toString(), s("redis"));
        QVERIFY2(object.value(s("table")).isNull() && object.value(s("match")).isString(), line.constData());
        QVERIFY(object.value(s("keys")).toInt() > 0);
        const auto reasons = object.value(s("reasons")).toArray().size();
        QVERIFY2(reasons + object.value(s("missing")).toArray().size() > 0, line.constData());
        for (const QJsonValue &reason : object.value(s("reasons")).toArray())
            QVERIFY2(!reason[s("text")].toString().isEmpty(), line.constData());
        proposed += object.value(s("proposed")).toBool();
    }
    QVERIFY(proposed > 20);
}

/** Two looks distinguish a lease that is renewed from a key that runs down. */
void TestDiscoverRedis::leasesAreSeenToBeRenewed()
{
    tests::RedisServer server;
    QVERIFY(server.start());
    const auto set = [&server](const QByteArray &name, const QByteArray &value) {
        server.command({"SET", name, value, "PX", "10000"});
    };
    const QByteArray token = "5f9f1c2e3b4a5d6e7f8091a2b3c4d5e6";
    for (const char *name : {"job:a", "job:b", "ticket:a", "ticket:b", "turn:a"})
        set(name, token);
    QTimer renewer;
    connect(&renewer, &QTimer::timeout, this, [&] {
        server.command({"PEXPIRE", "job:b", "10000"});
        set("turn:a", QByteArray::number(server.command({"INCR", "n"}).integer) + token.mid(4) + "f00");
    });
    renewer.start(100);
    const Discovery discovery = look(server.url());
    const auto tells = [&](const char *match, ReasonCode code) {
        const Candidate *candidate = find(discovery, match);
        return candidate && std::any_of(candidate->reasons.begin(), candidate->reasons.end(),
                                        [code](const Reason &one) { return one.code == code; });
    };
    QVERIFY(tells("job:*", ReasonCode::KeyRenewed));
    QVERIFY(find(discovery, "job:*")->isProposed());
    QVERIFY(!tells("ticket:*", ReasonCode::KeyRenewed));
    QVERIFY(!find(discovery, "ticket:*")->isProposed());
    QVERIFY(tells("turn:a", ReasonCode::KeyHandOver));
}

/** Beyond the keys that are looked at, the names alone are, so that a few locks aren't lost among many keys.
 */
void TestDiscoverRedis::rareLocksAmongManyKeys()
{
    tests::RedisServer server;
    QVERIFY(server.start(tests::RedisServer::version() < 700
                             ? QStringList()
                             : QStringList{s("--enable-debug-command"), s("yes")}));
    server.command({"DEBUG", "POPULATE", "120000", "cache:item"});
    for (int i = 0; i < 5; ++i)
        server.command({"SET", "lock:" + QByteArray::number(i), QByteArray(32, 'a'), "PX", "60000"});
    QElapsedTimer clock;
    clock.start();
    Discovery discovery = look(server.url());
    qInfo("120,005 keys in %lld ms", clock.elapsed());
    QCOMPARE(discovery.tables, qint64(120'005));
    QVERIFY(discovery.allSeen);
    QVERIFY(find(discovery, "lock:*") && find(discovery, "lock:*")->isProposed());
    QCOMPARE(discovery.found.size(), 1);
    SampleLimits limits;
    limits.names = 30'000;
    limits.keys = 1'000;
    discovery = look(server.url(), {}, limits);
    QVERIFY(!discovery.allSeen);
    QVERIFY(discovery.tables < 40'000);
}

void TestDiscoverRedis::readsNothingLong()
{
    tests::RedisServer server;
    QVERIFY(server.start({s("--proto-max-bulk-len"), s("512mb")}));
    server.command({"SETRANGE", "lock:huge", "50000000", "x"});
    server.command({"SET", QByteArray(100'000, 'k') + ":lock", "x"});
    server.command({"HSET", "lock:hash", "field", QByteArray(20'000'000, 'v')});
    server.command({"ZADD", "semaphore:x", "1", QByteArray(20'000'000, 'm')});
    const auto sent = [&server] {
        const QByteArray info = server.command({"INFO", "stats"}).bytes;
        return info.mid(info.indexOf("total_net_output_bytes:") + 23).split('\r').first().toLongLong();
    };
    const qint64 before = sent();
    const Discovery discovery = look(server.url());
    const qint64 bytes = sent() - before;
    QVERIFY2(bytes < 400'000, qPrintable(QString::number(bytes))); // the long name itself is in SCAN's answer
    QVERIFY(find(discovery, "lock:*"));
    QCOMPARE(discovery.found.size(), 0);
}

void TestDiscoverRedis::usesOnlyReadingCommands()
{
    const auto changes = [this] {
        const QByteArray info = m_server.command({"INFO", "persistence"}).bytes;
        return info.mid(info.indexOf("rdb_changes_since_last_save:")).split('\r').first();
    };
    m_server.command({"CONFIG", "RESETSTAT"});
    const QByteArray before = changes();
    look(m_server.url());
    QCOMPARE(changes(), before);
    // The server refuses a script's question about rights before the call, and counts no call.
    static const QByteArrayList reading{
        "scan", "type", "pttl", "strlen", "hlen", "zcard", "getrange", "hscan", "zrange", "time", "dbsize",
        "info", "ping", "select", "auth", "llen", "lrange", "lindex", "hgetall", "hget", "zscore", "eval",
        "evalsha", "pexpiretime", "config|resetstat", "config|get", "client|setname", "client|id",
        "object|encoding", "memory|usage", "pubsub|numsub",
        // Before Redis 7 a command is counted with all that follows it.
        "config", "client", "object", "memory", "pubsub"};
    for (const QByteArray &line : m_server.command({"INFO", "commandstats"}).bytes.split('\n')) {
        const QByteArray command = line.mid(8).split(':').first();
        if (line.startsWith("cmdstat_") && !line.contains("calls=0,"))
            QVERIFY2(reading.contains(command), line.constData());
    }
}

void TestDiscoverRedis::missingRightsAreTold()
{
    if (tests::RedisServer::version() < 600)
        QSKIP("there are users from Redis 6 on");
    m_server.command(tests::RedisServer::rules("ACL SETUSER seer on >pw %R~* -@all +scan +type +pttl +strlen "
                                               "+getrange +object|encoding +time +info +pexpiretime"));
    const Discovery discovery = look(m_server.url(0, s("seer")), "pw");
    const Candidate *candidate = find(discovery, "lock:*");
    QVERIFY(candidate && candidate->isProposed());
    QStringList remedies;
    for (const domain::Access &one : candidate->access) {
        if (!one.granted && one.forBreaking)
            remedies.append(one.remedy);
    }
    QVERIFY2(remedies.join(QLatin1Char('\n')).contains(s("ACL SETUSER seer")),
             qPrintable(remedies.join(QLatin1Char('\n'))));
    m_server.command(tests::RedisServer::rules("ACL SETUSER blind on >pw %R~* -@all +info +time"));
    const Output output = run("lockkeeperctl", {s("discover"), m_server.url(0, s("blind")).toString(),
                                                s("--password"), s("file:") + [this] {
                                                    QFile file(m_folder.filePath(s("pw")));
                                                    file.open(QIODevice::WriteOnly);
                                                    file.write("pw\n");
                                                    file.close();
                                                    file.setPermissions(QFileDevice::ReadOwner);
                                                    return file.fileName();
                                                }()});
    QCOMPARE(output.status, 4);
    QVERIFY2(output.err.contains("+scan"), output.err.constData());
}

/** A user who may read some keys only is shown those, without a word about the others. */
void TestDiscoverRedis::whatAUserMayNotSee()
{
    if (tests::RedisServer::version() < 600)
        QSKIP("there are users from Redis 6 on");
    m_server.command(
        tests::RedisServer::rules("ACL SETUSER half on >pw %R~lock:* -@all +scan +type +pttl +strlen "
                                  "+getrange +object|encoding +time +info +pexpiretime"));
    const Discovery discovery = look(m_server.url(0, s("half")), "pw");
    QCOMPARE(discovery.found.size(), 1);
    QCOMPARE(discovery.found.first().match, QByteArray("lock:*"));
    QVERIFY(discovery.near.isEmpty() && discovery.rest.isEmpty());
}

void TestDiscoverRedis::passwordIsAsked()
{
    tests::RedisServer server;
    QVERIFY(server.start({s("--requirepass"), s("geheim")}));
    const Output output = run("lockkeeperctl", {s("discover"), server.url().toString()});
    QCOMPARE(output.status, 4);
    QCOMPARE(output.err.count('\n'), 1);
    QVERIFY(output.out.isEmpty());
}

void TestDiscoverRedis::cancelsAtOnce()
{
    m_server.pause();
    stores::SourceSpec spec;
    spec.url = m_server.tcpUrl();
    auto discoverer = makeDiscoverer(spec);
    QSignalSpy found(discoverer->get(), &Discoverer::found);
    QSignalSpy failed(discoverer->get(), &Discoverer::failed);
    (*discoverer)->start();
    QVERIFY(!found.wait(200));
    QElapsedTimer clock;
    clock.start();
    (*discoverer)->cancel();
    discoverer->reset();
    QVERIFY(clock.elapsed() < spec.statementTimeoutMs / 2);
    m_server.resume();
    QVERIFY(!found.wait(200));
    QCOMPARE(found.size() + failed.size(), 0);
}

void TestDiscoverRedis::anotherDatabase()
{
    tests::RedisPlain plain(m_server.socketPath());
    plain.command({"SELECT", "3"});
    plain.command({"SET", "mutex:x", "3f2504e0-4f89-11d3-9a0c-0305e82c3301", "PX", "60000"});
    const Discovery discovery = look(m_server.url(3));
    QCOMPARE(discovery.database, s("db3"));
    QCOMPARE(discovery.tables, qint64(1));
    QCOMPARE(discovery.found.size(), 1);
    QCOMPARE(discovery.found.first().match, QByteArray("mutex:*"));
}

/** The deadlines stand in a set beside the key that names the semaphore. */
void TestDiscoverRedis::permitsInSeconds()
{
    tests::RedisPlain plain(m_server.socketPath());
    plain.command({"SELECT", "4"});
    const qint64 endS = QDateTime::currentSecsSinceEpoch() + 600;
    for (const auto &[name, score] : {std::pair("imports", endS), std::pair("exports", endS * 1'000)}) {
        plain.command({"SET", name, "0"});
        plain.command({"ZADD", '{' + QByteArray(name) + "}:timeout", QByteArray::number(score),
                       "0123456789abcdef0123456789abcdef"});
    }
    const Discovery discovery = look(m_server.url(4));
    const Candidate *seconds = find(discovery, "{imports}:timeout");
    QVERIFY(seconds != nullptr && !seconds->isProposed());
    QVERIFY(seconds->refusal.cause.contains(s("seconds")));
    const Candidate *milliseconds = find(discovery, "{exports}:timeout");
    QVERIFY(milliseconds != nullptr && milliseconds->isProposed());
}

void TestDiscoverRedis::emptyServer()
{
    const Output output = run("lockkeeperctl", {s("discover"), m_server.url(7).toString()});
    QCOMPARE(output.status, 0);
    QVERIFY(output.out.contains("No pattern of lock keys was recognised."));
    QVERIFY(!output.out.contains("[[source]]"));
}

LOCKKEEPER_TEST(TestDiscoverRedis)

} // namespace tst_discover_redis

#include "tst_discover_redis.moc"
