// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/redis/waiter_register.h"

#include "shared/stores/redis/schemes/key_scheme.h"

namespace lockkeeper::locks::redis {

using namespace stores::redis;
using namespace stores;

void composeRegister(CommandBatch &to, const ClientCall &call)
{
    static const Script announce = clientScript("waiters_announce");
    const QByteArray key = waitersKeyOf(call.lease.name);
    if (call.act == ClientAct::Withdraw) {
        to.add(QList<QByteArray>{"ZREM", key} + call.waiters);
        return;
    }
    const QByteArray forMs = QByteArrayView(millisecondsOf(call.lease)).toByteArray();
    to.add(QList<QByteArray>{call.byText ? "EVAL" : "EVALSHA", call.byText ? announce.text : announce.sha,
                             "1", key, forMs} +
           call.waiters);
}

} // namespace lockkeeper::locks::redis
