// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/window/start_page.h"

#include "app/connections/connection.h"
#include "app/demo/demo.h"
#include "app/presentation/icons.h"
#include "app/presentation/theme.h"
#include "app/views/widgets/named.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/wrapped_label.h"
#include "app/words/error_words.h"
#include "app/words/words.h"
#include "shared/base/text.h"
#include "shared/transport/address.h"
#include "shared/transport/client.h"

#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QGridLayout>
#include <QGroupBox>
#include <QGuiApplication>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace lockkeeper::app::views {

namespace {
constexpr int kStartTop = 56;
constexpr int kStartWidth = 1000;
constexpr int kTestLimitMs = 5000;
constexpr int kTlsTestLimitMs = 12'000;
constexpr int kSshTestLimitMs = 180'000; // ssh may ask for a password; the client ends before
} // namespace

StartPage::StartPage(QWidget *parent) : Translated(parent), m_title(new PlainLabel({}, this))
{
    QFont big = font();
    big.setPointSizeF(font().pointSizeF() + 6);
    big.setBold(true);
    m_title->setFont(big);
    auto *content = new QWidget(this);
    content->setMaximumWidth(kStartWidth);
    // The result of a test makes its box longer. Nothing is below that box, and nothing is centred, so that
    // nothing moves under the pointer.
    auto *others = new QVBoxLayout;
    others->setSpacing(16);
    others->addWidget(buildWatch());
    others->addWidget(buildDemo());
    others->addStretch(1);
    auto *boxes = new QHBoxLayout;
    boxes->setSpacing(16);
    boxes->addWidget(buildConnect(), 6);
    boxes->addLayout(others, 5);
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(8, kStartTop, 8, 8);
    column->setSpacing(16);
    column->addWidget(m_title);
    column->addLayout(boxes);
    column->addStretch(1);
    auto *middle = new QWidget;
    auto *row = new QHBoxLayout(middle);
    row->addStretch();
    row->addWidget(content, 10);
    row->addStretch();
    auto *area = new QScrollArea; // a low window squeezes nothing
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setWidget(middle);
    auto *page = new QVBoxLayout(this);
    page->setContentsMargins({});
    page->addWidget(area);
    m_limit.setSingleShot(true);
    m_limit.setInterval(kTestLimitMs);
    connect(&m_limit, &QTimer::timeout, this, [this] {
        m_client.reset();
        fail(m_step,
             {base::ErrorCode::Timeout, tr("no answer within %1 s").arg(m_limit.interval() / 1000), {}});
    });
    retranslate();
}

StartPage::~StartPage() = default;

