// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/java_text.h"
#include "shared/base/text.h"
#include "shared/stores/discover/json_layout.h"
#include "shared/stores/discover/key_groups.h"
#include "shared/stores/discover/key_names.h"
#include "shared/stores/discover/key_scoring.h"
#include "shared/stores/discover/scoring.h"
#include "shared/stores/discover/value_shape.h"
#include "tests/shared/stores/discover/key_corpus.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_key_scoring {

using namespace lockkeeper;
using namespace lockkeeper::stores::discover;

namespace {

constexpr qint64 kNowS = 1'795'000'000;

QString describe(const Candidate &candidate)
{
    QStringList lines;
    for (const Reason &reason : candidate.reasons)
        lines.append(QStringLiteral("%1 %2 %3")
                         .arg(QString::fromLatin1(reasonName(reason.code).toByteArray()), reason.value,
                              QString::number(reason.points)));
    return QStringLiteral("%1 %2 [%3]: ")
               .arg(base::displayText(candidate.subject()))
               .arg(candidate.score)
               .arg(QString::fromLatin1(candidate.scheme)) +
           lines.join(QLatin1String("; "));
}

KeyFacts stringKey(const QByteArray &name, const QByteArray &value, qint64 ttlMs)
{
    KeyFacts key;
    key.name = name;
    key.type = KeyType::String;
    key.value = value;
    key.length = value.size();
    key.ttlMs = ttlMs;
    key.sampled = true;
    return key;
}

QList<KeyFacts> wholeCorpus()
{
    QList<KeyFacts> keys;
    for (const tests::KeyLine &line : tests::keyCorpus(kNowS))
        keys += line.keys;
    return keys + tests::helperKeys();
}

Candidate judgeOne(const QList<KeyFacts> &keys)
{
    const QList<KeyGroup> groups = groupsOf(keys);
    if (groups.size() != 1)
        qFatal("%lld groups", qint64(groups.size()));
    return judge(groups.first(), kNowS);
}

} // namespace

/** Names, shapes of values, groups and their judgement, without a server. */
class TestKeyScoring : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void shapes_data();
    void shapes();
    void namings_data();
    void namings();
    void helpers_data();
    void helpers();
    void globsHoldAnyName_data();
    void globsHoldAnyName();
    void groups_data();
    void groups();
    void corpusIsTold_data();
    void corpusIsTold();
    void corpusAsAWhole();
    void everyMatchFitsItsKeys();
    void helpersAreNoLocks();
    void fieldsOfObjects_data();
    void fieldsOfObjects();
    void leaseOfASemaphore();
    void clientsWhoseWaitersSleep_data();
    void clientsWhoseWaitersSleep();
    void javasHeaderIsNoPartOfAName();
    void aRefreshLockAmongCachedValues();
    void jobsAreNeverBroken();
    void aCounterIsNoLock_data();
    void aCounterIsNoLock();
    void locksThatNobodyCanWatch();
    void everyReasonHasItsName();
    void renewalsSettleDoubts();
    void sameEachTime();
    void pushIsTold();
};

void TestKeyScoring::shapes_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("shape");
    const auto row = [](const QByteArray &value, const char *shape) {
        QTest::newRow(value.left(40).toPercentEncoding().constData()) << value << QByteArray(shape);
    };
    row("3f2504e0-4f89-11d3-9a0c-0305e82c3301", "uuid");
    row("3f2504e0-4f89-11d3-9a0c-0305e82c3301:41", "uuid");
    row("\"3f2504e0-4f89-11d3-9a0c-0305e82c3301\"", "uuid");
    row("5f9f1c2e3b4a5d6e7f8091a2b3c4d5e6", "hex");
    row("12345678901234567890123456789012", "number");
    row("kX8sQ1zpl0Yb3Rw9Tn4Ee7Uu", "token");
    row("Zm9vYmFyYmF6cXV4MTIzNDU2+/8=", "token");
    row("web-3:4711", "process");
    row("4711@web-3", "process");
    row("10.0.0.7:51342:12", "process");
    row("worker-1", "name");
    row("1795000030.25", "time");
    row("1795000030123", "time");
    row("17950000", "number");
    row("1", "flag");
    row("", "flag");
    row("true", "flag");
    row("LOCKED", "flag");
    row("42", "number");
    row("-3.5", "number");
    row(R"({"owner":"w1","state":"execute","lastSync":1795000000123})", "lock_json");
    row(R"({"lockedBy":"w1","heartbeat_at":1})", "lock_json");
    row(R"({"owner":"w1"})", "holder_json");
    row(R"({"host":"w","pid":3})", "holder_json");
    row(R"({"id":7,"title":"x"})", "json");
    row(R"([1,2])", "json");
    row("{no json", "data");
    row("a:1:{i:0;s:1:\"x\";}", "data");
    row("<p>hello</p>", "data");
    row("\xac\xed\x00\x05sr", "data");
    row("hello world and more", "data");
    row(QByteArray(600, 'a'), "data");
    row("\xff\xfe\x00\x01", "data");
}

