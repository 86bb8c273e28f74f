// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/window/navigation.h"

#include "app/presentation/icons.h"
#include "app/presentation/theme.h"
#include "app/views/widgets/plain_label.h"

#include <QLocale>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace lockkeeper::app::views {

namespace {

constexpr int kRow = 32;
constexpr int kSubRow = 24;
constexpr int kIcon = 16;
constexpr int kEdge = 10;      ///< of a line at either side
constexpr int kSubIndent = 12; ///< of a saved filter from its view's icon
constexpr int kSubEdge = 4;    ///< at the right of a saved filter
constexpr int kBadgeHeight = 16;
constexpr double kSubSmaller = 0.75; ///< pt: so that "Needs attention" and three digits find room
enum NavigationRole { CountRole = Qt::UserRole, IconRole, SubRole };

class NavigationDelegate final : public QStyledItemDelegate
{
public:
    NavigationDelegate(const presentation::Theme *theme, QObject *parent)
        : QStyledItemDelegate(parent), m_theme(theme)
    {
    }

    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const override
    {
        return {80,
                index.data(SubRole).toBool() ? presentation::zoomed(kSubRow) : presentation::zoomed(kRow)};
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        const QPalette &palette = option.palette;
        if (selected)
            painter->fillRect(option.rect, palette.color(QPalette::Active, QPalette::Highlight));
        else if (option.state.testFlag(QStyle::State_MouseOver))
            painter->fillRect(option.rect, palette.color(QPalette::AlternateBase));
        const QColor ink =
            palette.color(QPalette::Active, selected ? QPalette::HighlightedText : QPalette::Text);
        QRect rect = option.rect.adjusted(kEdge, 0, -kEdge, 0);
        QFont font = option.font;
        const bool isSub = index.data(SubRole).toBool();
        if (isSub) {
            font.setPointSizeF(QFontInfo(font).pointSizeF() - kSubSmaller);
            rect.adjust(kSubIndent, 0, kEdge - kSubEdge, 0);
        } else {
            painter->drawPixmap(rect.left(), rect.top() + (rect.height() - kIcon) / 2,
                                presentation::iconPixmap(index.data(IconRole).toString(), ink, kIcon,
                                                         painter->device()->devicePixelRatioF()));
            rect.setLeft(rect.left() + kIcon + 8);
        }
        const QString count = index.data(CountRole).toString();
        const QFontMetrics metrics(font);
        painter->setFont(font);
        if (!count.isEmpty() && isSub) {
            painter->setPen(selected ? ink : m_theme->muted());
            painter->drawText(rect, int(Qt::AlignVCenter | Qt::AlignRight), count);
            rect.setRight(rect.right() - metrics.horizontalAdvance(count) - 4);
        } else if (!count.isEmpty()) {
            rect.setRight(paintBadge(painter, rect, count, metrics) - 6);
        }
        painter->setPen(ink);
        painter->drawText(rect, int(Qt::AlignVCenter | Qt::AlignLeft),
                          metrics.elidedText(index.data().toString(), Qt::ElideRight, rect.width()));
        if (option.state.testFlag(QStyle::State_HasFocus)) {
            painter->setPen(QPen(ink, 1, Qt::DotLine));
            painter->drawRect(option.rect.adjusted(2, 2, -3, -3));
        }
    }

private:
    /** A view's number calls for attention; returns its left edge. */
    int paintBadge(QPainter *painter, const QRect &line, const QString &count,
                   const QFontMetrics &metrics) const
    {
        const presentation::BadgeColours colours = m_theme->badge(replica::Badge::Stuck);
        const int width = std::max(kBadgeHeight, metrics.horizontalAdvance(count) + 10);
        const QRect badge(line.right() - width + 1, line.top() + (line.height() - kBadgeHeight) / 2, width,
                          kBadgeHeight);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(colours.fill);
        painter->drawRoundedRect(badge, kBadgeHeight / 2.0, kBadgeHeight / 2.0);
        painter->setPen(colours.ink);
        painter->drawText(badge, int(Qt::AlignCenter), count);
        painter->restore();
        return badge.left();
    }

    const presentation::Theme *m_theme;
};

} // namespace