QWidget *StartPage::buildConnect()
{
    m_connectBox = new QGroupBox(this);
    m_addressLabel = new PlainLabel({}, m_connectBox);
    m_address = new QLineEdit(m_connectBox);
    m_addressLabel->setBuddy(m_address);
    m_test = new QPushButton(m_connectBox);
    m_connect = new QPushButton(m_connectBox);
    m_connect->setDefault(true);
    m_remedy = named("remedy", new WrappedLabel({}, m_connectBox));
    m_remedy->setMuted(true);
    auto *grid = new QGridLayout(m_connectBox);
    grid->setContentsMargins(16, 12, 16, 12);
    grid->setSpacing(8);
    grid->addWidget(m_addressLabel, 0, 0);
    grid->addWidget(m_address, 0, 1, 1, 3);
    m_result = named("result", new QWidget(m_connectBox));
    auto *steps = new QGridLayout(m_result);
    steps->setContentsMargins({});
    steps->setSpacing(4);
    steps->setColumnStretch(1, 1);
    for (int step = 0; step < StepCount; ++step) {
        m_lines[step] = {new QLabel(m_connectBox), new PlainLabel({}, m_connectBox)};
        m_lines[step].text->setWordWrap(true);
        m_lines[step].icon->setObjectName(QStringLiteral("tick_%1").arg(step));
        m_lines[step].text->setObjectName(QStringLiteral("step_%1").arg(step));
        steps->addWidget(m_lines[step].icon, step, 0, Qt::AlignTop);
        steps->addWidget(m_lines[step].text, step, 1);
    }
    steps->addWidget(m_remedy, StepCount, 1);
    steps->setRowStretch(StepCount + 1, 1);
    grid->addWidget(m_test, 1, 2);
    grid->addWidget(m_connect, 1, 3);
    buildSaved(grid, 2);
    m_recentLabel = new PlainLabel({}, m_connectBox);
    grid->addWidget(m_recentLabel, 3, 0, Qt::AlignTop);
    grid->addWidget(buildRecent(), 3, 1, 1, 3);
    grid->addWidget(m_result, 4, 0, 1, 4);
    grid->setRowStretch(5, 1);
    m_recentLabel->setBuddy(m_recent);
    setRecent({});
    grid->setColumnStretch(1, 1);
    clearTicks();
    connect(m_test, &QPushButton::clicked, this, &StartPage::test);
    connect(m_address, &QLineEdit::textEdited, this, &StartPage::clearTicks);
    connect(m_address, &QLineEdit::returnPressed, m_connect, &QPushButton::click);
    connect(m_connect, &QPushButton::clicked, this, [this] {
        const auto parsed = connections::resolveConnections(m_address->text().trimmed(), QDir::currentPath());
        if (parsed)
            Q_EMIT connectAsked(m_address->text().trimmed());
        else
            fail(ReachStep, parsed.error());
    });
    return m_connectBox;
}

namespace {
/** A row for an address or a name. */
void addAgent(QListWidget *list, const QString &text, const QString &stands)
{
    auto *item = new QListWidgetItem(text, list);
    item->setData(Qt::UserRole, stands);
    item->setToolTip(plainToolTip(text));
}

/** As high as its first rows; the other rows scroll. */
void fitRows(QListWidget *list)
{
    constexpr int kShown = 5;
    const int rows = std::clamp(list->count(), 1, kShown);
    list->setFixedHeight(rows * std::max(list->sizeHintForRow(0), 18) + 2 * list->frameWidth());
}
} // namespace

QListWidget *StartPage::buildList(const char *name)
{
    auto *list = new QListWidget(m_connectBox);
    list->setObjectName(QLatin1String(name));
    list->setTextElideMode(Qt::ElideMiddle);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(list, &QListWidget::itemClicked, this,
            [this](const QListWidgetItem *item) { setAddress(item->data(Qt::UserRole).toString()); });
    connect(list, &QListWidget::itemActivated, this, [this](const QListWidgetItem *item) {
        setAddress(item->data(Qt::UserRole).toString());
        m_connect->click();
    });
    return list;
}

void StartPage::buildSaved(QGridLayout *grid, int row)
{
    m_savedLabel = new PlainLabel({}, m_connectBox);
    m_saved = buildList("saved_agents");
    m_savedLabel->setBuddy(m_saved);
    m_savedError = named("saved_agents_error", new WrappedLabel({}, m_connectBox));
    m_savedError->setSelectable(true);
    grid->addWidget(m_savedLabel, row, 0, Qt::AlignTop);
    auto *column = new QVBoxLayout;
    column->addWidget(m_saved);
    column->addWidget(m_savedError);
    grid->addLayout(column, row, 1, 1, 3);
}

void StartPage::showSaved()
{
    const auto saved = connections::SavedAgents::read(connections::SavedAgents::defaultFile());
    m_saved->clear();
    for (const connections::SavedAgent &agent : saved ? saved->agents() : QList<connections::SavedAgent>())
        addAgent(m_saved,
                 tr("%1 (%2)", "name of an agent, address")
                     .arg(base::displayText(agent.name), base::displayText(agent.address)),
                 agent.name); // by name, so that a login saved beside the address counts, too
    fitRows(m_saved);
    m_saved->setVisible(m_saved->count() > 0);
    m_savedError->setText(
        saved ? QString() : tr("%1. %2", "cause, remedy").arg(saved.error().cause, saved.error().remedy));
    m_savedError->setVisible(!saved);
    m_savedLabel->setVisible(m_saved->count() > 0 || !saved);
}

