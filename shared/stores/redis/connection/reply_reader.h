// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>
#include <QString>

#include <hiredis/hiredis.h>
#include <memory>

namespace lockkeeper::stores::redis {

struct ReplyDeleter
{
    void operator()(redisReply *reply) const { freeReplyObject(reply); }
};
using ReplyPtr = std::unique_ptr<redisReply, ReplyDeleter>;

/** How much one reply may be. A larger reply ends the link before memory is allocated for it. */
struct ReplyLimits
{
    /** Bytes of one string. The longest that is asked for is 64 KiB of a value; a key's name, which SCAN
     * gives whole, may have 512 MiB, and past this it isn't a lock's. */
    qsizetype item = 8 * 1024 * 1024;
    qsizetype reply = 64 * 1024 * 1024; ///< bytes of a reply with all that is in it
    qint64 elements = 1'048'576;        ///< of all arrays of a reply together
    int depth = 7;                      ///< of arrays in arrays; the commands that are sent need three
};

/**
 * Turns bytes from a server into replies, with hiredis' reader (RESP2). The bytes are hostile: an array's
 * announced length is checked before anything is allocated for it (hiredis allocates by it, and takes up to
 * 2^31 elements), and strings grow only as their bytes come. After failed() nothing more is read.
 */
class ReplyReader
{
public:
    explicit ReplyReader(const ReplyLimits &limits = {});
    ~ReplyReader();
    Q_DISABLE_COPY_MOVE(ReplyReader)

    /** Adds what was received. Pieces of 16 KiB are quickest; next() is to be called until it gives null. */
    void feed(QByteArrayView bytes);
    /** The next whole reply; null: there is none yet, or failed(). */
    ReplyPtr next();

    bool failed() const { return !m_error.isEmpty(); }
    /** Describes the error in the bytes. */
    const QString &error() const { return m_error; }

private:
    template <typename Count> static void *createArray(const redisReadTask *task, Count count);
    qsizetype pending() const;
    void checkSize();

    ReplyLimits m_limits;
    redisReader *m_reader;
    const redisReplyObjectFunctions *m_standard;
    redisReplyObjectFunctions m_functions;
    qint64 m_elements = 0; ///< of the reply under way
    bool m_tooDeep = false;
    qsizetype m_bytes = 0; ///< of the reply under way, and of what came after it
    QString m_error;
};

} // namespace lockkeeper::stores::redis