Navigation::Navigation(const presentation::Theme *theme, QWidget *parent) : QListWidget(parent)
{
    setFixedWidth(presentation::zoomed(kWidth));
    connect(theme, &presentation::Theme::changed, this, [this] {
        setFixedWidth(presentation::zoomed(kWidth));
        scheduleDelayedItemsLayout();
    });
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMouseTracking(true);
    setItemDelegate(new NavigationDelegate(theme, this));
    connect(this, &QListWidget::currentRowChanged, this, &Navigation::choose);
}

void Navigation::addView(View *view)
{
    m_views.append(view);
    rebuild();
    connect(view, &View::titleChanged, this, [this, view] { refresh(view); });
    connect(view, &View::countChanged, this, [this, view] { refresh(view); });
    connect(view, &View::availableChanged, this, [this, view] { refresh(view); });
    connect(view, &View::subEntriesChanged, this, [this, view] {
        qsizetype shown = 0;
        for (const NavigationEntry &entry : std::as_const(m_entries))
            shown += entry.view == view && entry.sub >= 0 ? 1 : 0;
        if (shown != view->subEntries().size())
            rebuild();
        else
            refresh(view);
        mark();
    });
}

void Navigation::rebuild()
{
    const QSignalBlocker quiet(this);
    clear();
    m_entries.clear();
    for (View *view : std::as_const(m_views)) {
        m_entries.append({view, -1});
        for (int sub = 0; sub < view->subEntries().size(); ++sub)
            m_entries.append({view, sub});
    }
    for (const NavigationEntry &entry : std::as_const(m_entries)) {
        addItem(QString());
        item(count() - 1)->setData(SubRole, entry.sub >= 0);
    }
    for (View *view : std::as_const(m_views))
        refresh(view);
    mark();
}

void Navigation::refresh(View *view)
{
    const QStringList subs = view->subEntries();
    const QList<qint64> counts = view->subCounts();
    for (int row = 0; row < count(); ++row) {
        const NavigationEntry &entry = m_entries.at(row);
        if (entry.view != view)
            continue;
        QListWidgetItem *line = item(row);
        if (line->isHidden() ==
            view->isAvailable()) // otherwise the whole list is laid out and painted for nothing
            line->setHidden(!view->isAvailable());
        if (entry.sub >= 0) {
            const QString fits = entry.sub < counts.size()
                                     ? QLocale(QLocale::English).toString(counts.at(entry.sub))
                                     : QString();
            line->setText(subs.value(entry.sub));
            line->setData(CountRole, fits);
            line->setToolTip(plainToolTip(line->text()));
            line->setData(Qt::AccessibleTextRole,
                          fits.isEmpty()
                              ? tr("%1, saved filter of %2", "filter, view").arg(line->text(), view->title())
                              : tr("%1, saved filter of %2, %3", "filter, view, count")
                                    .arg(line->text(), view->title(), fits));
            continue;
        }
        const auto number = view->count();
        const QString shown = number ? QLocale(QLocale::English).toString(*number) : QString();
        line->setText(view->title());
        line->setData(CountRole, shown);
        line->setData(IconRole, view->iconName());
        line->setData(Qt::AccessibleTextRole,
                      shown.isEmpty()
                          ? view->title()
                          : tr("%1, %n need attention", "view, count", int(*number)).arg(view->title()));
    }
}

/** A view's own line shows everything: it clears the saved filter. */
void Navigation::choose(int row)
{
    if (row < 0 || row >= m_entries.size())
        return;
    const NavigationEntry entry = m_entries.at(row);
    m_choosing = true;
    if (entry.sub >= 0)
        entry.view->openSubEntry(entry.sub);
    else if (entry.view == m_current && entry.view->currentSubEntry() >= 0)
        entry.view->openSubEntry(-1);
    Q_EMIT chosen(entry.view);
    m_choosing = false;
    m_current = entry.view;
    mark();
}

void Navigation::setCurrent(const View *view)
{
    m_current = view;
    mark();
}

void Navigation::mark()
{
    if (m_choosing)
        return;
    const QSignalBlocker quiet(this);
    const int sub = m_current ? m_current->currentSubEntry() : -1;
    for (int row = 0; row < count(); ++row) {
        if (m_entries.at(row).view == m_current && m_entries.at(row).sub == sub) {
            setCurrentRow(row);
            return;
        }
    }
    setCurrentRow(-1);
    clearSelection();
}

} // namespace lockkeeper::app::views