void TestKeyScoring::shapes()
{
    QFETCH(QByteArray, value);
    QFETCH(QByteArray, shape);
    QCOMPARE(shapeName(shapeOf(value, kNowS)).toByteArray(), shape);
}

void TestKeyScoring::namings_data()
{
    QTest::addColumn<KeyNaming>("naming");
    for (const char *name : {"lock:a", "order:17:lock", "orderLock:17", "session_lock:x", "app.locks.a",
                             "MUTEX/a", "{orders}:lock", "lease-9", "lock17", "redlock:a", "my-semaphore",
                             "订单锁:1", "锁:退款:1", "分布式锁:x", "订单:互斥量:3"})
        QTest::newRow(name) << KeyNaming::Lock;
    for (const char *name : {"billing:leader", "account:locked:1"})
        QTest::newRow(name) << KeyNaming::Hint;
    for (const char *name :
         {"session:1", "lock_history:1", "lock-config", "lock-requests:7", "cache:a", "lockout:9", "csrf:9"})
        QTest::newRow(name) << KeyNaming::Foreign;
    for (const char *name : {"clock:1", "blocks:1", "padlock:1", "door:unlock:1", "flock:1", "order:17", "",
                             "deadlock", "interlocking", "解锁:1", "门锁:7", "锁定:7"})
        QTest::newRow(name) << KeyNaming::Other;
}

void TestKeyScoring::namings()
{
    QFETCH(KeyNaming, naming);
    QCOMPARE(int(readName(partsOf(QTest::currentDataTag())).naming), int(naming));
    if (naming == KeyNaming::Lock)
        QVERIFY(mayNameLock(QTest::currentDataTag()));
}

void TestKeyScoring::helpers_data()
{
    QTest::addColumn<QByteArray>("lock");
    const auto row = [](const char *name, const char *lock) { QTest::newRow(name) << QByteArray(lock); };
    row("redisson_lock_queue:{orders}", "orders");
    row("redisson_lock_timeout:{a:b}", "a:b");
    row("redisson_lock_queue:{app}:orders", "{app}:orders"); // a name that contains braces
    row("redisson_unlock_latch:{orders}:77aa", "orders");
    row("redisson_lock_token:{orders}", "orders");
    row("lockkeeper:fencing:{orders}", "orders");
    row("lockkeeper:waiters:{orders}", "orders");
    row("{orders}:3f2504e0-4f89-11d3-9a0c-0305e82c3301:41:rwlock_timeout:2", "orders");
    row("{sem}:timeout", "sem");
    row("lock-signal:orders", "lock:orders");
    row("@simple-redis-mutex:lock-orders:next-id", "@simple-redis-mutex:lock-orders");
    row("orders", "-");
    row("orders:timeout", "-");
    row("redisson_lock_queue:", "-");
    row("redisson_mine", "-");
}

void TestKeyScoring::helpers()
{
    QFETCH(QByteArray, lock);
    const auto helper = helperOf(QTest::currentDataTag());
    QCOMPARE(helper ? helper->lock : QByteArray("-"), lock);
}

void TestKeyScoring::globsHoldAnyName_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("glob");
    QTest::newRow("plain") << QByteArray("lock:a") << QByteArray("lock:a");
    QTest::newRow("special") << QByteArray("a*b?c[d]\\e") << QByteArray("a\\*b\\?c\\[d\\]\\\\e");
    QTest::newRow("utf-8") << QByteArray("\xe9\x94\x81") << QByteArray("\xe9\x94\x81");
    QTest::newRow("binary") << QByteArray("a\xff\xe9") << QByteArray("a??");
    QTest::newRow("nul") << QByteArray("a\0b", 3) << QByteArray("a\0b", 3);
}

