// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/palette/command_palette.h"

#include "app/presentation/icons.h"
#include "app/presentation/theme.h"
#include "app/replica/replica.h"
#include "app/views/palette/palette_search.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/requests.h"
#include "app/words/lock_text.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>
#include <vector>

namespace lockkeeper::app::views {

namespace {

constexpr int kPaletteWidth = 640;
constexpr int kPaletteTop = 72; ///< below the menus and the toolbar
constexpr int kPaletteMargin = 16;
constexpr int kPaletteLines = 12;
constexpr int kEntryPad = 8;
constexpr int kEntryIcon = 16;

/** An entry in one line: icon, text, and at the right its group or the reason that it is off, and its keys.
 */
class EntryDelegate final : public QStyledItemDelegate
{
public:
    EntryDelegate(const presentation::Theme *theme, QObject *parent)
        : QStyledItemDelegate(parent), m_theme(theme)
    {
    }

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &) const override
    {
        return {100, option.fontMetrics.height() + 10};
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const bool current = option.state.testFlag(QStyle::State_Selected);
        const QString reason = index.data(PaletteModel::ReasonRole).toString();
        const QPalette &palette = option.palette;
        const QColor lit = palette.color(QPalette::Active, QPalette::HighlightedText);
        if (current)
            painter->fillRect(option.rect, palette.color(QPalette::Active, QPalette::Highlight));
        const QColor ink =
            current ? lit
                    : palette.color(reason.isEmpty() ? QPalette::Active : QPalette::Disabled, QPalette::Text);
        QRect rect = option.rect.adjusted(kEntryPad, 0, -kEntryPad, 0);
        const auto icon = index.data(Qt::DecorationRole).value<QIcon>();
        const auto mode = current ? QIcon::Selected : reason.isEmpty() ? QIcon::Normal : QIcon::Disabled;
        icon.paint(painter,
                   QRect(rect.left(), rect.top() + (rect.height() - kEntryIcon) / 2, kEntryIcon, kEntryIcon),
                   Qt::AlignCenter, mode);
        rect.setLeft(rect.left() + kEntryIcon + kEntryPad);
        const QFontMetrics &metrics = option.fontMetrics;
        painter->setFont(option.font);
        const auto atRight = [&](const QString &text, int most) {
            const QString fits = metrics.elidedText(text, Qt::ElideRight, most);
            painter->setPen(current ? lit : m_theme->muted());
            painter->drawText(rect, int(Qt::AlignRight | Qt::AlignVCenter), fits);
            rect.setRight(rect.right() - metrics.horizontalAdvance(fits) - 2 * kEntryPad);
        };
        if (const QString keys = index.data(PaletteModel::KeysRole).toString(); !keys.isEmpty())
            atRight(keys, rect.width() / 3);
        atRight(reason.isEmpty() ? index.data(PaletteModel::GroupRole).toString() : reason,
                rect.width() -
                    std::min(rect.width() / 2, metrics.horizontalAdvance(index.data().toString())));
        painter->setPen(ink);
        painter->drawText(rect, int(Qt::AlignLeft | Qt::AlignVCenter),
                          metrics.elidedText(index.data().toString(), Qt::ElideMiddle, rect.width()));
    }

private:
    const presentation::Theme *m_theme;
};

} // namespace

CommandPalette::CommandPalette(const ConsoleContext &context, QWidget *window)
    : Translated(window),
      m_context(context),
      m_edit(new QLineEdit(this)),
      m_list(new QListView(this)),
      m_none(new PlainLabel({}, this)),
      m_model(new PaletteModel(this))
{
    setObjectName(QStringLiteral("palette"));
    setAutoFillBackground(true);
    m_list->setModel(m_model);
    m_list->setItemDelegate(new EntryDelegate(context.theme, m_list));
    m_list->setFocusPolicy(Qt::NoFocus); // the keys go through the line
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_none->setMuted(true);
    m_none->setMargin(kEntryPad);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(kEntryPad, kEntryPad, kEntryPad, kEntryPad);
    column->setSpacing(kEntryPad);
    column->addWidget(m_edit);
    column->addWidget(m_list, 1);
    column->addWidget(m_none, 1, Qt::AlignTop);
    connect(m_edit, &QLineEdit::textChanged, this, &CommandPalette::search);
    connect(m_list, &QListView::clicked, this, &CommandPalette::run);
    m_edit->installEventFilter(this);
    window->installEventFilter(this);
    hide();
    retranslate();
}

void CommandPalette::retranslate()
{
    m_edit->setPlaceholderText(tr("A lock, a view, a saved filter or an action"));
    m_edit->setAccessibleName(tr("Command palette"));
    m_list->setAccessibleName(tr("Results"));
    m_none->setText(tr("No matches."));
    if (isVisible())
        dismiss(); // its entries are in the other language
}

