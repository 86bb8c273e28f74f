// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/release/bulk_dialog.h"

#include "app/presentation/icons.h"
#include "app/presentation/theme.h"
#include "app/replica/replica.h"
#include "app/views/release/reason_edit.h"
#include "app/views/release/release_text.h"
#include "app/views/table/data_table.h"
#include "app/views/table/table_style.h"
#include "app/views/widgets/danger_button.h"
#include "app/views/widgets/named.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/screen_room.h"
#include "app/views/widgets/wrapped_label.h"
#include "app/words/error_words.h"
#include "app/words/lock_text.h"
#include "app/words/words.h"
#include "shared/base/clock.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QScreen>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace lockkeeper::app::views {

using words::LockText;
using words::Words;

namespace {
constexpr int kBulkWidth = 840;
constexpr int kHeight = 520;
constexpr int kMostHolder = 150; ///< px
constexpr int kMostVerdict = 300;
} // namespace

BulkDialog::BulkDialog(const ConsoleContext &context, const QList<domain::LockKey> &keys,
                       ReleaseController *controller, QWidget *parent)
    : Translated(parent), m_context(context), m_controller(controller)
{
    setWindowModality(Qt::WindowModal);
    resize(QSize(kBulkWidth, kHeight).boundedTo(screenRoom(*this)));
    QList<domain::LockState> states;
    for (const domain::LockKey &key : keys) {
        if (const auto state = context.replica->find(key))
            states.append(*state);
    }
    m_items = planBulk(states);
    m_shownUs = context.clock->monotonicUs();
    build();
    retranslate();
    m_refresh.setInterval(kRefreshMs);
    connect(&m_refresh, &QTimer::timeout, this, &BulkDialog::refresh);
    connect(context.replica, &replica::Replica::changed, this,
            [this](const replica::PackedLockTable &changed, const QSet<domain::LockKey> &removed) {
                for (int row = 0; row < int(m_items.size()); ++row) {
                    const domain::LockKey &key = m_items.at(row).state.key;
                    if (changed.contains(key) || removed.contains(key))
                        fillRow(row);
                }
            });
    m_refresh.start();
    m_reason->setFocus();
}

