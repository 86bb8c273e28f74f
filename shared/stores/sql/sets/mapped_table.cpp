// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/sets/mapped_table.h"

#include "shared/base/text.h"
#include "shared/stores/sql/sets/mapped_releaser.h"
#include "shared/stores/sql/tables/long_values.h"

#include <algorithm>

namespace lockkeeper::stores::sql {

using base::ErrorCode;
using base::failure;

namespace {
/** Glob of names that are hidden, such as slot rows; empty where the match begins with their prefix. */
QByteArray hiddenNames(const TablePreset &layout, const LockSet &set)
{
    const QByteArray stem = layout.hidden.first(std::max<qsizetype>(layout.hidden.indexOf('*'), 0));
    return !stem.isEmpty() && set.match.startsWith(stem) ? QByteArray() : layout.hidden;
}
} // namespace

MappedTable::MappedTable(const SetContext &context, ResolvedTable table, Statements statements,
                         const TablePreset &layout, Protocol protocol)
    : TableSet(context, std::move(table), std::move(statements)),
      m_facts(context.facts),
      m_seams(context.seams),
      m_mode(context.lockSet().breakMode),
      m_glob(context.lockSet().match),
      m_layout(RowLayout::of(this->table())),
      m_rules(this->table(), context.spec, context.lockSet(), protocol),
      m_hidden(hiddenNames(layout, context.lockSet()))
{
}

base::Result<std::unique_ptr<MappedTable>> MappedTable::open(const SetContext &context)
{
    const LockSet &set = context.lockSet();
    const auto protocol = protocolOf(set.scheme);
    if (!protocol)
        return failure(ErrorCode::Unsupported,
                       QStringLiteral("\"%1\" isn't a scheme of tables").arg(base::displayText(set.scheme)));
    const auto layout = layoutOf(set);
    if (!layout)
        return tl::unexpected(layout.error());
    const auto text = statementText(set.scheme);
    if (!text)
        return tl::unexpected(text.error());
    const auto catalogue = readCatalogue(context.connection, *layout, context.facts.account);
    if (!catalogue)
        return tl::unexpected(catalogue.error());
    auto table = resolve(*layout, set.table, *catalogue, context.connection.dialect());
    if (!table)
        return tl::unexpected(table.error());
    if (set.match != "*")
        table->pageKey.clear(); // the name's index finds the few matching rows
    auto statements = Statements::build(*text, *table, context.seams.withoutTerms);
    if (!statements)
        return tl::unexpected(statements.error());
    std::unique_ptr<MappedTable> made(
        new MappedTable(context, *std::move(table), *std::move(statements), *layout, *protocol));
    if (const auto readable = made->tryReading(); !readable)
        return tl::unexpected(readable.error());
    return made;
}

QList<domain::Access> MappedTable::access()
{
    // Locks of this set are never broken: the right to break isn't needed.
    if (m_rules.protocol() == Protocol::Version || m_mode == BreakMode::Never)
        return QList<domain::Access>{{"observe:" + table().name.toUtf8(), true, false, {}}} + waitersAccess();
    return TableSet::access();
}

std::optional<binlog::WatchedSet> MappedTable::watched() const
{
    if (registersWaiters()) // the log would show its locks without their waiters
        return std::nullopt;
    if (!std::all_of(table().names.cbegin(), table().names.cend(), binlog::isDecoded) ||
        !std::all_of(table().columns.cbegin(), table().columns.cend(), binlog::isDecoded))
        return std::nullopt;
    return binlog::watchedMapped(table(), m_layout, m_rules, set(), m_glob, m_hidden);
}

void MappedTable::readName(QByteArray &name, const RowCells &row) const
{
    if (table().names.isEmpty()) {
        name = table().name.toUtf8();
        return;
    }
    if (m_layout.names == 1) {
        name = row.front().view();
        return;
    }
    name.resize(0);
    for (int i = 0; i < m_layout.names; ++i) {
        if (i > 0)
            name += '/';
        appendPart(name, row[size_t(i)].view());
    }
}

void MappedTable::readValues(MappedRow &read, const RowCells &row) const
{
    for (const RowField &field : m_layout.fields) {
        const RowCell &cell = row[size_t(field.at)];
        if (!field.isTime)
            read.values[size_t(field.column)] = cell.view();
        else if (!cell.isNull())
            read.times[size_t(field.column)] = {cell.toNumber(), {}};
        else
            read.times[size_t(field.column)] = {std::nullopt, field.odd < 0 ? QByteArray()
                                                                            : row[size_t(field.odd)].bytes()};
    }
}

bool MappedTable::observeRow(Observation &lock, const RowCells &row, qint64 nowUs)
{
    readName(m_row.name, row);
    if (!matches(m_row.name) || (!m_hidden.isEmpty() && base::globMatches(m_hidden, m_row.name)))
        return false;
    readValues(m_row, row);
    m_rules.observe(lock, m_row, nowUs);
    lock.set = set();
    return true;
}

void MappedTable::addValues(Values &values) const
{
    values.insert("held_value", table().heldValue.toUtf8());
    values.insert("free_value", table().freeStatus());
}

base::Result<Values> MappedTable::fixedValues(const QByteArray &name) const
{
    Values values;
    addValues(values);
    const auto parts = splitName(name, m_layout.names);
    if (!parts)
        return failure(ErrorCode::NotFound,
                       QStringLiteral("the name and the table's key have different numbers of parts"));
    for (qsizetype i = 0; i < parts->size(); ++i) {
        bool isNumber = true;
        if (i < table().names.size() && table().names.at(i).kind == ColumnKind::Epoch &&
            !parts->at(i).isNull())
            parts->at(i).toLongLong(&isNumber);
        if (!isNumber)
            return failure(ErrorCode::NotFound, QStringLiteral("the table's names are numbers"));
        values.insert(partName("name", i), parts->at(i));
    }
    const QHash<QByteArray, QByteArray> free = freeTexts();
    for (auto it = table().writes.begin(); it != table().writes.end(); ++it)
        values.insert("write_" + it.key(),
                      it->kind == ColumnWrite::AsFree ? QVariant(free.value(it.key())) : QVariant(it->value));
    return values;
}

QHash<QByteArray, QByteArray> MappedTable::freeTexts() const
{
    QHash<QByteArray, QByteArray> texts;
    for (auto it = table().writes.begin(); it != table().writes.end(); ++it) {
        if (it->kind == ColumnWrite::AsFree)
            texts.insert(it.key(), m_rules.freeText(rowKeyOf(it.key())));
    }
    return texts;
}

base::Result<MappedReading> MappedTable::readRow(const QByteArray &name)
{
    const auto statement = this->statement("one");
    if (!statement)
        return tl::unexpected(explained(statement.error(), observeGrant()));
    MappedReading reading;
    reading.lock.set = set();
    reading.lock.present = false;
    reading.lock.name = name;
    const auto values = fixedValues(name);
    if (values) {
        if (const auto failed = (*statement)->run(*values))
            return tl::unexpected(explained(failed->error, observeGrant()));
        QSqlQuery &rows = (*statement)->rows();
        QueryCells read;
        QByteArray found;
        if (rows.next())
            readName(found, read.read(rows, m_layout.columns));
        if (rows.isValid() && !table().names.isEmpty() && hasLongName(read.cells(), m_layout.names)) {
            (*statement)->finish();
            return tl::unexpected(longName());
        }
        // Texts that aren't UTF-8 can't be bound exactly everywhere: check the row's own name.
        if (rows.isValid() && found == name) {
            const RowCells &cells = read.cells();
            readValues(reading.row.emplace(), cells);
            reading.row->name = name;
            reading.row->keep();
            reading.nowUs = cells[size_t(m_layout.now)].toNumber();
            reading.lock = m_rules.observation(*reading.row, reading.nowUs);
            reading.lock.set = set();
            const RowCells &named = read.cells();
            const bool nameless =
                m_layout.names > 1 && std::any_of(named.cbegin(), named.cbegin() + m_layout.names,
                                                  [](const RowCell &part) { return part.isNull(); });
            if (nameless) { // see TableSet::readNameless()
                reading.lock.identity.clear();
                reading.lock.flaw = reading.lock.flaw == Flaw::None ? Flaw::NullIdentity : reading.lock.flaw;
            }
            if ((table().names.isEmpty() || nameless) && rows.next())
                reading.lock.flaw = Flaw::Malformed; // two rows, one name
        }
        (*statement)->finish();
    }
    if (reading.row)
        return reading;
    const auto now = storeTimeUs();
    if (!now)
        return tl::unexpected(now.error());
    reading.nowUs = *now;
    return reading;
}

base::Result<SetReading> MappedTable::one(const QByteArray &name)
{
    if (const auto waiters = readWaiters(); !waiters)
        return tl::unexpected(waiters.error());
    return readRow(name).map([this](const MappedReading &reading) {
        SetReading one{reading.lock, reading.nowUs};
        if (one.lock.present)
            addWaiters(one.lock);
        return one;
    });
}

base::Result<SetReading> MappedTable::oneAnew(const QByteArray &name)
{
    return one(name).map([this](SetReading reading) {
        reading.freeTexts = freeTexts();
        return reading;
    });
}

ReleaseAttempt MappedTable::release(const ReleaseOrder &order, JobStage &stage)
{
    return MappedReleaser(*this, m_facts, m_mode, m_seams).run(order, stage);
}

} // namespace lockkeeper::stores::sql
