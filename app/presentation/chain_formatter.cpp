// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/presentation/chain_formatter.h"

#include "app/presentation/column_titles.h"
#include "app/words/durations.h"
#include "app/words/lock_text.h"
#include "shared/base/text.h"

#include <QLocale>

#include <algorithm>
#include <array>

namespace lockkeeper::app::presentation {

using models::ChainRow;

namespace {

QString duration(const std::optional<qint64> &us)
{
    return us ? words::Durations::text(*us) : words::Durations::notApplicable();
}

} // namespace

bool ChainFormatter::runsStatements(const ChainRow &row)
{
    const auto isSql = [](const domain::LockKey &key) { return domain::isConnectionScheme(key.scheme); };
    return (row.node.waitsFor && isSql(*row.node.waitsFor)) ||
           std::any_of(row.holds.cbegin(), row.holds.cend(), isSql);
}

/** In words that fit any store: connections of databases stand beside sessions of ZooKeeper. */
QVariant ChainFormatter::header(int column, int role) const
{
    static constexpr std::array<ColumnTitle, models::ChainColumnCount> kTitles{{
        {QT_TR_NOOP("Connection")},
        {QT_TR_NOOP("Lock")},
        {QT_TR_NOOP("Waits for")},
        {QT_TR_NOOP("Waiting"), Qt::AlignRight},
        {QT_TR_NOOP("Blocks"), Qt::AlignRight},
        {QT_TR_NOOP("Waiting caused"), Qt::AlignRight},
        {QT_TR_NOOP("Open for"), Qt::AlignRight},
        {QT_TR_NOOP("Client")},
        {QT_TR_NOOP("Activity")},
        {QT_TR_NOOP("Evidence")},
    }};
    if (role == Qt::ToolTipRole && column == models::ChainLockColumn)
        return tr("Locks that it holds and others wait for");
    if (role == Qt::ToolTipRole && column == models::ChainBlocksColumn)
        return tr("Connections that wait for it directly / everybody behind it");
    if (role == Qt::ToolTipRole && column == models::ChainCausedColumn)
        return tr("The waiting times of everybody behind it, added up");
    if (role == Qt::ToolTipRole && column == models::ChainAgeColumn)
        return tr("How long its transaction has been open, if the store has transactions");
    if (role == Qt::ToolTipRole && column == models::ChainStatementColumn)
        return tr("The statement that it runs or ran last, if the store has statements");
    return titleOf(kTitles, column, role == Qt::ToolTipRole ? int(Qt::DisplayRole) : role, tr);
}

QVariant ChainFormatter::cell(const QModelIndex &index, int role) const
{
    const auto *model = qobject_cast<const models::ChainsModel *>(index.model());
    const ChainRow *row = model ? model->at(index) : nullptr;
    if (!row)
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return text(*row, index.column());
    case Qt::AccessibleTextRole:
        return index.column() == 0 ? sentence(*row) : text(*row, index.column());
    case Qt::ToolTipRole:
        return model->isGone(index) ? tr("Gone: it neither blocks nor waits any more.")
                                    : toolTip(*row, index.column());
    case Qt::TextAlignmentRole:
        return header(index.column(), role);
    default:
        return {};
    }
}

QString ChainFormatter::connection(const domain::Session &session)
{
    const QString id = base::displayText(session.id);
    return session.user.isEmpty() ? id : QStringLiteral("%1 · %2").arg(id, base::displayText(session.user));
}

QString ChainFormatter::lock(const ChainRow &row)
{
    if (row.holds.isEmpty())
        return words::Durations::notApplicable();
    const QString first = words::LockText::name(row.holds.first());
    return row.holds.size() == 1 ? first
                                 : tr("%1 +%2", "lock, how many more").arg(first).arg(row.holds.size() - 1);
}

