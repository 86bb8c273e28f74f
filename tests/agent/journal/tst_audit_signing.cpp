// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/audit/audit_chain.h"
#include "agent/journal/write/accept_audit.h"
#include "tests/agent/journal/journal_fixture.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QRegularExpression>

#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace tst_audit_signing {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using agent::journal::acceptAudit;
using agent::journal::AuditHead;
using agent::journal::AuditRecord;
using agent::journal::SqliteConnection;
using agent::journal::SqliteStatement;
using domain::Outcome;

namespace {

constexpr qint64 kHourUs = 3'600'000'000;

QString keyFile(const JournalFixture &f)
{
    return f.options.auditKey.isEmpty() ? f.folder.filePath(QStringLiteral("audit.key")) : f.options.auditKey;
}

std::optional<base::PublicKey> publicKey(const JournalFixture &f)
{
    QFile file(keyFile(f) + QLatin1String(".pub"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const auto key = base::PublicKey::fromPem(file.readAll());
    return key ? std::optional(*key) : std::nullopt;
}

/** Releases, two records each. */
void addReleases(JournalFixture &f, int count)
{
    static int number = 0;
    for (int i = 0; i < count; ++i) {
        const auto intent = f.begin(intentOf("cmd" + QByteArray::number(++number)));
        QVERIFY(intent);
        QVERIFY(f.end(intent->auditId, Outcome::Released));
    }
}

protocol::AuditPage verified(JournalFixture &f)
{
    protocol::AuditQuery query;
    query.verify = true;
    if (const auto key = publicKey(f))
        query.keyId = key->id();
    return f.audit(query);
}

/** The records are sound, and the key's signature proves it. */
bool isProven(const protocol::AuditPage &page, const base::PublicKey &key)
{
    return page.verified && page.signature && page.signature->isBy(key);
}

/**
 * Forges the audit like an attacker who can write all files but lacks the key. The first entry gets another
 * reason, and every hash after it is recomputed, in the database and beside it.
 */
void forge(JournalFixture &f)
{
    f.close();
    f.auditSql(QStringLiteral("DROP TRIGGER audit_log_keeps"));
    AuditHead head = agent::journal::emptyAuditHead();
    {
        SqliteConnection connection;
        QVERIFY(connection.open(f.auditPath(), SqliteConnection::Mode::Write));
        QList<AuditRecord> records;
        SqliteStatement &walk = connection.statement("audit_walk");
        QVERIFY(connection.run(walk.bind(0)));
        while (walk.next())
            records.append(agent::journal::readAuditRecord(walk));
        walk.finish();
        for (AuditRecord &record : records) {
            if (record.record == 1)
                record.entry.reason = QStringLiteral("nothing to see here");
            record.previous = head.hash;
            head = {record.record, record.expectedHash()};
            const auto hex = [](const QByteArray &bytes) { return QString::fromLatin1(bytes.toHex()); };
            QVERIFY(connection.run(
                QStringLiteral("UPDATE audit_log SET reason = x'%1', prev = x'%2', hash = x'%3' "
                               "WHERE record = %4")
                    .arg(hex(record.entry.reason.toUtf8()), hex(record.previous), hex(head.hash))
                    .arg(record.record)));
        }
        QVERIFY(connection.setMeta("audit_head", head.hash));
        connection.close();
    }
    QVERIFY(agent::journal::writeAuditHead(f.folder.filePath(QStringLiteral("audit.head")), head));
}

} // namespace

class AuditSigningTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void makesAKeyOfItsOwn();
    void signsEachHundredthRecord();
    void signsEachHour();
    void signsAtItsEnd();
    void forgedChainIsNotVouchedFor_data();
    void forgedChainIsNotVouchedFor();
    void whatWasSignedIsMissed_data();
    void whatWasSignedIsMissed();
    void acceptsWhatIsMissing();
    void acceptsABrokenChain();
    void acceptanceNeedsTheKey();
    void unusableKey_data();
    void unusableKey();
    void anotherKeyDoesNotSignForIt();
    void copiesToTheSystemLog();
    void systemLogThatDoesNotReadHoldsNothingUp();
};

void AuditSigningTest::makesAKeyOfItsOwn()
{
    JournalFixture f;
    QVERIFY(f.open());
    const auto key = publicKey(f);
    QVERIFY(key);
    QCOMPARE(QFile::permissions(keyFile(f)) & ~(QFile::ReadUser | QFile::WriteUser),
             QFile::ReadOwner | QFile::WriteOwner);
    const auto first = verified(f);
    QVERIFY(first.verified);
    QVERIFY(first.signature && first.signature->isBy(*key));
    QVERIFY(f.open());
    QCOMPARE(publicKey(f)->id(), key->id());
    QVERIFY(verified(f).verified);
}

void AuditSigningTest::signsEachHundredthRecord()
{
    JournalFixture f;
    QVERIFY(f.open());
    addReleases(f, 49);
    QCOMPARE(verified(f).signature->records, 0);
    addReleases(f, 2);
    const protocol::AuditPage page = verified(f);
    QCOMPARE(page.records, 102);
    QCOMPARE(page.signature->records, 100);
    QVERIFY(page.signature->isBy(*publicKey(f)));
    QVERIFY(page.verified);
}

void AuditSigningTest::signsEachHour()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.clock.advanceUs(kHourUs - 1);
    addReleases(f, 1);
    QCOMPARE(verified(f).signature->records, 0);
    f.clock.advanceUs(1);
    addReleases(f, 1);
    QCOMPARE(verified(f).signature->records, 4);
    // The journal also signs where nothing was written meanwhile: an old signature would mean that somebody
    // put an old file back.
    f.clock.advanceUs(kHourUs);
    f.journal->setRetention(f.options.keepDays, f.options.keepMib + 1, f.options.keepRollupsDays);
    QTRY_COMPARE(verified(f).signature->timeUs, f.clock.wallUs());
}

