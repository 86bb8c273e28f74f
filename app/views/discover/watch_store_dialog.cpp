// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/discover/watch_store_dialog.h"

#include "app/discover/candidate_formatter.h"
#include "app/presentation/theme.h"
#include "app/views/discover/finish_page.h"
#include "app/views/discover/store_form.h"
#include "app/views/discover/tables_page.h"
#include "app/views/discover/time_fields.h"
#include "app/views/widgets/named.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/screen_room.h"
#include "app/views/widgets/wrapped_label.h"
#include "app/words/error_words.h"
#include "shared/base/text.h"
#include "shared/stores/discover/source_section.h"

#include <QComboBox>
#include <QFormLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QVBoxLayout>

namespace lockkeeper::app::views {

using private_agent::PrivateAgent;

namespace {

/** How a section for an agent elsewhere refers to the password: a variable named after the source. */
QString environmentReference(const QUrl &url)
{
    QString name;
    for (const QChar c : stores::discover::sourceName(url).toUpper())
        name += (c >= QLatin1Char('A') && c <= QLatin1Char('Z')) ||
                        (c >= QLatin1Char('0') && c <= QLatin1Char('9'))
                    ? c
                    : QLatin1Char('_');
    return QStringLiteral("env:LOCKKEEPER_%1").arg(name);
}

} // namespace

WatchStoreDialog::WatchStoreDialog(PrivateAgent *agent, QWidget *parent) : Translated(parent), m_agent(agent)
{
    setWindowModality(Qt::WindowModal);
    resize(QSize(760, 600).boundedTo(screenRoom(*this)));
    build();
    connectAgent();
    retranslate();
    go(AddressPage);
}

WatchStoreDialog::~WatchStoreDialog()
{
    stopLooking();
    m_form->disconnect(this); // a field that loses the focus on destruction still reports an edit
}

void WatchStoreDialog::build()
{
    m_title = new PlainLabel;
    m_title->setFont(presentation::titleFont(font()));
    m_form = new StoreForm;
    m_tables = new TablesPage;
    m_finish = new FinishPage;
    m_pages = new QStackedWidget;
    buildFrom();
    m_pages->addWidget(m_form);
    m_pages->addWidget(buildLook());
    m_pages->addWidget(m_tables);
    m_pages->addWidget(m_finish);
    m_back = new QPushButton;
    m_back->setAutoDefault(false);
    m_cancel = new QPushButton;
    m_cancel->setAutoDefault(false);
    m_next = new QPushButton;
    m_next->setDefault(true);
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(m_back);
    buttons->addStretch(1);
    buttons->addWidget(m_cancel);
    buttons->addWidget(m_next);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(12);
    column->addWidget(m_title);
    column->addWidget(m_pages, 1);
    column->addLayout(buttons);
    setTabOrder(m_next, m_from); // back to the first widget
    connect(m_back, &QPushButton::clicked, this, &WatchStoreDialog::back);
    connect(m_next, &QPushButton::clicked, this, &WatchStoreDialog::next);
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_form, &StoreForm::changed, this, &WatchStoreDialog::refresh);
    connect(m_tables, &TablesPage::chosenChanged, this, &WatchStoreDialog::refresh);
    connect(m_finish, &FinishPage::startAsked, this, &WatchStoreDialog::startAgent);
}

/** Uses the form's rows: one column of labels, one of fields. */
void WatchStoreDialog::buildFrom()
{
    m_fromLabel = new PlainLabel;
    m_from = named("look_from", new QComboBox);
    m_fromLabel->setBuddy(m_from);
    m_fromNote = new WrappedLabel;
    m_fromNote->setMuted(true);
    m_form->rows()->insertRow(0, m_fromLabel, m_from);
    m_form->rows()->insertRow(1, QString(), m_fromNote);
    setAgents({});
    connect(m_from, &QComboBox::currentIndexChanged, this, [this] {
        m_form->showError({}, {});
        retranslate();
    });
}

void WatchStoreDialog::setAgents(const QList<app::discover::LookingAgent> &agents)
{
    m_agents = agents;
    m_from->clear();
    m_from->addItem(QString());
    for (const app::discover::LookingAgent &agent : agents) {
        m_from->addItem(base::displayText(agent.name));
        auto *items = qobject_cast<QStandardItemModel *>(m_from->model());
        items->item(m_from->count() - 1)->setEnabled(agent.refusal.isEmpty());
    }
    m_form->rows()->setRowVisible(m_from, !agents.isEmpty());
    showFrom();
}

void WatchStoreDialog::showFrom()
{
    m_fromLabel->setText(tr("Look from:"));
    m_from->setAccessibleName(tr("Look from"));
    m_from->setItemText(0, tr("This computer"));
    for (qsizetype i = 0; i < m_agents.size(); ++i) {
        const QString name = base::displayText(m_agents.at(i).name);
        m_from->setItemText(
            int(i) + 1,
            m_agents.at(i).refusal.isEmpty()
                ? tr("Agent %1").arg(name)
                : tr("Agent %1 (%2)", "name, why it can't be asked").arg(name, m_agents.at(i).refusal));
    }
    m_fromNote->setText(
        tr("The address is the store's as that agent reaches it. The password goes to the agent "
           "over its link, and is kept nowhere."));
    m_form->rows()->setRowVisible(m_fromNote, lookingAgent() != nullptr);
}