void TestKeyScoring::globsHoldAnyName()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, glob);
    QCOMPARE(escapedGlob(name), glob);
    QVERIFY(base::globMatches(glob, name));
    QCOMPARE(QString::fromUtf8(glob).toUtf8(), glob); // a configuration can hold it
}

void TestKeyScoring::groups_data()
{
    QTest::addColumn<QByteArrayList>("names");
    QTest::addColumn<QByteArrayList>("matches");
    const auto row = [](const char *title, const QByteArrayList &names, const QByteArrayList &matches) {
        QTest::newRow(title) << names << matches;
    };
    row("behind the word", {"lock:a", "lock:b:c", "lock:17"}, {"lock:*"});
    row("one of them", {"lock:a"}, {"lock:*"});
    row("within the name", {"order:1:lock", "order:22:lock"}, {"order:*:lock"});
    row("digits at the word", {"lock1", "lock22"}, {"lock*"});
    row("a single name", {"nightly-report-lock"}, {"nightly-report-lock"});
    row("two names are two", {"a-lock", "b-lock"}, {"a-lock", "b-lock"});
    row("four are one", {"a-lock", "b-lock", "c-lock", "d-lock"}, {"*-lock"});
    row("words below", {"app:session:1", "app:session:2", "app:cart:1", "app:cart:2"},
        {"app:cart:*", "app:session:*"});
    row("no word at all", {"17", "22"}, {"*"});
    row("escaped", {"a*:lock:1"}, {"a\\*:lock:*"});
}

void TestKeyScoring::groups()
{
    QFETCH(QByteArrayList, names);
    QFETCH(QByteArrayList, matches);
    QList<KeyFacts> keys;
    for (const QByteArray &name : names)
        keys.append(stringKey(name, "x", -1));
    QByteArrayList found;
    for (const KeyGroup &group : groupsOf(keys))
        found.append(group.match);
    QCOMPARE(found, matches);
}

void TestKeyScoring::corpusIsTold_data()
{
    QTest::addColumn<int>("index");
    const auto lines = tests::keyCorpus(kNowS);
    for (int i = 0; i < lines.size(); ++i)
        QTest::addRow("%s %s", lines.at(i).isLock ? "+" : "-",
                      lines.at(i).text.toPercentEncoding("{}:").constData())
            << i;
}

/** Each line within all the others. */
void TestKeyScoring::corpusIsTold()
{
    QFETCH(int, index);
    static const QList<KeyGroup> groups = groupsOf(wholeCorpus());
    static const QList<tests::KeyLine> lines = tests::keyCorpus(kNowS);
    const tests::KeyLine &line = lines.at(index);
    for (const KeyFacts &key : line.keys) {
        bool proposed = false;
        QString told;
        for (const KeyGroup &group : groups) {
            if (group.type != key.type || !base::globMatches(group.match, key.name))
                continue;
            const Candidate candidate = judge(group, kNowS);
            if (!line.isLock)
                QVERIFY2(!candidate.isProposed(), qPrintable(describe(candidate)));
            proposed = proposed || (candidate.isProposed() && candidate.scheme == line.scheme);
            told += describe(candidate) + QLatin1Char('\n');
        }
        QVERIFY2(proposed == line.isLock, qPrintable(told));
    }
}

void TestKeyScoring::corpusAsAWhole()
{
    const auto lines = tests::keyCorpus(kNowS);
    QVERIFY(lines.size() >= 40);
    int proposed = 0;
    int right = 0;
    int locks = 0;
    QSet<QByteArray> found;
    for (const KeyGroup &group : groupsOf(wholeCorpus())) {
        const Candidate candidate = judge(group, kNowS);
        if (!candidate.isProposed())
            continue;
        ++proposed;
        bool good = true;
        for (const tests::KeyLine &line : lines) {
            const bool fits = std::any_of(line.keys.begin(), line.keys.end(), [&](const KeyFacts &key) {
                return key.type == group.type && base::globMatches(group.match, key.name);
            });
            if (fits && line.isLock)
                found.insert(line.text);
            good = good && (!fits || line.isLock);
        }
        right += good;
    }
    for (const tests::KeyLine &line : lines)
        locks += line.isLock;
    qInfo("%lld prefixes, %d of locks: precision %.3f, recall %.3f", qint64(lines.size()), locks,
          double(right) / proposed, double(found.size()) / locks);
    QCOMPARE(right, proposed);
    QCOMPARE(int(found.size()), locks);
}

