// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTest>

#ifdef Q_OS_UNIX
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#endif

namespace tst_listener {

using namespace lockkeeper;
using base::ErrorCode;
using tests::Server;
using transport::Listener;
using transport::LocalListener;

class TestListener : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyTheOwnerMayOpen();
    void makesItsFolder();
    void closingRemovesTheSocket();
    void staleSocketIsTakenOver();
    void livingAgentIsNot();
    void foreignSocketThatAnswersIsNot();
    void fileInTheWay_data();
    void fileInTheWay();
    void folderThatCannotBeMade();
    void atMostSoManyConnections();
    void strangersMakeRoom();
    void closedChannelsAreNotHandedOut();
};

/** A socket's file without a listener, as left by a killed agent. */
static void leaveSocket(const QString &path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const QByteArray name = QFile::encodeName(path);
    qstrncpy(address.sun_path, name.constData(), sizeof address.sun_path);
    const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
    QVERIFY(::bind(fd, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0);
    ::close(fd);
}

static mode_t modeOf(const QString &path)
{
    struct stat info = {};
    return ::lstat(QFile::encodeName(path).constData(), &info) == 0 ? info.st_mode & 07777 : 0;
}

void TestListener::onlyTheOwnerMayOpen()
{
    Server server;
    QVERIFY(server.isListening());
    QCOMPARE(modeOf(server.address().path), mode_t(0600));
}

void TestListener::makesItsFolder()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("run/lockkeeper/a.sock"));
    LocalListener listener;
    QVERIFY(listener.listen({path}));
    QCOMPARE(modeOf(QFileInfo(path).path()), mode_t(0700));
}

void TestListener::closingRemovesTheSocket()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.sock"));
    LocalListener listener;
    QVERIFY(listener.listen({path}));
    QVERIFY(QFileInfo::exists(path));
    listener.close();
    QVERIFY(QDir(folder.path()).entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot).isEmpty());
    QVERIFY(listener.listen({path}));
}

void TestListener::staleSocketIsTakenOver()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.sock"));
    leaveSocket(path);
    QVERIFY(modeOf(path) != 0);
    LocalListener listener;
    const auto result = listener.listen({path});
    QVERIFY2(result, result ? "" : qPrintable(result.error().line()));
}

void TestListener::livingAgentIsNot()
{
    Server server;
    LocalListener second;
    const auto result = second.listen(server.address());
    QVERIFY(!result);
    QCOMPARE(result.error().code, ErrorCode::Busy);
    transport::Client client(QStringLiteral("test"));
    client.open(server.address());
    QTRY_VERIFY(client.isConnected());
}

void TestListener::foreignSocketThatAnswersIsNot()
{
    Server server;
    // Without the lock file, only the socket itself shows that another listener uses it.
    QVERIFY(QFile::remove(server.address().path + QStringLiteral(".lock")));
    LocalListener second;
    const auto result = second.listen(server.address());
    QVERIFY(!result);
    QCOMPARE(result.error().code, ErrorCode::Busy);
    QVERIFY(QFileInfo::exists(server.address().path));
}

void TestListener::fileInTheWay_data()
{
    QTest::addColumn<QString>("kind");
    QTest::newRow("file") << QStringLiteral("file");
    QTest::newRow("folder") << QStringLiteral("folder");
    QTest::newRow("dangling link") << QStringLiteral("link");
}

void TestListener::fileInTheWay()
{
    QFETCH(QString, kind);
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.sock"));
    if (kind == QLatin1String("file")) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
    } else if (kind == QLatin1String("folder")) {
        QVERIFY(QDir().mkdir(path));
    } else {
        QVERIFY(QFile::link(folder.filePath(QStringLiteral("nowhere")), path));
    }
    LocalListener listener;
    const auto result = listener.listen({path});
    QVERIFY(!result);
    QCOMPARE(result.error().code, ErrorCode::Storage);
    QVERIFY(!result.error().remedy.isEmpty());
    QVERIFY(modeOf(path) != 0);
}

void TestListener::folderThatCannotBeMade()
{
    LocalListener listener;
    const auto result = listener.listen({QStringLiteral("/proc/none/a.sock")});
    QVERIFY(!result);
    QCOMPARE(result.error().code, ErrorCode::Storage);
}

void TestListener::atMostSoManyConnections()
{
    Server server({}, 2);
    std::vector<std::unique_ptr<QLocalSocket>> clients;
    for (int i = 0; i < 3; ++i) {
        clients.push_back(std::make_unique<QLocalSocket>());
        clients.back()->connectToServer(server.address().path);
        QVERIFY(clients.back()->waitForConnected(1000));
        clients.back()->write(protocol::frame(protocol::encode(protocol::Hello{})));
        if (i < 2)
            QTRY_VERIFY(server.channel(size_t(i)) && server.channel(size_t(i))->isLoggedIn());
    }
    QTRY_COMPARE(clients[2]->state(), QLocalSocket::UnconnectedState);
    QCOMPARE(server.accepted(), size_t(2));
    QCOMPARE(clients[0]->state(), QLocalSocket::ConnectedState);
    clients[0]->abort();
    QTRY_COMPARE(server.closed.size(), 1);
    QLocalSocket next;
    next.connectToServer(server.address().path);
    QTRY_COMPARE(server.accepted(), size_t(3));
}

/** A client that may connect, but sends nothing, doesn't block others. */
void TestListener::strangersMakeRoom()
{
    Server server({}, 2);
    std::vector<std::unique_ptr<QLocalSocket>> silent;
    for (size_t i = 0; i < 2; ++i) {
        silent.push_back(std::make_unique<QLocalSocket>());
        silent.back()->connectToServer(server.address().path);
        QTRY_COMPARE(server.accepted(), i + 1);
    }
    transport::Client client(QStringLiteral("test"));
    client.open(server.address());
    QTRY_VERIFY(client.isConnected());
    QTRY_COMPARE(silent[0]->state(), QLocalSocket::UnconnectedState);
    QCOMPARE(silent[1]->state(), QLocalSocket::ConnectedState);
}

void TestListener::closedChannelsAreNotHandedOut()
{
    QTemporaryDir folder;
    const transport::Address address{folder.filePath(QStringLiteral("a.sock"))};
    LocalListener listener;
    QVERIFY(listener.listen(address));
    int ready = 0;
    connect(&listener, &Listener::channelReady, this, [&ready] { ++ready; });
    transport::Timings timings;
    timings.loginMs = 1;
    listener.setTimings(timings);
    QLocalSocket client;
    client.connectToServer(address.path);
    QTRY_COMPARE(ready, 1);
    QTRY_COMPARE(client.state(), QLocalSocket::UnconnectedState);
    QVERIFY(!listener.takeChannel());
}

LOCKKEEPER_TEST(TestListener)

} // namespace tst_listener

#include "tst_listener.moc"