void CommandPalette::open(const QList<PaletteEntry> &commands)
{
    m_commands = commands;
    if (!isVisible())
        m_before = QApplication::focusWidget();
    m_edit->clear();
    search();
    show();
    raise();
    m_edit->setFocus(Qt::PopupFocusReason);
}

void CommandPalette::dismiss()
{
    if (!isVisible())
        return;
    const bool focused = m_edit->hasFocus();
    hide();
    m_commands.clear();
    m_model->show({});
    if (focused && m_before)
        m_before->setFocus(Qt::PopupFocusReason);
}

void CommandPalette::place()
{
    const QSize room = parentWidget()->size();
    const int line = m_list->sizeHintForRow(0) > 0 ? m_list->sizeHintForRow(0) : fontMetrics().height() + 10;
    const int lines = std::clamp(m_model->rowCount(), 1, kPaletteLines);
    const int height =
        m_edit->sizeHint().height() + lines * line + 3 * kEntryPad + 2; // and the list's margin
    const int width = std::min(kPaletteWidth, room.width() - 2 * kPaletteMargin);
    setGeometry((room.width() - width) / 2, kPaletteTop, width,
                std::min(height, room.height() - kPaletteTop - kPaletteMargin));
}

PaletteEntry CommandPalette::entryOf(const domain::LockKey &key) const
{
    PaletteEntry entry;
    entry.text = words::LockText::name(key);
    entry.group = words::LockText::whereabouts(key);
    const auto state = m_context.replica->find(key);
    const auto badge =
        state ? replica::badgeOf(*state, m_context.replica->context(*state)) : replica::Badge::Unknown;
    entry.icon = presentation::icon(presentation::badgeIconName(badge));
    entry.run = [this, key] { Q_EMIT m_context.requests->lockAsked(key); };
    return entry;
}

/** Commands precede matching locks, so that a table of many names doesn't bury them. */
void CommandPalette::search()
{
    const QString typed = m_edit->text().trimmed();
    std::vector<std::pair<PaletteRank, PaletteEntry>> fitting;
    for (const PaletteEntry &command : std::as_const(m_commands)) {
        if (const auto rank = paletteRank(typed, command.text))
            fitting.emplace_back(*rank, command);
    }
    for (const FoundLock &lock : findLocks(typed, m_context.replica->locks(), kMostLocks))
        fitting.emplace_back(lock.rank, entryOf(lock.key));
    std::stable_sort(fitting.begin(), fitting.end(),
                     [](const auto &a, const auto &b) { return a.first < b.first; });
    QList<PaletteEntry> shown;
    for (auto &[rank, entry] : fitting)
        shown.append(std::move(entry));
    m_model->show(shown);
    m_list->setCurrentIndex(m_model->index(0));
    m_list->setVisible(!shown.isEmpty());
    m_none->setVisible(shown.isEmpty());
    place();
}

void CommandPalette::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setPen(presentation::fieldLine(palette()));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void CommandPalette::run(const QModelIndex &index)
{
    if (!index.isValid() || !m_model->at(index.row()).reason.isEmpty())
        return;
    const auto run = m_model->at(index.row()).run;
    dismiss(); // first: it may open a dialog
    run();
}

void CommandPalette::step(int rows)
{
    const int last = m_model->rowCount() - 1;
    m_list->setCurrentIndex(
        m_model->index(std::clamp(m_list->currentIndex().row() + rows, 0, std::max(0, last))));
}

bool CommandPalette::takeKey(int key)
{
    switch (key) {
    case Qt::Key_Escape:
        dismiss();
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        run(m_list->currentIndex());
        return true;
    case Qt::Key_Down:
        step(1);
        return true;
    case Qt::Key_Up:
        step(-1);
        return true;
    case Qt::Key_PageDown:
        step(kPaletteLines - 1);
        return true;
    case Qt::Key_PageUp:
        step(1 - kPaletteLines);
        return true;
    case Qt::Key_Tab:
    case Qt::Key_Backtab:
        return true; // there is no other field
    default:
        return false;
    }
}

bool CommandPalette::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == parentWidget()) {
        if (event->type() == QEvent::Resize && isVisible())
            place();
        return Translated::eventFilter(watched, event);
    }
    if (event->type() == QEvent::KeyPress)
        return takeKey(static_cast<QKeyEvent *>(event)->key());
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape)
        event->accept();
    if (event->type() == QEvent::FocusOut) {
        const auto reason = static_cast<QFocusEvent *>(event)->reason();
        if (reason != Qt::PopupFocusReason && reason != Qt::ActiveWindowFocusReason)
            dismiss();
    }
    return Translated::eventFilter(watched, event);
}

} // namespace lockkeeper::app::views
