// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/redis_server.h"

#include "tests/support/free_port.h"
#include "tests/support/freeze.h"
#include "tests/support/shifted_clock.h"

#include <QElapsedTimer>
#include <QUrlQuery>

#include <csignal>
#include <hiredis/hiredis.h>
#include <sys/prctl.h>
#include <vector>

namespace lockkeeper::tests {

namespace {

constexpr int kRedisStartMs = 10'000;
constexpr int kStopMs = 5'000;

RedisReply valueOf(const redisReply *reply)
{
    RedisReply value;
    if (reply == nullptr)
        return value;
    value.type = reply->type;
    value.integer = reply->integer;
    if (reply->str != nullptr)
        value.bytes = QByteArray(reply->str, qsizetype(reply->len));
    for (size_t i = 0; i < reply->elements; ++i)
        value.list.append(valueOf(reply->element[i]));
    return value;
}

RedisReply taken(void *reply)
{
    const RedisReply value = valueOf(static_cast<redisReply *>(reply));
    if (reply != nullptr)
        freeReplyObject(reply);
    return value;
}

struct Arguments
{
    explicit Arguments(const QList<QByteArray> &arguments)
    {
        for (const QByteArray &argument : arguments) {
            data.push_back(argument.constData());
            sizes.push_back(size_t(argument.size()));
        }
    }
    std::vector<const char *> data;
    std::vector<size_t> sizes;
};

} // namespace

bool RedisReply::isError() const
{
    return type == REDIS_REPLY_ERROR;
}

bool RedisReply::isNil() const
{
    return type == REDIS_REPLY_NIL;
}

RedisPlain::RedisPlain(const QString &socketPath)
    : m_context(redisConnectUnixWithTimeout(socketPath.toLocal8Bit().constData(), timeval{5, 0}))
{
}

RedisPlain::~RedisPlain()
{
    if (m_context != nullptr)
        redisFree(m_context);
}

bool RedisPlain::isOpen() const
{
    return m_context != nullptr && m_context->err == 0;
}

RedisReply RedisPlain::command(const QList<QByteArray> &arguments)
{
    append(arguments);
    return next();
}

void RedisPlain::append(const QList<QByteArray> &arguments)
{
    Arguments list(arguments);
    if (isOpen())
        redisAppendCommandArgv(m_context, int(list.data.size()), list.data.data(), list.sizes.data());
}

RedisReply RedisPlain::next()
{
    void *reply = nullptr;
    if (!isOpen() || redisGetReply(m_context, &reply) != REDIS_OK)
        return {};
    return taken(reply);
}

RedisServer::RedisServer() = default;

RedisServer::~RedisServer()
{
    stop();
}

QStringList RedisServer::slowLoading()
{
    if (version() < 700)
        return {};
    return {QStringLiteral("--key-load-delay"), QStringLiteral("300"),
            QStringLiteral("--loading-process-events-interval-bytes"), QStringLiteral("1024")};
}

QStringList RedisServer::program()
{
    return qEnvironmentVariable("LOCKKEEPER_TEST_REDIS_SERVER", QStringLiteral("redis-server"))
        .split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

int RedisServer::version()
{
    static const int found = [] {
        QProcess process;
        process.start(program().constFirst(), program().mid(1) + QStringList{QStringLiteral("--version")});
        process.waitForFinished();
        const QByteArray text = process.readAll();
        const QList<QByteArray> parts = text.mid(text.indexOf(" v=") + 3, 16).split('.');
        return parts.value(0).toInt() * 100 + parts.value(1).toInt();
    }();
    return found;
}

QList<QByteArray> RedisServer::rules(const QByteArray &ofSeven)
{
    QByteArray text = ofSeven;
    if (version() < 700)
        text.replace("%R~", "~").replace("pexpiretime", "pttl");
    QList<QByteArray> all = text.simplified().split(' ');
    if (version() < 602)
        all.removeIf(
            [](const QByteArray &rule) { return rule.startsWith('&') || rule.endsWith("channels"); });
    return all;
}

bool RedisServer::start(const QStringList &arguments, bool tcp)
{
    m_port = tcp ? freePort() : 0;
    m_arguments = arguments;
    return m_folder.isValid() && launch();
}

bool RedisServer::launch()
{
    QStringList options{QStringLiteral("--port"),       QString::number(m_port),
                        QStringLiteral("--bind"),       QStringLiteral("127.0.0.1"),
                        QStringLiteral("--unixsocket"), socketPath(),
                        QStringLiteral("--save"),       QString(),
                        QStringLiteral("--appendonly"), QStringLiteral("no"),
                        QStringLiteral("--dir"),        m_folder.path(),
                        QStringLiteral("--logfile"),    m_folder.filePath(QStringLiteral("redis.log"))};
    options += m_arguments;
    m_process = std::make_unique<QProcess>();
    m_process->setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
    m_process->setProcessChannelMode(QProcess::MergedChannels);
    shiftClock(*m_process, m_clock);
    const QStringList command = program();
    m_process->start(command.constFirst(), command.mid(1) + options);
    return m_process->waitForStarted(kRedisStartMs) && waitUntilReady();
}

bool RedisServer::waitUntilReady()
{
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < kRedisStartMs && m_process->state() == QProcess::Running) {
        auto plain = std::make_unique<RedisPlain>(socketPath());
        if (plain->isOpen() && plain->command({"PING"}).type != 0) {
            m_plain = std::move(plain);
            return true;
        }
        m_process->waitForFinished(5); // no socket yet: come back in a moment
    }
    return false;
}

void RedisServer::stop()
{
    m_plain.reset();
    if (!m_process || m_process->state() == QProcess::NotRunning)
        return;
    resume();
    m_process->terminate();
    if (!m_process->waitForFinished(kStopMs))
        kill();
}

void RedisServer::kill()
{
    m_plain.reset();
    m_process->kill();
    m_process->waitForFinished(kStopMs);
}

bool RedisServer::waitForReplica(const QByteArray &key)
{
    for (int second = 0; second < 15; ++second) {
        command({"SET", key, "1"});
        command({"DEL", key});
        if (command({"WAIT", "1", "1000"}).integer >= 1)
            return true;
    }
    return false;
}

bool RedisServer::restart()
{
    stop();
    return launch();
}

void RedisServer::pause()
{
    freeze(pid());
}

void RedisServer::resume()
{
    ::kill(pid_t(pid()), SIGCONT);
}

QUrl RedisServer::url(int database, const QString &user) const
{
    QUrl url;
    url.setScheme(QStringLiteral("redis+unix"));
    url.setPath(socketPath());
    QUrlQuery query;
    query.addQueryItem(QStringLiteral("db"), QString::number(database));
    if (!user.isEmpty())
        query.addQueryItem(QStringLiteral("user"), user);
    url.setQuery(query);
    return url;
}

QUrl RedisServer::tcpUrl(int database) const
{
    return QUrl(QStringLiteral("redis://127.0.0.1:%1/%2").arg(m_port).arg(database));
}

QString RedisServer::socketPath() const
{
    return m_folder.filePath(QStringLiteral("redis.sock"));
}

RedisReply RedisServer::command(const QList<QByteArray> &arguments)
{
    return m_plain ? m_plain->command(arguments) : RedisReply{};
}

} // namespace lockkeeper::tests
