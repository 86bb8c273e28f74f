// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_client.h"

#include <QTest>

#include <memory>

namespace lockkeeper::tests {

/**
 * The answer to the request that `ask` sends with its completion. Fails the test where no answer comes, or
 * more than one, or one from within the call.
 */
inline locks::AttemptResult answerTo(const std::function<void(locks::LockClient::Done)> &ask)
{
    const auto answers = std::make_shared<QList<locks::AttemptResult>>();
    ask([answers](const locks::AttemptResult &result) {
        answers->append(result);
        if (answers->size() > 1)
            QTest::qFail("a lock client answered twice", __FILE__, __LINE__);
    });
    if (!answers->isEmpty())
        QTest::qFail("a lock client answered from within the call", __FILE__, __LINE__);
    if (QTest::qWaitFor([&] { return !answers->isEmpty(); }, 30'000))
        return answers->constFirst();
    QTest::qFail("a lock client didn't answer", __FILE__, __LINE__);
    return {.error = base::Error{base::ErrorCode::Unknown, QStringLiteral("no answer"), {}}};
}

inline locks::AttemptResult acquired(locks::LockClient &client, const QByteArray &name, qint64 ttlUs,
                                     const QByteArray &token = {})
{
    return answerTo([&](auto done) {
        client.tryAcquire({.name = name, .token = token, .ttlUs = ttlUs, .proof = {}, .fencing = {}},
                          std::move(done));
    });
}

inline locks::AttemptResult renewed(locks::LockClient &client, const locks::Lease &lease, qint64 ttlUs)
{
    return answerTo([&](auto done) { client.renew(lease, ttlUs, std::move(done)); });
}

inline locks::AttemptResult released(locks::LockClient &client, const locks::Lease &lease)
{
    return answerTo([&](auto done) { client.release(lease, std::move(done)); });
}

} // namespace lockkeeper::tests
