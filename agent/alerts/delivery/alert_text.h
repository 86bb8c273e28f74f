// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/alerts/storage/outbox.h"
#include "agent/config/receiver_settings.h"

namespace lockkeeper::agent::alerts {

/** The sending agent, the language and the time of a message. */
struct SendContext
{
    QString agent; ///< its name
    config::AlertLanguage language = config::AlertLanguage::English;
    qint64 nowUs = 0; ///< wall clock
};

/** The rule of the message that tests a receiver. */
inline constexpr QLatin1String kTestRule("test");

/** How a name from a store is set off in a text. */
enum class TextStyle : quint8 {
    Plain = 0,
    Chat, ///< Slack-compatible: as code and escaped, so that a name mentions nobody
};

/** A ready text for people. Names are as by base::displayText() and cut; no line has a control character. */
struct AlertText
{
    QString headline; ///< one line
    QStringList lines;
};

AlertText alertText(const DueNotice &notice, const SendContext &context, TextStyle style);

/** A name from a store for people: escaped, and cut to 200 characters. */
QString shownName(const QByteArray &name);

} // namespace lockkeeper::agent::alerts