const app::discover::LookingAgent *WatchStoreDialog::lookingAgent() const
{
    const qsizetype at = m_from->currentIndex() - 1;
    return at >= 0 && at < m_agents.size() ? &m_agents.at(at) : nullptr;
}

base::Result<std::unique_ptr<stores::discover::Discoverer>>
WatchStoreDialog::discovererFor(const stores::SourceSpec &spec) const
{
    const app::discover::LookingAgent *agent = lookingAgent();
    if (!agent)
        return stores::discover::makeDiscoverer(spec);
    if (spec.url.scheme() == QLatin1String("sqlite"))
        return base::failure(base::ErrorCode::Unsupported, tr("an agent opens no file for a console"),
                             tr("Run lockkeeperctl discover on the agent's computer."));
    for (const char *file : {"ca", "cert", "key"}) {
        if (!spec.tls.value(QLatin1String(file)).isEmpty())
            return base::failure(
                base::ErrorCode::Unsupported, tr("files of this computer aren't sent to an agent"),
                tr("Leave the certificates out, or run lockkeeperctl discover on the agent's "
                   "computer."));
    }
    return std::make_unique<app::discover::RemoteDiscoverer>(*agent, spec);
}

QWidget *WatchStoreDialog::buildLook()
{
    auto *page = new QWidget;
    m_lookText = new PlainLabel;
    m_lookText->setAlignment(Qt::AlignCenter);
    m_lookBar = new QProgressBar;
    m_lookBar->setTextVisible(false);
    m_lookBar->setFixedWidth(320);
    auto *column = new QVBoxLayout(page);
    column->setSpacing(12);
    column->addStretch(1);
    column->addWidget(m_lookText);
    column->addWidget(m_lookBar, 0, Qt::AlignHCenter);
    column->addStretch(2);
    return page;
}

void WatchStoreDialog::connectAgent()
{
    connect(m_agent, &PrivateAgent::stateChanged, this, &WatchStoreDialog::refresh);
    connect(m_agent, &PrivateAgent::ready, this, [this](const QString &address) {
        if (!m_starting)
            return;
        m_starting = false;
        Q_EMIT watching(address, m_finish->keeps());
        accept();
    });
    connect(m_agent, &PrivateAgent::failed, this, [this](const base::Error &error, const QString &output) {
        if (!m_starting)
            return;
        m_starting = false;
        refresh();
        m_finish->showFailure(agentFailure(error), output);
    });
}

/**
 * Words the remedy for the user if the error's code suffices; a server's own remedy may contain a statement
 * to run.
 */
QString WatchStoreDialog::lookRemedy(const base::Error &error) const
{
    const QString own = error.remedy.isEmpty() ? QString() : words::ErrorWords::remedy(error);
    // If an agent looked, show its own remedy. If the link to the agent broke, none of ours applies.
    if (lookingAgent() && (error.code == base::ErrorCode::ConnectionLost || !error.remedy.isEmpty()))
        return own;
    switch (error.code) {
    case base::ErrorCode::Authentication:
        return tr("Check the user and the password.");
    case base::ErrorCode::Unreachable:
    case base::ErrorCode::ConnectionLost:
    case base::ErrorCode::Timeout:
        return tr("Check that the store is running and that the address is right.");
    case base::ErrorCode::NotFound:
        return tr("Check the database or the file.");
    default:
        return own;
    }
}

QString WatchStoreDialog::agentFailure(const base::Error &error)
{
    switch (error.code) {
    case base::ErrorCode::NotFound:
        return tr("The program lockkeeper-agent isn't installed on this computer. Install it, or give the "
                  "section below "
                  "to an agent elsewhere.");
    case base::ErrorCode::Usage:
        return tr("The agent doesn't accept the configuration. It says:");
    case base::ErrorCode::Timeout:
        return tr("The private agent was started, but doesn't answer. It says:");
    case base::ErrorCode::Shutdown:
        return tr("The private agent ended. It says:");
    default:
        return tr("The private agent can't be started: %1").arg(base::displayText(error.cause));
    }
}

WatchStoreDialog::WizardPage WatchStoreDialog::page() const
{
    return WizardPage(m_pages->currentIndex());
}

void WatchStoreDialog::go(WizardPage page)
{
    m_pages->setCurrentIndex(page);
    if (page == ChoosePage)
        m_tables->setFocus();
    if (page == FinishPageIndex)
        m_finish->setSection(sectionHead() + sectionWith(m_form->password().isEmpty()
                                                             ? m_form->passwordReference()
                                                             : environmentReference(m_form->url())),
                             stores::discover::sourceName(m_form->url()), !m_form->password().isEmpty(),
                             lookingAgent() ? lookingAgent()->name : QString());
    refresh();
    if (page == FinishPageIndex)
        (lookingAgent() ? m_finish->copyButton() : m_finish->startButton())->setFocus();
}

