// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/release/release_dialog.h"

#include "app/presentation/icons.h"
#include "app/presentation/theme.h"
#include "app/replica/holder_checks.h"
#include "app/replica/replica.h"
#include "app/views/release/reason_edit.h"
#include "app/views/release/release_facts.h"
#include "app/views/release/release_text.h"
#include "app/views/widgets/danger_button.h"
#include "app/views/widgets/named.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/screen_room.h"
#include "app/views/widgets/wrapped_label.h"
#include "app/words/durations.h"
#include "app/words/error_words.h"
#include "app/words/lock_text.h"
#include "shared/base/clock.h"

#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QShowEvent>
#include <QVBoxLayout>

#include <algorithm>

namespace lockkeeper::app::views {

using words::Durations;
using words::LockText;

namespace {
constexpr int kDialogWidth = 560;
constexpr int kRereadMs = 2'000;
constexpr int kIconSize = 16;
constexpr int kMargin = 16;

/** Makes the button as wide as its widest word, so that its neighbours don't move. */
void keepWidth(QPushButton *button, const QStringList &words)
{
    int width = 0;
    for (const QString &word : words) {
        button->setText(word);
        width = std::max(width, button->sizeHint().width());
    }
    button->setMinimumWidth(width);
}

/** As high as its content if it fits on the screen; otherwise it scrolls. */
class FactsArea final : public QScrollArea
{
public:
    QSize sizeHint() const override
    {
        const int width = kDialogWidth - 2 * kMargin;
        return {width, widget()->hasHeightForWidth() ? widget()->heightForWidth(width)
                                                     : widget()->sizeHint().height()};
    }
    QSize minimumSizeHint() const override { return {0, fontMetrics().lineSpacing() * 2}; }
};
} // namespace

ReleaseDialog::ReleaseDialog(const ConsoleContext &context, const domain::LockKey &key,
                             ReleaseController *controller, QWidget *parent)
    : Translated(parent), m_context(context), m_key(key), m_controller(controller)
{
    setWindowModality(Qt::WindowModal);
    setFixedWidth(kDialogWidth);
    m_state.key = key;
    if (const auto shown = context.replica->find(key)) {
        m_state = *shown;
        m_guard = shown->guard;
        protocol::Inspected seen;
        seen.present = true;
        seen.state = *shown;
        m_offered = caseOf(seen, m_guard);
    }
    m_shownUs = context.clock->monotonicUs();
    build();
    retranslate();
    recolour();
    m_refresh.setInterval(kRefreshMs);
    m_reread.setInterval(kRereadMs);
    connect(&m_refresh, &QTimer::timeout, this, &ReleaseDialog::refresh);
    connect(&m_reread, &QTimer::timeout, this, &ReleaseDialog::read);
    connect(context.theme, &presentation::Theme::changed, this, &ReleaseDialog::recolour);
    connect(context.replica, &replica::Replica::offlineChanged, this, &ReleaseDialog::read);
    m_refresh.start();
    m_reread.start();
    read();
    m_reason->setFocus();
}

void ReleaseDialog::build()
{
    m_title = named("title", new WrappedLabel);
    m_title->setFont(presentation::titleFont(font()));
    m_explanation = named("explanation", new WrappedLabel);
    m_explanation->setMinimumHeight(fontMetrics().lineSpacing() * 2);
    m_explanation->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_ifNotRenewed = new QCheckBox;
    m_ifNotRenewed->setChecked(true);
    m_reasonLabel = new PlainLabel;
    m_reason = named("reason", new ReasonEdit);
    m_reason->setMaxLength(kReasonLimit);
    m_reasonLabel->setBuddy(m_reason);
    m_nameLabel = new WrappedLabel;
    m_name = named("name", new ReasonEdit);
    m_nameLabel->setBuddy(m_name);
    m_reason->setNext(m_name);
    for (QWidget *widget : QWidgetList{m_nameLabel, m_name})
        keepSpace(widget);
    m_outcome = named("outcome", new WrappedLabel);
    m_outcome->setMargin(8);
    m_outcome->setMinimumHeight(fontMetrics().lineSpacing() * 2 + 16);
    m_outcome->setSelectable(true);
    m_outcome->hide();

    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(kMargin, kMargin, kMargin, kMargin);
    column->setSpacing(8);
    column->addWidget(m_title);
    column->addWidget(m_explanation);
    // Only the facts shrink when other parts appear or the screen is low. All parts below them keep their
    // place at the dialog's foot.
    column->addWidget(buildFacts(), 1);
    column->addWidget(buildWarning());
    column->addWidget(m_outcome);
    column->addWidget(m_ifNotRenewed);
    column->addWidget(m_reasonLabel);
    column->addWidget(m_reason);
    column->addWidget(m_nameLabel);
    column->addWidget(m_name);
    column->addWidget(buildButtons());
    connect(m_reason, &QLineEdit::textChanged, this, &ReleaseDialog::refresh);
    connect(m_name, &QLineEdit::textChanged, this, &ReleaseDialog::refresh);
    connect(m_ifNotRenewed, &QCheckBox::toggled, this, &ReleaseDialog::refresh);
}

QScrollArea *ReleaseDialog::buildFacts()
{
    m_facts = new ReleaseFacts;
    auto *content = new QWidget;
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins({});
    column->addWidget(m_facts);
    // Room for one more line of the title, so that another case makes nothing scroll.
    column->addSpacing(QFontMetrics(m_title->font()).lineSpacing());
    column->addStretch(1);
    auto *area = named("facts", new FactsArea);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidget(content);
    return area;
}

QWidget *ReleaseDialog::buildWarning()
{
    m_warning = named("warning", new QWidget);
    m_warningIcon = new PlainLabel;
    m_residue = new WrappedLabel;
    auto *row = new QHBoxLayout(m_warning);
    row->setContentsMargins(8, 8, 8, 8);
    row->setSpacing(8);
    row->addWidget(m_warningIcon, 0, Qt::AlignTop);
    row->addWidget(m_residue, 1);
    return m_warning;
}

QWidget *ReleaseDialog::buildButtons()
{
    m_checked = new PlainLabel;
    m_checked->setMuted(true);
    m_missing = named("missing", new PlainLabel);
    m_again = named("again", new QPushButton);
    m_again->setAutoDefault(false);
    keepSpace(m_again);
    m_again->hide();
    m_copy = named("copy", new QPushButton);
    m_copy->setAutoDefault(false);
    m_cancel = named("cancel", new QPushButton);
    m_cancel->setDefault(true);
    m_action = named("action", new DangerButton(m_context.theme));

    auto *box = new QWidget;
    auto *rows = new QVBoxLayout(box);
    rows->setContentsMargins({});
    rows->setSpacing(8);
    auto *missing = new QHBoxLayout;
    missing->addWidget(m_missing, 1);
    missing->addWidget(m_again);
    rows->addLayout(missing);
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(m_copy);
    buttons->addSpacing(8);
    buttons->addWidget(m_checked, 1);
    buttons->addWidget(m_cancel);
    buttons->addSpacing(24);
    buttons->addWidget(m_action);
    rows->addLayout(buttons);
    connect(m_copy, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(m_title->text() + QLatin1Char('\n') + m_explanation->text() +
                                              QLatin1Char('\n') + m_facts->text() + m_outcome->text());
    });
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_again, &QPushButton::clicked, this, &ReleaseDialog::review);
    connect(m_action, &QPushButton::clicked, this, &ReleaseDialog::send);
    return box;
}

