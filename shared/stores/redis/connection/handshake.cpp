// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/connection/handshake.h"

#include "shared/base/text.h"
#include "shared/stores/redis/connection/errors.h"
#include "shared/stores/redis/connection/redis_connection.h"

#include <hiredis/hiredis.h>
#include <optional>

namespace lockkeeper::stores::redis {

using base::Error;
using base::ErrorCode;

namespace {

enum class HandshakeStep : quint8 { Auth, Select, SetName, Info };

class Handshake final : public ReplySink
{
public:
    using Done = std::function<void(const base::Result<RedisFacts> &)>;

    Handshake(RedisConnection &connection, Done done, QByteArray runId)
        : m_connection(connection), m_done(std::move(done)), m_runId(std::move(runId))
    {
    }

    void ask(CommandBatch &batch, HandshakeStep question, std::initializer_list<QByteArrayView> arguments)
    {
        batch.add(arguments);
        m_questions.append(question);
    }

    void take(const redisReply *reply) override
    {
        const HandshakeStep question = m_questions.takeFirst();
        if (reply == nullptr)
            note(m_refusal.value_or(m_connection.failure()));
        else if (isError(reply))
            refused(question, reply);
        else if (question == HandshakeStep::Info)
            m_facts = factsOf(bytesOf(reply));
        if (m_questions.isEmpty())
            finish();
    }

private:
    void note(const Error &error)
    {
        if (!m_failed)
            m_error = error;
        m_failed = true;
    }

    void refused(HandshakeStep question, const redisReply *reply)
    {
        Error error = errorOf(reply, {m_connection.endpoint().user, {}});
        switch (question) {
        case HandshakeStep::Auth:
            // A server that is full or loading says so in answer to whatever comes first.
            if (!base::isTransient(error.code))
                error.code = ErrorCode::Authentication;
            if (error.remedy.isEmpty() && error.code == ErrorCode::Authentication)
                error.remedy = QStringLiteral("Check the source's user and password.");
            note(error);
            break;
        case HandshakeStep::Select:
            note(error);
            break;
        case HandshakeStep::SetName: // a courtesy to readers of CLIENT LIST.
            // A full server sends this error to the first command, whatever it was, and hangs up.
            if (base::isTransient(error.code))
                m_refusal = error;
            break;
        case HandshakeStep::Info:
            m_facts.infoDenied = error;
            if (error.code != ErrorCode::PermissionDenied && !lacksCommand(bytesOf(reply)))
                note(error);
            break;
        }
    }

    void finish()
    {
        if (!m_failed && m_facts.loading)
            note({ErrorCode::Loading, QStringLiteral("the server is loading its data set"), {}});
        if (!m_failed && !m_runId.isEmpty() && !m_facts.runId.isEmpty() && m_facts.runId != m_runId)
            note({ErrorCode::ConnectionLost,
                  QStringLiteral("a second connection to %1 leads to another server than the first")
                      .arg(m_connection.endpoint().address()),
                  QStringLiteral("Use the server's own address instead of a load balancer's.")});
        if (m_failed)
            m_done(tl::unexpected<Error>(m_error));
        else
            m_done(m_facts);
    }

    RedisConnection &m_connection;
    Done m_done;
    QByteArray m_runId; ///< the required run; empty: any run
    QList<HandshakeStep> m_questions;
    RedisFacts m_facts;
    Error m_error;
    std::optional<Error> m_refusal; ///< the reason, should the server hang up next
    bool m_failed = false;
};

} // namespace

int RedisFacts::majorVersion() const
{
    return version.section(QLatin1Char('.'), 0, 0).toInt();
}

QString RedisFacts::product() const
{
    return valkey.isEmpty() ? QStringLiteral("Redis %1").arg(version).trimmed()
                            : QStringLiteral("Valkey %1").arg(valkey);
}

QHash<QByteArray, QByteArray> infoFields(QByteArrayView info)
{
    QHash<QByteArray, QByteArray> fields;
    for (const QByteArray &raw : info.toByteArray().split('\n')) {
        const QByteArray line = raw.trimmed();
        const qsizetype colon = line.indexOf(':');
        if (colon > 0)
            fields.insert(line.left(colon), line.mid(colon + 1));
    }
    return fields;
}

RedisFacts factsOf(QByteArrayView info)
{
    const QHash<QByteArray, QByteArray> fields = infoFields(info);
    RedisFacts facts;
    facts.version = base::displayText(fields.value("redis_version"));
    facts.valkey = base::displayText(fields.value("valkey_version"));
    facts.runId = fields.value("run_id");
    facts.replica = fields.value("role") == "slave";
    facts.loading = fields.value("loading") == "1";
    facts.replicas = fields.value("connected_slaves").toInt();
    return facts;
}

void logIn(RedisConnection &connection, const QByteArray &user, const QByteArray &password)
{
    const auto ignore = [](const redisReply *) {};
    if (!user.isEmpty())
        connection.send({"AUTH", user, password}, ignore);
    else if (!password.isEmpty())
        connection.send({"AUTH", password}, ignore);
}

void shakeHands(RedisConnection &connection, const QByteArray &password,
                std::function<void(const base::Result<RedisFacts> &)> done, const QByteArray &runId)
{
    const Endpoint &endpoint = connection.endpoint();
    auto sink = std::make_unique<Handshake>(connection, std::move(done), runId);
    CommandBatch batch;
    if (!endpoint.user.isEmpty())
        sink->ask(batch, HandshakeStep::Auth, {"AUTH", endpoint.user, password});
    else if (!password.isEmpty())
        sink->ask(batch, HandshakeStep::Auth, {"AUTH", password});
    if (endpoint.database != 0)
        sink->ask(batch, HandshakeStep::Select, {"SELECT", QByteArray::number(endpoint.database)});
    sink->ask(batch, HandshakeStep::SetName, {"CLIENT", "SETNAME", "lockkeeper"});
    sink->ask(batch, HandshakeStep::Info, {"INFO"});
    connection.send(std::move(sink), batch);
}

} // namespace lockkeeper::stores::redis
