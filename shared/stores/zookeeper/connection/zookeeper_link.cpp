// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/zookeeper/connection/zookeeper_link.h"

#include <QHostInfo>
#include <QLoggingCategory>
#include <QPointer>
#include <QSocketNotifier>
#include <QtEndian>

#include <algorithm>
#include <cerrno>
#include <netinet/in.h>
#include <sys/socket.h>
#include <utility>
#include <vector>
#include <zookeeper/zookeeper.h>

namespace lockkeeper::stores::zookeeper {

using base::Error;
using base::ErrorCode;

Q_LOGGING_CATEGORY(lcZookeeper, "lockkeeper.stores.zookeeper", QtInfoMsg)

namespace {

constexpr int kSessionTimeoutMs = 10'000;
constexpr int kRetryMs = 50;            ///< between two tries to connect
constexpr int kMostPacketsAtOnce = 200; ///< then other events of the loop have their turn
constexpr qsizetype kShownOfData = 1'024;

/** The library has one log for all its handles. */
void log(const char *message)
{
    qCDebug(lcZookeeper, "%s", message);
}

/** True where a server rejected the request; any other error means that the session has ended. */
bool isRefusal(int rc)
{
    constexpr int kEnds[] = {ZSESSIONEXPIRED, ZAUTHFAILED, ZCLOSING, ZSESSIONCLOSEDREQUIRESASLAUTH};
    return rc == ZBADARGUMENTS ||
           (rc < ZAPIERROR && std::find(std::begin(kEnds), std::end(kEnds), rc) == std::end(kEnds));
}

Error errorOf(int rc)
{
    const QString cause = QStringLiteral("ZooKeeper: %1").arg(QLatin1String(::zerror(rc)));
    switch (rc) {
    case ZNONODE:
        return {ErrorCode::NotFound, cause, {}};
    case ZNOAUTH:
        return {ErrorCode::PermissionDenied, cause, {}};
    case ZAUTHFAILED:
        return {ErrorCode::Authentication, cause, {}};
    case ZNOTREADONLY:
        return {ErrorCode::ReadOnly, cause, {}};
    case ZTHROTTLEDOP:
    case ZBADVERSION:
    case ZNOTEMPTY:
    case ZNODEEXISTS:
        return {ErrorCode::Busy, cause, {}};
    case ZCONNECTIONLOSS:
    case ZCLOSING:
    case ZSESSIONEXPIRED:
    case ZSESSIONMOVED:
    case ZOPERATIONTIMEOUT:
    case ZINVALIDSTATE:
        return {ErrorCode::ConnectionLost, cause, {}};
    default:
        return {ErrorCode::Protocol, cause, {}};
    }
}

Reply replyOf(int rc)
{
    Reply reply;
    if (rc == ZOK)
        return reply;
    reply.error = errorOf(rc);
    reply.missing = rc == ZNONODE;
    reply.exists = rc == ZNODEEXISTS;
    reply.badVersion = rc == ZBADVERSION;
    reply.untouched = isRefusal(rc);
    return reply;
}

Stat statOf(const ::Stat *stat)
{
    if (stat == nullptr)
        return {};
    return {stat->czxid, stat->ephemeralOwner, stat->version, stat->cversion};
}

} // namespace

struct ZookeeperLink::LinkRequest
{
    ZookeeperLink *link;
    Done done;
    zoo_op_t check = {};         ///< of a dry run: the library reads and …
    zoo_op_result_t result = {}; ///< … writes these until it answers
    QByteArray path = {};

    /** The library calls this. It must return before the reply is processed. */
    void finish(Reply reply)
    {
        link->m_finished.append([owner = link, call = std::move(done), reply = std::move(reply)] {
            --owner->m_underWay;
            call(reply);
        });
        delete this;
    }
    static LinkRequest *of(const void *data) { return static_cast<LinkRequest *>(const_cast<void *>(data)); }

    static void children(int rc, const String_vector *names, const ::Stat *stat, const void *data)
    {
        Reply reply = replyOf(rc);
        reply.stat = statOf(stat);
        for (int i = 0; rc == ZOK && i < names->count; ++i)
            reply.children.append(QByteArray(names->data[i]));
        of(data)->finish(std::move(reply));
    }
    static void value(int rc, const char *value, int length, const ::Stat *stat, const void *data)
    {
        Reply reply = replyOf(rc);
        reply.stat = statOf(stat);
        if (rc == ZOK && length > 0)
            reply.data = QByteArray(value, std::min(qsizetype(length), kShownOfData));
        of(data)->finish(std::move(reply));
    }
    static void stat(int rc, const ::Stat *stat, const void *data) { value(rc, nullptr, 0, stat, data); }
    static void name(int rc, const char *name, const void *data)
    {
        Reply reply = replyOf(rc);
        LinkRequest *question = of(data);
        if (rc == ZOK)
            reply.path = QByteArray(name).sliced(question->link->m_ensemble.chroot.size());
        question->finish(std::move(reply));
    }
    static void nothing(int rc, const void *data) { of(data)->finish(replyOf(rc)); }
};

struct ZookeeperLink::Handle
{
    zhandle_t *zh = nullptr;