void ReleaseDialog::read()
{
    if (m_reading || m_sent)
        return;
    if (m_context.replica->isOffline()) {
        m_failure = {};
        showCase(ReleaseCase::Unreachable);
        return;
    }
    m_reading = true;
    m_context.session->ask(protocol::Inspect{0, m_key}, this,
                           [this](const base::Result<protocol::Inspected> &result) { onRead(result); });
}

void ReleaseDialog::onRead(const base::Result<protocol::Inspected> &result)
{
    m_reading = false;
    if (m_sent)
        return; // keep what the operator saw when sending
    if (!result || result->error) {
        m_ticket.clear();
        m_failure = result ? *result->error : result.error();
        showCase(ReleaseCase::Unreachable);
        return;
    }
    const ReleaseCase now = caseOf(*result, m_guard);
    // Never turn the dialog from one actionable case into another under the operator's hand, whatever cases
    // came between the two.
    const bool other =
        m_case != ReleaseCase::Reading && isActionable(m_offered) && isActionable(now) && now != m_offered;
    // Detect a mere renewal: a lease that is renewed every few seconds would otherwise never leave the time
    // to type the lock's name.
    m_renewed = now == ReleaseCase::Changed && result->state.pinsDeadline &&
                result->state.owner == m_state.owner && result->state.token == m_state.token &&
                result->state.acquiredUs == m_state.acquiredUs;
    if (result->present)
        m_state = result->state;
    if (m_guard.isEmpty())
        m_guard = result->state.guard;
    m_willRun = result->willRun;
    m_facts->setCompanions(result->companions);
    m_needsApproval = result->needsApproval;
    m_ticket = other ? QByteArray() : result->ticket;
    m_readUs = m_context.clock->monotonicUs();
    if (m_case != ReleaseCase::Changed || now == ReleaseCase::Gone)
        showCase(other ? ReleaseCase::Changed : now);
    refresh();
}