void TestKeyScoring::everyMatchFitsItsKeys()
{
    for (const KeyGroup &group : groupsOf(wholeCorpus())) {
        for (const KeyFacts &key : group.keys) {
            QVERIFY2(base::globMatches(group.match, key.name), (group.match + ' ' + key.name).constData());
            QVERIFY2(key.name.startsWith(group.prefix), group.prefix.constData());
            QCOMPARE(int(key.type), int(group.type));
        }
        QCOMPARE(QString::fromUtf8(group.match).toUtf8(), group.match);
    }
}

void TestKeyScoring::helpersAreNoLocks()
{
    for (const KeyGroup &group : groupsOf(wholeCorpus())) {
        for (const KeyFacts &helper : tests::helperKeys()) {
            for (const KeyFacts &key : group.keys)
                QVERIFY2(key.name != helper.name, helper.name.constData());
        }
        const Candidate candidate = judge(group, kNowS);
        const auto tells = [&candidate](ReasonCode code) {
            return std::any_of(candidate.reasons.begin(), candidate.reasons.end(),
                               [code](const Reason &one) { return one.code == code; });
        };
        QCOMPARE(tells(ReasonCode::KeyFair), group.match == "myLock");
        QCOMPARE(tells(ReasonCode::KeyModes), group.match == "ledger-rw:*");
    }
    // Redisson's expirable semaphore is a number with its permits beside.
    KeyFacts permits = stringKey("{pool}:timeout", {}, -1);
    permits.type = KeyType::SortedSet;
    const Candidate semaphore = judgeOne({stringKey("pool", "3", -1), permits});
    QVERIFY2(semaphore.isProposed() && semaphore.scheme == "redis.semaphore",
             qPrintable(describe(semaphore)));
    QCOMPARE(semaphore.match, QByteArray("{pool}:timeout"));
    QVERIFY(base::globMatches(semaphore.match, permits.name));
    QCOMPARE(semaphore.settings, (QList<Setting>{{"scores", QStringLiteral("deadline")}}));
    // A port that writes seconds: each permit would be over since 1970.
    permits.members = {{"0123456789abcdef", QByteArray::number((kNowS + 600) * 1'000)}};
    QVERIFY(judgeOne({stringKey("pool", "3", -1), permits}).isProposed());
    permits.members.append({"0123456789abcdee", QByteArray::number(kNowS + 600)});
    const Candidate inSeconds = judgeOne({stringKey("pool", "3", -1), permits});
    QVERIFY(!inSeconds.isProposed() && inSeconds.missing.contains(Missing::Refused));
    QVERIFY(inSeconds.refusal.cause.contains(QLatin1String("seconds")));
    permits.type = KeyType::String;
    QCOMPARE(groupsOf({stringKey("pool", "3", -1), permits}).size(), 2);
}

void TestKeyScoring::fieldsOfObjects_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QString>("settings");
    QTest::newRow("usual") << QByteArray(R"({"owner":"a","state":"wait","lastSync":1})") << QString();
    QTest::newRow("other names") << QByteArray(R"({"lockedBy":"a","Status":"running","heart_beat":1})")
                                 << QStringLiteral(
                                        "owner_field=lockedBy state_field=Status held_value=running "
                                        "idle_value=idle last_sync_field=heart_beat");
    QTest::newRow("no state") << QByteArray(R"({"owner":"a","lastSeen":1})")
                              << QStringLiteral("state_field= last_sync_field=lastSeen");
    QTest::newRow("a state of its own")
        << QByteArray(R"({"owner":"a","state":"blue","lastSync":1})") << QStringLiteral("no lock");
    QTest::newRow("no owner") << QByteArray(R"({"state":"wait"})") << QStringLiteral("no lock");
}

void TestKeyScoring::fieldsOfObjects()
{
    QFETCH(QByteArray, value);
    QFETCH(QString, settings);
    const auto found = jsonSettings(value);
    QStringList texts;
    for (const Setting &one : found.value_or(QList<Setting>()))
        texts.append(QString::fromLatin1(one.key) + QLatin1Char('=') + one.value);
    QCOMPARE(found ? texts.join(QLatin1Char(' ')) : QStringLiteral("no lock"), settings);
}

/** A semaphore's lease is seen by how long its set lives, where that isn't the usual one. */
void TestKeyScoring::leaseOfASemaphore()
{
    KeyFacts key;
    key.name = "semaphore:pool";
    key.type = KeyType::SortedSet;
    key.sampled = true;
    key.length = 1;
    key.members = {{"3f2504e0-4f89-11d3-9a0c-0305e82c3301", QByteArray::number(kNowS * 1'000)}};
    key.ttlMs = 9'700;
    QVERIFY(judgeOne({key}).settings.isEmpty());
    const auto leaseIs = [](const QList<KeyFacts> &keys, const char *lease) {
        return judgeOne(keys).settings == QList<Setting>{{"lease", QString::fromLatin1(lease)}};
    };
    key.ttlMs = 29'300;
    QVERIFY(leaseIs({key}, "30s"));
    // Long since: what is left is less, and the permit is older by as much.
    key.members[0].value = QByteArray::number((kNowS - 47) * 1'000);
    key.ttlMs = 12'600;
    QVERIFY(leaseIs({key}, "1m"));
    // A newer permit was released: the set lives longer than this permit.
    KeyFacts longer = key;
    longer.name = "semaphore:other";
    longer.ttlMs = 45'000;
    QVERIFY(leaseIs({key, longer}, "1m"));
    // No round figure.
    key.members[0].value = QByteArray::number(kNowS * 1'000);
    key.ttlMs = 42'000;
    QVERIFY(leaseIs({key}, "43s"));
    // Seconds would all be in 1970: the scheme counts milliseconds.
    key.members[0].value = QByteArray::number(kNowS);
    const Candidate inSeconds = judgeOne({key});
    QVERIFY(!inSeconds.isProposed() && inSeconds.settings.isEmpty());
    QVERIFY(inSeconds.missing.contains(Missing::Refused));
    QVERIFY(inSeconds.refusal.cause.contains(QLatin1String("seconds")));
}

void TestKeyScoring::aCounterIsNoLock_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<bool>("near");
    QTest::newRow("permits of a semaphore") << QByteArray("semaphore:export") << QByteArray("3") << true;
    QTest::newRow("one permit left") << QByteArray("semaphore:export") << QByteArray("1") << true;
    QTest::newRow("none left") << QByteArray("export-semaphore") << QByteArray("0") << true;
    QTest::newRow("another counter") << QByteArray("pool:export") << QByteArray("3") << false;
}

/** Redisson's RSemaphore: shown as a lock, its count would be the holder, and a break one permit too many. */
void TestKeyScoring::aCounterIsNoLock()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, value);
    QFETCH(bool, near);
    const Candidate candidate = judgeOne({stringKey(name, value, -1)});
    QVERIFY2(!candidate.isProposed(), qPrintable(describe(candidate)));
    QVERIFY2((candidate.score >= kNear) == near, qPrintable(describe(candidate)));
    QVERIFY(std::any_of(candidate.reasons.begin(), candidate.reasons.end(), [](const Reason &one) {
        return one.code == ReasonCode::KeyCounter && one.points < 0; // near misses show these
    }));
    // The flag of SET lock:cron 1 NX PX is one.
    QVERIFY(judgeOne({stringKey("lock:cron", "1", 30'000)}).isProposed());
}

/** Keys as Seata's RedisLocker and django-cacheops write them. */
void TestKeyScoring::locksThatNobodyCanWatch()
{
    QList<KeyFacts> rows;
    for (const char *name : {"SEATA_ROW_LOCK_jdbc:mysql://10.0.0.5/shop^^^orders^^^2188",
                             "SEATA_ROW_LOCK_jdbc:mysql://10.0.0.5/shop^^^orders^^^2189"}) {
        KeyFacts row;
        row.name = name;
        row.type = KeyType::Hash;
        row.sampled = true;
        row.members = {{"xid", "10.0.0.9:8091:37621364385185792"}, {"branchId", "137621367686103001"}};
        row.length = row.members.size();
        rows.append(row);
    }
    const QByteArray pickle("\x80\x04\x95\x10\x00", 5);
    const QList<KeyFacts> cached{stringKey("q:5f9f1c2e3b4a5d6e7f8091a2b3c4d5e6", "LOCK", 60'000),
                                 stringKey("q:6f9f1c2e3b4a5d6e7f8091a2b3c4d5e6", pickle, 60'000)};
    for (const QList<KeyFacts> &keys : {rows, cached}) {
        const Candidate candidate = judgeOne(keys);
        QVERIFY(!candidate.isProposed());
        QCOMPARE(candidate.missing, QList<Missing>{Missing::Unseen});
        QVERIFY(!candidate.refusal.cause.isEmpty());
        Discovery discovery;
        sortInto(discovery, {candidate});
        QCOMPARE(discovery.near.size(), 1); // a line says why
    }
    // The value LOCK alone proves nothing.
    QVERIFY(judgeOne({cached.constFirst()}).refusal.cause.isEmpty());
}

void TestKeyScoring::everyReasonHasItsName()
{
    QSet<QByteArrayView> names;
    for (int code = 0; code <= int(ReasonCode::KeyMany); ++code)
        names.insert(reasonName(ReasonCode(code)));
    QCOMPARE(names.size(), int(ReasonCode::KeyMany) + 1);
    QCOMPARE(reasonName(ReasonCode::KeyLease), QByteArrayView("key_lease"));
    QCOMPARE(reasonName(ReasonCode::ForeignColumn), QByteArrayView("foreign_column"));
    QCOMPARE(reasonName(ReasonCode::KeyMany), QByteArrayView("key_many"));
}

void TestKeyScoring::clientsWhoseWaitersSleep_data()
{
    QTest::addColumn<QList<QByteArrayList>>("keys"); // name and value
    QTest::addColumn<QByteArray>("beside");
    QTest::addColumn<bool>("listened");
    QTest::addColumn<QString>("preset");
    const QByteArray uuid("3f2504e0-4f89-11d3-9a0c-0305e82c3301");
    const QByteArray other("7a2504e0-4f89-11d3-9a0c-0305e82c3301");
    using Keys = QList<QByteArrayList>;
    const auto row = [](const char *name, const Keys &keys, const char *preset, const char *beside = "",
                        bool listened = false) {
        QTest::newRow(name) << keys << QByteArray(beside) << listened << QString::fromLatin1(preset);
    };
    row("python-redis-lock", Keys{{"lock:stock", "kX8sQ1zpl0Yb3Rw9Tn4Ee7Uu"}}, "python-redis-lock");
    row("its list beside an id of one's own", Keys{{"lock:stock", "web-1"}}, "python-redis-lock",
        "lock-signal:stock");
    row("redsync", Keys{{"lock:stock", "kX8sQ1zpl0Yb3Rw9Tn4Ee6=="}}, "");
    row("one UUID in two keys", Keys{{"app-lock:a", uuid}, {"app-lock:b", uuid}}, "spring-redis");
    row("a UUID each", Keys{{"app-lock:a", uuid}, {"app-lock:b", other}}, "");
    row("somebody listens", Keys{{"app-lock:a", uuid}}, "spring-redis", "", true);
    row("named after Spring", Keys{{"spring-locks:a", uuid}}, "spring-redis");
}

/** A break has to wake waiting clients like the client's own unlock. Only the preset says how. */
void TestKeyScoring::clientsWhoseWaitersSleep()
{
    QFETCH(QList<QByteArrayList>, keys);
    QFETCH(QByteArray, beside);
    QFETCH(bool, listened);
    QFETCH(QString, preset);
    QList<KeyFacts> facts;
    for (const QByteArrayList &key : keys)
        facts.append(stringKey(key.at(0), key.at(1), 30'000));
    if (!beside.isEmpty()) {
        KeyFacts list = stringKey(beside, {}, 1'000);
        list.type = KeyType::List;
        facts.append(list);
    }
    QList<KeyGroup> groups = groupsOf(facts);
    QCOMPARE(groups.size(), 1);
    groups.first().listened = listened;
    const Candidate candidate = judge(groups.first(), kNowS);
    QVERIFY2(candidate.isProposed(), qPrintable(describe(candidate)));
    QCOMPARE(candidate.scheme, QByteArray("redis.token"));
    QCOMPARE(candidate.preset, preset);
}

void TestKeyScoring::javasHeaderIsNoPartOfAName()
{
    const auto java = [](const QByteArray &text) {
        return QByteArray("\xac\xed\x00\x05t\x00", 6) + char(text.size()) + text;
    };
    QCOMPARE(base::javaName("a"), java("a"));
    QList<KeyFacts> keys;
    for (const char *name : {"lock:order:1", "lock:order:23"})
        keys.append(stringKey(
            java(name), java("3f2504e0-4f89-11d3-9a0c-0305e82c330" + QByteArray(name).right(1)), 30'000));
    const Candidate candidate = judgeOne(keys);
    QVERIFY2(candidate.isProposed(), qPrintable(describe(candidate)));
    QCOMPARE(candidate.match, QByteArray("lock:*"));
    QCOMPARE(candidate.settings, (QList<Setting>{{"serializer", QStringLiteral("jdk")}}));
    for (const KeyFacts &key : std::as_const(keys))
        QVERIFY(base::globMatches(lockSetOf(candidate).match, key.name));
    QVERIFY(!base::globMatches(lockSetOf(candidate).match, "lock:order:1"));
    QCOMPARE(plainName(java("a")), QByteArray("a"));
    QCOMPARE(plainName(java("a") + 'b'), java("a") + 'b'); // another length: no string of Java's
}

void TestKeyScoring::aRefreshLockAmongCachedValues()
{
    QList<KeyFacts> keys;
    for (int i = 0; i < 9; ++i)
        keys.append(stringKey("users:" + QByteArray::number(1'000 + i), "{\"id\":1}", 600'000));
    for (const char *name : {"users:1000_#RL#", "orders:1003_#RL#"})
        keys.append(stringKey(name, "3f2504e0-4f89-11d3-9a0c-0305e82c3301", 60'000));
    int found = 0;
    for (const KeyGroup &group : groupsOf(keys)) {
        const Candidate candidate = judge(group, kNowS);
        QCOMPARE(candidate.isProposed(), group.match == "*_#RL#");
        found += candidate.isProposed();
        if (candidate.isProposed())
            QCOMPARE(candidate.preset, QStringLiteral("jetcache"));
    }
    QCOMPARE(found, 1);
}

void TestKeyScoring::jobsAreNeverBroken()
{
    for (const char *name : {"arq:in-progress:0b1c", "asynq:{default}:unique:mail:0b1c"}) {
        const Candidate candidate = judgeOne({stringKey(name, "1", 300'000)});
        QVERIFY2(candidate.isProposed() && candidate.neverBroken, qPrintable(describe(candidate)));
    }
}

/** A name without a hint needs more than a token's shape: a lease must be seen to be renewed. */
void TestKeyScoring::renewalsSettleDoubts()
{
    QList<KeyFacts> keys;
    for (int i = 0; i < 6; ++i)
        keys.append(
            stringKey("job:" + QByteArray::number(i), QByteArray::number(i) + QByteArray(31, 'a'), 30'000));
    Candidate candidate = judgeOne(keys);
    QVERIFY2(!candidate.isProposed() && candidate.score >= kNear, qPrintable(describe(candidate)));
    keys[3].again = Again::Renewed;
    candidate = judgeOne(keys);
    QVERIFY2(candidate.isProposed(), qPrintable(describe(candidate)));
    for (KeyFacts &key : keys)
        key.value = "17"; // numbers go up and down: no holders
    QVERIFY(!judgeOne(keys).isProposed());
    for (KeyFacts &key : keys) {
        key.value = QByteArray(32, 'a');
        key.name.replace("job", "session");
    }
    QVERIFY(!judgeOne(keys).isProposed()); // sessions are prolonged as well
}

void TestKeyScoring::sameEachTime()
{
    QList<KeyFacts> keys = wholeCorpus();
    const auto told = [&keys] {
        QStringList all;
        for (const KeyGroup &group : groupsOf(keys))
            all.append(describe(judge(group, kNowS)).section(QLatin1Char('['), 0, 0));
        return all;
    };
    const QStringList first = told();
    QCOMPARE(told(), first);
    std::reverse(keys.begin(), keys.end());
    QCOMPARE(told(), first);
}

void TestKeyScoring::pushIsTold()
{
    const auto value = [](const Candidate &candidate, ReasonCode code) {
        for (const Reason &one : candidate.reasons) {
            if (one.code == code)
                return one.value + QLatin1Char('!');
        }
        return QString();
    };
    const QByteArray token(32, 'a');
    const Candidate fixed = judgeOne({stringKey("lock:a", token, 1'000)});
    QCOMPARE(value(fixed, ReasonCode::KeyPrefix), QStringLiteral("lock:!"));
    const Candidate open = judgeOne({stringKey("a-lock", token, 1'000), stringKey("b-lock", token, 1'000),
                                     stringKey("c-lock", token, 1'000), stringKey("d-lock", token, 1'000)});
    QCOMPARE(value(open, ReasonCode::KeyNoPrefix), QStringLiteral("!"));
}

LOCKKEEPER_TEST(TestKeyScoring)

} // namespace tst_key_scoring

#include "tst_key_scoring.moc"
