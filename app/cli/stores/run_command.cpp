// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_spec.h"
#include "app/cli/stores/child_process.h"
#include "app/cli/stores/store_choice.h"
#include "app/words/error_words.h"
#include "shared/base/text.h"
#include "shared/locks/lock_client.h"
#include "shared/locks/lock_manager.h"
#include "shared/locks/sql/create_table.h"

#include <QTimer>

#include <CLI/CLI.hpp>
#include <chrono>
#include <functional>

namespace lockkeeper::app::cli {

using base::Error;
using base::ErrorCode;
using base::Result;
using std::chrono::ceil;
using std::chrono::microseconds;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds kLookEvery{20};
/**
 * A killed process usually disappears at once. If it doesn't, it waits for its disk or for its parent to reap
 * it.
 */
constexpr int kMostLooks = 50;
/** The longest wait for an answer that may still grant a lock that is no longer wanted. */
constexpr milliseconds kMostFarewell{2'000};

/** The action on the command if its lock is lost while it runs. */
enum class OnLost : quint8 { Terminate = 0, Kill, Ignore };

struct RunOptions
{
    StoreOptions store;
    QByteArray lock;
    qint64 ttlUs = 0;
    std::optional<qint64> waitUs; ///< empty: for ever
    OnLost onLost = OnLost::Terminate;
    qint64 killAfterUs = 10'000'000; ///< after SIGTERM
    QByteArray owner;                ///< empty: this process
    bool createTable = false;
    QByteArrayList command; ///< and its arguments
};

/** "host pid 4711 ann backup.sh" */
QByteArray ownerOf(const RunOptions &options)
{
    if (!options.owner.isEmpty())
        return options.owner;
    const QByteArray program = options.command.first();
    return locks::LockManager::defaultOwner() + ' ' + program.mid(program.lastIndexOf('/') + 1);
}

ChildProcess::Orphan orphanOf(OnLost onLost)
{
    switch (onLost) {
    case OnLost::Terminate:
        return ChildProcess::Orphan::Terminated;
    case OnLost::Kill:
        return ChildProcess::Orphan::Killed;
    case OnLost::Ignore:
        break;
    }
    return ChildProcess::Orphan::Stays;
}

/**
 * Holds a lock while a command runs, without any agent. Ends with the command's status; with NotObtained if
 * the lock wasn't acquired in time; and with LockLost once the command and its group have ended after running
 * without the lock. Writes nothing to standard output, which belongs to the command.
 */
class RunCommand final : public Command
{
    Q_OBJECT

public:
    RunCommand(RunOptions options, Context &context);
    ~RunCommand() override;

    void start() override;

private:
    enum class RunState : quint8 { Waiting, Running, Ended };

    void tried(const base::Result<bool> &result);
    void waited(const base::Result<bool> &result);
    void launch();
    void onLost(const base::Error &why);
    void onEnded(int status);
    void awaitGroup();
    void giveBack(int status);
    void leave(std::function<void()> then);
    void onInterrupted(int status);
    void refuse(const base::Error &error);
    QString lockText() const;

    RunOptions m_options;
    ChildProcess m_child; ///< made before any connection, so that the command inherits none
    std::unique_ptr<locks::LockManager> m_manager;
    std::unique_ptr<locks::Lock> m_lock;
    RunState m_state = RunState::Waiting;
    int m_status = 0; ///< of the command, once it has ended
    bool m_lost = false;
    bool m_killed = false;
    int m_groupChecks = 0; ///< whether the group is gone, since it was killed
    QTimer m_killer;
    QTimer m_look;
};

RunCommand::RunCommand(RunOptions options, Context &context) : Command(context), m_options(std::move(options))
{
    m_killer.setSingleShot(true);
    m_look.setInterval(kLookEvery);
    connect(&m_killer, &QTimer::timeout, this, [this] {
        m_killed = true;
        m_child.kill();
    });
    connect(&m_look, &QTimer::timeout, this, &RunCommand::awaitGroup);
    connect(&m_child, &ChildProcess::ended, this, &RunCommand::onEnded);
    connect(&m_child, &ChildProcess::interrupted, this, &RunCommand::onInterrupted);
    connect(&m_child, &ChildProcess::continued, this, [this] {
        if (m_state == RunState::Running && !m_lock->isHeld())
            onLost({ErrorCode::Timeout, tr("its lease expired while this process was stopped"), {}});
    });
}

RunCommand::~RunCommand() = default;

QString RunCommand::lockText() const
{
    return base::displayText(m_options.lock);
}

/** A wrong name or duration is a usage error. */
void RunCommand::refuse(const Error &error)
{
    fail({error.code == ErrorCode::TooLarge ? ErrorCode::Usage : error.code, error.cause, error.remedy});
}

void RunCommand::start()
{
    const auto spec = chooseStore(m_options.store, m_options.lock);
    if (!spec)
        return refuse(spec.error());
    if (m_options.createTable) {
        if (const auto made = locks::sql::createTable(*spec, spec->locks.first()); !made)
            return refuse(made.error());
    }
    auto manager = locks::LockManager::open(*spec, spec->locks.first(), ownerOf(m_options));
    if (!manager)
        return refuse(manager.error());
    m_manager = *std::move(manager);
    connect(m_manager.get(), &locks::LockManager::warned, this,
            [this](const Error &what) { context().out.note(words::ErrorWords::line(what)); });
    const QByteArray &scheme = spec->locks.first().scheme;
    if (!m_manager->traits().holds)
        return refuse({ErrorCode::Usage,
                       tr("a lock of %1 has no holder: two commands would run at once")
                           .arg(QString::fromLatin1(scheme)),
                       tr("Use a lock set of another scheme")});
    const bool tells =
        scheme == "redis.token" || scheme == "redis.redlock"; // other schemes have a place for the owner
    auto lock = m_manager->lock(m_options.lock, {microseconds(m_options.ttlUs), true,
                                                 tells ? ownerOf(m_options) + '#' : QByteArray()});
    if (!lock)
        return refuse(lock.error());
    m_lock = *std::move(lock);
    connect(m_lock.get(), &locks::Lock::lost, this, &RunCommand::onLost);
    m_lock->tryAcquire([this](const Result<bool> &result) { tried(result); });
}

/** An unreachable store is an immediate error, unless a limit sets the time for retries. */
void RunCommand::tried(const Result<bool> &result)
{
    const bool again = result ? !*result && m_options.waitUs != 0
                              : m_options.waitUs.value_or(0) > 0 && base::isTransient(result.error().code);
    if (!again)
        return waited(result);
    std::optional<milliseconds> limit;
    if (m_options.waitUs)
        limit = ceil<milliseconds>(microseconds(*m_options.waitUs));
    m_lock->acquire(limit, [this](const Result<bool> &obtained) { waited(obtained); });
}

void RunCommand::waited(const Result<bool> &result)
{
    if (result && *result)
        return launch();
    if (result)
        context().out.note(tr("the lock %1 is held by another client").arg(lockText()));
    leave([this, result] {
        if (!result)
            refuse(result.error());
        else
            finish(Exit::NotObtained);
    });
}

void RunCommand::launch()
{
    const auto fencing = m_lock->fencingToken();
    const QList<Variable> environment{
        {"LOCKKEEPER_LOCK", m_options.lock},
        {"LOCKKEEPER_FENCING_TOKEN", fencing ? QByteArray::number(*fencing) : QByteArray()}};
    m_state = RunState::Running;
    if (const auto started = m_child.start(m_options.command, environment, orphanOf(m_options.onLost));
        !started) {
        context().out.note(words::ErrorWords::line(started.error()));
        const bool isMissing = started.error().code == ErrorCode::NotFound;
        giveBack(int(isMissing ? Exit::NoSuchCommand : Exit::NotExecutable));
    }
}

void RunCommand::onLost(const Error &why)
{
    if (m_lost || m_state != RunState::Running)
        return;
    m_lost = true;
    const QString what = tr("the lock %1 was lost: %2").arg(lockText(), words::ErrorWords::line(why));
    switch (m_options.onLost) {
    case OnLost::Ignore:
        context().out.note(tr("%1. The command continues without it").arg(what));
        break;
    case OnLost::Terminate:
        context().out.note(tr("%1. The command gets SIGTERM").arg(what));
        m_child.terminate();
        m_killer.start(ceil<milliseconds>(microseconds(m_options.killAfterUs)));
        break;
    case OnLost::Kill:
        context().out.note(tr("%1. The command is killed").arg(what));
        m_killed = true;
        m_child.kill();
        break;
    }
}

void RunCommand::onEnded(int status)
{
    if (!m_lost)
        return giveBack(status);
    m_state = RunState::Ended;
    m_status = m_options.onLost == OnLost::Ignore ? status : int(Exit::LockLost);
    if (m_options.onLost == OnLost::Ignore)
        return finish(Exit(status));
    m_look.start();
    awaitGroup();
}

/** Waits until the processes that the command started have ended, too. */
void RunCommand::awaitGroup()
{
    if (!m_child.isGroupGone() && (!m_killed || ++m_groupChecks < kMostLooks))
        return;
    m_look.stop();
    m_killer.stop();
    finish(Exit::LockLost);
}

void RunCommand::giveBack(int status)
{
    m_state = RunState::Ended;
    m_status = status;
    m_lock->release([this](const Result<bool> &released) {
        const locks::Traits traits = m_manager->traits();
        const bool ends = traits.expires || traits.queues; // as a session's lock does with us
        if (!released)
            context().out.note((ends ? tr("the lock %1 couldn't be released; it ends with its lease: %2")
                                     : tr("the lock %1 couldn't be released, and stays: %2"))
                                   .arg(lockText(), words::ErrorWords::line(released.error())));
        const bool lost = released && !*released;
        if (lost)
            context().out.note(tr("the lock %1 was lost before the command had ended").arg(lockText()));
        m_child.passInterruptOn();
        finish(lost && m_options.onLost != OnLost::Ignore ? Exit::LockLost : Exit(m_status));
    });
}

void RunCommand::onInterrupted(int status)
{
    if (m_state != RunState::Waiting)
        return finish(Exit(m_status)); // it ends with its lease
    leave([this, status] { finish(Exit(status)); });
}

/** A pending attempt may still acquire the lock: it is released before we exit. */
void RunCommand::leave(std::function<void()> then)
{
    m_lock.reset();
    QTimer::singleShot(kMostFarewell, this, then);
    if (m_manager)
        m_manager->whenIdle(std::move(then));
}

class RunSpec final : public CommandSpec, public WithOptions<RunOptions>
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::cli)

public:
    Summary summary() const override
    {
        return {"run", tr("hold a lock while the command after -- runs, like flock across machines"),
                "run --store redis://127.0.0.1/0 --scheme redis.token --lock nightly --ttl 30s -- backup.sh",
                "run --store mysql://app@db1/app --scheme sql.shedlock --password env:DB_PASSWORD --lock "
                "report --ttl 1m --wait 0s -- make report"};
    }
    void declare(Arguments &arguments) override;
    void check(Arguments &arguments) override;
    bool asksAgent() const override { return false; }
    std::unique_ptr<Command> make(Context &context) const override
    {
        return std::make_unique<RunCommand>(options, context);
    }
};

