// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/group_questions.h"

#include "app/session/agent_group.h"

namespace lockkeeper::app::report {

namespace {

template <typename Request>
concept IsEvidenceQuestion =
    std::is_same_v<Request, protocol::StatusQuery> || std::is_same_v<Request, protocol::TimelineQuery> ||
    std::is_same_v<Request, protocol::HoldsQuery> || std::is_same_v<Request, protocol::HistoryQuery> ||
    std::is_same_v<Request, protocol::AuditQuery> || std::is_same_v<Request, protocol::AlertsQuery> ||
    std::is_same_v<Request, protocol::AdviceQuery> || std::is_same_v<Request, protocol::LocksQuery>;

} // namespace

IncidentReader::Ask askThrough(session::AgentGroup &session, const QString &source, QObject *context)
{
    return [&session, source, context](const protocol::Message &message, const IncidentReader::Take &take) {
        std::visit(
            [&](const auto &request) {
                using Request = std::decay_t<decltype(request)>;
                if constexpr (IsEvidenceQuestion<Request>) {
                    session.askAgentOf(source, request, context,
                                       [take](base::Result<session::Reply<Request>> page) {
                                           if (page)
                                               take(protocol::Message(*std::move(page)));
                                           else
                                               take(tl::unexpected(page.error()));
                                       });
                }
            },
            static_cast<const protocol::AnyMessage &>(message));
    };
}

} // namespace lockkeeper::app::report
