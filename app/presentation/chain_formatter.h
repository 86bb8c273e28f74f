// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/chains_model.h"
#include "app/words/time_format.h"

#include <QCoreApplication>

namespace lockkeeper::app::presentation {

/** The texts for the rows of the chains, and the sentences about all chains. */
class ChainFormatter : public models::Formatter
{
    Q_DECLARE_TR_FUNCTIONS(ChainFormatter)

public:
    /** `times` isn't owned. */
    explicit ChainFormatter(const words::TimeFormat *times) : m_times(times) {}

    QVariant cell(const QModelIndex &index, int role) const override;
    QVariant header(int column, int role) const override;

    /**
     * The current or last statement of the session, as far as the server reports it. `nowUs`: the current
     * time.
     */
    static QString statementFact(const models::ChainRow &row, qint64 nowUs);
    /** False for a client of a store that knows neither statements nor transactions. */
    static bool runsStatements(const models::ChainRow &row);
    /** All watched locks of the connection. */
    static QString holdsFact(const QList<domain::LockKey> &keys);
    /**
     * The work that killing the session undoes, as far as the server counts it; empty without an open
     * transaction.
     */
    static QString rollbackFact(const domain::Session &session);
    /** "17 · app": a connection's id and account. */
    static QString connection(const domain::Session &session);
    /** The source of the data on the server: "performance_schema.data_locks" for "data_locks". */
    static QString evidence(const QByteArray &code);
    static QString evidence(const QList<QByteArray> &codes);
    /** "17 → 23 → 17" in a sentence. */
    static QString deadlock(const models::Deadlock &deadlock);
    /** "4 connections waiting · 1 head blocker · longest wait 00:02:11". */
    static QString summary(const models::ChainForest &forest);
    /** The sentence of a row that fills a whole line: a link, or a table that is locked whole. */
    static QString remark(const models::ChainRow &row);
    /** "whole table locked, unindexed predicate?" */
    static QString wholeTable();

private:
    QString text(const models::ChainRow &row, int column) const;
    QString toolTip(const models::ChainRow &row, int column) const;
    static QString sentence(const models::ChainRow &row);
    static QString lock(const models::ChainRow &row);

    const words::TimeFormat *m_times;
};

} // namespace lockkeeper::app::presentation
