// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/window/navigation.h"

#include "app/presentation/icons.h"
#include "app/presentation/theme.h"

#include <QLocale>
#include <QPainter>
#include <QStyledItemDelegate>

namespace lockkeeper::app::views {

namespace {

constexpr int kRow = 32;
constexpr int kIcon = 16;
enum NavigationRole { CountRole = Qt::UserRole, IconRole };

class NavigationDelegate final : public QStyledItemDelegate
{
public:
    NavigationDelegate(const presentation::Theme *theme, QObject *parent)
        : QStyledItemDelegate(parent), m_theme(theme)
    {
    }

    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override { return {80, kRow}; }

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
        QRect rect = option.rect.adjusted(10, 0, -10, 0);
        painter->drawPixmap(rect.left(), rect.top() + (rect.height() - kIcon) / 2,
                            presentation::iconPixmap(index.data(IconRole).toString(), ink, kIcon,
                                                     painter->device()->devicePixelRatioF()));
        rect.setLeft(rect.left() + kIcon + 8);
        const QString count = index.data(CountRole).toString();
        painter->setFont(option.font);
        if (!count.isEmpty()) {
            painter->setPen(selected ? ink : m_theme->muted());
            painter->drawText(rect, int(Qt::AlignVCenter | Qt::AlignRight), count);
            rect.setRight(rect.right() - option.fontMetrics.horizontalAdvance(count) - 6);
        }
        painter->setPen(ink);
        painter->drawText(
            rect, int(Qt::AlignVCenter | Qt::AlignLeft),
            option.fontMetrics.elidedText(index.data().toString(), Qt::ElideRight, rect.width()));
        if (option.state.testFlag(QStyle::State_HasFocus)) {
            painter->setPen(QPen(ink, 1, Qt::DotLine));
            painter->drawRect(option.rect.adjusted(2, 2, -3, -3));
        }
    }

private:
    const presentation::Theme *m_theme;
};

} // namespace

Navigation::Navigation(const presentation::Theme *theme, QWidget *parent) : QListWidget(parent)
{
    setFixedWidth(kWidth);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setUniformItemSizes(true);
    setMouseTracking(true);
    setItemDelegate(new NavigationDelegate(theme, this));
    connect(this, &QListWidget::currentRowChanged, this, [this](int row) {
        if (row >= 0)
            Q_EMIT chosen(m_views.at(row));
    });
}

void Navigation::addView(View *view)
{
    const QSignalBlocker quiet(this);
    m_views.append(view);
    addItem(QString());
    const int row = int(m_views.size()) - 1;
    refresh(row);
    connect(view, &View::titleChanged, this, [this, row] { refresh(row); });
    connect(view, &View::countChanged, this, [this, row] { refresh(row); });
}

void Navigation::refresh(int row)
{
    const View *view = m_views.at(row);
    QListWidgetItem *entry = item(row);
    const auto count = view->count();
    const QString number = count ? QLocale(QLocale::English).toString(*count) : QString();
    entry->setText(view->title());
    entry->setData(CountRole, number);
    entry->setData(IconRole, view->iconName());
    entry->setData(Qt::AccessibleTextRole,
                   number.isEmpty() ? view->title() : tr("%1, %2", "view, count").arg(view->title(), number));
}

void Navigation::setCurrent(const View *view)
{
    const QSignalBlocker quiet(this);
    for (int row = 0; row < count(); ++row) {
        if (m_views.at(row) == view) {
            setCurrentRow(row);
            return;
        }
    }
    setCurrentRow(-1);
    clearSelection();
}

} // namespace lockkeeper::app::views