QWidget *StartPage::buildRecent()
{
    m_recentBox = new QWidget(m_connectBox);
    m_recent = buildList("recent_agents");
    m_forget = named("forget_agent", new QPushButton);
    auto *row = new QHBoxLayout(m_recentBox);
    row->setContentsMargins({});
    row->setSpacing(8);
    row->addWidget(m_recent, 1);
    row->addWidget(m_forget, 0, Qt::AlignTop);
    connect(m_recent, &QListWidget::currentRowChanged, this,
            [this](int current) { m_forget->setEnabled(current >= 0); });
    connect(m_forget, &QPushButton::clicked, this, [this] {
        if (const QListWidgetItem *item = m_recent->currentItem())
            Q_EMIT forgetAsked(item->data(Qt::UserRole).toString());
    });
    return m_recentBox;
}

void StartPage::setRecent(const QStringList &addresses)
{
    const int current = m_recent->currentRow();
    m_recent->clear();
    for (const QString &address : addresses)
        addAgent(m_recent, base::displayText(address), address);
    m_recent->setCurrentRow(std::min(current, int(addresses.size()) - 1));
    m_forget->setEnabled(m_recent->currentRow() >= 0);
    fitRows(m_recent);
    m_recentBox->setVisible(!addresses.isEmpty());
    m_recentLabel->setVisible(!addresses.isEmpty());
}

QWidget *StartPage::buildDemo()
{
    m_demoBox = new QGroupBox(this);
    m_demoText = new WrappedLabel({}, m_demoBox);
    m_demoCommand = new PlainLabel(QStringLiteral("./run demo"), m_demoBox);
    m_demoCommand->setFont(presentation::codeFont(font()));
    m_demoCommand->setSelectable(true);
    m_demoCopy = new QPushButton(m_demoBox);
    m_demoCopy->setIcon(presentation::icon(QStringLiteral("edit-copy")));
    connect(m_demoCopy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_demoCommand->text()); });
    auto *grid = new QGridLayout(m_demoBox);
    grid->setContentsMargins(16, 12, 16, 12);
    grid->setSpacing(8);
    grid->addWidget(m_demoText, 0, 0);
    grid->addWidget(m_demoCommand, 1, 0);
    grid->addWidget(m_demoCopy, 1, 1, Qt::AlignRight);
    m_demo = named("start_demo", new QPushButton(m_demoBox));
    connect(m_demo, &QPushButton::clicked, this, &StartPage::demoAsked);
    grid->addWidget(m_demo, 0, 1, Qt::AlignRight);
    grid->setColumnStretch(0, 1);
    return m_demoBox;
}

QWidget *StartPage::buildWatch()
{
    m_watchBox = new QGroupBox(this);
    m_watchText = new WrappedLabel({}, m_watchBox);
    m_watch = named("watch_store", new QPushButton(m_watchBox));
    connect(m_watch, &QPushButton::clicked, this, &StartPage::watchAsked);
    auto *row = new QHBoxLayout(m_watchBox);
    row->setContentsMargins(16, 12, 16, 12);
    row->setSpacing(16);
    row->addWidget(m_watchText, 1);
    row->addWidget(m_watch);
    return m_watchBox;
}

