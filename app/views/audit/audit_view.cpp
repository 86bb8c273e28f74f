// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/audit/audit_view.h"

#include "app/presentation/icons.h"
#include "app/presentation/theme.h"
#include "app/records/records.h"
#include "app/replica/replica.h"
#include "app/views/table/data_table.h"
#include "app/views/widgets/banner_area.h"
#include "app/views/widgets/filter_edit.h"
#include "app/views/widgets/filter_line.h"
#include "app/views/widgets/named.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/requests.h"
#include "app/views/widgets/state_page.h"
#include "app/views/widgets/wrapped_label.h"
#include "app/words/error_words.h"
#include "shared/base/text.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace lockkeeper::app::views {

using models::AuditModel;

namespace {
const QHash<int, int> kAuditWidths{
    {models::AuditTimeColumn, kTimeWidth}, {models::AuditWhoColumn, 110},    {models::AuditRoleColumn, 0},
    {models::AuditLockColumn, 220},        {models::AuditReasonColumn, 220}, {models::AuditGuardColumn, 0},
    {models::AuditOutcomeColumn, 120},     {models::AuditApproverColumn, 0}, {models::AuditCommandColumn, 84},
    {models::AuditSourceColumn, 104},
};
const QByteArray kBroken = QByteArrayLiteral("chain");
const QByteArray kStale = QByteArrayLiteral("stale");
const QByteArray kUnchecked = QByteArrayLiteral("unchecked");
} // namespace

AuditView::AuditView(const ConsoleContext &context, QWidget *parent)
    : RowsView(context, parent),
      m_model(std::make_unique<AuditModel>(*context.session)),
      m_formatter(context.times)
{
    m_model->setFormatter(&m_formatter);
    build();
    connect(m_model.get(), &AuditModel::stateChanged, this, &AuditView::showState);
    const auto counted = [this] {
        showState();
        Q_EMIT rowsChanged();
    };
    connect(m_model.get(), &QAbstractItemModel::rowsInserted, this, counted);
    connect(m_model.get(), &QAbstractItemModel::modelReset, this, counted);
    connect(context.times, &words::TimeFormat::changed, this, [this] {
        m_model->reword();
        showState();
    });
    const auto again = [this] {
        if (m_asked)
            m_model->refresh();
    };
    connect(context.replica, &replica::Replica::releasingChanged, this, again);
    connect(context.replica, &replica::Replica::reset, this, again);
    // Releases by others are known by their events.
    connect(
        context.replica, &replica::Replica::events, this, [again](const QList<events::LockEvent> &events) {
            if (std::any_of(events.cbegin(), events.cend(),
                            [](const auto &event) { return event.kind == events::EventKind::ForceReleased; }))
                again();
        });
    retranslate();
}

AuditView::~AuditView()
{
    letGoOfRows();
}

std::unique_ptr<ExportSource> AuditView::exportSource(records::FileFormat::Syntax kind) const
{
    const auto load = [session = context().session, query = m_model->query(), read = session::Numbers(),
                       first = quint64(0)](QObject *asker, const PageSource::Loaded &loaded) mutable {
        session->audit(
            protocol::AuditQuery(), asker,
            [&, loaded](const base::Result<protocol::AuditPage> &page) {
                if (!page) {
                    loaded(tl::unexpected(page.error()));
                    return;
                }
                PageSource::RecordPage part;
                part.last = !page->more || page->entries.isEmpty();
                for (const domain::AuditEntry &entry : page->entries) {
                    const QString label = session->labelOf(entry.key.source);
                    read.insert(label, quint64(entry.id));
                    first = std::max(first, quint64(entry.id));
                    if (filter::matches(query, entry))
                        part.records.append(records::withAgent(records::auditObject(entry),
                                                               session->agentOf(entry.key.source), label));
                }
                // The progress is known only with a single agent: each agent numbers its own entries.
                part.share = part.last            ? 1
                             : session->several() ? -1
                                                  : 1 - double(read.value({})) / double(first);
                loaded(std::move(part));
            },
            read);
    };
    return std::make_unique<PageSource>(load, records::FileFormat{kind, records::auditColumns()});
}

QString AuditView::title() const
{
    return tr("Audit");
}

