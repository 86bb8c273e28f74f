// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/raw_model.h"
#include "app/records/alert_records.h"
#include "app/replica/alert_board.h"

#include <array>

namespace lockkeeper::app::models {

enum AlertColumn {
    AlertSeverityColumn = 0, ///< domain::AlertSeverity
    AlertConditionColumn,    ///< domain::AlertCondition
    AlertSubjectColumn,      ///< the lock, the source, or the agent
    AlertHolderColumn,
    AlertLastsColumn, ///< a duration: since the condition is true, until the alert's end
    AlertFiredColumn, ///< an instant
    AlertPhaseColumn, ///< domain::AlertPhase, or that the agent is away
    AlertPersonColumn,
    AlertValueColumn, ///< the value and the threshold
    AlertSourceColumn,
    AlertRuleColumn,  ///< its name
    AlertSinceColumn, ///< an instant
    AlertColumnCount,
};

inline constexpr std::size_t kAlertPhaseCount = std::size_t(domain::AlertPhase::Resolved) + 1;
/** Indexed by domain::AlertPhase. */
using PhaseCounts = std::array<qint64, kAlertPhaseCount>;
using PhaseSet = std::array<bool, kAlertPhaseCount>;

/** An alert, and the facts about its agent that its texts need. */
struct AlertRow
{
    domain::Alert alert;
    domain::AlertPhase phase = domain::AlertPhase::Active; ///< now, or as last known
    std::optional<qint64> awaySinceUs = {};                ///< its agent is away
    qint64 nowUs = 0;                                      ///< by its agent's clock
    QString agent = {};                                    ///< its agent's name

    qint64 lastsUs() const { return alert.resolvedUs.value_or(nowUs) - alert.sinceUs; }
    bool operator==(const AlertRow &) const = default;
};

/**
 * The alerts of the board in the chosen phases: active first, then the gravest, then the newest. refresh()
 * takes the board's changes over, so that the view decides when rows may move.
 */
class AlertsModel : public RawModel
{
    Q_OBJECT

public:
    /** `board` must outlive the model. */
    explicit AlertsModel(const replica::AlertBoard &board, QObject *parent = nullptr);

    const AlertRow *at(int row) const;
    int rowOf(const QByteArray &id) const;
    /** How many alerts of the board are in each phase. */
    const PhaseCounts &counts() const { return m_counts; }
    const PhaseSet &shown() const { return m_shown; }
    void setShown(domain::AlertPhase phase, bool shown);

    /** `arrange`: rows may be inserted, removed and moved; otherwise only values change. */
    void refresh(bool arrange);
    void sort(int column, Qt::SortOrder order) override;

    QJsonObject record(int row) const override;
    QStringList recordColumns() const override { return records::alertColumns(); }

private:
    int rows() const override { return int(m_rows.size()); }
    AlertRow rowFor(const domain::Alert &alert) const;
    bool isBefore(const AlertRow &a, const AlertRow &b) const;
    void arrange(const QList<AlertRow> &wanted);
    void revalue(const QList<AlertRow> &now);

    const replica::AlertBoard &m_board;
    QList<AlertRow> m_rows;
    PhaseCounts m_counts{};
    PhaseSet m_shown{true, true, true, false};
    int m_column = -1; ///< −1: the model's own order
    Qt::SortOrder m_direction = Qt::AscendingOrder;
};

enum ReceiverColumn {
    ReceiverNameColumn = 0,
    ReceiverTypeColumn,
    ReceiverStateColumn,     ///< works, fails, or nothing delivered yet
    ReceiverDeliveredColumn, ///< an instant
    ReceiverWaitingColumn,
    ReceiverErrorColumn, ///< since when it fails, and the cause
    ReceiverColumnCount,
};

/** A receiver, and its agent. */
struct ReceiverRow
{
    protocol::AlertReceiver receiver;
    QString label;                          ///< of its agent
    std::optional<qint64> awaySinceUs = {}; ///< its agent is away
    bool operator==(const ReceiverRow &) const = default;
};

/** The receivers of all agents, failing ones first. */
class ReceiversModel : public RawModel
{
    Q_OBJECT

public:
    explicit ReceiversModel(const replica::AlertBoard &board, QObject *parent = nullptr);

    const ReceiverRow *at(int row) const;
    void refresh();

private:
    int rows() const override { return int(m_rows.size()); }

    const replica::AlertBoard &m_board;
    QList<ReceiverRow> m_rows;
};

} // namespace lockkeeper::app::models
