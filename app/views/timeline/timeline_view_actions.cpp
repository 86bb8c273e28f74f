// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The actions of the timeline's menu, and its pictures.
#include "app/filter/query.h"
#include "app/presentation/icons.h"
#include "app/session/agent_group.h"
#include "app/views/picture/picture_output.h"
#include "app/views/table/data_table.h"
#include "app/views/timeline/timeline_canvas.h"
#include "app/views/timeline/timeline_view.h"
#include "app/views/widgets/requests.h"
#include "app/words/time_format.h"
#include "shared/base/text.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QImage>
#include <QMenu>
#include <QPushButton>

namespace lockkeeper::app::views {

using timeline::Hit;
using timeline::TimeRange;

/** Asks the History view for the events in `range`, of the current lock if there is one. */
void TimelineView::askHistory(const TimeRange &range)
{
    QString filter = QStringLiteral("from:%1 to:%2")
                         .arg(words::TimeFormat::rfc3339(range.fromUs),
                              words::TimeFormat::rfc3339(range.toUs + 999)); // a filter knows milliseconds
    if (const auto key = lockOf(m_canvas->current()))
        filter = filter::filterFor(*key) + QLatin1Char(' ') + filter;
    Q_EMIT context().requests->viewAsked(QByteArrayLiteral("history"), filter);
}

void TimelineView::showMenu(const QPoint &global, const Hit &hit, qint64 us)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const bool onLane = hit.lane >= 0 && hit.lane < m_canvas->chart().lanes.size();
    if (const auto key = lockOf(hit)) {
        menu->addAction(tr("Show in &Locks"), this,
                        [this, key] { Q_EMIT context().requests->lockAsked(*key); });
        menu->addAction(tr("&History of this lock"), this,
                        [this, key] { Q_EMIT context().requests->historyAsked(*key); });
        menu->addAction(tr("&Only this lock"), this, [this, key] { showLocks({*key}); });
        menu->addAction(tr("&Report…"), this, [this, key] {
            const TimeRange range = m_canvas->brush().value_or(m_range.range());
            Q_EMIT context().requests->reportAsked(*key, range.fromUs, range.toUs);
        });
        menu->addSeparator();
    }
    if (onLane) {
        const timeline::LaneId lane = timeline::idOf(m_canvas->chart().lanes.at(hit.lane));
        QAction *pin = menu->addAction(presentation::icon(QLatin1String("pin")), tr("&Pin to the top"), this,
                                       [this, lane] { togglePin(lane); });
        pin->setCheckable(true);
        pin->setChecked(m_order.isPinned(lane));
        menu->addSeparator();
    }
    menu->addAction(tr("&State at this time"), this,
                    [this, us] { Q_EMIT context().requests->stateAtAsked(us); });
    menu->addSeparator();
    menu->addAction(presentation::icon(QLatin1String("edit-copy")), tr("&Copy as a picture"), this,
                    [this] { copyPicture(); });
    menu->addAction(presentation::icon(QLatin1String("document-save-as")), tr("&Export…"), this,
                    [this] { exportRows(); });
    menu->popup(global);
}

std::optional<ViewPicture> TimelineView::picture() const
{
    if (!canExport())
        return std::nullopt;
    const TimeRange range = m_range.range();
    return ViewPicture{
        tr("Timeline – %1", "agent").arg(base::displayText(context().session->welcome().agent)),
        context().times->wholeRange(range.fromUs, range.toUs), QStringLiteral("lockkeeper-timeline"),
        m_canvas->wholeSize(), [canvas = m_canvas](QPainter &painter) { canvas->paintAll(painter); }};
}

QByteArray TimelineView::pictureFor(const QString &path) const
{
    const auto drawn = picture();
    return drawn ? PictureOutput(context(), m_canvas).bytes(*drawn, path) : QByteArray();
}

void TimelineView::copyPicture() const
{
    QGuiApplication::clipboard()->setImage(QImage::fromData(pictureFor({}), "PNG"));
    Q_EMIT context().requests->messageCame(tr("The picture is on the clipboard"));
}

bool TimelineView::copyText()
{
    if (m_asTable->isChecked())
        return ListView::copyText();
    const QString sentence = m_canvas->sentence(m_canvas->current());
    if (sentence.isEmpty())
        return false;
    QGuiApplication::clipboard()->setText(sentence);
    return true;
}

bool TimelineView::exportRows()
{
    if (!canExport())
        return false;
    m_model.show(m_canvas->chart(), m_range.range(), m_seen);
    if (m_asTable->isChecked())
        return ListView::exportRows();
    if (const auto drawn = picture())
        PictureOutput(context(), this).save(*drawn);
    return true;
}

} // namespace lockkeeper::app::views
