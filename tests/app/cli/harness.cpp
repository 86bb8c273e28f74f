// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "harness.h"

#include <QTimer>

namespace lockkeeper::tests {

using namespace app::cli;

Run::Run(const QList<CalledAgent> &agents, const QStringList &arguments, std::unique_ptr<base::Clock> clock,
         int width, const QString &typed)
    : m_clock(std::move(clock))
{
    QStringList line = arguments;
    for (const CalledAgent &agent : agents)
        line << QStringLiteral("--agent") << agent.name;
    auto parsed = parse(line, m_clock->wallUs());
    if (const auto *stop = std::get_if<Stop>(&parsed)) {
        m_output.note(stop->text);
        m_status = stop->status;
        return;
    }
    m_line = std::move(std::get<CommandLine>(parsed));
    for (const CalledAgent &agent : agents) {
        Context context{m_output, *m_clock, {width, false, false}, m_line.json, agent.address, {}};
        if (!typed.isNull())
            context.prompt = [typed, this](auto done) {
                QTimer::singleShot(0, this, [typed, done] { done(typed); });
            };
        m_agents.push_back({agent.name, context});
    }
    m_task = m_line.command->task(m_agents);
    connect(m_task.get(), &Task::finished, this, [this](int status) { m_status = status; });
    m_task->start();
}

QList<QJsonObject> Run::objects() const
{
    QList<QJsonObject> objects;
    for (const QByteArray &line : m_output.out.split('\n')) {
        if (!line.isEmpty())
            objects.append(QJsonDocument::fromJson(line).object());
    }
    return objects;
}

} // namespace lockkeeper::tests