void ReleaseDialog::showCase(ReleaseCase releaseCase)
{
    if (releaseCase != m_case) {
        m_case = releaseCase;
        m_shownUs = m_context.clock->monotonicUs();
        if (!m_renewed && !m_reviewed)
            m_name->clear();
        m_reviewed = false;
    }
    if (!m_sent)
        m_reason->setEnabled(releaseCase != ReleaseCase::Off); // no reason makes it possible
    retranslate();
}

void ReleaseDialog::review()
{
    // The operator has seen the change: from now on the dialog is about the next reading. After a lost answer
    // the operator has seen nothing yet, so the dialog still reports another acquisition as a change.
    if (!m_done || !m_lost)
        m_guard.clear();
    m_reviewed = m_renewed;
    m_ticket.clear();
    m_case = ReleaseCase::Reading;
    m_shownUs = m_context.clock->monotonicUs();
    if (m_done) {
        m_sent = false;
        m_done = false;
        m_endedUs.reset();
        m_outcome->hide();
        m_reason->setEnabled(true);
        m_name->setEnabled(true);
        m_name->clear();
    }
    retranslate();
    read();
}

void ReleaseDialog::send()
{
    if (!m_action->isEnabled() || m_sent)
        return;
    m_sent = true;
    ReleaseRequest request;
    request.key = m_key;
    request.ticket = m_ticket;
    request.because = becauseOf(m_case);
    request.ifNotRenewed = mayPinRenewal(m_case) && m_ifNotRenewed->isChecked();
    request.reason = m_reason->text().trimmed();
    m_reason->setEnabled(false);
    m_name->setEnabled(false);
    refresh();
    m_controller->send(request, this, [this](const protocol::ReleaseResult &result) { onAnswer(result); });
}

void ReleaseDialog::onAnswer(const protocol::ReleaseResult &shown)
{
    m_done = true;
    m_endedUs = shown.storeUs.value_or(storeNowUs());
    m_lost = m_lost || shown.outcome == domain::Outcome::Unknown;
    const bool asked = shown.outcome == domain::Outcome::AwaitingApproval;
    showOutcome(ReleaseText::outcome(shown, *m_context.times),
                asked || shown.outcome == domain::Outcome::Released);
    // Never retry a sent request: the dialog offers only to read again, and then a new review.
    m_again->setVisible(!asked && shown.outcome != domain::Outcome::Released);
    m_again->setText(shown.outcome == domain::Outcome::Unknown ? tr("Read again")
                                                               : ReleaseText::again(m_case));
    refresh();
}

void ReleaseDialog::showOutcome(const QString &text, bool good)
{
    m_good = good;
    m_outcome->setText(text);
    m_outcome->setAccessibleName(text);
    m_outcome->show();
    recolour();
}

bool ReleaseDialog::nameTyped() const
{
    return m_name->text() == LockText::name(m_key);
}

qint64 ReleaseDialog::storeNowUs() const
{
    return m_endedUs.value_or(m_context.replica->storeClockUs(m_key.source));
}