QString ChainFormatter::text(const ChainRow &row, int column) const
{
    if (row.kind != ChainRow::ChainRowKind::Connection)
        return column == 0 ? remark(row) : QString();
    const domain::Session &session = row.node.session;
    switch (column) {
    case models::ChainConnectionColumn:
        return connection(session);
    case models::ChainLockColumn:
        return lock(row);
    case models::ChainWaitsForColumn:
        return row.node.waitsFor ? words::LockText::name(*row.node.waitsFor)
                                 : words::Durations::notApplicable();
    case models::ChainWaitedColumn:
        return row.node.waitsFor && !row.node.waitingSinceUs ? words::Durations::unknown()
                                                             : duration(models::waitedUs(row));
    case models::ChainBlocksColumn:
        return QStringLiteral("%1 / %2").arg(row.node.blocksDirectly).arg(row.node.blocksAll);
    case models::ChainCausedColumn:
        if (row.node.blocksAll > 0 && row.node.waitingCausedUs == 0) // no wait is dated
            return words::Durations::unknown();
        return row.node.blocksAll > 0 ? words::Durations::text(row.node.waitingCausedUs)
                                      : words::Durations::notApplicable();
    case models::ChainAgeColumn:
        return duration(models::transactionAgeUs(row));
    case models::ChainClientColumn:
        return words::LockText::bytesOrDash(session.client);
    case models::ChainStatementColumn:
        if (session.statement.isEmpty())
            return words::Durations::notApplicable();
        return session.idleSinceUs
                   ? tr("last: %1", "statement").arg(words::LockText::statement(session, true))
                   : words::LockText::statement(session, true);
    case models::ChainEvidenceColumn:
        return evidence(row.evidence);
    default:
        return {};
    }
}

QString ChainFormatter::toolTip(const ChainRow &row, int column) const
{
    if (row.kind == ChainRow::ChainRowKind::WholeTable)
        return tr("One transaction has locked many rows of one table. A predicate without an index makes the "
                  "server lock every row that it scans.");
    if (row.kind == ChainRow::ChainRowKind::Link)
        return tr(
            "It is listed once, below the connection that it waits for first. Enter goes to the other one.");
    const domain::Session &session = row.node.session;
    switch (column) {
    case models::ChainLockColumn: {
        QStringList all;
        for (const domain::LockKey &key : row.holds)
            all.append(words::LockText::whereabouts(key) + QStringLiteral(" · ") +
                       words::LockText::name(key));
        return all.join(QLatin1Char('\n'));
    }
    case models::ChainWaitsForColumn:
        return row.node.waitsFor ? words::LockText::whereabouts(*row.node.waitsFor) + QStringLiteral(" · ") +
                                       words::LockText::name(*row.node.waitsFor)
                                 : QString();
    case models::ChainWaitedColumn:
        return row.node.waitingSinceUs ? tr("Since %1").arg(m_times->exact(*row.node.waitingSinceUs))
                                       : QString();
    case models::ChainBlocksColumn:
        return tr("%1 directly, %2 in all").arg(row.node.blocksDirectly).arg(row.node.blocksAll);
    case models::ChainAgeColumn:
        return session.transactionSinceUs ? tr("Since %1").arg(m_times->exact(*session.transactionSinceUs))
                                          : QString();
    case models::ChainStatementColumn:
        return session.statement.isEmpty() ? statementFact(row, row.atUs)
                                           : words::LockText::statement(session, false);
    case models::ChainEvidenceColumn:
        return tr("%1, read at %2").arg(evidence(row.evidence), m_times->exact(row.atUs));
    default:
        return text(row, column);
    }
}

QString ChainFormatter::remark(const ChainRow &row)
{
    if (row.kind == ChainRow::ChainRowKind::Link)
        return tr("also blocked by %1").arg(connection(row.other));
    if (row.kind != ChainRow::ChainRowKind::WholeTable)
        return {};
    const QString place = base::displayText(row.table.place);
    return row.table.rows > 0
               ? tr("%1 %2 · %3 rows", "whole table locked, place, number")
                     .arg(wholeTable(), place, QLocale(QLocale::English).toString(row.table.rows))
               : tr("%1 %2", "whole table locked, place").arg(wholeTable(), place);
}

QString ChainFormatter::wholeTable()
{
    return tr("whole table locked, unindexed predicate?");
}