void BulkDialog::build()
{
    m_title = new WrappedLabel;
    m_title->setFont(presentation::titleFont(font()));
    m_residue = new WrappedLabel;
    m_table = new QTableWidget(int(m_items.size()), ColumnCount);
    TableStyle::applyTo(m_table);
    m_table->setShowGrid(false);
    m_table->setAlternatingRowColors(true);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(DataTable::rowHeight(m_context));
    m_table->setSelectionMode(QAbstractItemView::NoSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->setWordWrap(false);
    m_table->horizontalHeader()->setSectionResizeMode(Lock, QHeaderView::Stretch);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->setColumnWidth(State, 136);
    for (const int column : {Holder, Verdict})
        m_table->setColumnWidth(column, m_table->horizontalHeader()->minimumSectionSize());
    connect(m_table, &QTableWidget::itemChanged, this, [this](QTableWidgetItem *item) {
        if (item->column() == State)
            m_items[item->row()].ticked = item->checkState() == Qt::Checked;
        refresh();
    });
    m_reasonLabel = new PlainLabel;
    m_reason = named("reason", new ReasonEdit);
    m_reason->setMaxLength(kReasonLimit);
    m_numberLabel = new PlainLabel;
    m_number = new ReasonEdit;
    m_reason->setNext(m_number);
    m_number->setObjectName(QStringLiteral("number"));
    m_summary = named("summary", new PlainLabel);
    m_stop = named("stop", new QPushButton);
    m_stop->setAutoDefault(false);
    m_cancel = named("cancel", new QPushButton);
    m_cancel->setDefault(true);
    m_action = named("action", new DangerButton(m_context.theme));

    auto *buttons = new QHBoxLayout;
    buttons->addWidget(m_stop);
    buttons->addWidget(m_summary, 1);
    buttons->addWidget(m_cancel);
    buttons->addSpacing(24);
    buttons->addWidget(m_action);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(8);
    for (QWidget *widget : QWidgetList{m_title, m_residue})
        column->addWidget(widget);
    column->addWidget(m_table, 1);
    for (QWidget *widget : QWidgetList{m_reasonLabel, m_reason, m_numberLabel, m_number})
        column->addWidget(widget);
    column->addLayout(buttons);
    connect(m_reason, &QLineEdit::textChanged, this, &BulkDialog::refresh);
    connect(m_number, &QLineEdit::textChanged, this, &BulkDialog::refresh);
    connect(m_action, &QPushButton::clicked, this, &BulkDialog::start);
    connect(m_stop, &QPushButton::clicked, this, &BulkDialog::stop);
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(this, &QDialog::rejected, this, &BulkDialog::stop);
}

void BulkDialog::retranslate()
{
    m_residue->setText(ReleaseText::residue());
    m_table->setHorizontalHeaderLabels({tr("State"), tr("Lock"), tr("Holder"), tr("Verdict")});
    m_reasonLabel->setText(tr("Reason (goes to the audit):"));
    m_reason->setAccessibleName(tr("Reason"));
    m_stop->setText(tr("&Stop"));
    makeRoom(Holder, tr("Holder"));
    makeRoom(Verdict, tr("left out: not ticked")); // a click may turn a row into this
    for (int row = 0; row < int(m_items.size()); ++row)
        fillRow(row);
    refresh();
}

void BulkDialog::fillRow(int row)
{
    const QSignalBlocker quiet(m_table);
    const BulkItem &item = m_items.at(row);
    const replica::Badge badge = badgeNow(item);
    const auto put = [this, row](int column, const QString &text) {
        auto *cell = m_table->item(row, column);
        if (!cell) {
            cell = new QTableWidgetItem;
            m_table->setItem(row, column, cell);
        }
        cell->setText(text);
        cell->setToolTip(plainToolTip(text));
        return cell;
    };
    auto *first = put(State, replica::badgeText(badge));
    first->setIcon(presentation::icon(presentation::badgeIconName(badge)));
    const bool mayTick =
        m_phase == BulkPhase::Preview && (item.skip == Skip::None || item.skip == Skip::Unticked);
    first->setFlags(mayTick ? Qt::ItemIsEnabled | Qt::ItemIsUserCheckable : Qt::ItemIsEnabled);
    first->setCheckState(item.ticked ? Qt::Checked : Qt::Unchecked);
    put(Lock, LockText::name(item.state.key));
    makeRoom(Holder, put(Holder, LockText::holder(item.state))->text());
    makeRoom(Verdict, put(Verdict, verdict(item))->text());
}

/**
 * Gives holders and verdicts the width that they need, up to a limit; the names get the rest. No column
 * shrinks, so that nothing moves back under the eye.
 */
void BulkDialog::makeRoom(BulkColumn column, const QString &text)
{
    const int needed = m_table->fontMetrics().horizontalAdvance(text) + 2 * TableStyle::kPad + 4;
    const int most = column == Holder ? kMostHolder : kMostVerdict;
    m_table->setColumnWidth(column, std::max(m_table->columnWidth(column), std::min(needed, most)));
}

/**
 * The state as in the table of locks: the reading for the plan grows old, and a lock may be renewed
 * meanwhile.
 */
replica::Badge BulkDialog::badgeNow(const BulkItem &item) const
{
    const replica::Replica *replica = m_context.replica;
    const domain::LockKey &key = item.state.key;
    replica::LockContext now;
    now.nowUs = replica->storeNowUs(key.source);
    now.stale = replica->isStale(key.source);
    now.releasing = item.underWay;
    const auto state = replica->find(key);
    return state ? replica::badgeOf(*state, now) : replica::Badge::Free;
}

QString BulkDialog::verdict(const BulkItem &item) const
{
    if (item.result)
        return Words::outcome(item.result->outcome) +
               (item.result->error.cause.isEmpty()
                    ? QString()
                    : QStringLiteral(": ") + words::ErrorWords::detail(item.result->error));
    if (item.underWay)
        return tr("Sending…");
    switch (item.skip) {
    case Skip::None:
        return item.ticked ? tr("will release") : tr("left out: not ticked");
    case Skip::Live:
        return tr("left out: its lease is live");
    case Skip::NoIdentity:
        return tr("left out: no identity");
    case Skip::Connection:
        return tr("left out: connections are killed one at a time");
    case Skip::Off:
        return tr("left out: %1").arg(Words::releaseOff(item.state.release.why));
    case Skip::Gone:
        return tr("left out: free already");
    case Skip::Unreachable:
        return tr("left out: can't be read");
    case Skip::Changed:
        return tr("left out: changed since the preview");
    case Skip::Unticked:
        return tr("left out: not ticked");
    case Skip::TooMany:
        return tr("left out: more than %n at once", nullptr, kBulkLimit);
    case Skip::Stopped:
        return tr("left out: stopped");
    }
    return {};
}

void BulkDialog::refresh()
{
    const int count = willRelease(m_items);
    m_title->setText(
        tr("Force-release %n lock(s)? Live locks and locks without identity are left out.", nullptr, count));
    setWindowTitle(tr("Force-release %n lock(s)", nullptr, count));
    m_numberLabel->setText(tr("Type the number of locks to confirm:"));
    m_number->setAccessibleName(m_numberLabel->text());
    m_action->setText(tr("Force-release %n", nullptr, count));
    // Most locks are ticked at first. The width stays, so that a shorter number moves no button under the
    // pointer.
    m_action->setMinimumWidth(std::max(m_action->minimumWidth(), m_action->sizeHint().width()));
    const bool preview = m_phase == BulkPhase::Preview;
    m_reason->setEnabled(preview);
    m_number->setEnabled(preview);
    m_stop->setEnabled(m_phase == BulkPhase::Running);
    m_cancel->setText(m_phase == BulkPhase::Finished ? tr("Close") : tr("Cancel"));
    const QString missing = preview ? this->missing() : QString();
    m_action->setEnabled(preview && missing.isEmpty());
    m_action->setToolTip(missing);
    m_action->setAccessibleDescription(missing);
    if (preview) {
        m_summary->setText(missing);
        return;
    }
    int released = 0;
    int done = 0;
    for (const BulkItem &item : std::as_const(m_items)) {
        done += item.result ? 1 : 0;
        released += item.result && item.result->outcome == domain::Outcome::Released ? 1 : 0;
    }
    m_summary->setText(tr("%1 released of %2 sent").arg(released).arg(done));
}

/** The step that the operator must still take before the release can start; empty: none. */
QString BulkDialog::missing() const
{
    const int count = willRelease(m_items);
    if (m_context.replica->isOffline())
        return tr("No agent is connected.");
    if (count == 0)
        return tr("No lock is ticked.");
    const bool reason = !m_reason->text().trimmed().isEmpty();
    if (m_number->text().trimmed() != QString::number(count))
        return reason ? tr("Type the number %1 to confirm.").arg(count)
                      : tr("Enter a reason and type the number %1.").arg(count);
    if (!reason)
        return tr("Enter a reason.");
    return m_context.clock->monotonicUs() - m_shownUs < kArmingUs ? ReleaseText::missing(MissingInput::Moment)
                                                                  : QString();
}

void BulkDialog::start()
{
    if (m_phase != BulkPhase::Preview || !m_action->isEnabled())
        return;
    m_phase = BulkPhase::Running;
    m_why = m_reason->text().trimmed();
    for (int row = 0; row < int(m_items.size()); ++row) {
        BulkItem &item = m_items[row];
        if (!item.ticked && item.skip == Skip::None)
            item.skip = Skip::Unticked;
        fillRow(row);
    }
    next();
}

void BulkDialog::next()
{
    if (m_phase != BulkPhase::Running)
        return;
    do
        ++m_turn;
    while (m_turn < int(m_items.size()) && m_items.at(m_turn).skip != Skip::None);
    if (m_turn >= int(m_items.size())) {
        finish();
        return;
    }
    m_items[m_turn].underWay = true;
    fillRow(m_turn);
    m_context.session->ask(
        protocol::Inspect{0, m_items.at(m_turn).state.key}, this,
        [this, row = m_turn](const base::Result<protocol::Inspected> &reading) { onRead(row, reading); });
    refresh();
}

void BulkDialog::onRead(int row, const base::Result<protocol::Inspected> &reading)
{
    if (m_phase != BulkPhase::Running) {
        leaveOut(row, Skip::Stopped);
        return;
    }
    const Skip why = reading ? skipOf(*reading, m_items.at(row).state.guard) : Skip::Unreachable;
    if (why != Skip::None) {
        leaveOut(row, why);
        next();
        return;
    }
    BulkItem &item = m_items[row];
    item.state = reading->state;
    ReleaseRequest request;
    request.key = item.state.key;
    request.ticket = reading->ticket;
    request.because = becauseOf(caseOf(*reading, item.state.guard));
    request.reason = m_why;
    m_controller->send(request, this,
                       [this, row](const protocol::ReleaseResult &result) { onAnswer(row, result); });
}

void BulkDialog::onAnswer(int row, const protocol::ReleaseResult &result)
{
    BulkItem &item = m_items[row];
    item.underWay = false;
    item.result = result;
    fillRow(row);
    refresh();
    next();
}

void BulkDialog::leaveOut(int row, Skip why)
{
    m_items[row].underWay = false;
    m_items[row].skip = why;
    fillRow(row);
    refresh();
}

void BulkDialog::stop()
{
    if (m_phase != BulkPhase::Running)
        return;
    for (int row = m_turn + 1; row < int(m_items.size()); ++row) {
        if (m_items.at(row).skip == Skip::None)
            leaveOut(row, Skip::Stopped);
    }
    finish();
}

void BulkDialog::finish()
{
    m_phase = BulkPhase::Finished;
    refresh();
}

} // namespace lockkeeper::app::views
