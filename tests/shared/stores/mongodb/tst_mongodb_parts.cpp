// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/host_list.h"
#include "shared/stores/mongodb/connection/driver.h"
#include "shared/stores/mongodb/release/guarded_write.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_mongodb_parts {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::stores::mongodb;
using domain::ExpiryKind;

/** Parsing of documents, without a server. */
class TestMongodbParts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesOfEveryType_data();
    void namesOfEveryType();
    void whatADocumentSays_data();
    void whatADocumentSays();
    void whatATtlIndexRemoves_data();
    void whatATtlIndexRemoves();
    void aFieldThatStandsTwice();
    void urls_data();
    void urls();
    void layouts();

private:
    static Layout layout()
    {
        LockSet set;
        set.scheme = "mongodb.ttl";
        set.table.table = QStringLiteral("locks");
        return *layoutOf(set);
    }
};

void TestMongodbParts::namesOfEveryType_data()
{
    QTest::addColumn<QByteArray>("id");
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("text") << QByteArray(R"("orders")") << QByteArray("orders");
    QTest::newRow("nothing") << QByteArray(R"("")") << QByteArray(R"({ "_id" : "" })");
    QTest::newRow("a text like a document") << QByteArray(R"("{x")") << QByteArray(R"({ "_id" : "{x" })");
    QTest::newRow("number") << QByteArray(R"({"$numberInt": "5"})")
                            << QByteArray(R"({ "_id" : { "$numberInt" : "5" } })");
    QTest::newRow("the text of a number") << QByteArray(R"("5")") << QByteArray("5");
    QTest::newRow("beyond 2^53") << QByteArray(R"({"$numberLong": "9007199254740993"})")
                                 << QByteArray(R"({ "_id" : { "$numberLong" : "9007199254740993" } })");
    QTest::newRow("object id") << QByteArray(R"({"$oid": "5f8f8c44b54764421b7156c9"})")
                               << QByteArray(R"({ "_id" : { "$oid" : "5f8f8c44b54764421b7156c9" } })");
    QTest::newRow("true") << QByteArray("true") << QByteArray(R"({ "_id" : true })");
    QTest::newRow("NaN") << QByteArray(R"({"$numberDouble": "NaN"})")
                         << QByteArray(R"({ "_id" : { "$numberDouble" : "NaN" } })");
    QTest::newRow("document") << QByteArray(R"({"shard": "a", "n": {"$numberInt": "1"}})")
                              << QByteArray(R"({ "_id" : { "shard" : "a", "n" : { "$numberInt" : "1" } } })");
}

void TestMongodbParts::namesOfEveryType()
{
    QFETCH(const QByteArray, id);
    QFETCH(const QByteArray, name);
    const Bson document = fromJson("{\"_id\": " + id + "}");
    QVERIFY(document);
    QCOMPARE(nameOf(*fieldOf(document.get(), "_id")), name);
    QCOMPARE(LockReader(layout(), {}).read(document.get(), 0).name, name);
    const Bson selector = selectorOf("_id", name);
    QVERIFY(selector);
    const Bson expected = fromJson("{\"_id\": {\"$eq\": " + id + "}}");
    QCOMPARE(jsonOf(selector.get()), jsonOf(expected.get()));
}

void TestMongodbParts::whatADocumentSays_data()
{
    QTest::addColumn<QByteArray>("document");
    QTest::addColumn<QByteArray>("owner");
    QTest::addColumn<int>("flaw");
    QTest::addColumn<int>("expiry");
    QTest::addColumn<qint64>("expiresUs");
    QTest::addColumn<bool>("dated");
    const auto row = [](const char *name, const char *rest, const char *owner, Flaw flaw, ExpiryKind expiry,
                        qint64 expiresUs, bool dated) {
        QTest::newRow(name) << QByteArray("{\"_id\": \"a\", ") + rest + '}' << QByteArray(owner) << int(flaw)
                            << int(expiry) << expiresUs << dated;
    };
    constexpr qint64 at = 1'700'000'000'000'000;
    row("whole",
        R"("acquirer": "h1", "acquiredAt": {"$date": {"$numberLong": "1699999999000"}},
           "updatedAt": {"$date": {"$numberLong": "1699999880000"}})",
        "h1", Flaw::None, ExpiryKind::At, at, true);
    row("no acquisition", R"("acquirer": "h1", "updatedAt": {"$date": {"$numberLong": "1699999880000"}})",
        "h1", Flaw::None, ExpiryKind::At, at, false);
    row("never renewed", R"("acquirer": "h1", "acquiredAt": {"$date": {"$numberLong": "1699999999000"}})",
        "h1", Flaw::None, ExpiryKind::None, 0, true);
    row("no holder", R"("acquiredAt": {"$date": {"$numberLong": "1699999999000"}})", "", Flaw::NullIdentity,
        ExpiryKind::None, 0, true);
    row("a holder of another type", R"("acquirer": {"$numberInt": "7"})", R"({ "$numberInt" : "7" })",
        Flaw::None, ExpiryKind::None, 0, false);
    row("a time as text", R"("acquirer": "h1", "updatedAt": "yesterday")", "h1", Flaw::BadTime,
        ExpiryKind::Unknown, 0, false);
    row("NaN", R"("acquirer": "h1", "updatedAt": {"$numberDouble": "NaN"})", "h1", Flaw::BadTime,
        ExpiryKind::Unknown, 0, false);
    row("a date beyond microseconds",
        R"("acquirer": "h1", "updatedAt": {"$date": {"$numberLong": "9223372036854775807"}})", "h1",
        Flaw::BadTime, ExpiryKind::Unknown, 0, false);
    row("year 9999", R"("acquirer": "h1", "updatedAt": {"$date": {"$numberLong": "253402300799000"}})", "h1",
        Flaw::None, ExpiryKind::At, 253'402'300'799'000'000 + 120'000'000, false);
}

void TestMongodbParts::whatADocumentSays()
{
    QFETCH(const QByteArray, document);
    QFETCH(const QByteArray, owner);
    QFETCH(const int, flaw);
    QFETCH(const int, expiry);
    QFETCH(const qint64, expiresUs);
    QFETCH(const bool, dated);
    const Bson parsed = fromJson(document);
    QVERIFY(parsed);
    CollectionCatalogue catalogue;
    catalogue.ttlUs.insert("updatedAt", 120'000'000);
    const LockReader reader(layout(), catalogue);
    const Observation lock = reader.read(parsed.get(), 0);
    QCOMPARE(lock.owner, owner);
    QCOMPARE(int(lock.flaw), flaw);
    QCOMPARE(int(lock.expiry), expiry);
    QCOMPARE(lock.expiresUs, expiresUs);
    QVERIFY(!lock.ownIdentity);
    QCOMPARE(lock.dated, dated);
    QVERIFY(lock.held && lock.present);
    QCOMPARE(lock.identity.isEmpty(), lock.flaw == Flaw::NullIdentity);
    // Nothing remains of an earlier document that was read into the same memory.
    const Bson whole = fromJson(R"({"_id": "another", "acquirer": "another host",
        "acquiredAt": {"$date": {"$numberLong": "1699999999000"}},
        "updatedAt": {"$date": {"$numberLong": "1699999999000"}}})");
    const Observation other = reader.read(whole.get(), 0);
    const Observation kept = other;
    Observation used = other;
    reader.read(parsed.get(), 0, used);
    QVERIFY(used == lock);
    reader.read(whole.get(), 0, used);
    QVERIFY(used == other && kept == other);
}

void TestMongodbParts::whatATtlIndexRemoves_data()
{
    QTest::addColumn<QByteArray>("filter");
    QTest::addColumn<QByteArray>("fields");
    QTest::addColumn<bool>("removed");
    const auto row = [](const char *what, const char *filter, const char *fields, bool removed) {
        QTest::newRow(what) << QByteArray(filter) << QByteArray(fields) << removed;
    };
    const char *const date = R"("updatedAt": {"$date": {"$numberLong": "1700000000000"}})";
    row("a date", "", date, true);
    row("a number", "", R"("updatedAt": {"$numberLong": "1700000000000"})", false);
    row("a filter that fits", R"({"kind": "lock"})", R"("kind": "lock", "updatedAt": {"$date": {"$numberLong":
        "1700000000000"}})",
        true);
    row("one that doesn't", R"({"kind": "lock"})", R"("kind": "job", "updatedAt": {"$date": {"$numberLong":
        "1700000000000"}})",
        false);
    row("a field that isn't there", R"({"kind": "lock"})", date, false);
    row("there", R"({"updatedAt": {"$exists": true}})", date, true);
    row("a type", "date", date, true);
    row("another type", "string", date, false);
    row("a number within bounds", R"({"n": {"$gte": 5, "$lt": 7}})",
        R"("n": {"$numberLong": "6"}, "updatedAt":
        {"$date": {"$numberLong": "1700000000000"}})",
        true);
    row("a number outside", R"({"n": {"$gte": 5, "$lt": 7}})", R"("n": 7.5, "updatedAt": {"$date":
        {"$numberLong": "1700000000000"}})",
        false);
    row("both", R"({"$and": [{"n": 1}, {"kind": "lock"}]})",
        R"("n": 1.0, "kind": "lock", "updatedAt": {"$date":
        {"$numberLong": "1700000000000"}})",
        true);
    row("what isn't understood", R"({"kind": {"$in": ["lock"]}})", R"("kind": "lock", "updatedAt": {"$date":
        {"$numberLong": "1700000000000"}})",
        false);
}

