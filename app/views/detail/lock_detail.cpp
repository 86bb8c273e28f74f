// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/detail/lock_detail.h"

#include "app/models/seconds.h"
#include "app/presentation/icons.h"
#include "app/replica/alert_board.h"
#include "app/replica/holder.h"
#include "app/replica/holder_checks.h"
#include "app/replica/replica.h"
#include "app/replica/selection.h"
#include "app/session/agent_group.h"
#include "app/views/detail/lock_detail_parts.h"
#include "app/views/widgets/danger_button.h"
#include "app/views/widgets/link_button.h"
#include "app/views/widgets/named.h"
#include "app/views/widgets/release_verdict.h"
#include "app/views/widgets/requests.h"
#include "app/views/widgets/wrapped_label.h"
#include "app/words/lock_text.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>

namespace lockkeeper::app::views {

namespace {
constexpr int kNodeWidth = 100; ///< an address with its port
}

LockDetail::LockDetail(const ConsoleContext &context, QWidget *parent)
    : Translated(parent), m_context(context), m_parts(std::make_shared<DetailParts>())
{
    build();
    connect(context.selection, &replica::Selection::changed, this, &LockDetail::setLock);
    connect(context.replica, &replica::Replica::changed, this,
            [this](const replica::PackedLockTable &changed, const QSet<domain::LockKey> &removed) {
                const auto &key = m_context.selection->current();
                if (key && (changed.contains(*key) || removed.contains(*key)))
                    refresh();
            });
    connect(context.replica, &replica::Replica::events, this, &LockDetail::takeEvents);
    connect(context.replica, &replica::Replica::reset, this, &LockDetail::setLock);
    connect(context.replica, &replica::Replica::offlineChanged, this, &LockDetail::refresh);
    connect(context.replica, &replica::Replica::releasingChanged, this, &LockDetail::refresh);
    connect(context.session, &session::AgentGroup::linkChanged, this, &LockDetail::refreshButtons);
    connect(context.alerts, &replica::AlertBoard::changed, this, &LockDetail::refresh);
    connect(context.holders, &replica::HolderChecks::changed, this, [this](const domain::LockKey &key) {
        if (m_context.selection->current() == key)
            refresh();
    });
    connect(context.times, &words::TimeFormat::changed, this, &LockDetail::refresh);
    connect(context.theme, &presentation::Theme::changed, this, &LockDetail::recolour);
    connect(&m_second, &QTimer::timeout, this, &LockDetail::refresh);
    if (!context.past)
        models::startSeconds(m_second);
    recolour();
    retranslate();
}

void LockDetail::build()
{
    DetailParts &parts = *m_parts;
    parts.pages = new QStackedWidget(this);
    parts.none = new WrappedLabel({}, this);
    parts.none->setAlignment(Qt::AlignCenter);
    parts.none->setMargin(16);
    parts.none->setMuted(true);
    auto *scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(buildSections());
    auto *page = new QWidget(this);
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(scroll, 1);
    column->addWidget(buildButtons());
    parts.pages->addWidget(parts.none);
    parts.pages->addWidget(page);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(parts.pages);
}

QWidget *LockDetail::buildSections()
{
    DetailParts &parts = *m_parts;
    auto *content = new QWidget(this);
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(12, 8, 8, 8);
    column->setSpacing(12);
    parts.name = new ElidedLabel({}, content);
    parts.name->setFont(presentation::titleFont(font()));
    parts.badge = new BadgeWidget(m_context.theme, content);
    parts.place = new WrappedLabel({}, content);
    parts.place->setMuted(true);
    parts.note = new WrappedLabel({}, content);
    auto *head = new QVBoxLayout;
    head->setSpacing(4);
    head->addWidget(parts.name);
    head->addWidget(parts.badge);
    head->addWidget(parts.place);
    head->addWidget(parts.note);
    column->addLayout(head);
    // Show the nodes without scrolling: a majority of them decides on the holder.
    for (FactGrid **grid : {&parts.verdicts, &parts.alerts, &parts.holder, &parts.session, &parts.nodes,
                            &parts.evidence, &parts.waiters}) {
        const int label = grid == &parts.waiters ? 20
                          : grid == &parts.nodes ? kNodeWidth
                                                 : FactGrid::kLabelWidth;
        *grid = new FactGrid(label, content);
        column->addWidget(*grid);
        if (grid == &parts.session) { // the holder may be a connection
            parts.everything = named("everything", new LinkButton(content));
            column->addWidget(parts.everything, 0, Qt::AlignLeft);
            connect(parts.everything, &QPushButton::clicked, this, [this] {
                if (const auto key = m_context.selection->current())
                    Q_EMIT m_context.requests->holderOfAsked(*key);
            });
        }
        if (grid == &parts.evidence) {
            parts.advice = new LockAdvice(m_context, content);
            column->addWidget(parts.advice);
        }
    }
    parts.story = new QWidget(content);
    parts.lastHour = new LastHour(m_context, parts.story);
    parts.lease = new LeasePanel(m_context, parts.story);
    parts.holds = new RecentHolds(m_context, parts.story);
    auto *story = new QVBoxLayout(parts.story);
    story->setContentsMargins({});
    story->setSpacing(12);
    for (QWidget *one : QWidgetList{parts.lastHour, parts.lease, parts.holds})
        story->addWidget(one);
    parts.story->setVisible(!m_context.past);
    column->addWidget(parts.story);
    column->addStretch();
    return content;
}

QWidget *LockDetail::buildButtons()
{
    DetailParts &parts = *m_parts;
    auto *bar = new QWidget(this);
    m_release = new DangerButton(m_context.theme, bar);
    m_release->setIcon(presentation::icon(QStringLiteral("force-release")));
    parts.timeline = named("timeline", new QPushButton(bar));
    parts.history = new QPushButton(bar);
    parts.copy = new QPushButton(bar);
    parts.reason = new WrappedLabel({}, bar);
    parts.reason->setMuted(true);
    for (QPushButton *button : {m_release, parts.timeline, parts.history, parts.copy}) {
        button->setMinimumHeight(24);
        button->setAutoDefault(false);
    }
    auto *row = new QHBoxLayout;
    row->setSpacing(4); // three buttons fit into the narrowest dock
    row->addWidget(parts.timeline, 1);
    row->addWidget(parts.history, 1);
    row->addWidget(parts.copy, 1);
    auto *column = new QVBoxLayout(bar);
    column->setContentsMargins(12, 8, 12, 8);
    column->setSpacing(4);
    column->addWidget(parts.reason);
    column->addWidget(m_release);
    m_release->setVisible(!m_context.past);
    column->addLayout(row);
    connect(m_release, &QPushButton::clicked, this, [this] {
        if (const auto key = m_context.selection->current())
            Q_EMIT m_context.requests->releaseAsked({*key});
    });
    connect(parts.timeline, &QPushButton::clicked, this, [this] {
        if (const auto key = m_context.selection->current())
            Q_EMIT m_context.requests->timelineAsked({*key});
    });
    connect(parts.history, &QPushButton::clicked, this, [this] {
        if (const auto key = m_context.selection->current())
            Q_EMIT m_context.requests->historyAsked(*key);
    });
    connect(parts.copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(text() + story()); });
    return bar;
}

