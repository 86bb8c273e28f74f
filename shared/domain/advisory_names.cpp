// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/domain/advisory_names.h"

#include <QByteArray>
#include <QCryptographicHash>
#include <QtEndian>

#include <array>
#include <limits>

namespace lockkeeper::domain {

namespace {

constexpr qint64 kRailsSalt = 2'053'462'845;       // multiplied by the CRC-32 of the database's name
constexpr qint64 kSqlxSalt = 0x3d32'ad9e;          // likewise
constexpr quint32 kMigrateSalt = 1'486'364'155;    // likewise, in 32 bits
constexpr qint64 kFlywayBase = 77'431'708'279'161; // "Flyway" as bytes, plus a hash of 32 bits

struct NamedKey
{
    qint64 key;
    const char *program;
};
constexpr std::array<NamedKey, 11> kKnown{{{72'707'369, "Prisma Migrate"},
                                           {7'241'865'325'823'964, "node-pg-migrate"},
                                           {4'097'083'626, "goose"},
                                           {5'887'940'537'704'921'958, "goose"},
                                           {75'474'063, "Sqitch"},
                                           {4'727'445'306'447'283, "Graphile Migrate"},
                                           {3'853'314'791'062'309'107, "Kysely"},
                                           {9'628'173'550'095'224, "tern"},
                                           {2'686'470'616, "Atlas"}, // FNV-1 of "atlas_migrate_execute"
                                           {361'947'982, "Atlas"},   // … and of "atlas_migrate_diff"
                                           {-1, "OpenTofu, Terraform (pg)"}}};

quint32 crc32(QByteArrayView bytes)
{
    constexpr quint32 kPolynomial = 0xedb8'8320;
    quint32 crc = 0xffff'ffff;
    for (const char byte : bytes) {
        crc ^= uchar(byte);
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
    }
    return ~crc;
}

/** golang-migrate's, for its default table: of PostgreSQL in the schema public, of MySQL in the database. */
bool isGolangMigrate(qint64 key, const QByteArray &database)
{
    const QByteArray postgres = QByteArray("public\0schema_migrations", 24) + '\0' + database;
    for (const QByteArray &name : {database, postgres, database + ":schema_migrations"}) {
        if (key == qint64(quint32(crc32(name) * kMigrateSalt)))
            return true;
    }
    return false;
}

/** pg-boss's in its default schema: the beginning of a SHA-224. */
bool isPgBoss(qint64 key, const QByteArray &database)
{
    const QByteArray hash = QCryptographicHash::hash(database + ".pgboss.pgboss", QCryptographicHash::Sha224);
    return key == qFromBigEndian<qint64>(hash.constData());
}

QString programOf(qint64 key, const QByteArray &database)
{
    for (const NamedKey &known : kKnown) {
        if (known.key == key)
            return QString::fromLatin1(known.program);
    }
    if (key >= kFlywayBase + std::numeric_limits<qint32>::min() &&
        key <= kFlywayBase + std::numeric_limits<qint32>::max())
        return QStringLiteral("Flyway");
    const qint64 sum = crc32(database);
    if (database.isEmpty())
        return {};
    if (key == kRailsSalt * sum)
        return QStringLiteral("Rails");
    if (key == kSqlxSalt * sum)
        return QStringLiteral("sqlx");
    if (isPgBoss(key, database))
        return QStringLiteral("pg-boss");
    return isGolangMigrate(key, database) ? QStringLiteral("golang-migrate") : QString();
}

} // namespace

QString advisoryProgram(QByteArrayView name, QByteArrayView database)
{
    bool isNumber = false;
    const qint64 key = name.toByteArray().toLongLong(&isNumber);
    if (isNumber)
        return programOf(key, database.toByteArray());
    if (name == "prisma_migrate")
        return QStringLiteral("Prisma Migrate");
    if (name == "atlas_migrate_execute" || name == "atlas_migrate_diff")
        return QStringLiteral("Atlas");
    return name.startsWith("Flyway-") ? QStringLiteral("Flyway") : QString();
}

} // namespace lockkeeper::domain