void AuditSigningTest::signsAtItsEnd()
{
    JournalFixture f;
    QVERIFY(f.open());
    addReleases(f, 3);
    f.close();
    QCOMPARE(f.auditSql(QStringLiteral("SELECT max(records) FROM audit_signatures")).toInt(), 6);
}

void AuditSigningTest::forgedChainIsNotVouchedFor_data()
{
    QTest::addColumn<QString>("also");
    QTest::newRow("signatures left") << QString();
    QTest::newRow("signatures taken away") << QStringLiteral("DELETE FROM audit_signatures");
    QTest::newRow("signatures made to fit")
        << QStringLiteral("UPDATE audit_signatures SET hash = (SELECT hash FROM audit_log AS l "
                          "WHERE l.record = records) WHERE records > 0");
}

void AuditSigningTest::forgedChainIsNotVouchedFor()
{
    QFETCH(QString, also);
    JournalFixture f;
    QVERIFY(f.open());
    addReleases(f, 60);
    const auto key = publicKey(f);
    forge(f);
    if (!also.isEmpty())
        f.auditSql(also);
    QVERIFY(f.open());
    const protocol::AuditPage page = verified(f);
    QVERIFY(!isProven(page, *key));
    // Neither later entries, nor passing time, nor a start make the signature valid.
    addReleases(f, 60);
    f.clock.advanceUs(kHourUs);
    QVERIFY(f.open());
    const protocol::AuditPage later = verified(f);
    QVERIFY(!isProven(later, *key));
}

/** The steps of an attacker who can write the data folder, but not the key's folder. */
void AuditSigningTest::whatWasSignedIsMissed_data()
{
    QTest::addColumn<QString>("how");
    QTest::addColumn<QString>("cause");
    QTest::newRow("rewritten, later signatures deleted")
        << QStringLiteral("forge") << QStringLiteral("record 120 of the audit, or one before it");
    QTest::newRow("cut") << QStringLiteral("cut")
                         << QStringLiteral("records 101 to 120 of the audit are missing");
    QTest::newRow("an older copy") << QStringLiteral("older")
                                   << QStringLiteral("records 41 to 120 of the audit are missing");
    QTest::newRow("deleted") << QStringLiteral("deleted")
                             << QStringLiteral("records 1 to 120 of the audit are missing");
}

void AuditSigningTest::whatWasSignedIsMissed()
{
    QFETCH(QString, how);
    QFETCH(QString, cause);
    JournalFixture f;
    QTemporaryDir keys;
    f.options.auditKey = keys.filePath(QStringLiteral("audit.key"));
    const QStringList files{f.auditPath(), f.folder.filePath(QStringLiteral("audit.head"))};
    QVERIFY(f.open());
    addReleases(f, 20);
    f.close();
    for (const QString &file : files)
        QVERIFY(QFile::copy(file, file + QLatin1String(".old")));
    QVERIFY(f.open());
    addReleases(f, 40);
    QVERIFY(verified(f).verified);
    f.close();
    if (how == QLatin1String("forge")) {
        forge(f);
        f.auditSql(QStringLiteral("DELETE FROM audit_signatures WHERE records > 0"));
    } else if (how == QLatin1String("cut")) {
        f.auditSql(QStringLiteral("DROP TRIGGER audit_log_stays"));
        f.auditSql(QStringLiteral("DELETE FROM audit_log WHERE record > 100"));
        f.auditSql(QStringLiteral("DELETE FROM audit_signatures WHERE records > 100"));
        const QByteArray hash =
            f.auditSql(QStringLiteral("SELECT hash FROM audit_log WHERE record = 100")).toByteArray();
        f.auditSql(QStringLiteral("UPDATE meta SET value = x'%1' WHERE key = x'61756469745f68656164'")
                       .arg(QString::fromLatin1(hash.toHex())));
        f.auditSql(QStringLiteral("UPDATE meta SET value = x'313030' WHERE key = x'61756469745f636f756e74'"));
        QVERIFY(agent::journal::writeAuditHead(files[1], {100, hash}));
    } else {
        for (const QString &file : files) {
            QVERIFY(QFile::remove(file));
            if (how == QLatin1String("older"))
                QVERIFY(QFile::copy(file + QLatin1String(".old"), file));
        }
        QFile::remove(f.auditPath() + QLatin1String("-wal"));
        QFile::remove(f.auditPath() + QLatin1String("-shm"));
    }
    for (int start = 0; start < 2; ++start) { // a second start reports the fault as well
        const auto opened = f.open();
        QVERIFY(opened);
        QVERIFY(opened->auditFault);
        QVERIFY2(opened->auditFault->cause.contains(cause), qPrintable(opened->auditFault->line()));
        QVERIFY(f.journal->damage().cause.contains(cause));
        addReleases(f, start);
        const protocol::AuditPage page = verified(f);
        QVERIFY(!page.verified && !page.signature);
    }
}

