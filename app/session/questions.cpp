// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/questions.h"

#include <algorithm>
#include <limits>

namespace lockkeeper::app::session {

namespace {
constexpr qint64 kNever = std::numeric_limits<qint64>::max();
}

Questions::Questions(QObject *parent) : QObject(parent)
{
    m_clock.start();
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &Questions::expire);
}

void Questions::add(quint64 id, QObject *context, Handler handler, bool cancellable)
{
    m_waiting[id] = {context, std::move(handler), m_clock.elapsed() + m_timeoutMs, cancellable};
    schedule();
}

void Questions::setEndless(quint64 id)
{
    if (const auto it = m_waiting.find(id); it != m_waiting.end())
        it->second.deadlineMs = kNever;
    schedule();
}

bool Questions::answer(quint64 id, const protocol::Message &message)
{
    if (!m_waiting.contains(id))
        return false;
    if (const auto *failed = std::get_if<protocol::Failed>(&message))
        finish(id, tl::unexpected(failed->error));
    else
        finish(id, message);
    return true;
}

void Questions::fail(quint64 id, const base::Error &error)
{
    finish(id, tl::unexpected(error));
}

void Questions::failAll(const base::Error &error)
{
    while (!m_waiting.empty())
        fail(m_waiting.begin()->first, error);
}

bool Questions::cancel(quint64 id)
{
    const auto it = m_waiting.find(id);
    if (it == m_waiting.end() || !it->second.cancellable)
        return false;
    fail(id, {base::ErrorCode::Cancelled, QStringLiteral("the query was cancelled"), {}});
    return true;
}

/** The answer is sent from the event loop, so that a call never triggers its own callback. */
void Questions::finish(quint64 id, base::Result<protocol::Message> result)
{
    const auto it = m_waiting.find(id);
    if (it == m_waiting.end())
        return;
    PendingQuestion question = std::move(it->second);
    m_waiting.erase(it);
    if (!question.context)
        return;
    QMetaObject::invokeMethod(
        question.context,
        [handler = std::move(question.handler), result = std::move(result)] { handler(result); },
        Qt::QueuedConnection);
}

void Questions::expire()
{
    const qint64 now = m_clock.elapsed();
    QList<quint64> late;
    for (const auto &[id, question] : m_waiting) {
        if (question.deadlineMs <= now)
            late.append(id);
    }
    for (const quint64 id : std::as_const(late))
        fail(id, {base::ErrorCode::Timeout, QStringLiteral("the agent didn't answer in time"), {}});
    schedule();
}

void Questions::schedule()
{
    qint64 first = kNever;
    for (const auto &[id, question] : m_waiting)
        first = std::min(first, question.deadlineMs);
    if (first == kNever)
        m_timer.stop();
    else
        m_timer.start(int(std::max<qint64>(1, first - m_clock.elapsed())));
}

} // namespace lockkeeper::app::session
