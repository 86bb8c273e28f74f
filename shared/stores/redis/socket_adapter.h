// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSocketNotifier>

#include <functional>

struct redisAsyncContext;

namespace lockkeeper::stores::redis {

/**
 * Drives one asynchronous hiredis context by the event loop of the thread it lives in. The context
 * owns the adapter: its clean-up hook, the last thing it calls, ends the adapter, however the context
 * ends. Answers are read as they come; what callbacks queued meanwhile is written right after, without
 * a turn of the event loop.
 */
class SocketAdapter final : public QObject
{
    Q_OBJECT

public:
    /** Attaches to `context`. `ended` is called once, when the context is going away. */
    SocketAdapter(redisAsyncContext *context, std::function<void()> ended);

Q_SIGNALS:
    /** Bytes may have come: the server shows life. */
    void activity();

private:
    static void addRead(void *self);
    static void removeRead(void *self);
    static void addWrite(void *self);
    static void removeWrite(void *self);
    static void cleanUp(void *self);
    void onReadable();
    void onWritable();

    redisAsyncContext *m_context;
    std::function<void()> m_ended;
    QSocketNotifier m_read;
    QSocketNotifier m_write;
    bool m_reading = false;
    bool m_wantsWrite = false;
};

} // namespace lockkeeper::stores::redis