void AuditSigningTest::acceptsWhatIsMissing()
{
    JournalFixture f;
    QTemporaryDir keys;
    f.options.auditKey = keys.filePath(QStringLiteral("audit.key"));
    QVERIFY(f.open());
    addReleases(f, 20);
    f.close();
    QVERIFY(QFile::remove(f.auditPath()) && QFile::remove(f.folder.filePath(QStringLiteral("audit.head"))));
    QVERIFY(f.open());
    addReleases(f, 1);
    const auto whileItRuns = acceptAudit(f.options, QStringLiteral("restored"), f.clock.wallUs());
    QVERIFY(!whileItRuns && whileItRuns.error().code == base::ErrorCode::Busy);
    f.close();
    const auto accepted = acceptAudit(f.options, QStringLiteral("restored"), f.clock.wallUs());
    QVERIFY2(accepted, qPrintable(accepted ? QString() : accepted.error().line()));
    QVERIFY(accepted->cause.contains(QLatin1String("records 3 to 40 of the audit are missing")));
    const auto again = acceptAudit(f.options, QStringLiteral("restored"), f.clock.wallUs());
    QVERIFY(!again && again.error().code == base::ErrorCode::Usage);
    const auto opened = f.open();
    QVERIFY(opened && !opened->auditFault);
    addReleases(f, 1);
    const protocol::AuditPage page = verified(f);
    QVERIFY(page.verified && page.anchor);
    QCOMPARE(page.accepted, QList<qint64>{2});
    QVERIFY(page.entries.at(1).isAcceptance() && page.entries.at(1).intact);
    QCOMPARE(page.entries.at(1).reason, QStringLiteral("restored"));
    QCOMPARE(page.entries.at(1).outcome, Outcome::Accepted);
    QVERIFY(page.entries.at(1).detail.contains(QLatin1String("records 3 to 40")));
}

/** An acceptance covers one break, and no other. */
void AuditSigningTest::acceptsABrokenChain()
{
    JournalFixture f;
    QVERIFY(f.open());
    addReleases(f, 5);
    f.close();
    f.auditSql(QStringLiteral("DROP TRIGGER audit_log_keeps"));
    f.auditSql(QStringLiteral("DROP TRIGGER audit_log_stays"));
    f.auditSql(QStringLiteral("DELETE FROM audit_log WHERE record = 4"));
    QVERIFY(f.open());
    QCOMPARE(verified(f).fault.cause, QStringLiteral("record 4 of the audit is missing"));
    f.close();
    QVERIFY(acceptAudit(f.options, QStringLiteral("a bad disk"), f.clock.wallUs()));
    QVERIFY(f.open());
    QVERIFY(verified(f).verified);
    f.close();
    f.auditSql(QStringLiteral("UPDATE audit_log SET reason = x'61' WHERE record = 2"));
    QVERIFY(f.open());
    QCOMPARE(verified(f).fault.cause, QStringLiteral("record 2 of the audit isn't the one that was written"));
    QCOMPARE(verified(f).firstBadId, std::optional<qint64>(1));
}

/** A user who can write the database alone can't accept a change to it. */
void AuditSigningTest::acceptanceNeedsTheKey()
{
    JournalFixture f;
    QTemporaryDir keys;
    f.options.auditKey = keys.filePath(QStringLiteral("audit.key"));
    QVERIFY(f.open());
    addReleases(f, 5);
    f.close();
    f.auditSql(QStringLiteral("DROP TRIGGER audit_log_stays"));
    f.auditSql(QStringLiteral("DELETE FROM audit_log WHERE record = 4"));
    agent::journal::JournalOptions theirs = f.options;
    theirs.auditKey = f.folder.filePath(QStringLiteral("theirs.key"));
    QVERIFY(acceptAudit(theirs, QStringLiteral("nothing to see here"), f.clock.wallUs()));
    QVERIFY(f.open());
    QVERIFY(!verified(f).verified);
    QCOMPARE(verified(f).fault.cause, QStringLiteral("record 4 of the audit is missing"));
}

