// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/widgets/state_page.h"

#include "app/presentation/icons.h"
#include "app/presentation/theme.h"
#include "app/views/widgets/plain_label.h"
#include "app/words/error_words.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace lockkeeper::app::views {

namespace {
constexpr int kLoadingDelayMs = 150;
}

StatePage::StatePage(QWidget *parent)
    : QWidget(parent),
      m_icon(new QLabel),
      m_text(new PlainLabel),
      m_detail(new PlainLabel),
      m_progress(new QProgressBar),
      m_buttons(new QHBoxLayout),
      m_content(new QWidget(this))
{
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    m_text->setFont(presentation::titleFont(font()));
    for (PlainLabel *label : {m_text, m_detail}) {
        label->setAlignment(Qt::AlignHCenter);
        label->setWordWrap(true);
    }
    m_detail->setMuted(true);
    m_progress->setRange(0, 0);
    m_progress->setTextVisible(false);
    m_progress->setMaximumWidth(240);
    auto *column = new QVBoxLayout(m_content);
    column->setSpacing(8);
    column->addWidget(m_icon, 0, Qt::AlignHCenter);
    column->addWidget(m_text);
    column->addWidget(m_detail);
    column->addWidget(m_progress, 0, Qt::AlignHCenter);
    column->addSpacing(4);
    column->addLayout(m_buttons);
    auto *outer = new QVBoxLayout(this);
    outer->addStretch(2);
    outer->addWidget(m_content);
    outer->addStretch(3);
    m_delay.setSingleShot(true);
    m_delay.setInterval(kLoadingDelayMs);
    connect(&m_delay, &QTimer::timeout, m_content, &QWidget::show);
}

void StatePage::showLoading(const QString &text, const Action &cancel)
{
    constexpr int noButtons = 2; // the stretches
    if (!m_progress->isHidden() && m_text->text() == text && !cancel.run && m_buttons->count() == noButtons)
        return; // repeated calls must not restart the delay
    setContent({}, text, {}, cancel.run ? QList<Action>{cancel} : QList<Action>{});
    m_progress->show();
    m_content->hide();
    m_delay.start();
}

void StatePage::setText(const QString &text)
{
    m_text->setText(text);
}

void StatePage::showEmpty(const QString &text, const QString &detail, const QList<Action> &actions)
{
    setContent({}, text, detail, actions);
}

void StatePage::showError(const base::Error &error, const std::function<void()> &again,
                          const QString &sentence)
{
    const bool titled = sentence.isEmpty();
    const auto copy = [line = error.line()] { QGuiApplication::clipboard()->setText(line); };
    setContent(QStringLiteral("dialog-error"), titled ? words::ErrorWords::title(error.code) : sentence,
               titled ? words::ErrorWords::detail(error) : words::ErrorWords::remedy(error),
               {{tr("Try again"), again}, {tr("Copy details"), copy}});
}

QString StatePage::text() const
{
    return m_text->text();
}

void StatePage::setContent(const QString &icon, const QString &text, const QString &detail,
                           const QList<Action> &actions)
{
    m_delay.stop();
    m_content->show();
    m_progress->hide();
    m_icon->setVisible(!icon.isEmpty());
    if (!icon.isEmpty())
        m_icon->setPixmap(presentation::icon(icon).pixmap(QSize(32, 32), devicePixelRatioF()));
    m_text->setText(text);
    m_detail->setText(detail);
    m_detail->setVisible(!detail.isEmpty());
    while (QLayoutItem *item = m_buttons->takeAt(0)) {
        // Delete later: the click that changes the page comes from one of these buttons.
        if (QWidget *button = item->widget()) {
            button->hide();
            button->deleteLater();
        }
        delete item;
    }
    m_buttons->addStretch();
    for (const Action &action : actions) {
        auto *button = new QPushButton(action.text, m_content);
        connect(button, &QPushButton::clicked, this, [run = action.run] { run(); });
        m_buttons->addWidget(button);
    }
    m_buttons->addStretch();
}

} // namespace lockkeeper::app::views
