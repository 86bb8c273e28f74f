// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/server/page_writer.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QLocalServer>
#include <QLocalSocket>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <chrono>

namespace tst_page_writer {

using namespace lockkeeper;
using namespace std::chrono_literals;
using agent::server::PageWriter;
using agent::server::Snapshot;

namespace {

constexpr int kLocks = 15'000;
constexpr auto kPatience = 2000ms;
constexpr auto kReadEvery = 50ms;

/** Some 2 MB on the wire. */
agent::server::SnapshotPtr manyLocks()
{
    auto snapshot = std::make_shared<Snapshot>();
    for (int i = 0; i < kLocks; ++i) {
        domain::LockState state;
        state.key = {QStringLiteral("s"), "redis.token", "db0",
                     QByteArray::number(i).rightJustified(100, 'x')};
        snapshot->locks.append(state);
    }
    snapshot->locks.seal();
    return snapshot;
}

} // namespace

/** A snapshot on its way to a peer that reads slowly, or not at all. */
class TestPageWriter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void aSlowPeerGetsAll();
    void whatElseAPeerReadsCounts();
    void aPeerThatTakesLittleIsStalled();
    void aPeerThatTakesNothingIsStalled();

private:
    void readAt(qint64 bytesASecond);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<QLocalServer> m_server;
    std::unique_ptr<QLocalSocket> m_peer;
    std::unique_ptr<transport::Channel> m_channel;
    QTimer m_reading;
};

void TestPageWriter::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_server = std::make_unique<QLocalServer>();
    QVERIFY(m_server->listen(m_folder->filePath(QStringLiteral("s"))));
    m_peer = std::make_unique<QLocalSocket>();
    m_peer->setReadBufferSize(4'096);
    m_peer->connectToServer(m_server->fullServerName());
    QTRY_VERIFY(m_server->hasPendingConnections());
    std::unique_ptr<QLocalSocket> accepted(m_server->nextPendingConnection());
    accepted->setParent(nullptr);
    m_channel = std::make_unique<transport::Channel>(transport::streamOf(std::move(accepted)));
}

void TestPageWriter::cleanup()
{
    m_reading.stop();
    m_reading.disconnect(this);
    m_channel.reset();
    m_peer.reset();
    m_server.reset();
}

void TestPageWriter::readAt(qint64 bytesASecond)
{
    QElapsedTimer since;
    since.start();
    connect(&m_reading, &QTimer::timeout, this, [this, bytesASecond, since, taken = qint64(0)]() mutable {
        while (taken < bytesASecond * since.elapsed() / 1'000) {
            const QByteArray piece = m_peer->read(bytesASecond * since.elapsed() / 1'000 - taken);
            if (piece.isEmpty() && !m_peer->waitForReadyRead(10))
                return;
            taken += piece.size();
        }
    });
    m_reading.start(kReadEvery);
}

void TestPageWriter::aSlowPeerGetsAll()
{
    PageWriter pages(*m_channel, 1, manyLocks(), kPatience);
    QSignalSpy finished(&pages, &PageWriter::finished);
    QSignalSpy stalled(&pages, &PageWriter::stalled);
    // Reading the data in transit takes longer than the patience lasts, and no page is sent meanwhile.
    readAt(550'000);
    pages.start();
    QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, 30'000);
    QCOMPARE(stalled.size(), 0);
}

/** Like the request of a console for history beside its table. */
void TestPageWriter::whatElseAPeerReadsCounts()
{
    PageWriter pages(*m_channel, 1, manyLocks(), kPatience);
    QSignalSpy finished(&pages, &PageWriter::finished);
    QSignalSpy stalled(&pages, &PageWriter::stalled);
    readAt(1'000'000);
    pages.start();
    m_channel->sendFrame(QByteArray(4'000'000, 'x')); // longer than the patience lasts
    QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, 30'000);
    QCOMPARE(stalled.size(), 0);
}

/** It would keep a snapshot, of which there are two, for as long as it likes. */
void TestPageWriter::aPeerThatTakesLittleIsStalled()
{
    PageWriter pages(*m_channel, 1, manyLocks(), kPatience);
    QSignalSpy finished(&pages, &PageWriter::finished);
    QSignalSpy stalled(&pages, &PageWriter::stalled);
    readAt(100'000); // the kernel reports progress more often than the patience lasts
    pages.start();
    QTRY_COMPARE_WITH_TIMEOUT(stalled.size(), 1, 30'000);
    QCOMPARE(finished.size(), 0);
}

void TestPageWriter::aPeerThatTakesNothingIsStalled()
{
    PageWriter pages(*m_channel, 1, manyLocks(), kPatience);
    QSignalSpy finished(&pages, &PageWriter::finished);
    QSignalSpy stalled(&pages, &PageWriter::stalled);
    pages.start();
    QTRY_COMPARE_WITH_TIMEOUT(stalled.size(), 1, 30'000);
    QCOMPARE(finished.size(), 0);
}

LOCKKEEPER_TEST(TestPageWriter)

} // namespace tst_page_writer

#include "tst_page_writer.moc"