void AuditView::build()
{
    m_banner = new BannerArea(context().theme);
    m_table = new DataTable(context(), m_model.get(), QStringLiteral("audit"), models::AuditReasonColumn);
    m_table->setDefaultWidths(kAuditWidths);
    setRows(m_table, m_model.get(), QStringLiteral("lockkeeper-audit"));
    m_table->setSpareColumns({models::AuditCommandColumn});
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_filter = new FilterLine(context(), filter::QueryScope::Audit);
    m_page = new StatePage;
    m_stack = new QStackedWidget;
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_page);
    m_chain = new PlainLabel;
    m_verify = named("verify", new QPushButton);
    auto *bar = new QHBoxLayout;
    m_signature = named("signature", new WrappedLabel);
    m_signature->setMuted(true);
    bar->addWidget(m_chain);
    bar->addWidget(m_signature, 1);
    bar->addWidget(m_verify);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(8);
    column->addLayout(bar);
    column->addWidget(m_filter);
    column->addWidget(m_stack, 1);
    column->addWidget(m_banner); // below the rows, so that a banner doesn't move them
    connect(m_filter, &FilterLine::applied, m_model.get(), &AuditModel::setQuery);
    connect(m_filter->edit(), &FilterEdit::left, m_table, qOverload<>(&QWidget::setFocus));
    connect(m_table, &QWidget::customContextMenuRequested, this, &AuditView::showMenu);
    connect(m_verify, &QPushButton::clicked, this, [this] {
        if (m_model->chain() == AuditModel::Chain::Checking)
            m_model->cancelVerification();
        else
            m_model->verify();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this] { Q_EMIT rowsChanged(); });
    connect(m_table, &DataTable::activatedRow, this, [this](int row) {
        const domain::AuditEntry *entry = m_model->at(row);
        if (entry && entry->isRelease()) // only a release belongs to a lock
            Q_EMIT context().requests->historyAsked(entry->key);
    });
}

void AuditView::activate()
{
    const bool first = !m_asked;
    m_asked = true;
    m_model->refresh();
    if (first)
        m_model->verify();
}

void AuditView::refresh()
{
    m_model->refresh();
    m_model->verify();
}

QString AuditView::signatureText() const
{
    if (m_model->chain() != AuditModel::Chain::Holds)
        return m_model->chain() == AuditModel::Chain::NotChecked ? tr("Signature not checked yet")
                                                                 : QString();
    QStringList lines;
    for (const AuditModel::Checked &one : m_model->checked()) {
        const QString text =
            one.signature
                ? tr("Signed by key %1 at record %2 of %3; compare the key", "key's ID, number, number")
                      .arg(QString::fromLatin1(one.signature->keyId.toHex()))
                      .arg(one.signature->records)
                      .arg(one.records)
            : one.records > 0 ? tr("Unsigned: anyone with write access to the database can forge it")
                              : tr("Nothing is signed yet");
        lines.append(
            one.agent.isEmpty()
                ? text
                : tr("%1: %2", "agent, what is known of its audit").arg(base::displayText(one.agent), text));
    }
    return lines.join(QLatin1Char('\n'));
}

void AuditView::showState()
{
    using Chain = AuditModel::Chain;
    const qint64 checked = m_model->checkedUs();
    const QString at = checked > 0 ? context().times->dateTime(checked) + QLatin1Char(' ') +
                                         context().times->zoneText(checked)
                                   : QString();
    switch (m_model->chain()) {
    case Chain::NotChecked:
        m_chain->setText(tr("The chain has not been checked yet"));
        break;
    case Chain::Checking:
        m_chain->setText(tr("Checking the chain…"));
        break;
    case Chain::Holds:
        m_chain->setText(m_model->isCompared()
                             ? tr("Chain verified %1").arg(at)
                             : tr("Chain whole %1, but compared with no earlier head").arg(at));
        break;
    case Chain::Broken:
        m_chain->setText(tr("Chain broken, checked %1").arg(at));
        break;
    }
    m_signature->setText(signatureText());
    m_signature->setToolTip(
        plainToolTip(tr("The agent signs the chain with its key at each hundredth record and each hour. To "
                        "verify that the key is the agent's, run lockkeeperctl audit --verify --public-key "
                        "FILE with the agent's audit.key.pub.")));
    m_verify->setText(m_model->chain() == Chain::Checking ? tr("Cancel") : tr("&Verify chain"));
    showUnchecked();
    if (m_model->chain() == Chain::Broken) {
        const QString why = words::ErrorWords::line(m_model->fault());
        QString text = m_model->firstBadId()
                           ? tr("The audit isn't whole from entry %1 on: %2", "number, cause and remedy")
                                 .arg(*m_model->firstBadId())
                                 .arg(why)
                           : tr("The audit isn't whole: %1", "cause and remedy").arg(why);
        const QString agent = m_model->checked().isEmpty() ? QString() : m_model->checked().last().agent;
        if (!agent.isEmpty())
            text = tr("%1: %2", "agent, what is known of its audit").arg(base::displayText(agent), text);
        m_banner->showBanner({kBroken, presentation::BannerKind::Error, text, {}, {}, false});
    } else {
        m_banner->removeBanner(kBroken);
    }
    showRows();
}

