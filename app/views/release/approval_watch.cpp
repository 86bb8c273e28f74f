// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/release/approval_watch.h"

#include "app/settings/settings.h"
#include "app/views/release/approve_dialog.h"
#include "app/views/widgets/banner_area.h"
#include "app/words/lock_text.h"
#include "shared/base/clock.h"
#include "shared/base/text.h"

#include <QEvent>
#include <QWidget>

#include <iterator>
#include <utility>

namespace lockkeeper::app::views {

using words::LockText;

namespace {

/** Each agent numbers its own requests. */
QByteArray bannerOf(const ConsoleContext &context, const domain::ApprovalRequest &request)
{
    const QString agent = context.session->labelOf(request.key.source);
    return "approval:" + (agent.isEmpty() ? QByteArray() : agent.toUtf8() + '/') +
           QByteArray::number(request.id);
}

} // namespace

ApprovalWatch::ApprovalWatch(const ConsoleContext &context, models::CommandsModel *commands, BannerArea *area,
                             Notify notify, QWidget *window)
    : QObject(window),
      m_context(context),
      m_commands(commands),
      m_area(area),
      m_window(window),
      m_notify(std::move(notify))
{
    using session::AgentGroup;
    window->installEventFilter(this);
    connect(context.session, &AgentGroup::approvalChanged, this, &ApprovalWatch::take);
    connect(context.session, &AgentGroup::grantsChanged, this, &ApprovalWatch::judgeAnew);
    connect(context.session, &AgentGroup::agentChanged, this, &ApprovalWatch::forget);
    connect(context.session, &AgentGroup::linkChanged, this, [this] {
        forgetLost();
        if (m_context.session->link() == session::LinkState::Live)
            ask();
    });
}

/** Asks for the requests that were made before this session began, or while it was away. */
void ApprovalWatch::ask()
{
    // The answer lacks an agent that wasn't connected when the question was sent, or isn't connected now.
    const auto isTold = [this](const domain::LockKey &key) { return m_context.session->isLive(key.source); };
    m_context.session->ask(protocol::ApprovalsQuery(), this,
                           [this, isTold, asked = m_commands->awaited(isTold)](
                               const base::Result<protocol::ApprovalsPage> &page) {
                               if (!page)
                                   return;
                               QSet<QByteArray> forgotten = asked & m_commands->awaited(isTold);
                               for (const domain::ApprovalRequest &request : page->requests) {
                                   take(request);
                                   forgotten.remove(request.command);
                               }
                               m_commands->endForgotten(forgotten, m_context.clock->wallUs());
                           });
}

void ApprovalWatch::take(const domain::ApprovalRequest &request)
{
    m_commands->decided(request, m_context.clock->wallUs());
    const QByteArray banner = bannerOf(m_context, request);
    if (!request.isOpen()) {
        m_open.erase(banner);
        m_area->removeBanner(banner);
        return;
    }
    const bool isNew = m_open.insert_or_assign(banner, request).second;
    show(request);
    if (isNew && m_area->hasBanner(banner) && m_context.settings->notifications() &&
        request.who != m_context.session->welcome(request.key.source).user)
        m_notify(tr("A release waits for approval"),
                 tr("%1 asks to release “%2”.", "user, lock")
                     .arg(base::displayText(request.who), LockText::name(request.key)));
}

void ApprovalWatch::show(const domain::ApprovalRequest &request)
{
    const bool own = request.who == m_context.session->welcome(request.key.source).user;
    const bool may =
        m_context.session->may(domain::Permission::Approve, request.key.source, request.key.name);
    if (!own && !may) {
        m_area->removeBanner(bannerOf(m_context, request));
        return;
    }
    BannerText banner;
    banner.id = bannerOf(m_context, request);
    banner.kind = own ? presentation::BannerKind::Info : presentation::BannerKind::Warning;
    banner.text = own ? tr("Your request to release “%1” awaits another person's approval.")
                            .arg(LockText::name(request.key))
                      : tr("%1 asks to release “%2”: %3", "user, lock, reason")
                            .arg(base::displayText(request.who), LockText::name(request.key),
                                 base::displayText(request.reason));
    banner.action = tr("Review…");
    banner.run = [this, id = banner.id] { open(id); };
    m_area->showBanner(banner);
}

void ApprovalWatch::judgeAnew()
{
    for (const auto &[id, request] : m_open)
        show(request);
}

bool ApprovalWatch::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_window && event->type() == QEvent::LanguageChange)
        judgeAnew();
    return QObject::eventFilter(watched, event);
}

void ApprovalWatch::forget()
{
    for (const auto &[id, request] : std::exchange(m_open, {}))
        m_area->removeBanner(id);
}

/** Forgets the requests whose agent is lost: their fate is unknown. */
void ApprovalWatch::forgetLost()
{
    for (auto it = m_open.cbegin(); it != m_open.cend();) {
        const bool live = m_context.session->isLive(it->second.key.source);
        if (!live)
            m_area->removeBanner(it->first);
        it = live ? std::next(it) : m_open.erase(it);
    }
}

void ApprovalWatch::open(const QByteArray &id)
{
    const auto it = m_open.find(id);
    if (it == m_open.end())
        return;
    auto *dialog = new ApproveDialog(m_context, it->second, m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

} // namespace lockkeeper::app::views
