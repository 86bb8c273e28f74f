// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/transport/address.h"
#include "shared/transport/stream.h"

#include <QProcess>

namespace lockkeeper::transport {

/** What the bridge writes first, once it has reached the agent: all before it is a login shell's noise. */
inline constexpr QByteArrayView kBridgeGreeting("LOCKKEEPER-BRIDGE 1\n");

/**
 * An agent's socket on another machine: the system's own ssh as a child, and `lockkeeperctl bridge` at its
 * other end. ssh uses its own configuration, keys and agent; what it asks it asks at the terminal or by its
 * own askpass window. The destructor kills the child.
 */
class SshStream final : public Stream
{
    Q_OBJECT

public:
    explicit SshStream(Address address);
    ~SshStream() override;

    /** opened() or failed() follows, not from within. */
    void start();

    QIODevice &device() override { return m_ssh; }
    bool isOpen() const override;
    void finish() override;
    void abort() override;
    std::optional<base::Error> reason() const override;

    /** The child's arguments: what a test of the quoting looks at. */
    static QStringList argumentsFor(const Address &address);

Q_SIGNALS:
    /** ssh is logged in there, whatever becomes of the bridge. */
    void entered();
    void opened();
    void failed(const lockkeeper::base::Error &error);

private:
    void awaitGreeting();
    void listen();
    void endOpening(const base::Error &error);

    Address m_address;
    QProcess m_ssh;
    QByteArray m_said; ///< the end of its standard error
    bool m_open = false;
    bool m_failed = false;
};

} // namespace lockkeeper::transport
