// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/detail/last_hour.h"

#include "app/charts/timeline_painter.h"
#include "app/presentation/theme.h"
#include "app/replica/replica.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/requests.h"
#include "app/words/durations.h"
#include "app/words/time_format.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>
#include <utility>

namespace lockkeeper::app::views {

using base::kHourUs;

/** Draws the chart that its owner passes to draw(). */
class LastHourStrip : public QWidget
{
public:
    LastHourStrip(const presentation::Theme *theme, std::function<void()> open, QWidget *parent)
        : QWidget(parent), m_theme(theme), m_open(std::move(open))
    {
        setFocusPolicy(Qt::TabFocus);
        setCursor(Qt::PointingHandCursor);
        connect(theme, &presentation::Theme::changed, this, qOverload<>(&QWidget::update));
    }
    void draw(const timeline::Chart &chart, const timeline::TimeRange &range, const timeline::SeenUntil &seen)
    {
        m_chart = chart;
        m_range = range;
        m_seen = seen;
        m_layout.arrange(m_chart);
        setFixedHeight(std::max(24, m_layout.height()) + 2);
        update();
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        const QPalette colours = presentation::paletteOf(m_theme->scheme());
        painter.fillRect(rect(), colours.color(QPalette::Base));
        const timeline::TimeAxis axis(m_range, width());
        QList<timeline::LaneScene> scenes;
        for (qsizetype i = 0; i < m_chart.lanes.size(); ++i)
            scenes.append(timeline::sceneOf(m_chart.lanes.at(i), m_layout.boxes().at(i), axis, m_seen,
                                            m_chart.sliceUs));
        const charts::TimelinePainter paint(m_theme->scheme(), font());
        painter.translate(0, 1);
        paint.paintLanes(painter, {&m_chart, &m_layout, &scenes, axis, m_seen, {}}, 0,
                         m_chart.lanes.size() - 1);
        painter.resetTransform();
        painter.setPen(hasFocus() ? QPen(colours.color(QPalette::Highlight), 2)
                                  : QPen(colours.color(QPalette::Mid), 1));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
    void mouseReleaseEvent(QMouseEvent *event) override
    {
        if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint()))
            m_open();
    }
    void keyPressEvent(QKeyEvent *event) override
    {
        if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
            m_open();
        else
            QWidget::keyPressEvent(event);
    }

private:
    const presentation::Theme *m_theme;
    std::function<void()> m_open;
    timeline::Chart m_chart;
    timeline::LaneLayout m_layout;
    timeline::TimeRange m_range;
    timeline::SeenUntil m_seen;
};

LastHour::LastHour(const ConsoleContext &context, QWidget *parent)
    : Translated(parent),
      m_context(context),
      m_reader(*context.session, *context.clock),
      m_heading(new PlainLabel({}, this)),
      m_strip(new LastHourStrip(
          context.theme,
          [this] {
              if (m_key)
                  Q_EMIT m_context.requests->timelineAsked({*m_key});
          },
          this))
{
    m_heading->setBold();
    m_strip->setObjectName(QStringLiteral("lastHour"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(m_heading);
    column->addWidget(m_strip);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    connect(&m_reader, &timeline::TimelineReader::changed, this, &LastHour::showChart);
    connect(context.replica, &replica::Replica::events, this, &LastHour::takeEvents);
    connect(context.session, &session::AgentGroup::agentChanged, &m_reader, &timeline::TimelineReader::clear);
    retranslate();
    hide();
}

void LastHour::setLock(const std::optional<domain::LockKey> &key)
{
    m_key = key;
    m_changed = false;
    timeline::LaneFilter filter;
    filter.lanes.exactly = true;
    if (key)
        filter.lanes.keys = {*key};
    m_reader.setFilter(filter);
    redraw();
}

void LastHour::redraw()
{
    setVisible(m_key.has_value());
    if (!m_key)
        return;
    if (m_context.session->link() == session::LinkState::Live) {
        const qint64 now = m_context.replica->storeNowUs(m_key->source);
        m_reader.show({now - kHourUs, now}, std::max(100, m_strip->width()), now);
        if (std::exchange(m_changed, false) && isVisible())
            m_reader.refresh();
    }
    showChart(); // the hour moves on, and unobserved time in it is hatched
}

/** The chart reaches up to its reading; an event of this lock or of a source makes it stale. */
void LastHour::takeEvents(const QList<events::LockEvent> &events)
{
    const bool ours =
        m_key && std::any_of(events.cbegin(), events.cend(), [this](const events::LockEvent &event) {
            return event.key == *m_key || event.isSourceEvent();
        });
    m_changed = m_changed || ours;
}

void LastHour::showChart()
{
    if (!m_key)
        return;
    const bool stale = m_context.replica->isStale(m_key->source);
    const qint64 now = m_context.replica->storeNowUs(m_key->source);
    const qint64 until = stale ? m_context.replica->lastSeenUs(m_key->source) : now;
    timeline::SeenUntil seen;
    seen.nowUs = now;
    seen.sources.insert(m_key->source, until);
    const timeline::TimeRange hour{now - kHourUs, now};
    m_strip->draw(m_reader.chart(), hour, seen);
    qint64 heldUs = 0;
    qint64 waits = 0;
    for (const protocol::TimelineLane &lane : m_reader.chart().lanes) { // may reach further back
        const timeline::LaneSums sums = timeline::sumsOf(lane, hour, seen, m_reader.chart().sliceUs);
        heldUs += sums.heldUs;
        waits += sums.waits;
    }
    const QString held = words::Durations::spoken(heldUs);
    const QString since =
        m_context.times->nearTime(until, now) + QLatin1Char(' ') + m_context.times->zoneText(until);
    m_strip->setAccessibleName(
        !m_reader.hasRead()  ? tr("The last hour hasn't been read.")
        : stale && until > 0 ? tr("The last hour, not observed since %1: held for %2, waits: %3 until then.")
                                   .arg(since, held)
                                   .arg(waits)
                             : tr("The last hour: held for %1, waits: %2.").arg(held).arg(waits));
    m_strip->setAccessibleDescription(tr("Opens the timeline."));
    m_strip->setToolTip(m_strip->accessibleName() + QLatin1Char('\n') + m_strip->accessibleDescription());
}

QString LastHour::text() const
{
    return m_strip->accessibleName();
}

void LastHour::retranslate()
{
    m_heading->setText(tr("Last hour"));
    showChart();
}

} // namespace lockkeeper::app::views