    static void watch(zhandle_t *, int type, int state, const char *path, void *context)
    {
        auto *link = static_cast<ZookeeperLink *>(context);
        if (type == ZOO_SESSION_EVENT) {
            link->m_finished.append([link, state, session = link->m_sessions] {
                if (session == link->m_sessions)
                    link->onSessionEvent(state);
            });
        } else if (type == ZOO_CHILD_EVENT || type == ZOO_DELETED_EVENT || type == ZOO_CREATED_EVENT ||
                   type == ZOO_CHANGED_EVENT) {
            const QByteArray whole(path);
            const QByteArray below = whole.sliced(link->m_ensemble.chroot.size());
            link->m_finished.append([link, below, session = link->m_sessions] {
                if (session == link->m_sessions)
                    Q_EMIT link->childrenChanged(below.isEmpty() ? QByteArray("/") : below);
            });
        }
    }
};

ZookeeperLink::ZookeeperLink(Ensemble ensemble, QObject *parent)
    : QObject(parent), m_ensemble(std::move(ensemble))
{
    ::zoo_set_debug_level(ZOO_LOG_LEVEL_WARN);
    m_pump.setSingleShot(true);
    m_patience.setSingleShot(true);
    connect(&m_pump, &QTimer::timeout, this, [this] { process(0); });
    connect(&m_patience, &QTimer::timeout, this, [this] {
        const bool wasOpen = m_open;
        hangUp();
        lose({wasOpen ? ErrorCode::Timeout : ErrorCode::Unreachable,
              wasOpen ? QStringLiteral("ZooKeeper doesn't answer")
                      : QStringLiteral("no ZooKeeper server accepts the connection"),
              {}});
    });
}

ZookeeperLink::~ZookeeperLink()
{
    close();
}

void ZookeeperLink::open()
{
    close();
    m_hasBeenOpen = false;
    m_patience.start(int(m_ensemble.connectTimeoutMs));
    resolve(0, {});
}

/** Resolves one name after the other; unknown names are left out. */
void ZookeeperLink::resolve(qsizetype at, const QByteArray &known)
{
    if (at == m_ensemble.servers.size()) {
        if (known.isEmpty())
            lose({ErrorCode::Unreachable,
                  QStringLiteral("none of ZooKeeper's servers has a known address"),
                  {}});
        else
            connectTo(known);
        return;
    }
    const Host &host = m_ensemble.servers.at(at);
    QHostInfo::lookupHost(
        host.name, this, [this, session = m_sessions, at, known, port = host.port](const QHostInfo &info) {
            if (session != m_sessions)
                return;
            QByteArray all = known;
            for (const QHostAddress &address : info.addresses())
                all += (all.isEmpty() ? "" : ",") + Host{address.toString(), port}.text().toLatin1();
            resolve(at + 1, all);
        });
}

void ZookeeperLink::connectTo(const QByteArray &hosts)
{
    m_handle = std::make_unique<Handle>();
    m_handle->zh = ::zookeeper_init2(
        hosts.constData(), &Handle::watch,
        int(m_ensemble.sessionTimeoutMs > 0 ? m_ensemble.sessionTimeoutMs : kSessionTimeoutMs), nullptr, this,
        ZOO_NO_LOG_CLIENTENV, &log);
    if (m_handle->zh == nullptr) {
        lose({ErrorCode::Unreachable,
              QStringLiteral("ZooKeeper's client can't start: %1").arg(qt_error_string(errno)),
              {}});
        return;
    }
    if (!m_ensemble.login.isEmpty())
        ::zoo_add_auth(m_handle->zh, "digest", m_ensemble.login.constData(), int(m_ensemble.login.size()),
                       nullptr, nullptr);
    pump();
}

void ZookeeperLink::close()
{
    ++m_sessions;
    m_open = false;
    m_pump.stop();
    m_patience.stop();
    m_read.reset();
    m_write.reset();
    if (m_handle && m_handle->zh != nullptr)
        ::zookeeper_close(std::exchange(m_handle->zh, nullptr)); // answers all requests under way
    m_handle.reset();
    if (!m_finished.isEmpty())
        QMetaObject::invokeMethod(
            this, [this] { deliver(); }, Qt::QueuedConnection);
}

void ZookeeperLink::abandon(const Error &error)
{
    hangUp();
    lose(error);
}

qint64 ZookeeperLink::session() const
{
    const clientid_t *id = m_handle && m_handle->zh ? ::zoo_client_id(m_handle->zh) : nullptr;
    return id ? id->client_id : 0;
}

std::optional<Host> ZookeeperLink::server() const
{
    sockaddr_storage address{};
    socklen_t size = sizeof(address);
    auto *peer = reinterpret_cast<sockaddr *>(&address);
    if (!m_handle || !m_handle->zh || !::zookeeper_get_connected_host(m_handle->zh, peer, &size))
        return std::nullopt;
    const quint16 port = address.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6 *>(peer)->sin6_port
                                                       : reinterpret_cast<sockaddr_in *>(peer)->sin_port;
    return Host{QHostAddress(peer).toString(), qFromBigEndian(port)};
}

qint64 ZookeeperLink::timeoutMs() const
{
    return m_handle && m_handle->zh ? ::zoo_recv_timeout(m_handle->zh) : 0;
}

QByteArray ZookeeperLink::full(const QByteArray &path) const
{
    if (m_ensemble.chroot.isEmpty())
        return path;
    return path == "/" ? m_ensemble.chroot : m_ensemble.chroot + path;
}

void ZookeeperLink::ask(const std::function<int(LinkRequest *)> &send, Done done)
{
    auto *question = new LinkRequest{this, std::move(done)};
    ++m_underWay;
    const int rc = m_open ? send(question) : ZINVALIDSTATE;
    if (rc != ZOK) {
        Reply reply = replyOf(rc);
        reply.untouched = true;
        if (!m_open)
            reply.error = Error{ErrorCode::Unreachable, QStringLiteral("the link to ZooKeeper is down"), {}};
        question->finish(std::move(reply));
        QMetaObject::invokeMethod(
            this, [this] { deliver(); }, Qt::QueuedConnection);
        return;
    }
    if (!m_patience.isActive())
        m_patience.start(int(m_ensemble.answerTimeoutMs));
    if (!m_pump.isActive() || m_pump.interval() > 0)
        m_pump.start(0); // all requests of this turn of the loop go out together
}

void ZookeeperLink::children(const QByteArray &path, bool watch, Done done)
{
    ask(
        [&](LinkRequest *question) {
            return ::zoo_awget_children2(m_handle->zh, full(path).constData(),
                                         watch ? &Handle::watch : nullptr, this, &LinkRequest::children,
                                         question);
        },
        std::move(done));
}

void ZookeeperLink::get(const QByteArray &path, Done done)
{
    ask(
        [&](LinkRequest *question) {
            return ::zoo_aget(m_handle->zh, full(path).constData(), 0, &LinkRequest::value, question);
        },
        std::move(done));
}

void ZookeeperLink::awaitCreation(const QByteArray &path, Done done)
{
    ask(
        [&](LinkRequest *question) {
            return ::zoo_awexists(m_handle->zh, full(path).constData(), &Handle::watch, this,
                                  &LinkRequest::stat, question);
        },
        std::move(done));
}

void ZookeeperLink::sync(Done done)
{
    ask(
        [&](LinkRequest *question) {
            return ::zoo_async(
                m_handle->zh, full("/").constData(),
                [](int rc, const char *, const void *data) { LinkRequest::nothing(rc, data); }, question);
        },
        std::move(done));
}

void ZookeeperLink::remove(const QByteArray &path, qint32 version, bool dryRun, Done done)
{
    Q_ASSERT(version >= 0);
    ask(
        [&](LinkRequest *question) {
            question->path = full(path);
            if (!dryRun)
                return ::zoo_adelete(m_handle->zh, question->path.constData(), version, &LinkRequest::nothing,
                                     question);
            ::zoo_check_op_init(&question->check, question->path.constData(), version);
            return ::zoo_amulti(m_handle->zh, 1, &question->check, &question->result, &LinkRequest::nothing,
                                question);
        },
        std::move(done));
}

void ZookeeperLink::create(const QByteArray &path, const QByteArray &data, int mode, Done done)
{
    const ACL_vector &own = m_ensemble.login.isEmpty() ? ZOO_OPEN_ACL_UNSAFE : ZOO_CREATOR_ALL_ACL;
    std::vector<::ACL> entries(own.data, own.data + own.count);
    QList<ZnodeGrant> grants = m_ensemble.grants; // the library requires mutable texts
    for (ZnodeGrant &grant : grants)
        entries.push_back({grant.rights, {grant.scheme.data(), grant.id.data()}});
    const ACL_vector acl{int(entries.size()), entries.data()};
    ask(
        [&](LinkRequest *question) {
            return ::zoo_acreate(m_handle->zh, full(path).constData(), data.constData(), int(data.size()),
                                 &acl, mode, &LinkRequest::name, question);
        },
        std::move(done));
}

void ZookeeperLink::createSequential(const QByteArray &path, const QByteArray &data, Done done)
{
    create(path, data, ZOO_EPHEMERAL_SEQUENTIAL, std::move(done));
}

void ZookeeperLink::createPersistent(const QByteArray &path, Done done)
{
    create(path, {}, ZOO_PERSISTENT, std::move(done));
}

/** Asks the library which events and which time-out it waits for next. */
void ZookeeperLink::pump()
{
    if (!m_handle || m_handle->zh == nullptr)
        return;
    int fd = -1;
    int interest = 0;
    timeval wait{};
    const int rc = ::zookeeper_interest(m_handle->zh, &fd, &interest, &wait);
    if (rc != ZOK && m_open) {
        lose(errorOf(rc));
        return;
    }
    listen(rc == ZOK ? fd : -1, interest);
    m_pump.start(rc == ZOK ? int(wait.tv_sec * 1'000 + wait.tv_usec / 1'000) : kRetryMs);
}

void ZookeeperLink::listen(int fd, int interest)
{
    const auto set = [this, fd](std::unique_ptr<QSocketNotifier> &notifier, QSocketNotifier::Type type,
                                bool on, int event) {
        if (notifier && notifier->socket() != fd)
            notifier.reset();
        if (fd < 0)
            return;
        if (!notifier) {
            notifier = std::make_unique<QSocketNotifier>(fd, type);
            connect(notifier.get(), &QSocketNotifier::activated, this, [this, event] { process(event); });
        }
        notifier->setEnabled(on);
    };
    set(m_read, QSocketNotifier::Read, (interest & ZOOKEEPER_READ) != 0, ZOOKEEPER_READ);
    set(m_write, QSocketNotifier::Write, (interest & ZOOKEEPER_WRITE) != 0, ZOOKEEPER_WRITE);
}

void ZookeeperLink::process(int events)
{
    if (!m_handle || m_handle->zh == nullptr)
        return;
    int rc = ZOK;
    for (int packet = 0; packet < kMostPacketsAtOnce && rc == ZOK; ++packet) {
        rc = ::zookeeper_process(m_handle->zh, events);
        if (events != ZOOKEEPER_READ)
            break;
    }
    const quint64 session = m_sessions;
    const QPointer<ZookeeperLink> self(this);
    deliver();
    if (self.isNull() || session != m_sessions)
        return;
    if (m_open && rc != ZOK && rc != ZNOTHING)
        lose(errorOf(rc));
    else
        pump();
}

void ZookeeperLink::deliver()
{
    const QList<std::function<void()>> calls = std::exchange(m_finished, {});
    const QPointer<ZookeeperLink> self(this);
    for (const auto &call : calls) {
        call();
        if (self.isNull())
            return;
    }
    if (!calls.isEmpty())
        watchAnswers();
}

void ZookeeperLink::watchAnswers()
{
    if (m_open && m_underWay > 0)
        m_patience.start(int(m_ensemble.answerTimeoutMs));
    else if (m_open)
        m_patience.stop();
}

void ZookeeperLink::onSessionEvent(int state)
{
    if (!m_handle || m_handle->zh == nullptr)
        return;
    if (state == ZOO_CONNECTED_STATE && !m_open) {
        m_open = true;
        m_hasBeenOpen = true;
        m_patience.stop();
        Q_EMIT connected();
    } else if (state == ZOO_AUTH_FAILED_STATE) {
        lose({ErrorCode::Authentication, QStringLiteral("ZooKeeper refuses the login"), {}});
    } else if (state == ZOO_EXPIRED_SESSION_STATE) {
        lose({ErrorCode::ConnectionLost, QStringLiteral("ZooKeeper has ended the agent's session"), {}});
    } else if (m_open && state != ZOO_CONNECTED_STATE) {
        lose(errorOf(ZCONNECTIONLOSS));
    }
}

/** The library would wait for a silent server to confirm the end; this doesn't. Until the library has
 * reported a break, the socket belongs to it. */
void ZookeeperLink::hangUp()
{
    if (!m_open || !m_read)
        return;
    ::shutdown(int(m_read->socket()), SHUT_RDWR);
    ::zookeeper_process(m_handle->zh, ZOOKEEPER_READ);
}

void ZookeeperLink::lose(const Error &error)
{
    close();
    Q_EMIT lost(error);
}

} // namespace lockkeeper::stores::zookeeper
