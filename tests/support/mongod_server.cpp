// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/mongod_server.h"

#include "tests/support/foreign_client.h"
#include "tests/support/free_port.h"
#include "tests/support/freeze.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>

#include <csignal>
#include <mongoc/mongoc.h>
#include <sys/prctl.h>

namespace lockkeeper::tests {

namespace {

constexpr int kStartMs = 30'000;

QString mongod()
{
    return librariesFolder() + QStringLiteral("/mongod/mongod");
}

constexpr char kPrimary[] = "\"isWritablePrimary\" : true";
constexpr char kSecondary[] = "\"secondary\" : true";

/** {replSetInitiate: …} of members on these ports. */
QByteArray initiation(const QList<quint16> &ports, const QByteArray &settings = "{}")
{
    QByteArray members;
    for (qsizetype i = 0; i < ports.size(); ++i)
        members += (i > 0 ? ", " : "") + QByteArray(R"({"_id": )") + QByteArray::number(i) +
                   R"(, "host": "127.0.0.1:)" + QByteArray::number(ports.at(i)) + "\"}";
    return R"({"replSetInitiate": {"_id": "rs0", "settings": )" + settings + R"(, "members": [)" + members +
           "]}}";
}

} // namespace

MongodServer::~MongodServer()
{
    kill();
}

bool MongodServer::isInstalled()
{
    return QFileInfo(mongod()).isExecutable();
}

bool MongodServer::start(bool replicated, const QStringList &options)
{
    if (!m_folder.isValid())
        return false;
    m_port = freePort();
    m_replicated = replicated;
    m_options = options;
    launch();
    return waitUntilWritable();
}

MongodServer::Set MongodServer::set(int members, int electionMs)
{
    Set all;
    QList<quint16> ports;
    for (int i = 0; i < members; ++i) {
        all.push_back(std::make_unique<MongodServer>());
        ports.append(all.back()->m_port = freePort());
        all.back()->launch();
    }
    const QByteArray settings = R"({"electionTimeoutMillis": )" + QByteArray::number(electionMs) +
                                R"(, "heartbeatIntervalMillis": 200, "catchUpTimeoutMillis": 1000})";
    const auto answers = [](const QByteArray &hello) { return !hello.isEmpty(); };
    for (const auto &member : all) {
        if (!member->waitFor(answers))
            return {};
    }
    all.front()->ask(initiation(ports, settings).constData());
    for (const auto &member : all) {
        const bool first = member == all.front();
        if (!member->waitFor([&](const QByteArray &hello) {
                if (first && hello.contains(kSecondary))
                    member->ask(R"({"replSetStepUp": 1})"); // nobody misses a primary yet
                return hello.contains(first ? kPrimary : kSecondary);
            }))
            return {};
    }
    return all;
}

void MongodServer::launch()
{
    QDir(m_folder.path()).mkdir(QStringLiteral("data"));
    m_process = std::make_unique<QProcess>();
    m_process->setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
    m_process->setProcessChannelMode(QProcess::MergedChannels);
    m_process->setStandardOutputFile(m_folder.filePath(QStringLiteral("log")), QIODevice::Append);
    QStringList arguments{QStringLiteral("--dbpath"),
                          m_folder.filePath(QStringLiteral("data")),
                          QStringLiteral("--port"),
                          QString::number(m_port),
                          QStringLiteral("--bind_ip"),
                          QStringLiteral("127.0.0.1"),
                          QStringLiteral("--nounixsocket"),
                          QStringLiteral("--wiredTigerCacheSizeGB"),
                          QStringLiteral("0.25"),
                          QStringLiteral("--setParameter"),
                          QStringLiteral("ttlMonitorSleepSecs=1")};
    if (m_replicated)
        arguments += {QStringLiteral("--replSet"), QStringLiteral("rs0")};
    if (m_replicated && !m_options.contains(QStringLiteral("--oplogSize")))
        arguments += {QStringLiteral("--oplogSize"), QStringLiteral("64")};
    m_process->start(mongod(), arguments + m_options);
}