void RunSpec::declare(Arguments &arguments)
{
    StoreOptions &store = options.store;
    CLI::Option *url = arguments.text("--store", store.url,
                                      help("the lock's store: redis://HOST:PORT/0, "
                                           "mysql://USER@HOST/DATABASE, postgresql://…, sqlite:PATH, …"));
    CLI::Option *config =
        arguments.text("--config", store.config,
                       help("instead of --store: an agent's configuration, for mapped tables and TLS"));
    url->excludes(config);
    CLI::Option *source = arguments.text("--source", store.source, help("with --config: the source in it"));
    source->needs(config);
    config->needs(source);
    arguments.text("--scheme", store.scheme, help("the lock's scheme: redis.token, sql.shedlock, …"));
    arguments.text("--table", store.table, help("SQL: the table (sql.shedlock: shedlock by default)"));
    arguments.text("--acl", store.acl,
                   help("ZooKeeper: grant others rights on the znodes, as world:anyone:r"));
    arguments.text("--password", store.password, help("the password's source: env:NAME or file:PATH"))
        ->excludes(config);
    arguments.bytes("--lock", options.lock, help("the lock's name, byte by byte"))->required();
    arguments.duration("--ttl", options.ttlUs, help("lease length; renewed at one third of it: 30s, 10m"))
        ->required();
    arguments.duration("--wait", options.waitUs,
                       help("how long to wait for the lock before ending with status 75; 0s: don't wait "
                            "(default: no limit)"));
    arguments.choice(
        "--on-lost", {"term", "kill", "ignore"},
        [this](std::size_t action) { options.onLost = OnLost(action); },
        help("when the lock is lost while COMMAND runs: term (default; KILL follows), kill, ignore"));
    arguments.duration("--kill-after", options.killAfterUs, help("delay between TERM and KILL (default 10s)"),
                       Arguments::kLongestTimerUs);
    arguments.bytes("--owner", options.owner,
                    help("the holder's name, for others to read (default: host, process, user and command)"));
    arguments.flag("--create-table", options.createTable, help("SQL: create the table if it is missing"));
}

void RunSpec::check(Arguments &arguments)
{
    options.command = arguments.behind();
    if (options.store.url.isEmpty() && options.store.config.isEmpty())
        arguments.blame("run", tr("the lock's store is missing"),
                        tr("Use --store URL, or --config FILE and --source NAME"));
    else if (options.store.config.isEmpty() && options.store.scheme.isEmpty())
        arguments.blame("run", tr("the lock's scheme is missing"),
                        tr("Add --scheme, for example redis.token or sql.shedlock"));
    else if (options.command.isEmpty())
        arguments.blame("run", tr("there is no command to run"),
                        tr("Put it after --: lockkeeperctl run … -- COMMAND"));
}

} // namespace

std::unique_ptr<CommandSpec> runCommand()
{
    return std::make_unique<RunSpec>();
}

} // namespace lockkeeper::app::cli

#include "run_command.moc"
