// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/transport/address.h"
#include "shared/transport/channel.h"

namespace lockkeeper::transport {

/**
 * Accepts connections at one address; each is a Channel that has not said Hello yet. At most `maxConnections`
 * at once.
 */
class Listener : public QObject
{
    Q_OBJECT

public:
    explicit Listener(QObject *parent = nullptr);
    ~Listener() override;

    /** For the channels made from now on. */
    void setTimings(const Timings &timings);
    virtual base::Result<void> listen(const Address &address, int maxConnections = 256) = 0;
    /** Stops listening; channels that were taken live on. */
    virtual void close() = 0;

    std::unique_ptr<Channel> takeChannel();

Q_SIGNALS:
    /** Not a signal argument that can be copied: take it with takeChannel() until that returns null. */
    void channelReady();

protected:
    void setMostConnections(int most);
    const Timings &timings() const;
    /** Makes a channel of it; past the limit ends it at once. */
    void admit(std::unique_ptr<Stream> stream);
    bool isFull() const;
    /** Channels that were made and aren't closed yet, here or taken; the oldest first. */
    const QList<Channel *> &live() const;
    /** Ends the channels that nobody has taken. */
    void dropReady();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockkeeper::transport