/** If the entries can't be read for the same reason, the view reports it only once. */
void AuditView::showUnchecked()
{
    const base::Error &error = m_model->checkError();
    if (error.cause.isEmpty() || error == m_model->error())
        m_banner->removeBanner(kUnchecked);
    else
        m_banner->showBanner({kUnchecked, presentation::BannerKind::Warning,
                              tr("Couldn't check the chain: %1").arg(words::ErrorWords::line(error)),
                              tr("Try again"), [this] { m_model->verify(); }, false});
}

void AuditView::showRows()
{
    const base::Error error = m_model->error();
    const bool hasRows = m_model->rowCount() > 0;
    if (hasRows && !error.cause.isEmpty())
        m_banner->showBanner({kStale, presentation::BannerKind::Warning,
                              tr("Couldn't read the audit again: %1").arg(words::ErrorWords::line(error)),
                              tr("Try again"), [this] { refresh(); }, false});
    else
        m_banner->removeBanner(kStale);
    m_stack->setCurrentWidget(hasRows ? static_cast<QWidget *>(m_table) : m_page);
    if (hasRows)
        return;
    if (m_model->isLoading())
        m_page->showLoading(tr("Reading…"), {tr("Cancel"), [this] { m_model->cancel(); }});
    else if (error.code == base::ErrorCode::Cancelled)
        m_page->showEmpty(tr("Nothing was read"), tr("Reading was cancelled."),
                          {{tr("Try again"), [this] { m_model->refresh(); }}});
    else if (!error.cause.isEmpty())
        m_page->showError(error, [this] { m_model->refresh(); });
    else if (m_model->hiddenRows() > 0)
        m_page->showEmpty(tr("No entry matches this filter"), tr("The filter hides the others."),
                          {{tr("Show all entries"), [this] { setFilter({}); }}});
    else
        m_page->showEmpty(
            tr("Nothing was force-released yet"),
            tr("Every force-release is written here before it is sent, and again with its outcome."));
}

void AuditView::showMenu(const QPoint &at)
{
    const domain::AuditEntry *entry = m_model->at(m_table->indexAt(at).row());
    if (!entry)
        return;
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (entry->isRelease()) {
        menu->addAction(tr("Show in &Locks"), this,
                        [this, key = entry->key] { Q_EMIT context().requests->lockAsked(key); });
        menu->addAction(tr("&History of this lock"), this,
                        [this, key = entry->key] { Q_EMIT context().requests->historyAsked(key); });
        menu->addAction(tr("&Only this lock"), this,
                        [this, key = entry->key] { setFilter(filter::filterFor(key)); });
        menu->addSeparator();
    }
    menu->addAction(presentation::icon(QLatin1String("edit-copy")), tr("&Copy"), this,
                    [this] { copyText(); });
    menu->popup(m_table->viewport()->mapToGlobal(at));
}

void AuditView::focusFilter()
{
    m_filter->edit()->setFocus();
    m_filter->edit()->selectAll();
}

void AuditView::setFilter(const QString &text)
{
    m_filter->edit()->setFilter(text);
}

QVariantMap AuditView::saveState() const
{
    return {{QStringLiteral("filter"), m_filter->edit()->text()}};
}

void AuditView::restoreState(const QVariantMap &state)
{
    setFilter(state.value(QStringLiteral("filter")).toString());
}

void AuditView::retranslate()
{
    m_filter->edit()->setPlaceholderText(tr("Filter: who:kim outcome:refused name:lock* from:-24h"));
    m_filter->edit()->setAccessibleName(tr("Filter of the audit"));
    int widest = 0; // the button's text changes, but its neighbours must not move
    for (const QString &text : {tr("&Verify chain"), tr("Cancel")}) {
        m_verify->setText(text);
        widest = std::max(widest, m_verify->sizeHint().width());
    }
    m_verify->setMinimumWidth(widest);
    m_table->setAccessibleName(tr("Audit, newest first"));
    m_model->reword();
    showState();
}

} // namespace lockkeeper::app::views
