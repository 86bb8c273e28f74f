// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QProcess>
#include <QString>

#include <memory>

namespace lockkeeper::tests {

/** Where the foreign libraries are: LOCKKEEPER_TEST_CLIENTS, or the folder where `./run test` puts them. */
QString librariesFolder();

/**
 * The behaviour of a foreign lock library, one entry of tests/clients/clients.json: the expected view in
 * Lockkeeper, and the effects of a break on its clients.
 */
struct ForeignClient
{
    /** The lock's fate when its holder's process is killed. */
    enum class Death { Expires, Stays, SessionEnds };
    /**
     * The party that renews: none, the caller, the library itself (acquired with the TTL 0). Anew: it
     * writes another value, which no store can distinguish from another holder's.
     */
    enum class Renewal { No, Asked, Itself, Anew };

    QByteArray name;    ///< of the row: the folder, and the kind where it has several
    QByteArray program; ///< the folder in tests/clients
    QByteArray kind;    ///< the lock's kind for the program: the first word of each command
    QByteArray language;
    QByteArray store; ///< "redis", "mariadb", "postgres", "mongodb"
    QByteArray locks; ///< the lock set's lines of the agent's configuration
    QByteArray lock;  ///< the name for the library; "{}" stands for the test's own part
    QByteArray key;   ///< the name in Lockkeeper; '*' at its end: and more
    QByteArray also;  ///< the key of another lock that is taken together with it; empty: none
    Renewal renewal = Renewal::No;
    Death death = Death::Expires;
    bool expiry = true;     ///< it has a deadline
    bool tellsOwner = true; ///< Lockkeeper shows the owner that the library answered with
    bool alike = false;     ///< two acquisitions of a holder differ only in their times
    bool settles = false;   ///< it can be broken only some moments after its acquisition
    bool breakable = true;  ///< false: Lockkeeper refuses
    QByteArray waiters; ///< "count", "list"; "polling": they aren't among those that are; empty: not visible
    bool holderNotices = true; ///< its release says "lost" after a break
    bool wakes = false;        ///< a waiter sleeps until a message comes, and a break sends that message
    bool contends = true;      ///< false: the library has no way to try without waiting
    bool waits = false;        ///< it can wait, but invisibly
    int ttlMs = 0;             ///< its fixed TTL, whatever the request; 0: the requested TTL
    int shortTtlMs = 2'000;    ///< the shortest that it takes

    bool showsWaiters() const { return waiters == "count" || waiters == "list"; }

    /** The names of one test's lock: the library's and Lockkeeper's. */
    QByteArray lockOf(const QByteArray &test) const { return filled(lock, test); }
    QByteArray keyOf(const QByteArray &test) const { return filled(key, test); }

    QByteArray alsoOf(const QByteArray &test) const { return filled(also, test); }

    /** Those of some stores, in the order of the file; fails the process where the file can't be read. */
    static QList<ForeignClient> all(const QList<QByteArray> &stores);
    /** The client of that row; fails the process without one. */
    static ForeignClient named(const QByteArray &name);

private:
    /** {uuid}: the version 3 of the name, as Java makes it. */
    QByteArray filled(QByteArray pattern, const QByteArray &test) const;
};

/**
 * A program of tests/clients that acquires and releases locks by a foreign library. It reads one command a
 * line from standard input:
 *   WHO acquire NAME TTL_MS   "acquired OWNER" or "held"
 *   WHO renew TTL_MS          "renewed" or "lost"
 *   WHO release               "released" or "lost"
 *   WHO wait NAME             "waiting", and "got OWNER" once it has the lock; then it releases the lock
 *   WHO take NAME             the same, without the release (only Redisson)
 *   WHO fight NAME TTL_MS ROUNDS FOLDER  ROUNDS times the same. While it has the lock, FOLDER/inside exists,
 *                             and it adds a T to FOLDER/holders. "got N": N times another client was inside.
 *
 * WHO is KIND or KIND#2, KIND#3: each is a separate client. The program prints "ready" first, or
 * "absent WHY".
 */
class ForeignProgram
{
public:
    explicit ForeignProgram(ForeignClient client);
    /** A program that a test asks by itself, whatever its locks are. */
    ForeignProgram(const QByteArray &program, const QByteArray &language);
    ~ForeignProgram();
    Q_DISABLE_COPY_MOVE(ForeignProgram)

    /** Begins to start it, with the servers' addresses in the environment. */
    void start(const QHash<QString, QString> &environment);
    /** Waits until it is ready. False where the library isn't installed: `why` says so. */
    bool isReady();
    /** The answer to a command; a "got" that comes before it is kept for waited(). */
    QByteArray ask(const QByteArray &command);
    /** The same in two steps: the test may act in between, while the program executes the command. */
    void tell(const QByteArray &command);
    QByteArray answer();
    /** The result of a waiting WHO. */
    QByteArray waited();
    /** Ends it, and starts it again as before: after a failed test, its next answer is unpredictable. */
    void restart();
    /** SIGKILL; waits. */
    void kill();

    QString why;

private:
    QByteArray line(int timeoutMs = 20'000);

    ForeignClient m_client;
    QProcess m_process;
    QList<QByteArray> m_waited;
    QHash<QString, QString> m_environment;
    bool m_ready = false;
    bool m_late = false; ///< didn't say so in time
};

} // namespace lockkeeper::tests
