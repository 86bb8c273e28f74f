// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/widgets/console_context.h"
#include "app/views/widgets/translated.h"
#include "shared/base/result.h"
#include "shared/protocol/messages.h"

#include <QTimer>
#include <QWidget>

#include <optional>

class QVBoxLayout;

namespace lockkeeper::app::views {

class LinkButton;
class PlainLabel;

/**
 * The advice about one lock from the last 24 hours, asked from the agent, and how much of that time was
 * observed. Hidden without advice. Asks a moment after the lock was chosen, and again every few minutes.
 * GUI thread.
 */
class LockAdvice : public Translated<QWidget>
{
    Q_OBJECT

public:
    explicit LockAdvice(const ConsoleContext &context, QWidget *parent = nullptr);

    void setLock(const std::optional<domain::LockKey> &key);
    /** Call it once a second: asks again if the answer is old and the dock is in sight. */
    void redraw();
    /** The shown lines; empty without advice. */
    QString text() const;

private:
    void ask(const domain::LockKey &key);
    void drop();
    void take(const base::Result<protocol::AdvicePage> &page);
    void showLines();
    QString observedText() const;
    void retranslate() final;

    ConsoleContext m_context;
    std::optional<domain::LockKey> m_key;
    protocol::AdvicePage m_page;     ///< only advice about the lock
    std::optional<qint64> m_askedUs; ///< by the console's clock; empty: not asked about this lock yet
    quint64 m_request = 0;
    int m_question = 0; ///< number of the last question: answers to earlier ones are dropped
    QTimer m_settle;    ///< runs while the user may still be moving through the list
    PlainLabel *m_heading;
    QVBoxLayout *m_lines;
    PlainLabel *m_observed;
    LinkButton *m_all;
};

} // namespace lockkeeper::app::views
