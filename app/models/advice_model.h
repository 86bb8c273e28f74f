// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/raw_model.h"
#include "app/session/agent_group.h"

namespace lockkeeper::app::models {

enum AdviceColumn {
    AdviceTitleColumn = 0,  ///< domain::AdviceCode
    AdviceLockColumn,       ///< QByteArray
    AdviceConfidenceColumn, ///< domain::AdviceConfidence
    AdviceEvidenceColumn,
    AdviceChangeColumn,
    AdviceSourceColumn, ///< QString
    AdviceColumnCount,
};

/**
 * The agents' latest advice for a range of time. Sorts by any column but the sentences; without a sort column
 * the surest comes first. GUI thread.
 */
class AdviceModel : public RawModel
{
    Q_OBJECT

public:
    explicit AdviceModel(session::AgentGroup &session, QObject *parent = nullptr);

    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;
    const domain::Advice *at(int row) const; ///< null if the row doesn't exist
    QJsonObject record(int row) const override;
    QStringList recordColumns() const override;

    /** Reads [fromUs, toUs] again; cancels an earlier question. */
    void ask(qint64 fromUs, qint64 toUs);
    void cancel();

    bool isLoading() const { return m_request != 0; }
    /** True if the last question was answered. */
    bool hasRead() const { return m_hasRead; }
    const base::Error &error() const { return m_error; } ///< of the last reading; no cause: none
    /** The answer, for its bounds and counts. */
    const protocol::AdvicePage &page() const { return m_page; }

Q_SIGNALS:
    void stateChanged(); ///< loading or error

private:
    int rows() const override { return int(m_order.size()); }
    void take(const base::Result<protocol::AdvicePage> &page);
    void arrange();

    session::AgentGroup &m_session;
    protocol::AdvicePage m_page;
    QList<int> m_order; ///< of m_page.advice, by row
    int m_column = -1;
    Qt::SortOrder m_direction = Qt::AscendingOrder;
    quint64 m_request = 0;
    int m_question = 0; ///< number of the last question: answers to earlier ones are dropped
    bool m_hasRead = false;
    base::Error m_error;
};

} // namespace lockkeeper::app::models
