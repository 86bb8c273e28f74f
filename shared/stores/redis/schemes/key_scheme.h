// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/finding.h"
#include "shared/stores/redis/connection/errors.h"
#include "shared/stores/redis/connection/resp.h"
#include "shared/stores/redis/connection/script.h"
#include "shared/stores/store.h"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace lockkeeper::stores::redis {

inline constexpr QByteArrayView kLastByte("65535"); ///< of a value, as GETRANGE counts: 64 KiB are read

/** The prefix of the key of a sorted set in which clients that wait for a lock register
 * (LockSet::waitersRegistered). Each client has one entry; the score is its deadline in milliseconds. */
inline constexpr QByteArrayView kRegisteredWaiters("lockkeeper:waiters:");
/** That prefix and the lock's name, in braces unless the name has some. */
QByteArray waitersKeyOf(QByteArrayView name);

class KeyScheme;
using KeySchemes = std::vector<std::shared_ptr<const KeyScheme>>;

/** How keys are read over a connection. */
struct ReadMode
{
    bool exactDeadlines = true; ///< PEXPIRETIME; otherwise PTTL between two TIMEs
    AclSubject asker;
    /** By lock set; null, or none for a set: redis.token. */
    std::shared_ptr<const KeySchemes> schemes = {};
    /** The names are keys as the server has them, and of a key with many locks all are wanted. */
    bool wholeKeys = false;
    /** In a cluster: keys that another node has, as the server says, are left out of the page
     * (KeyPage::elsewhere). Otherwise they are the page's error. */
    bool leaveElsewhere = false;
    /** Each question is preceded by ASKING: the server then answers with its keys of a slot that it takes
     * over. Keys beside a lock that it lacks may be at the node that gives the slot away. */
    bool asking = false;
    quint16 server = 0; ///< see Observation::server
};

/** The results of one key's questions so far. The scheme owns them between its rounds. */
struct KeyReading
{
    int round = 0;      ///< how often it was asked before
    bool again = false; ///< set by take(): there is more to ask
    std::array<qint64, 5> numbers{};
    qint64 waitersBytes = 0;  ///< of the registered waiters, if readable
    bool asksWaiters = false; ///< the last round, about them
};

/** The results of a page of keys, beside the locks that were asked for. */
struct PageReading
{
    const ReadMode &mode;
    std::optional<base::Error> error = {}; ///< the first one; it spoils the page
    QList<Observation> members = {};       ///< of keys with many locks
    QList<Subject> partial = {};           ///< keys that hold more locks than are read
    qint64 beganUs = 0;                    ///< the server's clock at its first question

    void note(const base::Error &what)
    {
        if (!error)
            error = what;
    }
};

/** One question about a user's rights, put so that it changes nothing. */
struct RightQuestion
{
    enum RightUse : quint8 {
        Observe = 0, ///< a command that only reads: it is tried
        Break,       ///< the same, needed only to break
        Write,       ///< never run: redis_probe.lua asks the server's ACL about it
        Wake,        ///< the same, but a break goes without it: waiting clients then sleep on
    };
    RightUse kind = Observe;
    QByteArray need; ///< the command in lower case, as an Access names it; of the last two the ACL rule
    QList<QByteArray> command; ///< of the last two: the script's key and arguments
};

/** A guarded release in terms of the server. */
struct ReleaseCall
{
    QList<QByteArray> keys;
    QList<QByteArray> arguments;
};

/**
 * How the keys of one lock set are read, explained and broken. One object serves any number of pages of one
 * store, on its thread. It remembers only facts that its keys have shown beside their locks. A scheme asks
 * for each key in one or more rounds, all keys of a page in one pipeline a round; the answers of one key come
 * one after the other.
 */
class KeyScheme
{
public:
    explicit KeyScheme(Script release);
    virtual ~KeyScheme();
    Q_DISABLE_COPY_MOVE(KeyScheme)