void LockDetail::retranslate()
{
    m_release->setText(tr("Force-release…"));
    m_parts->timeline->setText(tr("Timeline"));
    m_parts->history->setText(tr("History"));
    m_parts->copy->setText(tr("Copy"));
    m_parts->copy->setToolTip(tr("Copy all that is shown here as text"));
    m_parts->alerts->setHeading(tr("Alerts"));
    m_parts->holder->setHeading(tr("Holder"));
    m_parts->everything->setText(tr("Everything of this holder"));
    m_parts->evidence->setHeading(tr("Evidence"));
    setLock();
}

void LockDetail::recolour()
{
    const bool live = m_release->isEnabled();
    m_release->setIcon(
        presentation::icon(QStringLiteral("force-release"), live ? m_context.theme->danger().ink : QColor()));
}

QString LockDetail::agentsText(const domain::LockKey &key) const
{
    return m_context.replica->agentsOf(key).join(QLatin1String(", "));
}

replica::LockContext LockDetail::contextOf(const domain::LockKey &key) const
{
    const bool stale = m_context.replica->isStale(key.source);
    const qint64 now =
        stale ? m_context.replica->lastSeenUs(key.source) : m_context.replica->storeNowUs(key.source);
    return {now, stale, m_context.replica->isReleasing(key), agentsText(key)};
}

void LockDetail::setLock()
{
    const auto &key = m_context.selection->current();
    const bool another = !m_last || !key || m_last->key != *key;
    if (another) {
        m_last.reset();
        m_end.reset();
        m_endUs.reset();
        m_gone = false;
    }
    if (!key) {
        m_parts->none->setText(
            tr("Select a lock to see its holder, the time of the acquisition, and its waiters."));
        m_parts->pages->setCurrentIndex(0);
    }
    if (another && !m_context.past) {
        m_parts->advice->setLock(key);
        m_parts->lastHour->setLock(key);
        m_parts->lease->setLock(key);
        m_parts->holds->setLock(key);
    }
    refresh();
}