void StartPage::retranslate()
{
    m_title->setText(tr("Welcome to Lockkeeper"));
    m_connectBox->setTitle(tr("Connect to an agent"));
    m_addressLabel->setText(tr("Address:"));
    m_address->setPlaceholderText(transport::defaultAddress());
    m_address->setAccessibleName(tr("Address of the agent"));
    m_address->setToolTip(
        tr("An address or a name of agents.toml; several separated by a comma and a space"));
    m_savedLabel->setText(tr("Saved:"));
    m_saved->setAccessibleName(tr("Agents that agents.toml names"));
    showSaved();
    m_recentLabel->setText(tr("Recent:"));
    m_recent->setAccessibleName(tr("Recent agents, the last one first"));
    m_forget->setText(tr("Remove"));
    m_forget->setToolTip(tr("Remove this address from the list"));
    m_test->setText(tr("Test"));
    m_test->setToolTip(tr("Of several addresses the last one is tested"));
    m_connect->setText(tr("Connect"));
    m_watchBox->setTitle(tr("Watch a store"));
    m_watchText->setText(
        tr("Finds the lock tables of a database and watches them from here, without an agent elsewhere."));
    m_watch->setText(tr("Watch a store…"));
    m_demoBox->setTitle(tr("Try the demo"));
    m_demoCopy->setText(tr("Copy"));
    m_demo->setText(tr("Start the demo"));
    showDemo();
}

/** Offers the demo of an installed console, or says which program that lacks and offers the sources' own. */
void StartPage::showDemo()
{
    const demo::Lack lack = demo::Demo::lack();
    const bool ready = lack == demo::Lack::Nothing;
    const QString own =
        tr("Starts private Redis and MariaDB servers with a set of active locks, an agent and a console, and "
           "removes everything afterwards. Run this in the source folder:");
    const QString install =
        lack == demo::Lack::Agent   ? tr("Install lockkeeper-agent to start a demo from here.")
        : lack == demo::Lack::Redis ? tr("Install redis-server to start a demo from here.")
                                    : QString();
    m_demoText->setText(
        ready ? tr("Starts a private Redis with a set of active locks and an agent that watches "
                   "it, and removes everything afterwards.")
        : install.isEmpty() ? own
                            : install + QLatin1Char('\n') + own);
    m_demo->setVisible(ready);
    m_demoCommand->setVisible(!ready);
    m_demoCopy->setVisible(!ready);
}

void StartPage::showEvent(QShowEvent *event)
{
    showSaved(); // the file may have been written in the meantime
    showDemo();  // and a program installed
    QWidget::showEvent(event);
}

void StartPage::setAddress(const QString &address)
{
    m_address->setText(address);
    clearTicks();
}

void StartPage::focusAddress()
{
    m_address->setFocus(Qt::OtherFocusReason);
    m_address->end(false);
}

/** Of several the last one, which was just written. */
base::Result<connections::Connection> StartPage::connection() const
{
    return connections::resolveConnections(m_address->text().trimmed(), QDir::currentPath())
        .map([](const QList<connections::Connection> &all) { return all.last(); });
}

void StartPage::clearTicks()
{
    m_client.reset();
    m_limit.stop();
    for (int step = 0; step < StepCount; ++step)
        setTick(ConnectStep(step), StepMark::None, {});
    m_remedy->hide();
}

void StartPage::setTick(ConnectStep step, StepMark tick, const QString &text)
{
    const StepLine &line = m_lines[step];
    line.icon->setVisible(tick != StepMark::None);
    line.text->setVisible(tick != StepMark::None);
    line.text->setText(text);
    const QString name = tick == StepMark::Good  ? QStringLiteral("dialog-ok")
                         : tick == StepMark::Bad ? QStringLiteral("dialog-error")
                                                 : QStringLiteral("view-refresh");
    line.icon->setAccessibleName(tick == StepMark::Good  ? tr("Good", "step of a test")
                                 : tick == StepMark::Bad ? tr("Failed", "step of a test")
                                                         : tr("Under way", "step of a test"));
    line.icon->setPixmap(presentation::icon(name).pixmap(QSize(16, 16), devicePixelRatioF()));
}

void StartPage::fail(ConnectStep step, const base::Error &error)
{
    m_limit.stop();
    if (step != m_step && m_lines[m_step].text->text() == waitingText(m_step))
        setTick(m_step, StepMark::None, {}); // this step wasn't reached
    setTick(step, StepMark::Bad,
            tr("%1: %2", "what, cause")
                .arg(words::ErrorWords::title(error.code), base::displayText(error.cause)));
    const QString remedy = words::ErrorWords::remedy(error);
    m_remedy->setText(remedy);
    m_remedy->setVisible(!remedy.isEmpty());
}

