// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/error.h"
#include "shared/stores/discover/key_facts.h"
#include "shared/stores/redis/connection/errors.h"

#include <QHash>
#include <QObject>
#include <QSet>
#include <QTimer>

struct redisReply;

namespace lockkeeper::stores::redis {
class CommandBatch;
class RedisConnection;
} // namespace lockkeeper::stores::redis

namespace lockkeeper::stores::discover {

/** Limits for the part of a store that is looked at. */
struct SampleLimits
{
    qint64 names = 1'000'000;   ///< keys whose names are read
    qsizetype keys = 20'000;    ///< of them those whose type and time to live are asked
    qsizetype named = 5'000;    ///< … and beyond, those whose names speak of locks
    int page = 1'000;           ///< SCAN's COUNT
    int samples = 24;           ///< keys of a group whose content is read
    qsizetype contents = 5'000; ///< … of all groups together
    int againMs = 1'200;        ///< between the two reads of a key
};

/**
 * Reads a bounded sample of the keys of one database over an open connection. It first reads names by SCAN in
 * pages, never by KEYS, then types and times to live. For a few keys of each group it then reads the length
 * and, where it is short, the content (4 KiB; hashes and sorted sets also in their small encoding). It reads
 * possible locks a second time. One page is under way at a time. It sends only commands that read.
 */
class KeySampler : public QObject
{
    Q_OBJECT

public:
    static constexpr qsizetype kLongestName = 1'024; ///< longer names are no names of locks
    static constexpr qsizetype kLongestValue = 4'096;

    /** The connection isn't owned; when it is lost, no more signals follow. */
    KeySampler(redis::RedisConnection &connection, SampleLimits limits, QObject *parent = nullptr);

    void start();

    const QList<KeyGroup> &groups() const { return m_groups; }
    /** The keys of all groups, and the helpers that lock libraries keep beside theirs. */
    QList<KeyFacts> keys() const;
    qint64 scanned() const { return m_scanned; }
    bool allSeen() const { return m_allSeen; }
    qint64 nowS() const { return m_nowUs / 1'000'000; }

Q_SIGNALS:
    void progressed(qint64 done, qint64 total);
    void done();
    void failed(const lockkeeper::base::Error &error);

private:
    struct SamplePlace
    {
        qsizetype group = 0;
        qsizetype key = 0; ///< of the group's keys, then of its permits
    };
    using Take = std::function<void(qsizetype, const redisReply *)>;
    using AddQuestions = std::function<void(redis::CommandBatch &, const KeyFacts &)>;
    using TakeAnswer = std::function<void(KeyFacts &, qsizetype question, const redisReply *, qint64 nowUs)>;

    void send(const redis::CommandBatch &batch, Take each, std::function<void()> then);
    void fail(const redisReply *reply);
    void scan(const QByteArray &cursor);
    void takeNames(const redisReply *reply);
    bool isWanted(const QByteArray &name) const;
    void askTypes(QList<KeyFacts> page, const QByteArray &cursor);
    void endScan();
    void choose();
    /** For all m_places from `from` on, sends the `each` questions that `add` writes for a key. `take` gets
     * each answer with its question's index, and the server's clock before the questions (0: not known).
     * `then` is called last. */
    void askEach(qsizetype each, const AddQuestions &add, const TakeAnswer &take,
                 const std::function<void()> &then, qsizetype from = 0);
    bool isListenedTo(const KeyGroup &group) const;
    void askLengths();
    void askContents();
    void askAgain();
    void beginAgain();
    KeyFacts &keyAt(const SamplePlace &place);

    redis::RedisConnection &m_connection;
    SampleLimits m_limits;
    redis::AclSubject m_asker;
    QTimer m_pause;
    QSet<QByteArray> m_seen;
    QSet<QByteArray> m_channels; ///< channels with a listener
    QList<KeyFacts> m_keys;
    QList<KeyFacts> m_helpers; ///< of m_groups
    QList<KeyGroup> m_groups;
    QList<SamplePlace> m_places;        ///< to be read
    QHash<QByteArray, qint64> m_readUs; ///< when a key's content was read
    qsizetype m_named = 0;
    qint64 m_scanned = 0;
    qint64 m_total = 0;
    qint64 m_nowUs = 0;
    qint64 m_typesDenied = 0;
    base::Error m_denied; ///< of the first of them
    bool m_allSeen = true;
    bool m_failed = false;
};

} // namespace lockkeeper::stores::discover