void WatchStoreDialog::back()
{
    stopLooking();
    go(page() == FinishPageIndex ? ChoosePage : AddressPage);
}

void WatchStoreDialog::next()
{
    if (page() == AddressPage)
        look();
    else if (page() == ChoosePage)
        go(FinishPageIndex);
}

void WatchStoreDialog::look()
{
    const auto fail = [this](const base::Error &error) {
        stopLooking();
        go(AddressPage);
        m_form->showError(tr("%1: %2", "what, cause")
                              .arg(words::ErrorWords::title(error.code), base::displayText(error.cause)),
                          lookRemedy(error));
    };
    const auto spec = m_form->spec();
    if (!spec)
        return fail(spec.error());
    auto discoverer = discovererFor(*spec);
    if (!discoverer)
        return fail(discoverer.error());
    m_discoverer = *std::move(discoverer);
    connect(m_discoverer.get(), &stores::discover::Discoverer::progressed, this,
            [this](qint64 done, qint64 total) {
                m_lookBar->setRange(0, int(total));
                m_lookBar->setValue(int(done));
            });
    connect(m_discoverer.get(), &stores::discover::Discoverer::failed, this, fail);
    connect(m_discoverer.get(), &stores::discover::Discoverer::found, this,
            [this](const stores::discover::Discovery &discovery) {
                stopLooking();
                m_tables->setStore(m_form->url().scheme());
                m_tables->setDiscovery(discovery);
                go(ChoosePage);
            });
    m_lookBar->setRange(0, 0);
    go(LookPage);
    m_discoverer->start();
}

void WatchStoreDialog::stopLooking()
{
    if (!m_discoverer)
        return;
    m_discoverer->cancel();
    m_discoverer.release()->deleteLater(); // it may be calling this function
}

/** Names the agent whose section it is, if an agent looked. */
QString WatchStoreDialog::sectionHead() const
{
    const app::discover::LookingAgent *agent = lookingAgent();
    if (!agent)
        return {};
    return stores::discover::commentLines(
               {tr("Found by the agent %1 from its machine.").arg(agent->name),
                tr("Put this into the configuration of that agent."),
                tr("Check it with lockkeeper-agent --check on that machine, and reload the agent.")}) +
           QLatin1Char('\n');
}

QString WatchStoreDialog::sectionWith(const QString &passwordReference, const QString &name) const
{
    stores::discover::SectionSource source{name, m_form->url(), passwordReference, {}};
    source.tls = m_form->tls();
    if (m_tables->hasCalendars()) {
        const QString zone = m_tables->times()->zone();
        source.timeZone = zone == QLatin1String("UTC") ? QString() : zone; // the default
        source.clientClock = m_tables->times()->isClientClock();
    }
    return stores::discover::sourceSection(source, m_tables->chosen(),
                                           &app::discover::CandidateFormatter::explain);
}

void WatchStoreDialog::startAgent()
{
    const QUrl url = m_form->url();
    const QByteArray password = m_form->password();
    const QString reference =
        password.isEmpty() ? m_form->passwordReference() : m_agent->files().passwordReference(url);
    m_starting = true;
    const QString name = m_agent->files().freeName(stores::discover::sourceName(url), url);
    m_agent->watch({url, sectionWith(reference, name), password}, m_finish->keeps());
    refresh();
}

void WatchStoreDialog::refresh()
{
    const WizardPage now = page();
    m_back->setVisible(now != AddressPage);
    m_back->setEnabled(!m_starting);
    m_next->setVisible(now == AddressPage || now == ChoosePage);
    m_next->setEnabled(now == AddressPage ? m_form->isComplete() : m_tables->isComplete());
    m_next->setText(now == AddressPage ? tr("Look for locks") : tr("Next"));
    m_cancel->setText(now == FinishPageIndex ? tr("Close") : tr("Cancel"));
    m_finish->startButton()->setDefault(now == FinishPageIndex && !lookingAgent());
    if (now == FinishPageIndex && m_starting) {
        const auto state = m_agent->state();
        m_finish->showProgress(state == PrivateAgent::LaunchState::Starting
                                   ? tr("Starting the private agent…")
                                   : tr("The private agent checks its configuration…"));
    }
    switch (now) {
    case AddressPage:
        m_title->setText(tr("Watch a store"));
        break;
    case LookPage:
        m_lookText->setText(lookingAgent()
                                ? tr("The agent %1 looks…").arg(base::displayText(lookingAgent()->name))
                            : m_form->hasKeys() ? tr("Reading keys…")
                                                : tr("Reading the catalogue…"));
        m_title->setText(tr("Looking for locks"));
        break;
    case ChoosePage:
        m_title->setText(m_tables->hasKeys() ? tr("Which keys are to be watched?")
                                             : tr("Which tables should be watched?"));
        break;
    default:
        m_title->setText(tr("How are they to be watched?"));
    }
}

void WatchStoreDialog::retranslate()
{
    setWindowTitle(tr("Watch a store"));
    showFrom();
    m_back->setText(tr("Back"));
    refresh();
}

void WatchStoreDialog::done(int result)
{
    stopLooking();
    QDialog::done(result);
}

} // namespace lockkeeper::app::views
