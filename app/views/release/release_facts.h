// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/release/release_case.h"

#include <QHash>
#include <QWidget>

class QGridLayout;
class QVBoxLayout;

namespace lockkeeper::app::views {

class CodeBox;
class ElidedLabel;
class PlainLabel;

/**
 * The facts that a force-release rests on, always in the same rows: Lock, Source, Agent (if several), Holder,
 * Held for, Remaining, Alive, Waiters, Will run, Guard. A lock on several nodes also has Nodes, one line per
 * node. A long value is shortened in the middle, with the whole text in the tooltip. Only Will run shows its
 * whole text, in some lines that scroll. GUI thread.
 */
class ReleaseFacts : public QWidget
{
    Q_OBJECT

public:
    explicit ReleaseFacts(QWidget *parent = nullptr);

    /** For a console with several agents: the agents that see the lock, first the agent that releases it. */
    void setAgents(const QStringList &names);
    /** The verdict of a liveness probe, which show() adds to Alive; empty: none is known. */
    void setProbe(const std::optional<domain::HolderCheck> &check, qint64 ageUs);
    /** `nowUs` by the store's clock. `willRun` may be empty: not read yet. */
    void show(ReleaseCase releaseCase, const domain::LockState &state, const QString &willRun, qint64 nowUs,
              bool ifNotRenewed);
    /** Everything else that depends on the holder's lease; shown for schemes that have leases. */
    void setCompanions(const domain::Companions &companions);
    /** One "label: value" a line, for [Copy details]. */
    QString text() const;

private:
    enum FactRow {
        Lock,
        Source,
        Agent,
        Holder,
        HeldFor,
        Remaining,
        Alive,
        Waiters,
        Lease,
        Nodes,
        WillRun,
        Guard,
        RowCount
    };

    QString label(FactRow row) const;
    void set(FactRow row, const QString &value);
    void showNodes(const domain::LockState &state, qint64 nowUs);
    QString nodeLines() const;

    QString m_probe; ///< in words
    QGridLayout *m_grid;
    QHash<int, PlainLabel *> m_labels;
    QHash<int, ElidedLabel *> m_values; ///< all rows but WillRun
    CodeBox *m_willRun;
    QVBoxLayout *m_nodeColumn = nullptr;
    QList<ElidedLabel *> m_nodes; ///< below the Nodes row
};

} // namespace lockkeeper::app::views
