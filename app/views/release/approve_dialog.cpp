// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/release/approve_dialog.h"

#include "app/models/commands_model.h"
#include "app/presentation/theme.h"
#include "app/replica/holder_checks.h"
#include "app/replica/replica.h"
#include "app/views/release/reason_edit.h"
#include "app/views/release/release_case.h"
#include "app/views/release/release_facts.h"
#include "app/views/release/release_text.h"
#include "app/views/widgets/danger_button.h"
#include "app/views/widgets/named.h"
#include "app/views/widgets/screen_room.h"
#include "app/views/widgets/wrapped_label.h"
#include "app/words/durations.h"
#include "app/words/error_words.h"
#include "app/words/lock_text.h"
#include "shared/base/clock.h"
#include "shared/base/text.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QVBoxLayout>

#include <algorithm>

namespace lockkeeper::app::views {

using words::LockText;

namespace {
constexpr int kApproveWidth = 560;
constexpr int kReadEveryMs = 2'000;
constexpr int kShowEveryMs = 250;
} // namespace

ApproveDialog::ApproveDialog(const ConsoleContext &context, const domain::ApprovalRequest &request,
                             QWidget *parent)
    : Translated(parent), m_context(context), m_request(request)
{
    setWindowModality(Qt::WindowModal);
    setFixedWidth(kApproveWidth);
    m_state = context.replica->find(request.key).value_or(domain::LockState());
    m_state.key = request.key;
    m_shownUs = context.clock->monotonicUs();
    build();
    retranslate();
    recolour();
    connect(&m_refresh, &QTimer::timeout, this, &ApproveDialog::refresh);
    connect(&m_reread, &QTimer::timeout, this, &ApproveDialog::read);
    connect(context.theme, &presentation::Theme::changed, this, &ApproveDialog::recolour);
    connect(context.session, &session::AgentGroup::grantsChanged, this, &ApproveDialog::refresh);
    connect(context.session, &session::AgentGroup::approvalChanged, this,
            [this](const domain::ApprovalRequest &news) {
                if (news.id == m_request.id && news.key == m_request.key)
                    m_request = news;
                refresh();
            });
    m_refresh.start(kShowEveryMs);
    m_reread.start(kReadEveryMs);
    read();
}

void ApproveDialog::build()
{
    m_title = named("title", new WrappedLabel);
    m_title->setFont(presentation::titleFont(font()));
    m_explanation = named("explanation", new WrappedLabel);
    m_reason = named("asked", new WrappedLabel);
    m_facts = new ReleaseFacts;
    m_residue = named("residue", new WrappedLabel);
    m_residue->setMargin(8);
    m_outcome = named("outcome", new WrappedLabel);
    m_outcome->setMargin(8);
    m_outcome->setSelectable(true);
    m_outcome->hide();
    m_wordLabel = named("wordLabel", new WrappedLabel);
    m_word = named("word", new ReasonEdit);
    m_wordLabel->setBuddy(m_word);
    m_missing = named("missing", new WrappedLabel);
    m_reject = named("reject", new QPushButton);
    m_reject->setAutoDefault(false);
    m_cancel = named("cancel", new QPushButton);
    m_cancel->setDefault(true);
    m_action = named("action", new DangerButton(m_context.theme));

    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(8);
    for (QWidget *widget : QWidgetList{m_title, m_explanation, m_reason, m_facts, m_residue, m_outcome,
                                       m_wordLabel, m_word, m_missing})
        column->addWidget(widget);
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(m_reject);
    buttons->addStretch(1);
    buttons->addWidget(m_cancel);
    buttons->addSpacing(24);
    buttons->addWidget(m_action);
    column->addLayout(buttons);
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_reject, &QPushButton::clicked, this, [this] { decide(false); });
    connect(m_action, &QPushButton::clicked, this, [this] { decide(true); });
}

void ApproveDialog::read()
{
    if (m_reading || m_sent)
        return;
    m_reading = true;
    m_context.session->ask(protocol::Inspect{0, m_request.key}, this,
                           [this](const base::Result<protocol::Inspected> &result) { onRead(result); });
}

void ApproveDialog::onRead(const base::Result<protocol::Inspected> &result)
{
    m_reading = false;
    if (m_sent)
        return; // keep what the user saw when deciding
    m_error = !result ? result.error() : result->error.value_or(base::Error());
    const bool read = result && !result->error;
    m_same = read && result->present && result->state.guard == m_request.guard;
    if (read && result->present)
        m_state = result->state;
    if (read) {
        m_willRun = result->willRun;
        m_facts->setCompanions(result->companions);
        m_readUs = m_context.clock->monotonicUs();
    }
    refresh();
}

bool ApproveDialog::isOwn() const
{
    return m_request.who == m_context.session->welcome(m_request.key.source).user;
}

