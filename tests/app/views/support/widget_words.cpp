// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/views/support/widget_words.h"

#include "app/views/widgets/plain_label.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDateTimeEdit>
#include <QHeaderView>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QMenu>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>
#include <QTreeView>

#include <algorithm>

namespace lockkeeper::tests {

namespace {

constexpr int kFirstRows = 2;
const QString kIndent = QStringLiteral("    ");

/** On one line, whatever the text contains. */
QString inLine(QString text)
{
    return text.replace(QLatin1Char('\n'), QLatin1String(" / "));
}

const QHeaderView *headerOf(const QAbstractItemView *view)
{
    if (const auto *table = qobject_cast<const QTableView *>(view))
        return table->horizontalHeader();
    const auto *tree = qobject_cast<const QTreeView *>(view);
    return tree && !tree->isHeaderHidden() ? tree->header() : nullptr;
}

QList<int> shownColumns(const QAbstractItemView *view)
{
    const QHeaderView *header = headerOf(view);
    QList<int> columns;
    for (int place = 0; header && place < header->count(); ++place) {
        if (const int column = header->logicalIndex(place); !header->isSectionHidden(column))
            columns.append(column);
    }
    return header ? columns : QList<int>{0};
}

void addItems(const QLayout *layout, QList<QWidget *> &found)
{
    for (int i = 0; i < layout->count(); ++i) {
        if (QWidget *widget = layout->itemAt(i)->widget())
            found.append(widget);
        else if (const QLayout *inner = layout->itemAt(i)->layout())
            addItems(inner, found);
    }
}

} // namespace

QStringList WidgetWords::of(const QWidget *page)
{
    WidgetWords words;
    words.add(page);
    return words.m_lines;
}

QStringList WidgetWords::ofMenu(const QMenu *menu)
{
    QStringList lines;
    const QList<QAction *> actions = menu->actions();
    for (const QAction *action : actions) {
        if (!action->isVisible())
            continue;
        const QString keys = action->shortcut().toString(QKeySequence::PortableText);
        lines.append(action->isSeparator()
                         ? QStringLiteral("--")
                         : action->text() + (keys.isEmpty() ? QString() : kIndent + keys) +
                               (action->isEnabled() ? QString() : QStringLiteral(" (off)")));
        const QStringList inner = action->menu() ? ofMenu(action->menu()) : QStringList();
        for (const QString &line : inner)
            lines.append(kIndent + line);
    }
    return lines;
}

QStringList WidgetWords::ofContextMenu(QAbstractItemView *table)
{
    const QPoint at = table->visualRect(table->model()->index(0, 0)).center();
    QWidget *area = table->viewport();
    QContextMenuEvent event(QContextMenuEvent::Mouse, at, area->mapToGlobal(at));
    QCoreApplication::sendEvent(area, &event);
    auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
    if (!menu)
        return {};
    const QStringList lines = ofMenu(menu);
    menu->close();
    return lines;
}

void WidgetWords::add(const QWidget *widget)
{
    if (!widget->isVisible() || widget->isWindow())
        return;
    const QString kind = kindOf(widget);
    const QString text = textOf(widget);
    if (!text.isEmpty() || !widget->accessibleName().isEmpty())
        addLine(kind.isEmpty() ? QStringLiteral("part") : kind, widget, text);
    if (const auto *view = qobject_cast<const QAbstractItemView *>(widget))
        return addRows(view);
    if (!kind.isEmpty())
        return;
    const QList<QWidget *> parts = partsOf(widget);
    for (const QWidget *part : parts)
        add(part);
}

void WidgetWords::addLine(const QString &kind, const QWidget *widget, const QString &text)
{
    QString line = kind;
    if (!widget->objectName().isEmpty())
        line += QLatin1Char('#') + widget->objectName();
    line += QLatin1String(": ") + text;
    const auto *button = qobject_cast<const QAbstractButton *>(widget);
    line += button && button->isChecked() ? QStringLiteral(" (on)") : QString();
    line += widget->isEnabled() ? QString() : QStringLiteral(" (off)");
    if (!widget->accessibleName().isEmpty())
        line += QLatin1String(" | name: ") + widget->accessibleName();
    if (!widget->toolTip().isEmpty())
        line += QLatin1String(" | tip: ") + widget->toolTip();
    m_lines.append(inLine(line));
}

void WidgetWords::addRows(const QAbstractItemView *view)
{
    const QList<int> columns = shownColumns(view);
    const QAbstractItemModel *model = view->model();
    QStringList titles;
    for (const int column : columns)
        titles.append(model->headerData(column, Qt::Horizontal).toString());
    if (headerOf(view))
        m_lines.append(kIndent + inLine(titles.join(QLatin1String(" | "))));
    for (int row = 0; row < std::min(kFirstRows, model->rowCount()); ++row) {
        QStringList cells;
        for (const int column : columns)
            cells.append(model->index(row, column).data().toString());
        m_lines.append(kIndent + inLine(cells.join(QLatin1String(" | "))));
    }
}

QString WidgetWords::kindOf(const QWidget *widget)
{
    if (qobject_cast<const QLabel *>(widget) || qobject_cast<const app::views::ElidedLabel *>(widget))
        return QStringLiteral("label");
    if (qobject_cast<const QAbstractButton *>(widget))
        return QStringLiteral("button");
    if (qobject_cast<const QLineEdit *>(widget) || qobject_cast<const QAbstractSpinBox *>(widget))
        return QStringLiteral("field");
    if (qobject_cast<const QComboBox *>(widget))
        return QStringLiteral("choice");
    if (qobject_cast<const QTabBar *>(widget))
        return QStringLiteral("tabs");
    return qobject_cast<const QAbstractItemView *>(widget) ? QStringLiteral("table") : QString();
}

QString WidgetWords::textOf(const QWidget *widget)
{
    if (const auto *label = qobject_cast<const QLabel *>(widget))
        return label->text();
    if (const auto *label = qobject_cast<const app::views::ElidedLabel *>(widget))
        return label->text();
    if (const auto *button = qobject_cast<const QAbstractButton *>(widget))
        return button->text();
    if (const auto *field = qobject_cast<const QLineEdit *>(widget))
        return field->text().isEmpty() ? field->placeholderText() : field->text();
    if (const auto *field = qobject_cast<const QDateTimeEdit *>(widget))
        return field->text();
    QStringList choices;
    if (const auto *box = qobject_cast<const QComboBox *>(widget)) {
        for (int i = 0; i < box->count(); ++i)
            choices.append(i == box->currentIndex() ? QStringLiteral("[%1]").arg(box->itemText(i))
                                                    : box->itemText(i));
    } else if (const auto *tabs = qobject_cast<const QTabBar *>(widget)) {
        for (int i = 0; i < tabs->count(); ++i)
            choices.append(i == tabs->currentIndex() ? QStringLiteral("[%1]").arg(tabs->tabText(i))
                                                     : tabs->tabText(i));
    }
    return choices.join(QLatin1String(", "));
}

/** In the order in which they are seen, which isn't the order in which they were made. */
QList<QWidget *> WidgetWords::partsOf(const QWidget *widget)
{
    if (const auto *stack = qobject_cast<const QStackedWidget *>(widget))
        return stack->currentWidget() ? QList<QWidget *>{stack->currentWidget()} : QList<QWidget *>();
    if (const auto *area = qobject_cast<const QScrollArea *>(widget))
        return area->widget() ? QList<QWidget *>{area->widget()} : QList<QWidget *>();
    QList<QWidget *> parts;
    if (const auto *split = qobject_cast<const QSplitter *>(widget)) {
        for (int i = 0; i < split->count(); ++i)
            parts.append(split->widget(i));
        return parts;
    }
    if (widget->layout())
        addItems(widget->layout(), parts);
    const auto others = widget->findChildren<QWidget *>(QString(), Qt::FindDirectChildrenOnly);
    for (QWidget *other : others) {
        if (!parts.contains(other))
            parts.append(other);
    }
    return parts;
}

} // namespace lockkeeper::tests
