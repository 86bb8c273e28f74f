// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/audit/audit_view.h"

#include "app/presentation/theme.h"
#include "app/records/records.h"
#include "app/replica/replica.h"
#include "app/views/table/data_table.h"
#include "app/views/table/list_page.h"
#include "app/views/widgets/banner_area.h"
#include "app/views/widgets/filter_edit.h"
#include "app/views/widgets/filter_line.h"
#include "app/views/widgets/named.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/requests.h"
#include "app/views/widgets/wrapped_label.h"
#include "app/words/error_words.h"
#include "shared/base/text.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
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
const QByteArray kUnchecked = QByteArrayLiteral("unchecked");
} // namespace

AuditView::AuditView(const ConsoleContext &context, QWidget *parent)
    : ListView(context, parent),
      m_model(std::make_unique<AuditModel>(*context.session)),
      m_formatter(context.times)
{
    m_model->setFormatter(&m_formatter);
    build();
    connectModel();
    retranslate();
}

void AuditView::connectModel()
{
    connect(m_model.get(), &AuditModel::stateChanged, this, &AuditView::showState);
    connect(m_model.get(), &QAbstractItemModel::rowsInserted, this, &AuditView::showState);
    connect(m_model.get(), &QAbstractItemModel::modelReset, this, &AuditView::showState);
    connect(context().times, &words::TimeFormat::changed, this, &AuditView::showState);
    const auto again = [this] {
        if (m_asked)
            m_model->refresh();
    };
    connect(context().replica, &replica::Replica::releasingChanged, this, again);
    connect(context().replica, &replica::Replica::reset, this, again);
    // Releases by others are known by their events.
    connect(
        context().replica, &replica::Replica::events, this, [again](const QList<events::LockEvent> &events) {
            if (std::any_of(events.cbegin(), events.cend(),
                            [](const auto &event) { return event.kind == events::EventKind::ForceReleased; }))
                again();
        });
}

AuditView::~AuditView()
{
    destroy({m_list});
}

std::unique_ptr<ExportSource> AuditView::allEntries(records::FileFormat::Syntax kind) const
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
    auto *table = new DataTable(context(), m_model.get(), QStringLiteral("audit"), models::AuditReasonColumn);
    table->setDefaultWidths(kAuditWidths);
    table->setSpareColumns({models::AuditCommandColumn});
    m_list = new ListPage(context(), table);
    m_list->setReading([this] { m_model->cancel(); }, [this] { refresh(); });
    m_list->setExport(QStringLiteral("lockkeeper-audit"),
                      [this](records::FileFormat::Syntax kind) { return allEntries(kind); });
    m_list->setSubject([this](int row) {
        const domain::AuditEntry &entry = *m_model->at(row);
        return entry.isRelease() // only a release belongs to a lock
                   ? RowSubject{{entry.key}, events::Interval{entry.timeUs, entry.timeUs}}
                   : RowSubject();
    });
    m_list->setMenu([this](QMenu *menu, int row) { fillMenu(menu, row); });
    setList(m_list);
    m_chain = new PlainLabel;
    m_verify = named("verify", new QPushButton);
    m_signature = named("signature", new WrappedLabel);
    m_signature->setMuted(true);
    auto *bar = new QHBoxLayout;
    bar->addWidget(m_chain);
    bar->addWidget(m_signature, 1);
    bar->addWidget(m_verify);
    QVBoxLayout *column = addColumn();
    column->addLayout(bar);
    const FilterLine *filter = addFilter(column, filter::QueryScope::Audit);
    column->addWidget(m_list, 1);
    connect(filter, &FilterLine::applied, m_model.get(), &AuditModel::setQuery);
    connect(m_verify, &QPushButton::clicked, this, [this] {
        if (m_model->chain() == AuditModel::Chain::Checking)
            m_model->cancelVerification();
        else
            m_model->verify();
    });
    connect(table, &DataTable::activatedRow, this, [this](int row) {
        const domain::AuditEntry *entry = m_model->at(row);
        if (entry && entry->isRelease())
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
    showChain();
    showUnchecked();
    showRows();
}

void AuditView::showChain()
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
        m_list->banners()->showBanner({kBroken, presentation::BannerKind::Error, text, {}, {}, false});
    } else {
        m_list->banners()->removeBanner(kBroken);
    }
}

/** If the entries can't be read for the same reason, the view reports it only once. */
void AuditView::showUnchecked()
{
    const base::Error &error = m_model->checkError();
    if (error.cause.isEmpty() || error == m_model->error())
        m_list->banners()->removeBanner(kUnchecked);
    else
        m_list->banners()->showBanner({kUnchecked, presentation::BannerKind::Warning,
                                       tr("Couldn't check the chain: %1").arg(words::ErrorWords::line(error)),
                                       tr("Try again"), [this] { m_model->verify(); }, false});
}

void AuditView::showRows()
{
    const base::Error &error = m_model->error();
    EmptyList empty{tr("Nothing was force-released yet"),
                    tr("Every force-release is written here before it is sent, and again with its outcome.")};
    if (m_model->hiddenRows() > 0)
        empty = {tr("No entry matches this filter"),
                 tr("The filter hides the others."),
                 {{tr("Show all entries"), [this] { setFilter({}); }}}};
    m_list->showState({m_model->isLoading(),
                       error,
                       {},
                       tr("Couldn't read the audit again: %1").arg(words::ErrorWords::line(error))},
                      empty);
}

void AuditView::fillMenu(QMenu *menu, int row)
{
    const domain::AuditEntry *entry = m_model->at(row);
    if (entry->isRelease())
        menu->addAction(tr("&Only this lock"), this,
                        [this, key = entry->key] { setFilter(filter::filterFor(key)); });
}

void AuditView::retranslate()
{
    filterEdit()->setPlaceholderText(tr("Filter: who:kim outcome:refused name:lock* from:-24h"));
    filterEdit()->setAccessibleName(tr("Filter of the audit"));
    int widest = 0; // the button's text changes, but its neighbours must not move
    for (const QString &text : {tr("&Verify chain"), tr("Cancel")}) {
        m_verify->setText(text);
        widest = std::max(widest, m_verify->sizeHint().width());
    }
    m_verify->setMinimumWidth(widest);
    m_list->table()->setAccessibleName(tr("Audit, newest first"));
    showState();
}

} // namespace lockkeeper::app::views
