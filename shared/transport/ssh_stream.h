// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/transport/address.h"
#include "shared/transport/stream.h"

#include <QProcess>

namespace lockkeeper::transport {

/** The bridge writes this first, once it has reached the agent. Any output before it comes from a login shell
 * and is skipped. */
inline constexpr QByteArrayView kBridgeGreeting("LOCKKEEPER-BRIDGE 1\n");

/**
 * Connects to an agent's socket on another machine: runs the system's ssh as a child process, which runs
 * `lockkeeperctl bridge` there. ssh uses its own configuration, keys and ssh-agent. It prompts the user at
 * the terminal or in its askpass window. The destructor kills the child.
 */
class SshStream final : public Stream
{
    Q_OBJECT

public:
    explicit SshStream(Address address);
    ~SshStream() override;

    /** opened() or failed() follows, after start() has returned. */
    void start();

    QIODevice &device() override { return m_ssh; }
    bool isOpen() const override;
    void finish() override;
    void abort() override;
    std::optional<base::Error> reason() const override;

    /** The child's arguments; public so that a test can check the quoting. */
    static QStringList argumentsFor(const Address &address);

Q_SIGNALS:
    /** ssh has logged in on the other machine; the bridge may still fail. */
    void entered();
    void opened();
    void failed(const lockkeeper::base::Error &error);

private:
    void awaitGreeting();
    void listen();
    void endOpening(const base::Error &error);

    Address m_address;
    QProcess m_ssh;
    QByteArray m_said; ///< end of the child's standard error
    bool m_open = false;
    bool m_failed = false;
};

} // namespace lockkeeper::transport