/** Asks it until its hello is as wanted; empty: it doesn't answer yet. */
bool MongodServer::waitFor(const std::function<bool(const QByteArray &hello)> &condition) const
{
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < kStartMs && isUp()) {
        if (condition(ask(R"({"hello": 1})")))
            return true;
        m_process->waitForFinished(50); // not yet: come back in a moment
    }
    return false;
}

bool MongodServer::waitUntilWritable()
{
    return waitFor([this](const QByteArray &hello) {
        if (m_replicated && !hello.isEmpty() && !hello.contains("\"setName\""))
            ask(initiation({m_port}).constData());
        return hello.contains(kPrimary);
    });
}

QByteArray MongodServer::ask(const char *json, const char *database) const
{
    mongoc_init();
    const QByteArray uri = "mongodb://127.0.0.1:" + QByteArray::number(m_port) +
                           "/?directConnection=true&serverSelectionTimeoutMS=1000&socketTimeoutMS=10000";
    mongoc_client_t *client = mongoc_client_new(uri.constData());
    bson_t *command = bson_new_from_json(reinterpret_cast<const uint8_t *>(json), -1, nullptr);
    bson_t reply;
    bson_error_t error;
    QByteArray text;
    if (mongoc_client_command_simple(client, database, command, nullptr, &reply, &error)) {
        char *answer = bson_as_relaxed_extended_json(&reply, nullptr);
        text = answer;
        bson_free(answer);
    }
    bson_destroy(&reply);
    bson_destroy(command);
    mongoc_client_destroy(client);
    return text;
}

MongodServer *MongodServer::primaryOf(const Set &members)
{
    for (const auto &member : members) {
        if (member->isUp() && member->ask(R"({"hello": 1})").contains(kPrimary))
            return member.get();
    }
    return nullptr;
}

void MongodServer::kill()
{
    if (!isUp())
        return;
    m_process->kill();
    m_process->waitForFinished();
}

void MongodServer::pause() const
{
    freeze(m_process->processId());
}

void MongodServer::resume() const
{
    if (isUp())
        ::kill(pid_t(m_process->processId()), SIGCONT);
}

bool MongodServer::restart()
{
    kill();
    launch();
    return waitUntilWritable();
}

bool MongodServer::copyFiles(const QString &from, const QString &to)
{
    kill();
    QDir(m_folder.filePath(to)).removeRecursively();
    return QProcess::execute(QStringLiteral("cp"),
                             {QStringLiteral("-a"), m_folder.filePath(from), m_folder.filePath(to)}) == 0 &&
           restart();
}

bool MongodServer::keepCopy()
{
    return copyFiles(QStringLiteral("data"), QStringLiteral("copy"));
}

bool MongodServer::putCopyBack()
{
    return copyFiles(QStringLiteral("copy"), QStringLiteral("data"));
}

bool MongodServer::rejoin(bool anew)
{
    kill();
    if (anew)
        QDir(m_folder.filePath(QStringLiteral("data"))).removeRecursively();
    launch();
    return waitFor(
        [](const QByteArray &hello) { return hello.contains(kPrimary) || hello.contains(kSecondary); });
}

QByteArray MongodServer::url(const Set &members)
{
    QByteArray hosts;
    for (const auto &member : members)
        hosts += (hosts.isEmpty() ? "127.0.0.1:" : ",127.0.0.1:") + QByteArray::number(member->m_port);
    return "mongodb://" + hosts + "/app?replicaSet=rs0";
}

QUrl MongodServer::url(const QString &user) const
{
    QUrl url(QStringLiteral("mongodb://127.0.0.1:%1/app%2")
                 .arg(m_port)
                 .arg(m_replicated ? QStringLiteral("?replicaSet=rs0") : QString()));
    url.setUserName(user);
    return url;
}

} // namespace lockkeeper::tests