    /** True where one key holds many locks: places then have a separate part (store.h, keyOf()). */
    virtual bool manyPerKey() const { return false; }
    /** False where a key keeps other things beside its locks, and its notifications may be about those. */
    virtual bool holdsOnlyLocks() const { return true; }
    /** False where a key may exist while nobody holds it. */
    virtual bool isHeldWhileThere() const { return true; }
    /** False for the keys that a client keeps beside its locks. */
    virtual bool isLock(QByteArrayView key) const;
    /** The type that SCAN may ask for where every key matches; empty: any. */
    virtual QByteArrayView scanType() const { return {}; }
    /** Prefixes of keys that are read with a lock: the lock's name follows, in braces or bare. */
    virtual QList<QByteArrayView> besidePrefixes() const;
    /** The server's key of a lock. */
    virtual QByteArrayView keyOf(QByteArrayView subjectName) const { return subjectName; }

    /** Adds this round's questions about `lock` and returns how many; at least one. */
    virtual int ask(CommandBatch &batch, const Observation &lock, const KeyReading &reading,
                    const ReadMode &mode) const = 0;
    /** The usual number of commands for reading a whole key, in all rounds. */
    virtual int commandsAKey() const { return m_waitersRegister ? 3 : 2; }
    /** Clients that wait for its locks register: readKeys() asks for them beside the questions of ask(). */
    bool waitersRegister() const { return m_waitersRegister; }
    void setWaitersRegister() { m_waitersRegister = true; }
    /** True where this question is about the key of the lock itself, and not about one beside it. */
    virtual bool isOfLock(const KeyReading &reading, int index) const;
    /** Takes the answer to the question `index` of this round. */
    virtual void take(Observation &lock, KeyReading &reading, int index, const redisReply *reply,
                      PageReading &page) const = 0;
    /** Called last, for a lock that exists: turns the readings into owner, identity, freshness. Its deadline
     * is settled. */
    virtual void explain(Observation &lock) const;

    /** The release that `order` asks for; an error where its guard isn't of this scheme. `name` is the
     * subject's. */
    virtual base::Result<ReleaseCall> releaseCall(const ReleaseOrder &order, QByteArrayView name) const = 0;
    const Script &releaseScript() const { return m_release; }

    /** A danger to the locks of the set that reading its keys has shown. */
    virtual std::optional<domain::Finding> finding() const { return std::nullopt; }

    /** False where no deadline of the server's is read. */
    virtual bool readsDeadlines() const { return true; }
    /** The commands that observing and breaking need, tried on `key`. */
    virtual QList<RightQuestion> rights(const QByteArray &key) const = 0;
    /** ACL rules, in words of ACL SETUSER, beside the pattern of the set's own keys. */
    virtual QByteArray observeRules() const;
    virtual QByteArray breakRules() const;
    /** Those of them that let a break wake waiting clients; empty: none does. */
    virtual QByteArray wakeRules() const { return {}; }

protected:
    /** For rights(). */
    QList<RightQuestion> waitersRights(const QByteArray &key) const;

private:
    Script m_release;
    bool m_waitersRegister = false;
};

/** The scheme of a lock set. `release` stands in for its script: tests leave a term out of one. */
std::shared_ptr<const KeyScheme> schemeOf(const LockSet &set, const std::optional<Script> &release = {});
std::shared_ptr<const KeySchemes> schemesOf(const SourceSpec &spec,
                                            const std::optional<Script> &release = {});
/** For each kind, the finding of the first set that shows it. */
QList<domain::Finding> findingsOf(const KeySchemes &schemes);
/** The scheme that reads the set `set`. */
const KeyScheme &schemeFor(const ReadMode &mode, quint16 set);

/** The place of a set's locks in a database ("db0", or "db0/" where keys hold many). */
QByteArray setPlaceIn(const QByteArray &database, const KeyScheme &scheme);

} // namespace lockkeeper::stores::redis