void StartPage::test()
{
    clearTicks();
    const auto resolved = connection();
    if (!resolved) {
        fail(ReachStep, resolved.error());
        return;
    }
    m_tested = resolved->address;
    if (m_tested.isLocal() && !QFileInfo::exists(m_tested.path)) {
        fail(OpenStep, {base::ErrorCode::NotFound, m_tested.path,
                        tr("Start the agent, or check its data_dir and listen.")});
        return;
    }
    wait(m_tested.isLocal() ? OpenStep : ReachStep);
    m_client = std::make_unique<transport::Client>(QStringLiteral("lockkeeper " LOCKKEEPER_VERSION));
    connect(m_client.get(), &transport::Client::stepped, this, &StartPage::stepped);
    connect(m_client.get(), &transport::Client::connected, this, &StartPage::welcomed);
    connect(m_client.get(), &transport::Client::disconnected, this, [this](const base::Error &error) {
        if (!m_limit.isActive())
            return;
        base::Error told = error;
        if (!m_client->unknownCertificate().isEmpty())
            told.remedy = tr("Connect shows its fingerprint so that you can compare and trust it.");
        else if (m_client->wantsLogin())
            told.remedy = tr("Connect asks for both.");
        fail(failedAt(error), told);
    });
    m_client->setTls(resolved->tls);
    m_client->setLogin(resolved->login());
    m_limit.start(m_tested.isLocal() ? kTestLimitMs : m_tested.isTls ? kTlsTestLimitMs : kSshTestLimitMs);
    m_client->open(m_tested);
}

void StartPage::wait(ConnectStep step)
{
    m_step = step;
    setTick(step, StepMark::Waiting, waitingText(step));
}

QString StartPage::waitingText(ConnectStep step) const
{
    const bool ssh = !m_tested.isLocal() && !m_tested.isTls;
    switch (step) {
    case ReachStep:
        return ssh ? tr("Connecting over SSH; it may ask you to log in…") : tr("Looking the name up…");
    case OpenStep:
        return m_tested.isTls ? tr("Beginning TLS…") : tr("Connecting…");
    case LoginStep:
        return tr("Logging in…");
    default:
        return tr("Asking for the version…");
    }
}

void StartPage::stepped(transport::Client::OpenProgress step)
{
    const QString host = base::displayText(m_tested.host);
    if (step == transport::Client::OpenProgress::Reached) {
        setTick(ReachStep, StepMark::Good,
                m_tested.isTls ? tr("The name %1 is known.").arg(host)
                               : tr("ssh is logged in to %1.").arg(host));
        wait(OpenStep);
        return;
    }
    setTick(OpenStep, StepMark::Good,
            m_tested.isTls       ? tr("TLS is established and the certificate is trusted.")
            : m_tested.isLocal() ? tr("The socket answers.")
                                 : tr("The remote bridge has reached the agent's socket."));
    wait(m_tested.isTls ? LoginStep : VersionStep);
}

void StartPage::welcomed(const protocol::Welcome &welcome)
{
    m_limit.stop();
    const QString who = tr("Connected to %1 as %2 (%3).", "agent, user, role")
                            .arg(base::displayText(welcome.agent), base::displayText(welcome.user),
                                 words::Words::role(welcome.role));
    const QString same = tr("%1 speaks the same protocol.").arg(base::displayText(welcome.program));
    if (m_tested.isTls)
        setTick(LoginStep, StepMark::Good, who);
    setTick(VersionStep, StepMark::Good, m_tested.isTls ? same : who + QLatin1Char('\n') + same);
    m_client->close();
}

StartPage::ConnectStep StartPage::failedAt(const base::Error &error) const
{
    if (m_step == ReachStep || m_step == OpenStep)
        return m_step;
    const bool kept =
        error.code == base::ErrorCode::Authentication || error.code == base::ErrorCode::PermissionDenied;
    return kept ? LoginStep : VersionStep;
}

} // namespace lockkeeper::app::views