void AuditSigningTest::unusableKey_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<bool>("isOpen");
    QTest::newRow("not a key") << QByteArray("hello\n") << false;
    QTest::newRow("torn") << QByteArray("-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYD") << false;
    QTest::newRow("open to others") << QByteArray() << true;
}

/** Releases continue; a verification reports the missing signature. */
void AuditSigningTest::unusableKey()
{
    QFETCH(QByteArray, content);
    QFETCH(bool, isOpen);
    JournalFixture f;
    QVERIFY(f.open());
    addReleases(f, 1);
    f.close();
    QFile file(keyFile(f));
    if (isOpen) {
        QVERIFY(file.setPermissions(file.permissions() | QFile::ReadGroup));
    } else {
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(content);
        file.close();
    }
    QTest::ignoreMessage(QtCriticalMsg, QRegularExpression(QStringLiteral("audit\\.key")));
    QVERIFY(f.open());
    addReleases(f, 60);
    const protocol::AuditPage page = verified(f);
    QVERIFY(page.verified);
    QCOMPARE(page.records, 122);
    QCOMPARE(page.signature->records, 2);
}

void AuditSigningTest::anotherKeyDoesNotSignForIt()
{
    JournalFixture f;
    QVERIFY(f.open());
    addReleases(f, 1);
    const auto before = publicKey(f);
    f.close();
    QVERIFY(QFile::remove(keyFile(f)));
    QVERIFY(f.open());
    addReleases(f, 60);
    protocol::AuditQuery query;
    query.verify = true;
    query.keyId = before->id();
    const protocol::AuditPage old = f.audit(query);
    QVERIFY(old.signature->isBy(*before));
    QCOMPARE(old.signature->records, 2);
    QVERIFY(verified(f).signature->isBy(*publicKey(f)));
    QVERIFY(!verified(f).signature->isBy(*before));
}

void AuditSigningTest::copiesToTheSystemLog()
{
    JournalFixture f;
    f.options.systemLog = f.folder.filePath(QStringLiteral("log"));
    const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strcpy(address.sun_path, f.options.systemLog.toUtf8().constData());
    QCOMPARE(::bind(fd, reinterpret_cast<const sockaddr *>(&address), sizeof address), 0);
    const auto line = [fd] {
        QByteArray bytes(4'096, '\0');
        const ssize_t size = ::recv(fd, bytes.data(), size_t(bytes.size()), 0);
        return bytes.first(std::max<ssize_t>(size, 0));
    };
    QVERIFY(f.open());
    domain::AuditEntry intent = intentOf("c1");
    intent.reason = QStringLiteral("says \"yes\"\nand no");
    QVERIFY(f.begin(intent));
    const QByteArray head = line(); // the head that was signed at the start
    QVERIFY2(head.contains("]: audit head records=0 hash=000000") && head.contains(" signature="),
             head.constData());
    const QByteArray begun = line();
    QVERIFY2(begun.startsWith("<85>lockkeeper-agent["), begun.constData());
    QVERIFY2(begun.contains("]: audit intent id=1 record=1 who=\""), begun.constData());
    QVERIFY2(begun.contains("says 'yes'") && !begun.contains('\n'), begun.constData());
    QVERIFY(f.end(1, Outcome::HolderChanged));
    const QByteArray ended = line();
    const QByteArray hash = f.auditSql(QStringLiteral("SELECT hex(hash) FROM audit_log WHERE record = 2"))
                                .toByteArray()
                                .toLower();
    QVERIFY2(ended.contains("audit outcome id=1 record=2 outcome=holder_changed") &&
                 ended.endsWith(" hash=" + hash),
             ended.constData());
    ::close(fd);
}

void AuditSigningTest::systemLogThatDoesNotReadHoldsNothingUp()
{
    JournalFixture f;
    f.options.systemLog = f.folder.filePath(QStringLiteral("log"));
    const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strcpy(address.sun_path, f.options.systemLog.toUtf8().constData());
    QCOMPARE(::bind(fd, reinterpret_cast<const sockaddr *>(&address), sizeof address), 0);
    QVERIFY(f.open());
    addReleases(f, 150); // more than a socket's buffer takes
    QCOMPARE(verified(f).records, 300);
    ::close(fd);
}

LOCKKEEPER_TEST(AuditSigningTest)

} // namespace tst_audit_signing

#include "tst_audit_signing.moc"
