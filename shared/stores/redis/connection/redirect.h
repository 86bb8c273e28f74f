// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>
#include <QString>

#include <optional>

namespace lockkeeper::stores::redis {

inline constexpr int kMostHops = 3; ///< redirects that one question follows

/**
 * A node of a cluster has run nothing and names another node: for good (MOVED), or for this question alone,
 * as the slot is moving there (ASK). From "MOVED 3999 127.0.0.1:6381" and "ASK 3999 127.0.0.1:6381".
 */
struct Redirect
{
    bool ask = false;
    quint16 slot = 0;
    QString host; ///< empty: the host that answered
    quint16 port = 0;

    /** `answered`: the host of the node that it came from. */
    const QString &hostFrom(const QString &answered) const { return host.isEmpty() ? answered : host; }
};

/** Empty where `message` is something else. */
std::optional<Redirect> redirectOf(QByteArrayView message);

/** True where a node has run nothing, as it lacks the key: a redirect, or TRYAGAIN from one of two nodes that
 * have some of the keys each. */
bool sendsElsewhere(QByteArrayView message);

} // namespace lockkeeper::stores::redis