QString ChainFormatter::statementFact(const ChainRow &row, qint64 nowUs)
{
    if (!runsStatements(row))
        return tr("This store doesn't show what its clients do.");
    const domain::Session &session = row.node.session;
    const QString statement = words::LockText::statement(session, false);
    if (!session.idleSinceUs)
        return statement.isEmpty() ? tr("The server doesn't report what it is running.")
                                   : tr("Runs: %1").arg(statement);
    const QString idle = words::Durations::text(std::max<qint64>(0, nowUs - *session.idleSinceUs));
    return statement.isEmpty() ? tr("Idle for %1; the server doesn't report its last statement.").arg(idle)
                               : tr("Idle for %1. Last statement: %2").arg(idle, statement);
}

QString ChainFormatter::holdsFact(const QList<domain::LockKey> &keys)
{
    QStringList names;
    for (const domain::LockKey &key : keys)
        names.append(words::LockText::name(key));
    return names.isEmpty() ? tr("It holds none of the watched locks.")
                           : tr("Holds %n watched lock(s): %1.", nullptr, int(names.size()))
                                 .arg(names.join(QStringLiteral(", ")));
}

QString ChainFormatter::rollbackFact(const domain::Session &session)
{
    if (session.rowsChanged)
        return tr("A kill rolls back %Ln changed row(s).", nullptr, int(*session.rowsChanged));
    return session.transactionSinceUs ? tr("The server doesn't report how much a kill rolls back.")
                                      : QString();
}

QString ChainFormatter::sentence(const ChainRow &row)
{
    if (row.kind != ChainRow::ChainRowKind::Connection)
        return remark(row);
    const QString who = connection(row.node.session);
    const int blocked = row.node.blocksAll;
    if (!row.node.waitsFor)
        return tr("Connection %1 blocks %n connection(s)", nullptr, blocked).arg(who);
    const QString what = words::LockText::name(*row.node.waitsFor);
    const auto waited = models::waitedUs(row);
    const QString time = waited ? words::Durations::spoken(*waited) : tr("an unknown time");
    return blocked > 0
               ? tr("Connection %1 has waited for %2 for %3 and blocks %n connection(s)", nullptr, blocked)
                     .arg(who, what, time)
               : tr("Connection %1 has waited for %2 for %3").arg(who, what, time);
}

QString ChainFormatter::evidence(const QByteArray &code)
{
    if (code.contains('+')) { // read together
        QStringList parts;
        for (const QByteArray &part : code.split('+'))
            parts.append(evidence(part));
        return parts.join(QStringLiteral(" + "));
    }
    if (code == "data_locks")
        return QStringLiteral("performance_schema.data_locks");
    if (code == "innodb_locks")
        return QStringLiteral("INNODB_LOCK_WAITS");
    if (code == "innodb_locks_frozen")
        return tr("%1 (an old picture: others read it too often)", "what was read")
            .arg(QStringLiteral("INNODB_LOCK_WAITS"));
    if (code == "innodb_status")
        return QStringLiteral("SHOW ENGINE INNODB STATUS");
    if (code == "registered")
        return tr("the register of waiters", "what was read");
    return code.isEmpty() ? words::Durations::notApplicable() : base::displayText(code);
}

QString ChainFormatter::evidence(const QList<QByteArray> &codes)
{
    QStringList words;
    for (const QByteArray &code : codes)
        words.append(evidence(code));
    return words.join(QStringLiteral(", "));
}

QString ChainFormatter::deadlock(const models::Deadlock &deadlock)
{
    QStringList path;
    for (const domain::Session &session : deadlock.path)
        path.append(base::displayText(session.id));
    if (!path.isEmpty())
        path.append(path.first());
    return tr("Deadlock in %1: %2. Each waits for the next one.", "source, path")
        .arg(base::displayText(deadlock.source), path.join(QStringLiteral(" → ")));
}

QString ChainFormatter::summary(const models::ChainForest &forest)
{
    if (forest.waiting == 0)
        return tr("No connection waits for a lock");
    QStringList parts{tr("%n connection(s) waiting", nullptr, forest.waiting),
                      tr("%n head blocker(s)", nullptr, forest.roots)};
    if (forest.longestWaitUs)
        parts.append(tr("longest wait %1").arg(words::Durations::text(*forest.longestWaitUs)));
    return parts.join(QStringLiteral(" · "));
}

} // namespace lockkeeper::app::presentation
