// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/detail/lock_advice.h"

#include "app/session/agent_group.h"
#include "app/views/widgets/link_button.h"
#include "app/views/widgets/named.h"
#include "app/views/widgets/requests.h"
#include "app/views/widgets/wrapped_label.h"
#include "app/words/advice_formatter.h"
#include "shared/base/clock.h"
#include "shared/base/text.h"

#include <QLocale>
#include <QVBoxLayout>

#include <algorithm>

namespace lockkeeper::app::views {

using words::AdviceFormatter;

namespace {

constexpr int kSettleMs = 300;
constexpr qint64 kAskAgainUs = 5 * 60'000'000LL;
constexpr qint64 kAdvisedUs = 24 * base::kHourUs;

} // namespace

LockAdvice::LockAdvice(const ConsoleContext &context, QWidget *parent)
    : Translated(parent),
      m_context(context),
      m_heading(new PlainLabel({}, this)),
      m_lines(new QVBoxLayout),
      m_observed(new WrappedLabel({}, this)),
      m_all(named("allAdvice", new LinkButton(this)))
{
    m_heading->setBold();
    m_observed->setMuted(true);
    m_lines->setSpacing(6);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_heading);
    column->addLayout(m_lines);
    column->addWidget(m_observed);
    column->addWidget(m_all, 0, Qt::AlignLeft);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    m_settle.setSingleShot(true);
    m_settle.setInterval(kSettleMs);
    connect(&m_settle, &QTimer::timeout, this, &LockAdvice::redraw);
    connect(m_all, &QPushButton::clicked, this,
            [this] { Q_EMIT m_context.requests->viewAsked(QByteArrayLiteral("advice"), {}); });
    connect(context.session, &session::AgentGroup::agentChanged, this, [this] { setLock(m_key); });
    hide();
    retranslate();
}

void LockAdvice::setLock(const std::optional<domain::LockKey> &key)
{
    drop();
    m_key = key;
    m_page = {};
    m_askedUs.reset();
    showLines();
    if (key)
        m_settle.start();
    else
        m_settle.stop();
}

void LockAdvice::drop()
{
    ++m_question;
    if (m_request != 0)
        m_context.session->cancel(std::exchange(m_request, 0));
}

void LockAdvice::redraw()
{
    // Reading the evidence costs the agent time: nobody needs it for a hidden dock.
    if (!m_key || m_settle.isActive() || m_request != 0 || !parentWidget()->isVisible() ||
        m_context.session->link() != session::LinkState::Live)
        return;
    const qint64 nowUs = m_context.clock->wallUs();
    if (m_askedUs && nowUs >= *m_askedUs && nowUs - *m_askedUs < kAskAgainUs)
        return;
    m_askedUs = nowUs;
    ask(*m_key);
}

void LockAdvice::ask(const domain::LockKey &key)
{
    protocol::AdviceQuery query;
    query.source = key.source;
    query.lockGlob = base::literalGlob(key.name);
    query.toUs = m_context.nowUs();
    query.fromUs = *query.toUs - kAdvisedUs;
    const auto answered = [this, number = ++m_question](const base::Result<protocol::AdvicePage> &page) {
        if (number == m_question)
            take(page);
    };
    m_request = m_context.session->ask(query, this, answered);
}

/** The last answer stays if the agent can't give another. */
void LockAdvice::take(const base::Result<protocol::AdvicePage> &page)
{
    m_request = 0;
    if (!page)
        return;
    m_page = *page;
    m_page.advice.removeIf(
        [this](const domain::Advice &one) { return one.lock != *m_key && one.other != *m_key; });
    showLines();
}

namespace {
/** The shell's words begin small. */
QString sentenceCased(QString text)
{
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}
} // namespace

QString LockAdvice::observedText() const
{
    const QLocale locale;
    const QString text = tr("Read: %Ln hold(s) of locks of this name in the last 24 hours; %1 % of that time "
                            "was observed.",
                            nullptr, int(m_page.holds))
                             .arg(locale.toString(double(m_page.observedPermille) / 10, 'f', 1));
    return m_page.more ? text + QLatin1Char(' ') + tr("Not everything was read.") : text;
}

void LockAdvice::showLines()
{
    while (QLayoutItem *item = m_lines->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const domain::Advice &advice : std::as_const(m_page.advice)) {
        auto *line = new WrappedLabel({}, this);
        line->setSelectable(true);
        line->setText(tr("%1: %2", "a fault, how sure; the change to make")
                          .arg(tr("%1 (%2)", "a fault, how sure")
                                   .arg(sentenceCased(AdviceFormatter::title(advice.code)),
                                        AdviceFormatter::confidence(advice.confidence)),
                               AdviceFormatter::change(advice)));
        line->setToolTip(plainToolTip(AdviceFormatter::evidence(advice) + QLatin1Char('\n') +
                                      AdviceFormatter::document(advice.code)));
        m_lines->addWidget(line);
    }
    m_observed->setText(observedText());
    setVisible(!m_page.advice.isEmpty());
}

QString LockAdvice::text() const
{
    if (m_page.advice.isEmpty())
        return {};
    QStringList lines{m_heading->text()};
    for (const domain::Advice &advice : m_page.advice)
        lines.append(tr("%1 %2 (%3)", "evidence, change, section of a document")
                         .arg(AdviceFormatter::evidence(advice), AdviceFormatter::change(advice),
                              AdviceFormatter::document(advice.code)));
    lines.append(m_observed->text());
    return lines.join(QLatin1Char('\n'));
}

void LockAdvice::retranslate()
{
    m_heading->setText(tr("Advice"));
    m_all->setText(tr("All advice"));
    showLines();
}

} // namespace lockkeeper::app::views