void LockDetail::refresh()
{
    const auto &key = m_context.selection->current();
    if (!key)
        return;
    const auto state = m_context.replica->find(*key);
    if (m_context.past && !state) { // nothing carries over from another moment
        m_last.reset();
        m_parts->none->setText(tr("%1 isn't in the table of that time.").arg(words::LockText::name(*key)));
        m_parts->pages->setCurrentIndex(0);
        return;
    }
    // An acquisition began or ended: the journal has it by now.
    const bool gone = !state;
    const bool other = state && m_last && (m_last->guard != state->guard || m_last->phase != state->phase);
    if (!m_context.past && m_last && (other || gone != m_gone))
        m_parts->holds->refresh();
    m_gone = gone;
    if (state && state->isHeld() && !m_context.past && isVisible())
        m_context.holders->look(*key);
    if (state) {
        m_last = *state;
        m_end.reset();
        m_endUs.reset();
    } else if (!m_endUs) {
        m_endUs = m_context.replica->storeNowUs(key->source);
    }
    m_parts->pages->setCurrentIndex(1);
    m_parts->name->setText(words::LockText::name(*key));
    m_listed = isListed();
    if (m_last)
        fill(*m_last,
             gone ? replica::LockContext{*m_endUs, false, false, agentsText(*key)} : contextOf(*key));
    else
        fillUnseen(*key);
    fillAlerts(*key);
    m_parts->everything->setVisible(!m_context.past && state && !replica::holderOf(*state).isEmpty());
    m_parts->advice->redraw();
    m_parts->lastHour->redraw();
    m_parts->lease->redraw();
    refreshButtons();
}

bool LockDetail::isListed() const
{
    const auto &key = m_context.selection->current();
    return !key || !m_shown || m_shown(*key);
}

void LockDetail::followList()
{
    if (isListed() != m_listed)
        refresh();
}

/** Finds out how the selected lock ended. */
void LockDetail::takeEvents(const QList<events::LockEvent> &events)
{
    using events::EventKind;
    const auto &key = m_context.selection->current();
    for (const events::LockEvent &event : events) {
        if (!key || event.key != *key || event.after)
            continue;
        if (event.kind == EventKind::Released || event.kind == EventKind::ForceReleased ||
            event.kind == EventKind::Expired || event.kind == EventKind::Lost) {
            m_end = event;
            m_endUs = event.timeUs;
        }
    }
    if (m_end)
        refresh();
}

void LockDetail::refreshButtons()
{
    const auto &key = m_context.selection->current(); // the dock's lock, whatever else is selected
    ReleaseVerdict verdict =
        ReleaseVerdict::of(key ? QList<domain::LockKey>{*key} : QList<domain::LockKey>(), m_context);
    if (!m_context.past && !isListed())
        verdict = {false, ReleaseVerdict::notListed()};
    m_release->setEnabled(verdict.possible);
    m_parts->reason->setText(verdict.reason);
    m_parts->reason->setVisible(!verdict.reason.isEmpty());
}

QString LockDetail::text() const
{
    const DetailParts &parts = *m_parts;
    if (parts.pages->currentIndex() == 0)
        return parts.none->text();
    QStringList sections{parts.name->text(), parts.place->text()};
    if (!parts.note->isHidden())
        sections.append(parts.note->text());
    for (const FactGrid *grid : {parts.verdicts, parts.alerts, parts.holder, parts.session, parts.nodes,
                                 parts.evidence, parts.waiters}) {
        if (!grid->isHidden())
            sections.append(grid->text());
    }
    return sections.join(QLatin1Char('\n'));
}

/** The advice, the last hour, the lease and the last holds, where they are shown: lines after text(). */
QString LockDetail::story() const
{
    const DetailParts &parts = *m_parts;
    if (parts.pages->currentIndex() == 0 || m_context.past)
        return {};
    QString lines;
    if (!parts.advice->isHidden())
        lines += QLatin1Char('\n') + parts.advice->text();
    if (!parts.lastHour->isHidden())
        lines += QLatin1Char('\n') + parts.lastHour->text();
    if (!parts.lease->isHidden())
        lines += QLatin1Char('\n') + parts.lease->text();
    return lines + QLatin1Char('\n') + parts.holds->text();
}

} // namespace lockkeeper::app::views
