// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_spec.h"
#include "shared/transport/ssh_stream.h"

#include <QFile>
#include <QLocalSocket>
#include <QSocketNotifier>

namespace lockkeeper::app::cli {

namespace {

constexpr int kStandardInput = 0;
constexpr int kStandardOutput = 1;
constexpr qint64 kAtATime = 64 * 1024;
/** If more bytes than this are waiting for the agent, nothing more is read from the client. */
constexpr qint64 kUnderWay = 1024 * 1024;

/**
 * The far end of an ssh:// address: joins standard input and output to an agent's local socket, byte by byte.
 * Sends kBridgeGreeting once the agent is reached. Ends when either side ends. A slow reader holds up its
 * writer; only data in transit is buffered.
 */
class BridgeCommand final : public Command
{
    Q_OBJECT

public:
    explicit BridgeCommand(Context &context);
    void start() override;

private:
    void join();
    void fromClient();
    void toClient();

    QLocalSocket m_agent;
    QFile m_output;
    std::unique_ptr<QSocketNotifier> m_incoming;
};

BridgeCommand::BridgeCommand(Context &context) : Command(context)
{
    m_agent.setReadBufferSize(kAtATime);
    connect(&m_agent, &QLocalSocket::connected, this, &BridgeCommand::join);
    connect(&m_agent, &QLocalSocket::readyRead, this, &BridgeCommand::toClient);
    connect(&m_agent, &QLocalSocket::bytesWritten, this, [this] {
        if (m_incoming && m_agent.bytesToWrite() < kUnderWay)
            m_incoming->setEnabled(true);
    });
    connect(&m_agent, &QLocalSocket::disconnected, this, [this] {
        toClient();
        finish(Exit::Done);
    });
    connect(&m_agent, &QLocalSocket::errorOccurred, this, [this] {
        if (!m_incoming) // afterwards disconnected() reports it
            fail({base::ErrorCode::Unreachable,
                  tr("no agent at %1: %2").arg(this->context().agent.text(), m_agent.errorString()),
                  tr("Start lockkeeper-agent on this machine")});
    });
}

void BridgeCommand::start()
{
    if (!context().agent.isLocal())
        return fail({base::ErrorCode::Usage, tr("a bridge leads to an agent of this machine only"),
                     tr("Use --agent local:PATH")});
    // The error may be emitted from within the call.
    QMetaObject::invokeMethod(
        this, [this] { m_agent.connectToServer(context().agent.path); }, Qt::QueuedConnection);
}

void BridgeCommand::join()
{
    if (!m_output.open(kStandardOutput, QIODevice::WriteOnly | QIODevice::Unbuffered))
        return fail({base::ErrorCode::Usage, tr("a bridge needs a standard output"), {}});
    m_incoming = std::make_unique<QSocketNotifier>(kStandardInput, QSocketNotifier::Read);
    connect(m_incoming.get(), &QSocketNotifier::activated, this, &BridgeCommand::fromClient);
    if (m_output.write(transport::kBridgeGreeting.data(), transport::kBridgeGreeting.size()) < 0)
        m_agent.abort();
}

void BridgeCommand::fromClient()
{
    const QByteArray bytes = readInput(kAtATime);
    if (bytes.isEmpty()) { // its end
        m_incoming->setEnabled(false);
        m_agent.disconnectFromServer();
        return;
    }
    m_agent.write(bytes);
    m_incoming->setEnabled(m_agent.bytesToWrite() < kUnderWay);
}

void BridgeCommand::toClient()
{
    while (m_incoming && m_agent.bytesAvailable() > 0) {
        const QByteArray bytes = m_agent.read(kAtATime);
        if (m_output.write(bytes) != bytes.size())
            return m_agent.abort(); // the client no longer exists
    }
}

class BridgeSpec final : public CommandSpec
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::cli)

public:
    Summary summary() const override
    {
        return {"bridge",
                tr("connect standard input and output to the local agent (used by ssh:// addresses)"),
                "--agent ssh://ops@db1 status", "--agent local:/run/lockkeeper.sock bridge"};
    }
    QString whyOneAgent() const override
    {
        return tr("this command queries a single agent. Use --agent once");
    }
    bool speaksToPeople() const override { return false; } // a client reads its errors
    std::unique_ptr<Command> make(Context &context) const override
    {
        return std::make_unique<BridgeCommand>(context);
    }
};

} // namespace

std::unique_ptr<CommandSpec> bridgeCommand()
{
    return std::make_unique<BridgeSpec>();
}

} // namespace lockkeeper::app::cli

#include "bridge_command.moc"
