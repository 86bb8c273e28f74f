// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/detail/lease_panel.h"

#include "app/charts/lease_chart.h"
#include "app/replica/replica.h"
#include "app/session/agent_group.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/wrapped_label.h"

#include <QVBoxLayout>

namespace lockkeeper::app::views {

LeasePanel::LeasePanel(const ConsoleContext &context, QWidget *parent)
    : Translated(parent),
      m_context(context),
      m_heading(new PlainLabel({}, this)),
      m_none(new WrappedLabel({}, this)),
      m_chart(new charts::LeaseChart(context.theme, this))
{
    m_heading->setBold();
    m_none->setMuted(true);
    m_chart->setFixedHeight(132);
    auto *layout = new QVBoxLayout(this);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_heading);
    layout->addWidget(m_none);
    layout->addWidget(m_chart);
    connect(context.replica, &replica::Replica::changed, this, &LeasePanel::follow);
    connect(context.replica, &replica::Replica::sourcesChanged, this, &LeasePanel::followSources);
    connect(context.replica, &replica::Replica::offlineChanged, this, &LeasePanel::followSources);
    connect(context.session, &session::AgentGroup::agentChanged, this, [this] {
        m_trajectories.clear();
        m_order.clear();
        m_blind.clear();
    });
    retranslate();
}

void LeasePanel::retranslate()
{
    m_heading->setText(tr("Lease"));
    m_none->setText(tr("No lease: it has no expiry, or it isn't held."));
}

void LeasePanel::setLock(const std::optional<domain::LockKey> &key)
{
    m_key = key;
    if (!key)
        return;
    m_order.removeAll(*key);
    m_order.append(*key);
    while (m_order.size() > kRemembered)
        m_trajectories.remove(m_order.takeFirst());
    if (const auto state = m_context.replica->find(*key))
        m_trajectories[*key].add(*state, m_context.replica->storeNowUs(key->source));
    redraw();
}

void LeasePanel::follow(const replica::PackedLockTable &changed, const QSet<domain::LockKey> &removed)
{
    for (const domain::LockKey &key : std::as_const(m_order)) {
        const qint64 now = m_context.replica->storeNowUs(key.source);
        if (removed.contains(key))
            m_trajectories[key].end(now);
        else if (const auto state = changed.find(key))
            m_trajectories[key].add(*state, now);
    }
}

void LeasePanel::followSources()
{
    for (const domain::LockKey &key : std::as_const(m_order)) {
        const bool blind = m_context.replica->isStale(key.source);
        const bool was = m_blind.contains(key.source);
        if (blind == was)
            continue;
        const qint64 now = m_context.replica->storeNowUs(key.source);
        for (const domain::LockKey &other : std::as_const(m_order)) {
            if (other.source != key.source)
                continue;
            if (blind)
                m_trajectories[other].openGap(m_context.replica->lastSeenUs(key.source));
            else
                m_trajectories[other].closeGap(now);
        }
        if (blind)
            m_blind.insert(key.source);
        else
            m_blind.remove(key.source);
    }
}

void LeasePanel::redraw()
{
    if (!m_key)
        return;
    followSources();
    const auto state = m_context.replica->find(*m_key);
    const qint64 now = m_context.replica->storeNowUs(m_key->source);
    models::LeaseTrajectory &trajectory = m_trajectories[*m_key];
    if (state && !m_context.replica->isStale(m_key->source))
        trajectory.add(*state, now);
    const bool any = !trajectory.points().isEmpty();
    m_chart->setVisible(any);
    m_none->setVisible(!any);
    if (any)
        m_chart->show(trajectory, now);
}

QString LeasePanel::text() const
{
    return m_chart->isHidden() ? m_none->text() : m_chart->summary();
}

} // namespace lockkeeper::app::views
