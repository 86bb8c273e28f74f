// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/agent_session.h"

#include <QRandomGenerator>

#include <array>

namespace lockkeeper::app::session {

QByteArray AgentSession::newCommand()
{
    std::array<quint32, 4> words{};
    QRandomGenerator::system()->fillRange(words.data(), words.size());
    return QByteArray(reinterpret_cast<const char *>(words.data()), sizeof(words)).toHex();
}

} // namespace lockkeeper::app::session
