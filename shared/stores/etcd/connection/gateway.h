// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/etcd/connection/endpoints.h"
#include "shared/stores/etcd/connection/wire.h"

#include <QJsonObject>
#include <QNetworkAccessManager>
#include <QNetworkRequest>
#include <QObject>

#include <functional>

namespace lockkeeper::stores::etcd {

/** The result of a request: etcd's answer, or why there is none. */
struct Answer
{
    QJsonObject body;
    QList<KeyValue> keys; ///< that a range shows; they needn't be in `body`
    std::optional<base::Error> error;
    /** With an error: etcd has refused the request, or it was never sent. */
    bool untouched = false;
    QString member = {}; ///< the member that was asked
};

/**
 * etcd's JSON gateway at one of its members. Logs in where there is a user, and again where the token has
 * run out. Lives in one thread; `done` of each request is called once, there, later, unless this is
 * destroyed.
 */
class Gateway final : public QObject
{
    Q_OBJECT

public:
    using Done = std::function<void(const Answer &)>;
    using Line = std::function<void(const QJsonObject &)>;

    Gateway(Endpoints endpoints, QByteArray password, QObject *parent = nullptr);
    ~Gateway() override;

    /** From now on asks the next member; after the last member, the first again. */
    void next();
    /** The same, unless another member is asked already: several requests may fail at one member. */
    void leave(const QString &member)
    {
        if (member == address())
            next();
    }
    qsizetype members() const { return m_endpoints.members.size(); }
    QString address() const { return m_endpoints.members.at(m_at).authority(); }
    const QByteArray &user() const { return m_endpoints.user; }
    void setTimeoutMs(qint64 ms) { m_timeoutMs = int(ms); }

    /** Asks, for example "kv/range". The network library may send it twice where a connection breaks. */
    void ask(const char *path, const QJsonObject &body, Done done)
    {
        send({path, compact(body), false, std::move(done), 0, {}});
    }
    /** The same, never sent twice where it may have been carried out. */
    void askOnce(const char *path, const QJsonObject &body, Done done)
    {
        send({path, compact(body), true, std::move(done), 0, {}});
    }
    /** Sends a request whose answer has no end; `line` gets its objects as they arrive. `ended` is called
     * when the answer has ended, for whatever reason. */
    void follow(const char *path, const QList<QJsonObject> &bodies, Line line, Done ended);
    /** Ends all requests under way. */
    void abort();

private:
    struct Request
    {
        QByteArray path;
        QByteArray body;
        bool once = false;
        Done done;
        int logins = 0;
        Line line; ///< the answer has no end
    };
    static QByteArray compact(const QJsonObject &body);
    void send(const Request &request);
    void login(const Request &request);
    void post(const Request &request);
    /** Reads the certificates, once; empty: they can be used. */
    std::optional<base::Error> prepareTls();
    void judge(QNetworkReply *reply, const QList<QSslError> &found);
    void take(const Request &request, const Answer &answer);

    Endpoints m_endpoints;
    QByteArray m_password;
    QByteArray m_token;
    qsizetype m_at = 0;
    int m_timeoutMs = 5'000;
    std::optional<QSslConfiguration> m_ssl;
    std::optional<base::Error> m_untrusted; ///< why the member's certificate isn't good enough
    QNetworkAccessManager *m_network;       ///< a child
};

} // namespace lockkeeper::stores::etcd
