// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "queue_client.h"

#include "shared/stores/zookeeper/reading/sessions.h"

#include <QEventLoop>
#include <QTest>
#include <QTimer>

namespace lockkeeper::tests {

using namespace stores;
using stores::zookeeper::Reply;

namespace {

zookeeper::Ensemble ensembleAt(const QUrl &url, const QByteArray &password, qint64 sessionMs)
{
    SourceSpec spec;
    spec.url = url;
    spec.password = password;
    zookeeper::Ensemble ensemble = *zookeeper::ensembleOf(spec);
    ensemble.sessionTimeoutMs = sessionMs;
    return ensemble;
}

} // namespace

QueueClient::QueueClient(const QUrl &url, const QByteArray &password, qint64 sessionMs)
    : m_link(ensembleAt(url, password, sessionMs))
{
    m_link.open();
    (void)QTest::qWaitFor([this] { return m_link.isOpen(); }, 15'000);
}

QByteArray QueueClient::session() const
{
    return zookeeper::sessionText(m_link.session());
}

Reply QueueClient::wait(const std::function<void(zookeeper::ZookeeperLink::Done)> &ask)
{
    std::optional<Reply> answer;
    QEventLoop loop;
    QTimer::singleShot(15'000, &loop, &QEventLoop::quit);
    ask([&](const Reply &reply) {
        answer = reply;
        loop.quit();
    });
    loop.exec();
    return answer.value_or(Reply{base::Error{}, {}, {}, {}, {}, {}, {}, {}, {}});
}

QByteArray QueueClient::place(const QByteArray &path, const QByteArray &data)
{
    return wait([&](zookeeper::ZookeeperLink::Done done) {
               m_link.createSequential(path, data, std::move(done));
           })
        .path;
}

bool QueueClient::crowd(const QByteArray &path, int count)
{
    int made = 0;
    for (int i = 0; i < count; ++i)
        m_link.createSequential(path, {}, [&made](const Reply &reply) { made += reply.error ? 0 : 1; });
    QEventLoop loop;
    QTimer::singleShot(240'000, &loop, &QEventLoop::quit);
    m_link.sync([&loop](const Reply &) { loop.quit(); }); // answered after them all
    loop.exec();
    return made == count;
}

bool QueueClient::make(const QByteArray &path)
{
    return !wait([&](zookeeper::ZookeeperLink::Done done) {
                m_link.createPersistent(path, std::move(done));
            }).error;
}

Reply QueueClient::get(const QByteArray &path)
{
    return wait([&](zookeeper::ZookeeperLink::Done done) { m_link.get(path, std::move(done)); });
}

Reply QueueClient::children(const QByteArray &path)
{
    return wait([&](zookeeper::ZookeeperLink::Done done) { m_link.children(path, false, std::move(done)); });
}

bool QueueClient::remove(const QByteArray &path)
{
    const Reply found = get(path);
    return !found.error && !wait([&](zookeeper::ZookeeperLink::Done done) {
                                m_link.remove(path, found.stat.version, false, std::move(done));
                            }).error;
}

bool QueueClient::clear(const QByteArray &path)
{
    const Reply found = children(path);
    bool all = !found.error;
    for (const QByteArray &name : found.children) {
        const QByteArray child = (path == "/" ? path : path + '/') + name;
        if (child != "/zookeeper")
            all = clear(child) && remove(child) && all;
    }
    return all;
}

} // namespace lockkeeper::tests