QString ApproveDialog::obstacle() const
{
    using State = domain::ApprovalRequest::ApprovalState;
    const domain::LockKey &key = m_request.key;
    const qint64 now = m_context.clock->monotonicUs();
    if (m_request.state == State::Approved || m_request.state == State::Rejected)
        return tr("%1 has decided already.").arg(base::displayText(m_request.decidedBy));
    if (m_request.state == State::Ended)
        return tr("The request has ended without a decision.");
    if (isOwn())
        return tr("This is your own request: another person must approve it.");
    if (!m_context.session->may(domain::Permission::Approve, key.source, key.name))
        return tr("Your role doesn't allow you to approve this.");
    if (m_error.code != base::ErrorCode::Unknown || !m_error.cause.isEmpty())
        return tr("The lock can't be read: %1").arg(words::ErrorWords::line(m_error));
    if (m_readUs > 0 && !m_same)
        return tr("The lock changed since it was asked for. Nothing can be released by this request.");
    if (m_readUs == 0 || now - m_readUs >= kGuardLifeUs)
        return tr("The lock is being read.");
    return now - m_shownUs < kArmingUs ? ReleaseText::missing(MissingInput::Moment) : QString();
}

void ApproveDialog::decide(bool approve)
{
    if (m_sent || (approve && !obstacle().isEmpty()))
        return;
    m_sent = true;
    refresh();
    m_context.session->askAgentOf(m_request.key.source,
                                  protocol::Decision{0, m_request.id, approve, m_word->text().trimmed()},
                                  this, [this](const base::Result<protocol::ReleaseResult> &result) {
                                      onAnswer(models::CommandsModel::told(result));
                                  });
}

void ApproveDialog::onAnswer(const protocol::ReleaseResult &shown)
{
    m_done = true;
    m_endedUs = shown.storeUs.value_or(m_context.replica->storeClockUs(m_request.key.source));
    m_good = shown.outcome == domain::Outcome::Released || shown.outcome == domain::Outcome::Rejected;
    m_outcome->setText(ReleaseText::outcome(shown, *m_context.times));
    m_outcome->setAccessibleName(m_outcome->text());
    m_outcome->show();
    recolour();
    refresh();
}

void ApproveDialog::retranslate()
{
    m_title->setText(tr("Approve %1's release of “%2”?", "user, lock")
                         .arg(base::displayText(m_request.who), LockText::name(m_request.key)));
    setWindowTitle(m_title->text());
    m_reason->setText(tr("Reason given: %1").arg(base::displayText(m_request.reason)));
    m_residue->setText(ReleaseText::residue(m_state));
    m_wordLabel->setText(tr("Why you reject it (goes to the audit):"));
    m_word->setAccessibleName(tr("Why you reject it"));
    m_reject->setText(isOwn() ? tr("&Withdraw") : tr("Re&ject"));
    m_action->setText(tr("Approve and release"));
    refresh();
}

void ApproveDialog::refresh()
{
    const qint64 leftS = std::max<qint64>(0, m_context.session->untilUs(m_request.key.source,
                                                                        m_request.endsUs, *m_context.clock)) /
                         1'000'000;
    const bool fresh = !m_sent && m_same && m_context.clock->monotonicUs() - m_readUs < kGuardLifeUs;
    const QString ends =
        fresh ? tr("You see it as it is now. The request ends in %1:%2.", "minutes, seconds")
              : tr("It is shown as it was last seen. The request ends in %1:%2.", "minutes, seconds");
    m_explanation->setText(m_request.isOpen() ? ends.arg(leftS / 60).arg(leftS % 60, 2, 10, QLatin1Char('0'))
                           : fresh            ? tr("You see it as it is now.")
                                              : tr("It is shown as it was last seen."));
    ReleaseCase shown =
        domain::isConnectionScheme(m_state.key.scheme) ? ReleaseCase::Connection : ReleaseCase::Live;
    if (m_request.because != domain::Because::Operator)
        shown = m_request.because == domain::Because::Expired ? ReleaseCase::Expired : ReleaseCase::Stuck;
    if (m_context.session->several())
        m_facts->setAgents(m_context.replica->agentsOf(m_request.key));
    if (m_state.isHeld())
        m_context.holders->look(m_state.key);
    m_facts->setProbe(m_context.holders->find(m_state), m_context.holders->ageUs(m_state.key));
    m_facts->show(shown, m_state, m_willRun,
                  m_endedUs.value_or(m_context.replica->storeClockUs(m_request.key.source)),
                  m_request.ifNotRenewed);
    const QString why = m_sent ? QString() : obstacle();
    m_missing->setText(m_sent && !m_done ? tr("Sending…") : why);
    m_action->setEnabled(!m_sent && why.isEmpty());
    m_action->setToolTip(plainToolTip(why));
    m_action->setAccessibleDescription(why);
    const domain::LockKey &key = m_request.key;
    m_reject->setEnabled(
        !m_sent && m_request.isOpen() &&
        (isOwn() || m_context.session->may(domain::Permission::Approve, key.source, key.name)));
    m_word->setEnabled(m_reject->isEnabled());
    m_cancel->setText(m_done ? tr("Close") : tr("Cancel"));
    grow();
}

void ApproveDialog::grow()
{
    const int most = screenRoom(*this).height();
    const int wanted = std::min(layout()->totalHeightForWidth(kApproveWidth), most);
    if (wanted > height())
        resize(kApproveWidth, wanted);
}

void ApproveDialog::recolour()
{
    fillWith(m_residue, m_context.theme->banner(presentation::BannerKind::Warning));
    fillWith(m_outcome, m_context.theme->banner(m_good ? presentation::BannerKind::Info
                                                       : presentation::BannerKind::Error));
}

} // namespace lockkeeper::app::views