/** `text` is JSON, or the type that the field has to have: libbson's JSON has another meaning for $type. */
Bson filterOf(const QByteArray &text)
{
    if (text.startsWith('{'))
        return fromJson(text);
    Bson filter = newBson();
    bson_t type;
    bson_append_document_begin(filter.get(), "updatedAt", -1, &type);
    bson_append_utf8(&type, "$type", -1, text.constData(), -1);
    bson_append_document_end(filter.get(), &type);
    return filter;
}

/** The TTL monitor passes over numbers, and over what a partial index hasn't got. */
void TestMongodbParts::whatATtlIndexRemoves()
{
    QFETCH(const QByteArray, filter);
    QFETCH(const QByteArray, fields);
    QFETCH(const bool, removed);
    CollectionCatalogue catalogue;
    if (filter.isEmpty())
        catalogue.ttlUs.insert("updatedAt", 120'000'000);
    else
        catalogue.partialTtl.insert("updatedAt", {120'000'000, bytesOf(filterOf(filter).get())});
    const Bson document = fromJson(R"({"_id": "a", "acquirer": "h1", )" + fields + '}');
    QVERIFY(document);
    const Observation lock = LockReader(layout(), catalogue).read(document.get(), 0);
    QCOMPARE(lock.reclaimed, removed);
    QCOMPARE(int(lock.expiry), int(removed ? ExpiryKind::At : ExpiryKind::None));
    QCOMPARE(lock.flaw, Flaw::None);
    Layout leased = layout();
    leased.leaseUs = 60'000'000;
    const Observation longer = LockReader(leased, catalogue).read(document.get(), 0);
    QCOMPARE(longer.expiresUs, qint64(1'700'000'000'000'000) + (removed ? 120'000'000 : 60'000'000));
}

void TestMongodbParts::aFieldThatStandsTwice()
{
    const Bson document = newBson();
    bson_append_utf8(document.get(), "_id", -1, "a", -1);
    bson_append_utf8(document.get(), "acquirer", -1, "h1", -1);
    bson_append_utf8(document.get(), "acquirer", -1, "h2", -1);
    QCOMPARE(LockReader(layout(), {}).read(document.get(), 0).flaw, Flaw::Malformed);
}

void TestMongodbParts::urls_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("problem");
    QTest::newRow("one") << QStringLiteral("mongodb://h1:27017/app") << QString();
    QTest::newRow("several") << QStringLiteral("mongodb://h1:27017,h2:27017/app?replicaSet=rs0") << QString();
    QTest::newRow("no database") << QStringLiteral("mongodb://h1:27017")
                                 << QStringLiteral("names no database");
    QTest::newRow("an option that isn't")
        << QStringLiteral("mongodb://h1/app?w=x=y&tls=maybe") << QStringLiteral("can't be read");
}

void TestMongodbParts::urls()
{
    QFETCH(const QString, url);
    QFETCH(const QString, problem);
    SourceSpec spec;
    spec.url = urlOf(url);
    spec.password = "p@ss:word/";
    spec.url.setUserName(QStringLiteral("agent"));
    const auto uri = uriOf(spec);
    QCOMPARE(uri ? QString() : problem, problem);
    if (!uri)
        QVERIFY2(uri.error().cause.contains(problem), qPrintable(uri.error().cause));
    else
        QCOMPARE(QByteArray(mongoc_uri_get_password(uri->get())), spec.password);
}

void TestMongodbParts::layouts()
{
    LockSet set;
    set.scheme = "mongodb.ttl";
    QVERIFY(!layoutOf(set)); // which collection?
    for (const QString &id : presetIds()) {
        set.preset = id;
        QVERIFY(layoutOf(set));
    }
    set.preset.clear();
    set.table.table = QStringLiteral("leases");
    set.table.holder = QStringLiteral("who.host");
    QVERIFY(!layoutOf(set));
    set.table.holder = QStringLiteral("who");
    set.table.expiresAt = QStringLiteral("until");
    set.table.units.insert(QStringLiteral("expires_at"), QStringLiteral("epoch_s"));
    const auto layout = layoutOf(set);
    QVERIFY(layout && layout->renewed.name.isEmpty());
    QCOMPARE(layout->expires.unitUs, 1'000'000);
    QCOMPARE(layout->identity(), QList<QByteArray>{"who"});
    QCOMPARE(layout->freshness(), QList<QByteArray>{"until"});
}

LOCKKEEPER_TEST(TestMongodbParts)

} // namespace tst_mongodb_parts

#include "tst_mongodb_parts.moc"
