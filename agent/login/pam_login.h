// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>

namespace lockkeeper::agent::login {

/**
 * Has PAM judge a name and a password, in a process of its own (lockkeeper-pam, beside the agent's program):
 * a module that hangs, crashes or leaks does it there. `service`: the name of a file in /etc/pam.d, or an
 * absolute path. The answer comes later, within 8 s; anything but a clean yes is no.
 */
void verifyByPam(const QString &service, const QString &user, const QByteArray &password, QObject *context,
                 std::function<void(bool)> done);

} // namespace lockkeeper::agent::login
