// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/socket_adapter.h"

#include <hiredis/async.h>

namespace lockkeeper::stores::redis {

SocketAdapter::SocketAdapter(redisAsyncContext *context, std::function<void()> ended)
    : m_context(context),
      m_ended(std::move(ended)),
      m_read(context->c.fd, QSocketNotifier::Read),
      m_write(context->c.fd, QSocketNotifier::Write)
{
    m_read.setEnabled(false);
    m_write.setEnabled(false);
    connect(&m_read, &QSocketNotifier::activated, this, &SocketAdapter::onReadable);
    connect(&m_write, &QSocketNotifier::activated, this, &SocketAdapter::onWritable);
    context->ev.data = this;
    context->ev.addRead = addRead;
    context->ev.delRead = removeRead;
    context->ev.addWrite = addWrite;
    context->ev.delWrite = removeWrite;
    context->ev.cleanup = cleanUp;
}

void SocketAdapter::addRead(void *self)
{
    static_cast<SocketAdapter *>(self)->m_read.setEnabled(true);
}

void SocketAdapter::removeRead(void *self)
{
    static_cast<SocketAdapter *>(self)->m_read.setEnabled(false);
}

void SocketAdapter::addWrite(void *self)
{
    auto *adapter = static_cast<SocketAdapter *>(self);
    if (adapter->m_wantsWrite)
        return;
    adapter->m_wantsWrite = true;
    if (!adapter->m_reading)
        adapter->m_write.setEnabled(true);
}

void SocketAdapter::removeWrite(void *self)
{
    auto *adapter = static_cast<SocketAdapter *>(self);
    adapter->m_wantsWrite = false;
    adapter->m_write.setEnabled(false);
}

void SocketAdapter::cleanUp(void *self)
{
    auto *adapter = static_cast<SocketAdapter *>(self);
    adapter->m_context = nullptr;
    adapter->m_read.setEnabled(false);
    adapter->m_write.setEnabled(false);
    adapter->m_ended();
    // The context may be ending inside onReadable() or onWritable() of this very object.
    adapter->deleteLater();
}

void SocketAdapter::onReadable()
{
    if (m_context == nullptr)
        return;
    Q_EMIT activity();
    m_reading = true;
    redisAsyncHandleRead(m_context);
    m_reading = false;
    // Outside hiredis' callbacks again: only here may a failing write end the context.
    if (m_context != nullptr && m_wantsWrite) {
        redisAsyncHandleWrite(m_context);
        if (m_context != nullptr && m_wantsWrite)
            m_write.setEnabled(true);
    }
}

void SocketAdapter::onWritable()
{
    if (m_context != nullptr)
        redisAsyncHandleWrite(m_context);
}

} // namespace lockkeeper::stores::redis
