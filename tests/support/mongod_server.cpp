// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/mongod_server.h"

#include "tests/support/foreign_client.h"
#include "tests/support/free_port.h"

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

/** What the server answers; empty where it doesn't. */
QByteArray asked(quint16 port, const char *json)
{
    mongoc_init();
    const QByteArray uri = "mongodb://127.0.0.1:" + QByteArray::number(port) +
                           "/?directConnection=true&serverSelectionTimeoutMS=1000";
    mongoc_client_t *client = mongoc_client_new(uri.constData());
    bson_t *command = bson_new_from_json(reinterpret_cast<const uint8_t *>(json), -1, nullptr);
    bson_t reply;
    bson_error_t error;
    QByteArray text;
    if (mongoc_client_command_simple(client, "admin", command, nullptr, &reply, &error)) {
        char *answer = bson_as_relaxed_extended_json(&reply, nullptr);
        text = answer;
        bson_free(answer);
    }
    bson_destroy(&reply);
    bson_destroy(command);
    mongoc_client_destroy(client);
    return text;
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

void MongodServer::launch()
{
    m_process = std::make_unique<QProcess>();
    m_process->setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
    m_process->setProcessChannelMode(QProcess::MergedChannels);
    m_process->setStandardOutputFile(m_folder.filePath(QStringLiteral("log")), QIODevice::Append);
    QStringList arguments{QStringLiteral("--dbpath"),
                          m_folder.path(),
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
        arguments += {QStringLiteral("--replSet"), QStringLiteral("rs0"), QStringLiteral("--oplogSize"),
                      QStringLiteral("64")};
    m_process->start(mongod(), arguments + m_options);
}

bool MongodServer::waitUntilWritable()
{
    const QByteArray set = R"({"replSetInitiate": {"_id": "rs0", "members": [{"_id": 0, "host": "127.0.0.1:)" +
                           QByteArray::number(m_port) + R"("}]}})";
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < kStartMs && m_process->state() != QProcess::NotRunning) {
        const QByteArray hello = asked(m_port, R"({"hello": 1})");
        if (hello.contains("\"isWritablePrimary\" : true"))
            return true;
        if (m_replicated && !hello.isEmpty() && !hello.contains("\"setName\""))
            asked(m_port, set.constData());
        m_process->waitForFinished(50); // not yet: come back in a moment
    }
    return false;
}

void MongodServer::kill()
{
    if (!m_process || m_process->state() == QProcess::NotRunning)
        return;
    m_process->kill();
    m_process->waitForFinished();
}

void MongodServer::pause() const
{
    ::kill(pid_t(m_process->processId()), SIGSTOP);
}

void MongodServer::resume() const
{
    ::kill(pid_t(m_process->processId()), SIGCONT);
}

bool MongodServer::restart()
{
    kill();
    launch();
    return waitUntilWritable();
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
