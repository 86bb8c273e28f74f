// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/widgets/filter_edit.h"

#include "app/presentation/icons.h"
#include "app/views/widgets/field_error.h"
#include "app/views/widgets/query_words.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QCompleter>
#include <QKeyEvent>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>
#include <QStandardItemModel>
#include <QWindow>

namespace lockkeeper::app::views {

namespace {

enum CandidateRole { PositionRole = Qt::UserRole + 1, LengthRole, TextRole };

} // namespace

FilterEdit::FilterEdit(const presentation::Theme *theme, Parser parser, Completer completer, QWidget *parent)
    : Translated(parent),
      m_theme(theme),
      m_parser(std::move(parser)),
      m_complete(std::move(completer)),
      m_popup(new QCompleter(this)),
      m_candidates(new QStandardItemModel(this)),
      m_told(new FieldError(theme, this))
{
    addAction(presentation::icon(QStringLiteral("edit-find")), QLineEdit::LeadingPosition);
    m_clear = addAction(presentation::icon(QStringLiteral("edit-clear")), QLineEdit::TrailingPosition);
    m_clear->setVisible(false);
    connect(m_clear, &QAction::triggered, this, [this] { setFilter({}); });
    connect(this, &QLineEdit::textChanged, m_clear,
            [this](const QString &text) { m_clear->setVisible(!text.isEmpty()); });
    m_popup->setModel(m_candidates);
    m_popup->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    m_popup->setWidget(this);
    m_popup->popup()->installEventFilter(this);
    connect(m_popup, qOverload<const QModelIndex &>(&QCompleter::activated), this, &FilterEdit::take);
    m_pause.setSingleShot(true);
    m_pause.setInterval(kApplyMs);
    connect(&m_pause, &QTimer::timeout, this, &FilterEdit::apply);
    connect(&m_pause, &QTimer::timeout, this, &FilterEdit::showCompletions);
    connect(this, &QLineEdit::textEdited, &m_pause, qOverload<>(&QTimer::start));
    FilterEdit::retranslate();
}

void FilterEdit::setFilter(const QString &text)
{
    remember();
    setText(text);
    m_pause.stop();
    apply();
}

void FilterEdit::setErrorBelow(QWidget *hint)
{
    m_told->setBelow(hint);
}

void FilterEdit::retry()
{
    if (m_error)
        apply();
}

void FilterEdit::apply()
{
    const auto query = m_parser(text());
    const auto before = m_error;
    m_error = query ? std::nullopt : std::optional(query.error());
    if (m_error != before) {
        update();
        tellError();
    }
    if (query)
        Q_EMIT applied(*query);
    else if (!before)
        Q_EMIT applied({}); // rows of an older filter would be taken for rows of this one
}

void FilterEdit::retranslate()
{
    m_clear->setText(tr("Clear the filter"));
    tellError();
}

void FilterEdit::tellError()
{
    m_told->tell(m_error ? QueryWords::error(*m_error) : QString());
}

void FilterEdit::remember()
{
    const QString filter = text().trimmed();
    if (filter.isEmpty() || !m_parser(filter))
        return;
    m_recent.removeAll(filter);
    m_recent.prepend(filter);
    m_recent.resize(std::min<qsizetype>(m_recent.size(), kMostRecent));
}

void FilterEdit::showCompletions()
{
    offer(hasFocus() && !text().isEmpty() ? m_complete(text(), cursorPosition())
                                          : QList<filter::Completion>());
}

void FilterEdit::offer(const QList<filter::Completion> &found)
{
    m_candidates->clear();
    for (const filter::Completion &one : found) {
        if (text().mid(one.position, one.length) == one.text)
            continue; // written already
        auto *item = new QStandardItem(
            one.count < 0
                ? one.text
                : tr("%1   (%2)", "completion, count").arg(one.text, QLocale::c().toString(one.count)));
        item->setData(one.position, PositionRole);
        item->setData(one.length, LengthRole);
        item->setData(one.text, TextRole);
        m_candidates->appendRow(item);
    }
    if (m_candidates->rowCount() == 0) {
        m_popup->popup()->hide();
        return;
    }
    m_popup->setCompletionPrefix({});
    QRect place = cursorRect();
    place.setWidth(280);
    m_popup->complete(place);
}

void FilterEdit::take(const QModelIndex &index)
{
    const QString word = index.data(TextRole).toString();
    const auto position = index.data(PositionRole).toLongLong();
    QString whole = text();
    whole.replace(position, index.data(LengthRole).toLongLong(), word);
    setText(whole);
    setCursorPosition(int(position + word.size()));
    m_pause.start();
}

void FilterEdit::keyPressEvent(QKeyEvent *event)
{
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    // The completer offers its keys here first and handles only ignored keys: Enter takes the marked word,
    // Esc closes the list.
    const QAbstractItemView *words = m_popup->popup();
    if (words->isVisible() &&
        (event->key() == Qt::Key_Escape || (enter && words->selectionModel()->hasSelection()))) {
        event->ignore();
        return;
    }
    if (event->key() == Qt::Key_Escape) {
        Q_EMIT left();
        return;
    }
    if (enter) {
        m_pause.stop();
        apply();
        remember();
        if (!m_error)
            Q_EMIT left();
        return;
    }
    if (event->key() == Qt::Key_Down && event->modifiers() == Qt::NoModifier) {
        if (!text().isEmpty()) {
            showCompletions();
            return;
        }
        QList<filter::Completion> recent;
        for (const QString &filter : std::as_const(m_recent))
            recent.append({0, 0, filter, -1});
        offer(recent);
        return;
    }
    QLineEdit::keyPressEvent(event);
}

void FilterEdit::focusOutEvent(QFocusEvent *event)
{
    remember();
    QLineEdit::focusOutEvent(event);
}

/**
 * A click outside the list of completions closes the list, and also counts where it was made: QCompleter
 * would drop it.
 */
bool FilterEdit::eventFilter(QObject *watched, QEvent *event)
{
    QWidget *words = m_popup->popup();
    if (watched != words || event->type() != QEvent::MouseButtonPress)
        return QLineEdit::eventFilter(watched, event);
    const auto *press = static_cast<QMouseEvent *>(event);
    if (words->rect().contains(press->position().toPoint()))
        return QLineEdit::eventFilter(watched, event);
    words->hide();
    const QPointF at = press->globalPosition();
    const QWidget *below = QApplication::widgetAt(at.toPoint());
    if (QWindow *window = below ? below->window()->windowHandle() : nullptr) {
        const QPointF place = window->mapFromGlobal(at);
        QMouseEvent again(press->type(), place, place, at, press->button(), press->buttons(),
                          press->modifiers());
        QCoreApplication::sendEvent(window, &again); // at once: the release may follow
    }
    return true;
}

void FilterEdit::paintEvent(QPaintEvent *event)
{
    QLineEdit::paintEvent(event);
    if (!m_error || m_error->position + m_error->length > text().size())
        return;
    // Derive the position of a character from the cursor's position: the line may be scrolled.
    const QFontMetricsF metrics(font());
    const QRectF cursor = cursorRect();
    const auto xOf = [&](qsizetype at) {
        return cursor.center().x() + metrics.horizontalAdvance(text().left(at)) -
               metrics.horizontalAdvance(text().left(cursorPosition()));
    };
    const qreal from = xOf(m_error->position);
    const qreal to = std::max(xOf(m_error->position + m_error->length), from + 6);
    const qreal y = height() / 2.0 + metrics.height() / 2.0 - 0.5;
    QPainterPath wave(QPointF(from, y));
    bool up = true;
    for (qreal x = from + 2; x < to; x += 2, up = !up)
        wave.lineTo(x, up ? y - 2 : y);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme->danger().border, 1.2));
    painter.drawPath(wave);
}

} // namespace lockkeeper::app::views
