// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/window/start_page.h"

#include "app/connections/connection.h"
#include "app/presentation/icons.h"
#include "app/presentation/theme.h"
#include "app/presentation/words.h"
#include "app/views/widgets/plain_label.h"
#include "shared/base/text.h"
#include "shared/transport/address.h"
#include "shared/transport/client.h"

#include <QClipboard>
#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QGridLayout>
#include <QGroupBox>
#include <QGuiApplication>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>

#include <algorithm>

namespace lockkeeper::app::views {

namespace {
constexpr int kTestLimitMs = 5000;
constexpr int kTlsTestLimitMs = 12'000;
constexpr int kSshTestLimitMs = 180'000; // ssh may ask for a password; the client ends before
} // namespace

StartPage::StartPage(QWidget *parent) : QWidget(parent), m_title(new PlainLabel({}, this))
{
    QFont big = font();
    big.setPointSizeF(font().pointSizeF() + 6);
    big.setBold(true);
    m_title->setFont(big);
    auto *content = new QWidget(this);
    content->setMaximumWidth(620);
    auto *column = new QVBoxLayout(content);
    column->setSpacing(16);
    column->addStretch(1);
    column->addWidget(m_title);
    column->addWidget(buildConnect());
    column->addWidget(buildWatch());
    column->addWidget(buildDemo());
    column->addStretch(2);
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
        fail(ConnectStep, {base::ErrorCode::Timeout, tr("no answer within 5 s"), {}});
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
    m_remedy = new PlainLabel({}, m_connectBox);
    m_remedy->setWordWrap(true);
    m_remedy->setMuted(true);
    auto *grid = new QGridLayout(m_connectBox);
    grid->setContentsMargins(16, 12, 16, 12);
    grid->setSpacing(8);
    grid->addWidget(m_addressLabel, 0, 0);
    grid->addWidget(m_address, 0, 1, 1, 3);
    auto *steps = new QGridLayout;
    steps->setSpacing(4);
    steps->setColumnStretch(1, 1);
    for (int step = 0; step < StepCount; ++step) {
        m_lines[step] = {new QLabel(m_connectBox), new PlainLabel({}, m_connectBox)};
        m_lines[step].text->setWordWrap(true);
        steps->addWidget(m_lines[step].icon, step, 0, Qt::AlignTop);
        steps->addWidget(m_lines[step].text, step, 1);
    }
    steps->addWidget(m_remedy, StepCount, 1);
    grid->addLayout(steps, 1, 1, 1, 3);
    grid->addWidget(m_test, 2, 2);
    grid->addWidget(m_connect, 2, 3);
    m_recentLabel = new PlainLabel({}, m_connectBox);
    grid->addWidget(m_recentLabel, 3, 0, Qt::AlignTop);
    grid->addWidget(buildRecent(), 3, 1, 1, 3);
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
            fail(ParseStep, parsed.error());
    });
    return m_connectBox;
}

QWidget *StartPage::buildRecent()
{
    m_recentBox = new QWidget(m_connectBox);
    m_recent = new QListWidget;
    m_recent->setObjectName(QStringLiteral("recent_agents"));
    m_recent->setTextElideMode(Qt::ElideMiddle);
    m_recent->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_forget = new QPushButton;
    m_forget->setObjectName(QStringLiteral("forget_agent"));
    auto *row = new QHBoxLayout(m_recentBox);
    row->setContentsMargins({});
    row->setSpacing(8);
    row->addWidget(m_recent, 1);
    row->addWidget(m_forget, 0, Qt::AlignTop);
    connect(m_recent, &QListWidget::itemClicked, this,
            [this](const QListWidgetItem *item) { setAddress(item->data(Qt::UserRole).toString()); });
    connect(m_recent, &QListWidget::itemActivated, this, [this](const QListWidgetItem *item) {
        setAddress(item->data(Qt::UserRole).toString());
        m_connect->click();
    });
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
    constexpr qsizetype kShown = 5; // the others by scrolling
    const int current = m_recent->currentRow();
    m_recent->clear();
    for (const QString &address : addresses) {
        auto *item = new QListWidgetItem(base::displayText(address), m_recent);
        item->setData(Qt::UserRole, address);
        item->setToolTip(plainToolTip(item->text()));
    }
    m_recent->setCurrentRow(std::min(current, int(addresses.size()) - 1));
    m_forget->setEnabled(m_recent->currentRow() >= 0);
    const int rows = int(std::clamp<qsizetype>(addresses.size(), 1, kShown));
    m_recent->setFixedHeight(rows * std::max(m_recent->sizeHintForRow(0), 18) + 2 * m_recent->frameWidth());
    m_recentBox->setVisible(!addresses.isEmpty());
    m_recentLabel->setVisible(!addresses.isEmpty());
}

