// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/zookeeper/reading/survey.h"

#include "shared/stores/zookeeper/connection/four_letters.h"
#include "shared/stores/zookeeper/reading/recipes.h"
#include "shared/stores/zookeeper/reading/walk.h"

#include <utility>

namespace lockkeeper::stores::zookeeper {

using base::Error;
using base::ErrorCode;

namespace {

class TreeSurvey final : public Survey
{
public:
    TreeSurvey(Ensemble ensemble, const SurveyLimits &limits) : m_link(std::move(ensemble)), m_limits(limits)
    {
        connect(&m_link, &ZookeeperLink::connected, this, [this] { askVersion(); });
        connect(&m_link, &ZookeeperLink::lost, this, [this](const Error &error) { end(error); });
    }

    void start() override { m_link.open(); }

private:
    struct SurveyStep
    {
        QByteArray path;
        int depth = 0;
    };

    void end(const std::optional<Error> &error)
    {
        if (std::exchange(m_over, true))
            return;
        if (error)
            Q_EMIT failed(*error);
        else
            Q_EMIT found(m_facts);
    }

    void askVersion()
    {
        m_facts.server = productOf({});
        const Host &server = m_link.ensemble().servers.constFirst();
        askWord(&m_link, server.name, quint16(server.port), "srvr", [this](const QByteArray &answer) {
            m_facts.server = productOf(answer);
            m_link.sync([](const Reply &) {});
            m_left = {{QByteArrayLiteral("/"), 0}};
            go();
        });
    }

    void go()
    {
        while (m_next < m_left.size() && m_underWay < kMostAtOnce && !m_over) {
            if (m_facts.znodes >= m_limits.names) {
                m_facts.allSeen = false;
                m_left.resize(m_next);
                break;
            }
            ++m_underWay;
            m_link.children(m_left.at(m_next).path, false,
                            [this, step = m_left.at(m_next)](const Reply &reply) {
                                --m_underWay;
                                take(step, reply);
                            });
            ++m_next;
        }
        if (m_underWay == 0)
            end({});
    }

    void take(const SurveyStep &step, const Reply &reply)
    {
        if (m_over)
            return;
        const bool denied = reply.error && reply.error->code == ErrorCode::PermissionDenied;
        if (denied && step.depth == 0) {
            end(Error{ErrorCode::PermissionDenied, reply.error->cause,
                      QStringLiteral("Scan as a user who may read the tree, or write the source by hand: "
                                     "scheme = \"zookeeper.sequence\" and match.")});
        } else if (denied) {
            m_facts.allSeen = false;
        } else if (reply.error && !reply.missing) {
            end(reply.error);
        } else if (!reply.missing) {
            takeChildren(step, reply.children);
            Q_EMIT progressed(m_facts.znodes, m_facts.znodes + m_left.size() - m_next);
        }
        go();
    }

    void takeChildren(const SurveyStep &step, const QList<QByteArray> &names)
    {
        m_facts.znodes += names.size();
        QueueFacts queue{step.path, {}, 0};
        qsizetype below = 0;
        for (const QByteArray &name : names) {
            if (const auto place = placeOf(name)) {
                queue.places += place->numbered ? 1 : 0; // 32 digits alone may be anything
                if (queue.client.isEmpty())
                    queue.client = recipeOf(name).toByteArray();
            } else if (step.path == "/" && name == "zookeeper") {
                continue; // the ensemble's own
            } else if (step.depth == kDeepest || ++below > m_limits.below) {
                m_facts.allSeen = false;
            } else {
                m_left.append({childOf(step.path, name), step.depth + 1});
            }
        }
        if (queue.places > 0)
            m_facts.queues.append(queue);
    }

    ZookeeperLink m_link;
    SurveyLimits m_limits;
    TreeFacts m_facts;
    QList<SurveyStep> m_left; ///< from m_next on: to be asked for
    qsizetype m_next = 0;
    qsizetype m_underWay = 0;
    bool m_over = false;
};

} // namespace

base::Result<std::unique_ptr<Survey>> Survey::of(const SourceSpec &spec, const SurveyLimits &limits)
{
    auto ensemble = ensembleOf(spec);
    if (!ensemble)
        return tl::unexpected(ensemble.error());
    return std::make_unique<TreeSurvey>(*std::move(ensemble), limits);
}

} // namespace lockkeeper::stores::zookeeper
