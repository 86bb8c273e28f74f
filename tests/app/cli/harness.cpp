// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "harness.h"

#include <QTimer>

namespace lockkeeper::tests {

using namespace app::cli;

Run::Run(const transport::Address &agent, const QStringList &arguments, const QString &typed)
    : m_context{m_output, m_clock, {120, false, false}, false, agent, {}}
{
    auto parsed = parseOptions(arguments, m_clock.wallUs());
    if (const auto *stop = std::get_if<Stop>(&parsed)) {
        m_output.note(stop->text);
        m_status = stop->status;
        return;
    }
    m_context.json = std::get<Options>(parsed).json;
    if (!typed.isNull())
        m_context.prompt = [typed, this](auto done) {
            QTimer::singleShot(0, this, [typed, done] { done(typed); });
        };
    m_command = makeCommand(std::get<Options>(parsed).command, m_context);
    connect(m_command.get(), &Command::finished, this, [this](int status) { m_status = status; });
    m_command->start();
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
