// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/widgets/field_error.h"

#include <QEvent>
#include <QLineEdit>

#include <algorithm>

namespace lockkeeper::app::views {

namespace {
constexpr int kGap = 2;  ///< px below the field
constexpr int kEdge = 8; ///< px to the window's edge
} // namespace

FieldError::FieldError(const presentation::Theme *theme, QLineEdit *field)
    : PlainLabel({}, field), m_theme(theme), m_field(field), m_above(field)
{
    setMargin(6);
    setFrameShape(QFrame::Box);
    setWordWrap(true);
    setAutoFillBackground(true);
    hide();
    field->installEventFilter(this);
    connect(field, &QObject::destroyed, this, &QObject::deleteLater);
    connect(theme, &presentation::Theme::changed, this, &FieldError::recolour);
    recolour();
}

void FieldError::setBelow(QWidget *hint)
{
    m_above = hint;
    hint->installEventFilter(this);
}

void FieldError::tell(const QString &text)
{
    setText(text);
    m_field->setAccessibleDescription(text);
    place();
}

/** Places the label over everything in the window: inside the field it could only be as wide as the field. */
void FieldError::place()
{
    if (text().isEmpty() || !m_field->isVisible()) {
        hide();
        return;
    }
    if (parentWidget() != m_field->window())
        setParent(m_field->window());
    const QPoint at(m_field->mapTo(m_field->window(), QPoint()).x(),
                    m_above->mapTo(m_field->window(), QPoint(0, m_above->height() + kGap)).y());
    const int room = std::max(0, m_field->window()->width() - at.x() - kEdge);
    const int width =
        std::min(room, fontMetrics().horizontalAdvance(text()) + 2 * (margin() + frameWidth()) + 2);
    setGeometry(QRect(at, QSize(width, heightForWidth(width))));
    raise();
    show();
}

void FieldError::recolour()
{
    const presentation::BannerColours colours = m_theme->banner(presentation::BannerKind::Error);
    QPalette own = palette();
    own.setColor(QPalette::Window, colours.fill);
    own.setColor(QPalette::WindowText, colours.ink);
    setPalette(own);
}

bool FieldError::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::Show:
    case QEvent::Hide:
    case QEvent::Move:
    case QEvent::Resize:
        place();
        break;
    default:
        break;
    }
    return PlainLabel::eventFilter(watched, event);
}

} // namespace lockkeeper::app::views