void ReleaseDialog::retranslate()
{
    m_title->setText(ReleaseText::title(m_case, m_state));
    setWindowTitle(m_title->text());
    m_residue->setText(ReleaseText::residue(m_state));
    m_warning->setAccessibleName(m_residue->text());
    m_ifNotRenewed->setText(tr("Only if not &renewed since"));
    m_ifNotRenewed->setVisible(mayPinRenewal(m_case == ReleaseCase::Reading ? m_offered : m_case) &&
                               !m_state.pinsDeadline);
    m_reasonLabel->setText(tr("Reason (goes to the audit):"));
    m_reason->setAccessibleName(tr("Reason"));
    m_nameLabel->setText(tr("Type the lock's name to confirm:"));
    m_name->setAccessibleName(tr("The lock's name, to confirm"));
    const bool name = needsName(m_case) && (isActionable(m_case) || m_case == ReleaseCase::Reading);
    m_nameLabel->setVisible(name);
    m_name->setVisible(name);
    m_copy->setText(tr("Co&py details"));
    QStringList actions;
    for (const ReleaseCase one : {ReleaseCase::Expired, ReleaseCase::Live, ReleaseCase::Connection,
                                  ReleaseCase::NoIdentity, ReleaseCase::Leftover})
        actions.append(ReleaseText::action(one));
    actions.append(ReleaseText::requestApproval());
    keepWidth(m_action, actions);
    keepWidth(m_cancel, {tr("Cancel"), tr("Close")});
    if (isActionable(m_case))
        m_offered = m_case;
    m_action->setText(m_needsApproval ? ReleaseText::requestApproval() : ReleaseText::action(m_offered));
    if (!m_done) {
        m_again->setText(ReleaseText::again(m_case));
        m_again->setVisible(!isActionable(m_case) && m_case != ReleaseCase::Reading);
    }
    refresh();
}

QString ReleaseDialog::explanation() const
{
    if (m_lost && m_case == ReleaseCase::Gone)
        return tr("It isn't held any more. The request whose answer was lost may have released it; the audit "
                  "has the known facts.");
    if (m_lost && m_case == ReleaseCase::Changed)
        return tr("It is now held by %1. The request whose answer was lost may have released it before; "
                  "the audit says what is known.")
            .arg(words::LockText::holder(m_state));
    if (m_case == ReleaseCase::Unreachable && !m_context.session->isLive(m_key.source))
        return tr("Its agent isn't connected, so the lock can't be read. Force-release is unavailable.");
    // The side that refuses can be reached: show its refusal.
    if (m_case == ReleaseCase::Unreachable && !m_failure.cause.isEmpty() &&
        !base::isTransient(m_failure.code))
        return tr("The lock can't be read: %1").arg(words::ErrorWords::line(m_failure));
    const QString text = ReleaseText::explanation(m_case, m_state, storeNowUs());
    return m_needsApproval && isActionable(m_case) ? text + QLatin1Char(' ') + ReleaseText::approvalNeeded()
                                                   : text;
}

void ReleaseDialog::refresh()
{
    const qint64 now = m_context.clock->monotonicUs();
    const bool notRenewed = mayPinRenewal(m_case) && m_ifNotRenewed->isChecked();
    if (m_context.session->several())
        m_facts->setAgents(m_context.replica->agentsOf(m_key));
    if (m_state.isHeld() && !m_done)
        m_context.holders->look(m_key);
    m_facts->setProbe(m_context.holders->find(m_state), m_context.holders->ageUs(m_key));
    m_facts->show(m_case, m_state, m_willRun, storeNowUs(), notRenewed);
    m_explanation->setText(explanation());
    const Arming arming{m_case,      m_shownUs, m_readUs, now, !m_reason->text().trimmed().isEmpty(),
                        nameTyped(), m_sent};
    m_action->setEnabled(!m_ticket.isEmpty() && isArmed(arming));
    m_missing->setText(ReleaseText::missing(missing(arming)));
    m_action->setToolTip(m_missing->text());
    m_action->setAccessibleDescription(m_missing->text());
    if (m_sent && !m_done)
        m_checked->setText(tr("Sending…"));
    else if (m_readUs > 0)
        m_checked->setText(
            tr("Checked %1 ago").arg(Durations::inSentence(std::max<qint64>(0, now - m_readUs))));
    else
        m_checked->setText(tr("Not read yet"));
    m_cancel->setText(m_done ? tr("Close") : tr("Cancel"));
}

void ReleaseDialog::recolour()
{
    const auto warning = m_context.theme->banner(presentation::BannerKind::Warning);
    fillWith(m_warning, warning);
    m_warningIcon->setPixmap(presentation::iconPixmap(QStringLiteral("dialog-warning"), warning.ink,
                                                      kIconSize, devicePixelRatioF()));
    fillWith(m_outcome, m_context.theme->banner(m_good ? presentation::BannerKind::Info
                                                       : presentation::BannerKind::Error));
}

void ReleaseDialog::showEvent(QShowEvent *event)
{
    if (!event->spontaneous())
        resize(kDialogWidth,
               std::min(layout()->totalHeightForWidth(kDialogWidth), screenRoom(*this).height()));
    QDialog::showEvent(event);
}

} // namespace lockkeeper::app::views