QWidget *StartPage::buildDemo()
{
    m_demoBox = new QGroupBox(this);
    m_demoText = new PlainLabel({}, m_demoBox);
    m_demoText->setWordWrap(true);
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
    grid->addWidget(m_demoText, 0, 0, 1, 2);
    grid->addWidget(m_demoCommand, 1, 0);
    grid->addWidget(m_demoCopy, 1, 1, Qt::AlignRight);
    return m_demoBox;
}

QWidget *StartPage::buildWatch()
{
    m_watchBox = new QGroupBox(this);
    m_watchText = new PlainLabel({}, m_watchBox);
    m_watchText->setWordWrap(true);
    m_watch = new QPushButton(m_watchBox);
    m_watch->setObjectName(QStringLiteral("watch_store"));
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
    m_recentLabel->setText(tr("Recent:"));
    m_recent->setAccessibleName(tr("Recent agents, the last one first"));
    m_forget->setText(tr("Remove"));
    m_forget->setToolTip(tr("Remove this address from the list"));
    m_test->setText(tr("Test"));
    m_connect->setText(tr("Connect"));
    m_watchBox->setTitle(tr("Watch a store"));
    m_watchText->setText(
        tr("Finds the lock tables of a database and watches them from here, without an agent elsewhere."));
    m_watch->setText(tr("Watch a store…"));
    m_demoBox->setTitle(tr("Try the demo"));
    m_demoText->setText(
        tr("Starts private Redis and MariaDB servers with a lively set of locks, an agent and a console, and "
           "removes everything afterwards. Run this in the source folder:"));
    m_demoCopy->setText(tr("Copy"));
}

void StartPage::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
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

base::Result<connections::Connection> StartPage::connection() const
{
    return connections::resolveConnection(m_address->text().trimmed(), QDir::currentPath());
}

void StartPage::clearTicks()
{
    m_client.reset();
    m_limit.stop();
    for (int step = 0; step < StepCount; ++step)
        setTick(Step(step), Tick::None, {});
    m_remedy->hide();
}

void StartPage::setTick(Step step, Tick tick, const QString &text)
{
    const Line &line = m_lines[step];
    line.icon->setVisible(tick != Tick::None);
    line.text->setVisible(tick != Tick::None);
    line.text->setText(text);
    const QString name = tick == Tick::Good  ? QStringLiteral("dialog-ok")
                         : tick == Tick::Bad ? QStringLiteral("dialog-error")
                                             : QStringLiteral("view-refresh");
    line.icon->setPixmap(presentation::icon(name).pixmap(QSize(16, 16), devicePixelRatioF()));
}

void StartPage::fail(Step step, const base::Error &error)
{
    m_limit.stop();
    setTick(step, Tick::Bad,
            tr("%1: %2", "what, cause")
                .arg(presentation::Words::error(error.code), base::displayText(error.cause)));
    const QString remedy =
        error.remedy.isEmpty() ? presentation::Words::remedy(error.code) : base::displayText(error.remedy);
    m_remedy->setText(remedy);
    m_remedy->setVisible(!remedy.isEmpty());
}

void StartPage::test()
{
    clearTicks();
    const auto resolved = connection();
    if (!resolved) {
        fail(ParseStep, resolved.error());
        return;
    }
    const transport::Address *parsed = &resolved->address;
    setTick(ParseStep, Tick::Good, tr("The address is valid."));
    if (parsed->isLocal() && !QFileInfo::exists(parsed->path)) {
        fail(SocketStep, {base::ErrorCode::NotFound, parsed->path,
                          tr("Start the agent, or check its data_dir and listen.")});
        return;
    }
    setTick(SocketStep, Tick::Good,
            parsed->isLocal() ? tr("The socket exists.")
            : parsed->isTls   ? tr("TLS leads to it.")
                              : tr("ssh leads to it; it may ask you to log in."));
    setTick(ConnectStep, Tick::Waiting, tr("Connecting…"));
    m_client = std::make_unique<transport::Client>(QStringLiteral("lockkeeper " LOCKKEEPER_VERSION));
    connect(m_client.get(), &transport::Client::connected, this, [this](const protocol::Welcome &welcome) {
        m_limit.stop();
        setTick(ConnectStep, Tick::Good,
                tr("Connected to %1 as %2 (%3).", "agent, user, role")
                    .arg(base::displayText(welcome.agent), base::displayText(welcome.user),
                         presentation::Words::role(welcome.role)));
        setTick(VersionStep, Tick::Good,
                tr("%1 speaks the same protocol.").arg(base::displayText(welcome.program)));
        m_client->close();
    });
    connect(m_client.get(), &transport::Client::disconnected, this, [this](const base::Error &error) {
        if (m_limit.isActive())
            fail(ConnectStep, error);
    });
    m_client->setTls(resolved->tls);
    m_client->setLogin(resolved->login());
    m_limit.start(parsed->isLocal() ? kTestLimitMs : parsed->isTls ? kTlsTestLimitMs : kSshTestLimitMs);
    m_client->open(*parsed);
}

} // namespace lockkeeper::app::views
