// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/clock.h"
#include "shared/base/text.h"
#include "shared/config/sources.h"
#include "shared/stores/factory.h"
#include "shared/stores/mongodb/reading/layout.h"
#include "shared/stores/queue_presets.h"
#include "shared/stores/redis/schemes/key_preset.h"
#include "shared/stores/sql/catalogue/preset.h"
#include "shared/stores/sql/connection/identifiers.h"

#include <array>

namespace lockkeeper::config {

using base::displayText;
using base::kSecondUs;
using base::kYearUs;
using stores::BreakMode;
using stores::LockSet;
using stores::TableMapping;

namespace {

/** A column of a mapping: its key, its member, and whether it is a time (which may have a `_unit`). */
struct ColumnKey
{
    const char *key;
    QString TableMapping::*member;
    bool isTime;
};

constexpr std::array<ColumnKey, 10> kColumns{{{"id", &TableMapping::id, false},
                                              {"holder", &TableMapping::holder, false},
                                              {"acquired_at", &TableMapping::acquiredAt, true},
                                              {"renewed_at", &TableMapping::renewedAt, true},
                                              {"expires_at", &TableMapping::expiresAt, true},
                                              {"timeout", &TableMapping::timeout, true},
                                              {"count", &TableMapping::count, false},
                                              {"version", &TableMapping::version, false},
                                              {"request", &TableMapping::request, false},
                                              {"status", &TableMapping::status, false}}};

/** Visits the keys that only the engine reads, with their members: a running source can adopt them. */
template <typename Visit> void visitEngineKeys(const Visit &visit)
{
    visit("stuck_after", &LockSet::stuckAfterUs);
    visit("no_expiry_after", &LockSet::noExpiryAfterUs);
    visit("expect", &LockSet::expectHeld);
}

qint64 engineValue(const TableReader &reader, const char *key, qint64 otherwiseUs)
{
    return reader.durationUs(key, otherwiseUs, {kSecondUs, kYearUs});
}

bool engineValue(const TableReader &reader, const char *key, bool otherwise)
{
    return reader.has(key) ? reader.choice(key, words("held")) == QLatin1String("held") : otherwise;
}

const QStringList kShedlockKeys =
    words("table name holder acquired_at expires_at acquired_at_unit expires_at_unit");
const QStringList kVersionKeys = words("table name version");
const QStringList kDocumentKeys = words("table name holder acquired_at renewed_at expires_at "
                                        "acquired_at_unit renewed_at_unit expires_at_unit lease");
const QStringList kRowKeys = words("table name");

/** The schemes of all builds; stores::schemes() has those of this build. */
const QStringList kAllSchemes = words(
    "redis.token redis.json redis.redisson redis.redlock redis.semaphore sql.shedlock sql.insert sql.lease "
    "sql.reentrant sql.row sql.version sql.advisory mongodb.ttl etcd.lease zookeeper.sequence");

/** True for schemes whose waiters are only visible if they register. */
bool hidesWaiters(const QByteArray &scheme)
{
    return scheme == "sql.shedlock" || scheme == "sql.insert" || scheme == "sql.lease" ||
           scheme == "sql.reentrant" || scheme == "redis.token" || scheme == "redis.json";
}

QStringList tableKeys()
{
    QStringList keys = words("table name names lease held_value free_value");
    for (const ColumnKey &column : kColumns) {
        keys.append(QLatin1String(column.key));
        if (column.isTime)
            keys.append(QLatin1String(column.key) + QLatin1String("_unit"));
    }
    return keys;
}

/** Keys that belong to some schemes only. */
QStringList specialKeys()
{
    QStringList keys = tableKeys() + keysOfRedis({}) + QStringList{QStringLiteral("waiters")};
    keys.removeDuplicates();
    return keys;
}

QStringList ownSchemes()
{
    QStringList names;
    for (const QByteArray &scheme : stores::schemes())
        names.append(QString::fromLatin1(scheme));
    return names;
}

QStringList ownPresets()
{
    QStringList ids;
    for (const QString &id : stores::sql::presetIds()) {
        const auto preset = stores::sql::presetNamed(id);
        if (preset && stores::schemes().contains(preset->scheme))
            ids.append(id);
    }
    return ids + stores::redis::keyPresetIds() + stores::mongodb::presetIds() + stores::kQueuePresets.keys();
}

QByteArray readPreset(const TableReader &reader)
{
    const QString preset = reader.string("preset");
    if (reader.has("scheme"))
        reader.problem("preset", QStringLiteral("a lock set has \"scheme\" or \"preset\", not both"),
                       QStringLiteral("Remove one of them."));
    if (const auto keys = stores::redis::keyPresetNamed(preset))
        return keys->scheme;
    if (stores::mongodb::presetIds().contains(preset))
        return "mongodb.ttl";
    if (const QByteArray scheme = stores::kQueuePresets.value(preset); !scheme.isEmpty())
        return scheme;
    if (ownPresets().contains(preset))
        return stores::sql::presetNamed(preset)->scheme;
    if (stores::sql::presetIds().contains(preset))
        reader.problem("preset",
                       QStringLiteral("the preset \"%1\" is not available in this version").arg(preset),
                       QStringLiteral("This one knows: %1.").arg(ownPresets().join(QLatin1String(", "))));
    else
        reader.problem("preset", QStringLiteral("there is no preset \"%1\"").arg(displayText(preset)),
                       suggestion(preset, ownPresets()));
    return {};
}

QByteArray readScheme(const TableReader &reader, const QByteArray &storeKind)
{
    QByteArray scheme;
    const char *key = reader.has("preset") ? "preset" : "scheme";
    if (reader.has("preset")) {
        scheme = readPreset(reader);
    } else if (!reader.has("scheme")) {
        reader.problem("scheme", QStringLiteral("a lock set has no \"scheme\""),
                       QStringLiteral("Use one of: %1.").arg(ownSchemes().join(QLatin1String(", "))));
    } else {
        const QString text = reader.string("scheme");
        if (ownSchemes().contains(text))
            scheme = text.toLatin1();
        else if (kAllSchemes.contains(text))
            reader.problem("scheme",
                           QStringLiteral("the scheme \"%1\" is not available in this version").arg(text),
                           QStringLiteral("This one knows: %1.").arg(ownSchemes().join(QLatin1String(", "))));
        else
            reader.problem("scheme", QStringLiteral("there is no scheme \"%1\"").arg(displayText(text)),
                           suggestion(text, kAllSchemes));
    }
    if (!scheme.isEmpty() && !storeKind.isEmpty() && !stores::isSchemeOf(scheme, storeKind)) {
        reader.problem(key,
                       QStringLiteral("the scheme \"%1\" doesn't belong to a %2 store")
                           .arg(QString::fromLatin1(scheme), QString::fromLatin1(storeKind)),
                       QStringLiteral("Move it to a source of its kind."));
    }
    return scheme;
}

BreakMode readBreak(const TableReader &reader)
{
    const QString mode = reader.choice("break", words("guarded never unsafe"));
    const auto preset = stores::sql::presetNamed(reader.string("preset"));
    const auto keys = stores::redis::keyPresetNamed(reader.string("preset"));
    if ((preset && preset->neverBroken) || (keys && keys->neverBroken)) {
        if (reader.has("break") && mode != QLatin1String("never"))
            reader.problem("break",
                           QStringLiteral("locks of the preset \"%1\" are never broken: their application "
                                          "would do the work a second time")
                               .arg(reader.string("preset")),
                           QStringLiteral("Write \"never\", or nothing."));
        return BreakMode::Never;
    }
    if (mode == QLatin1String("never"))
        return BreakMode::Never;
    if (mode == QLatin1String("unsafe"))
        return BreakMode::Unsafe;
    return BreakMode::Guarded;
}

stores::ApprovalMode readApproval(const TableReader &reader, BreakMode breakMode)
{
    const QString mode = reader.choice("approval", words("never live always"));
    if (mode == QLatin1String("never"))
        return stores::ApprovalMode::Never;
    if (breakMode == BreakMode::Never)
        reader.problem("approval",
                       QStringLiteral("%1 contradicts break = \"never\"").arg(reader.nameOf("approval")),
                       QStringLiteral("Remove one of them."));
    return mode == QLatin1String("live") ? stores::ApprovalMode::Live : stores::ApprovalMode::Always;
}

/** The mapping keys that a scheme accepts. */
QStringList mappingKeysOf(const QByteArray &scheme)
{
    if (scheme == "sql.shedlock")
        return kShedlockKeys;
    if (scheme == "sql.version")
        return kVersionKeys;
    if (scheme == "sql.row")
        return kRowKeys;
    if (scheme == "sql.advisory")
        return {QStringLiteral("names")};
    if (scheme.startsWith("redis."))
        return keysOfRedis(scheme);
    if (scheme.startsWith("mongodb."))
        return kDocumentKeys;
    if (scheme == "zookeeper.sequence")
        return {QStringLiteral("limit")};
    QStringList keys = scheme.startsWith("sql.") ? tableKeys() : QStringList();
    keys.removeOne(QStringLiteral("names"));
    return keys;
}

QStringList keysOf(const QByteArray &scheme)
{
    QStringList keys = mappingKeysOf(scheme);
    if (hidesWaiters(scheme))
        keys.append(QStringLiteral("waiters"));
    return keys;
}

/** Reports keys that exist, but not for this scheme. */
void refuseForeignKeys(const TableReader &reader, const QByteArray &scheme)
{
    const QStringList own = keysOf(scheme);
    for (const QString &key : specialKeys()) {
        const QByteArray name = key.toLatin1();
        if (!own.contains(key) && reader.has(name.constData()))
            reader.problem(name.constData(),
                           QStringLiteral("\"%1\" doesn't apply to %2").arg(key, QString::fromLatin1(scheme)),
                           own.isEmpty()
                               ? QStringLiteral("Remove it.")
                               : QStringLiteral("It takes: %1.").arg(own.join(QLatin1String(", "))));
    }
}

QString identifier(const TableReader &reader, const char *key, const QString &value)
{
    if (!reader.has(key))
        return {};
    const auto ok = stores::sql::checkIdentifier(value, reader.nameOf(key));
    if (!ok) {
        reader.problem(key, ok.error().cause, ok.error().remedy);
        return {};
    }
    return value;
}

TableMapping readTable(const TableReader &reader)
{
    TableMapping mapping;
    mapping.table = identifier(reader, "table", reader.string("table"));
    mapping.name = reader.strings("name", {}, true);
    mapping.heldValue = reader.string("held_value");
    mapping.freeValue = reader.string("free_value");
    if (reader.has("lease"))
        mapping.leaseUs = reader.durationUs("lease", kSecondUs, {1'000, kYearUs});
    for (const QString &column : std::as_const(mapping.name))
        identifier(reader, "name", column);
    for (const ColumnKey &column : kColumns) {
        mapping.*column.member = identifier(reader, column.key, reader.string(column.key));
        const QByteArray unitKey = QByteArray(column.key) + "_unit";
        if (column.isTime && reader.has(unitKey.constData())) {
            const QString unit = reader.choice(unitKey.constData(), words("epoch_s epoch_ms epoch_us"));
            mapping.units.insert(QLatin1String(column.key), unit);
        }
    }
    return mapping;
}

/** The preset whose rows in this table are permanent anchors for FOR UPDATE; null: none. */
std::optional<stores::sql::TablePreset> anchorsOf(const LockSet &set, const stores::sql::TablePreset &layout)
{
    const QString table = layout.tables.value(0);
    const auto own = stores::sql::presetNamed(set.preset);
    if (set.scheme == "sql.row" || (own && own->namesTable(table)))
        return std::nullopt;
    for (const QString &id : stores::sql::presetIds()) {
        const auto preset = stores::sql::presetNamed(id);
        if (!preset || preset->scheme != "sql.row" || !preset->namesTable(table))
            continue;
        const bool all = layout.names.size() == preset->names.size();
        const bool named =
            all && std::all_of(layout.names.begin(), layout.names.end(), [&](const QString &name) {
                return preset->names.contains(name, Qt::CaseInsensitive);
            });
        // If a break deletes rows, the columns that name them don't matter.
        const bool deleted = layout.deletes && preset->tables.contains(table, Qt::CaseInsensitive);
        if (named || deleted)
            return *preset;
    }
    return std::nullopt;
}

/** Reports what the layout as a whole lacks. Only useful once each key is right. */
void checkLayout(const TableReader &reader, const LockSet &set)
{
    const char *key = reader.has("preset") ? "preset" : "scheme";
    const auto layout = stores::sql::layoutOf(set);
    if (!layout) {
        reader.problem(key, layout.error().cause, layout.error().remedy);
        return;
    }
    if (const auto anchors = anchorsOf(set, *layout)) {
        reader.problem("table",
                       QStringLiteral("the rows of \"%1\" are always there, whoever holds the lock: its "
                                      "application locks them with SELECT … FOR UPDATE, and without its row "
                                      "nothing is locked")
                           .arg(displayText(layout->tables.value(0))),
                       QStringLiteral("Write preset = \"%1\" instead; its rows are never deleted.")
                           .arg(QString::fromLatin1(anchors->id)));
        return;
    }
    const bool stays = set.scheme != "sql.insert";
    for (const char *column : {"id", "acquired_at"}) {
        const bool identifies = layout->column(column) && !(stays && QByteArray(column) == "id");
        if (set.breakMode != BreakMode::Unsafe || !identifies)
            continue;
        reader.problem(
            "break",
            QStringLiteral("%1: \"unsafe\" is only for rows without an identity, and these have \"%2\"")
                .arg(reader.nameOf("break"), QLatin1String(column)),
            QStringLiteral("Write \"guarded\" or \"never\"."));
        return;
    }
}

void readSqlSet(const TableReader &reader, LockSet &set, Problems &problems)
{
    const qsizetype before = problems.list.size();
    set.preset = reader.string("preset");
    set.table = readTable(reader);
    if (set.scheme == "sql.advisory") {
        for (const QString &name : reader.strings("names", {}, true))
            set.names.append(name.toUtf8());
        return;
    }
    if (set.scheme == "sql.row" && set.table.table.isEmpty() && !set.preset.isEmpty())
        set.table.table =
            stores::sql::presetNamed(set.preset).value_or(stores::sql::TablePreset()).tables.value(0);
    if (set.scheme == "sql.row" && set.table.table.isEmpty())
        reader.problem("table", QStringLiteral("sql.row names no table"),
                       QStringLiteral("Write the table whose rows are locked: table = \"…\"."));
    if (problems.list.size() == before)
        checkLayout(reader, set);
}

void readDocumentSet(const TableReader &reader, LockSet &set, Problems &problems)
{
    const qsizetype before = problems.list.size();
    set.preset = reader.string("preset");
    set.table = readTable(reader);
    const auto layout = stores::mongodb::layoutOf(set);
    if (!layout && problems.list.size() == before)
        reader.problem(set.preset.isEmpty() ? "scheme" : "preset", layout.error().cause,
                       layout.error().remedy);
}

} // namespace

QStringList lockSetKeys()
{
    QStringList keys = words("scheme preset match break approval") + reaperKeys() + specialKeys();
    visitEngineKeys([&keys](const char *key, auto) { keys.append(QLatin1String(key)); });
    return keys;
}

void adoptEngineKeys(LockSet &set, const LockSet &from)
{
    visitEngineKeys([&](const char *, auto member) { set.*member = from.*member; });
    set.reaper = from.reaper;
    set.approval = from.approval;
}

LockSet readLockSet(const toml::table &table, const QByteArray &storeKind, Problems &problems)
{
    const TableReader reader(table, QStringLiteral("[[source.locks]]"), lockSetKeys(), problems);
    LockSet set;
    set.scheme = readScheme(reader, storeKind);
    const auto keys = stores::redis::keyPresetNamed(reader.string("preset"));
    if (keys) {
        set.keys = keys->keys;
        set.preset = reader.string("preset");
    }
    set.match = reader.string("match", keys ? QString::fromUtf8(keys->match) : QStringLiteral("*")).toUtf8();
    if (set.match.isEmpty())
        reader.problem("match",
                       QStringLiteral("%1 is empty and would match nothing").arg(reader.nameOf("match")),
                       QStringLiteral("Write \"*\" for every lock."));
    visitEngineKeys(
        [&](const char *key, auto member) { set.*member = engineValue(reader, key, set.*member); });
    set.breakMode = readBreak(reader);
    set.reaper = readReaper(reader, set.scheme, set.breakMode);
    set.approval = readApproval(reader, set.breakMode);
    if (!set.scheme.isEmpty())
        refuseForeignKeys(reader, set.scheme);
    set.waitersRegistered =
        reader.has("waiters") && reader.choice("waiters", words("registered")) == QLatin1String("registered");
    if (set.scheme.startsWith("redis."))
        readRedisSet(reader, set);
    if (set.scheme.startsWith("etcd.") || set.scheme.startsWith("zookeeper."))
        set.preset = reader.string("preset");
    if (set.scheme == "zookeeper.sequence") {
        set.keys.limit = int(reader.integer("limit", 1, {1, 1'000'000}));
        if (reader.has("limit") && set.preset != QLatin1String("curator-semaphore"))
            reader.problem("limit",
                           QStringLiteral("%1 applies only to the preset \"curator-semaphore\"")
                               .arg(reader.nameOf("limit")),
                           QStringLiteral("Remove it."));
    }
    if (set.scheme.startsWith("mongodb."))
        readDocumentSet(reader, set, problems);
    if (set.scheme.startsWith("sql."))
        readSqlSet(reader, set, problems);
    else if (set.breakMode == BreakMode::Unsafe && !set.scheme.startsWith("redis."))
        reader.problem(
            "break",
            QStringLiteral("%1: \"unsafe\" is only for locks without an identity, and those of %2 have one")
                .arg(reader.nameOf("break"), QString::fromLatin1(set.scheme)),
            QStringLiteral("Write \"guarded\" or \"never\"."));
    return set;
}

} // namespace lockkeeper::config
