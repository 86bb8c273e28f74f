// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/past/past_view.h"

#include "app/presentation/theme.h"
#include "app/session/agent_group.h"
#include "app/views/past/past_dialog.h"
#include "app/views/table/keep_splitter.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/requests.h"
#include "app/views/widgets/state_page.h"
#include "app/views/widgets/wrapped_label.h"
#include "app/words/error_words.h"
#include "app/words/time_format.h"
#include "shared/base/text.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>

#include <algorithm>
#include <utility>

namespace lockkeeper::app::views {

namespace {
constexpr int kFrame = 4;
constexpr int kDetail = 276;      ///< the detail dock's least width
constexpr int kWideEnough = 1060; ///< for the table and the details: a window of 1200 px
} // namespace

PastView::PastView(const ConsoleContext &context, const MakeViews &make, QWidget *parent)
    : View(context, parent), m_past(context)
{
    m_past.replica = &m_replica;
    m_past.selection = &m_selection;
    m_past.clock = &m_clock;
    m_past.past = true;
    m_replica.showPast(nullptr, {}, {});
    build(make);
    connect(context.session, &session::AgentGroup::agentChanged, this, &PastView::leave);
    connect(context.times, &words::TimeFormat::changed, this, &PastView::retranslate);
    connect(context.theme, &presentation::Theme::changed, this, qOverload<>(&QWidget::update));
    retranslate();
}

PastView::~PastView()
{
    // The views use the replica, which would be destroyed before them.
    delete m_split;
}

void PastView::build(const MakeViews &make)
{
    m_head = new PlainLabel;
    m_head->setFont(presentation::titleFont(font()));
    m_head->setSelectable(true);
    m_unseen = new WrappedLabel;
    m_other = new QPushButton;
    m_back = new QPushButton;
    const PastViews parts = make(m_past);
    m_views = parts.views;
    m_tabs = new QTabWidget;
    m_tabs->setDocumentMode(true);
    for (View *view : std::as_const(m_views)) {
        m_tabs->addTab(view, {});
        connect(view, &View::rowsChanged, this, &View::rowsChanged);
    }
    m_page = new StatePage;
    m_stack = new QStackedWidget;
    m_detail = parts.detail;
    m_detail->setMinimumWidth(kDetail);
    m_split = new QSplitter;
    m_split->addWidget(m_tabs);
    m_split->addWidget(m_detail);
    m_split->setStretchFactor(0, 1);
    m_split->setStretchFactor(1, 0);
    m_split->setChildrenCollapsible(false);
    keepSplitter(m_split, View::context().settings, id());
    m_stack->addWidget(m_split);
    m_stack->addWidget(m_page);
    auto *head = new QHBoxLayout;
    head->setContentsMargins(8, 4, 8, 0);
    head->setSpacing(8);
    head->addWidget(m_head);
    head->addStretch(1);
    head->addWidget(m_other);
    head->addWidget(m_back);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(kFrame, kFrame, kFrame, kFrame + 4);
    column->setSpacing(4);
    column->addLayout(head);
    column->addWidget(m_unseen);
    m_unseen->setContentsMargins(8, 0, 8, 0);
    column->addWidget(m_stack, 1);
    connect(m_other, &QPushButton::clicked, this, &PastView::choose);
    connect(m_back, &QPushButton::clicked, this, &PastView::leave);
    setFocusProxy(front());
    connect(m_tabs, &QTabWidget::currentChanged, this, [this] {
        setFocusProxy(front());
        front()->activate();
        Q_EMIT rowsChanged();
    });
}

View *PastView::front() const
{
    return m_views.at(std::max(0, m_tabs->currentIndex()));
}

QString PastView::title() const
{
    return tr("State at a time");
}

std::optional<qint64> PastView::shownRows() const
{
    return front()->shownRows();
}

qint64 PastView::selectedRows() const
{
    return front()->selectedRows();
}

void PastView::focusFilter()
{
    front()->focusFilter();
}

void PastView::activate()
{
    if (const auto us = std::exchange(m_followUs, {}))
        showAt(*us);
    front()->activate();
}

void PastView::refresh()
{
    if (m_shown)
        ask();
}

bool PastView::copyText()
{
    return front()->copyText();
}

bool PastView::copyJson()
{
    return front()->copyJson();
}

bool PastView::exportRows()
{
    return front()->exportRows();
}

void PastView::choose()
{
    auto *dialog = new PastDialog(context(), m_shown ? m_us : 0, window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &PastDialog::chosen, context().requests, &Requests::stateAtAsked);
    dialog->open();
}

void PastView::follow(qint64 us)
{
    if (m_shown)
        m_followUs = us;
}

void PastView::showAt(qint64 us)
{
    m_followUs.reset();
    m_us = us;
    if (!std::exchange(m_shown, true)) {
        m_stack->setCurrentWidget(m_page);
        Q_EMIT availableChanged();
    }
    ask();
    retranslate();
}

void PastView::ask()
{
    if (m_asking)
        return; // take() asks again if another time is wanted by then
    m_asking = true;
    if (m_stack->currentWidget() == m_page)
        m_page->showLoading(tr("Reading…"));
    const qint64 us = m_us;
    context().session->ask(
        protocol::LocksQuery{0, {}, {}, us}, this,
        [this, us](const base::Result<protocol::SnapshotPage> &table) { take(us, table); });
}

void PastView::take(qint64 us, const base::Result<protocol::SnapshotPage> &table)
{
    m_asking = false;
    if (!m_shown)
        return;
    if (!table) {
        if (us != m_us) {
            ask();
            return;
        }
        m_page->showError(
            table.error(), [this] { ask(); },
            tr("The table of that time isn't available: %1").arg(words::ErrorWords::cause(table.error())));
        m_stack->setCurrentWidget(m_page);
        m_unseen->hide();
        return;
    }
    m_clock.set(us);
    m_replica.showPast(context().session, table->locks, table->sources);
    m_stack->setCurrentWidget(m_split);
    if (us != m_us)
        ask();
    retranslate();
    Q_EMIT rowsChanged();
}

void PastView::leave()
{
    if (!std::exchange(m_shown, false))
        return;
    m_followUs.reset();
    m_selection.clear();
    m_replica.showPast(nullptr, {}, {});
    if (isVisible())
        Q_EMIT context().requests->viewAsked(QByteArrayLiteral("locks"), {});
    Q_EMIT availableChanged();
}

QString PastView::unseen() const
{
    QStringList lines;
    for (const domain::SourceState &source : m_replica.sources()) {
        const QString name = base::displayText(source.name);
        for (const domain::Finding &finding : source.findings) {
            if (finding.code == domain::kPartUnseen && source.link == domain::Link::Up)
                lines.append(tr("%1: its part %2 wasn't observed then, and its locks (~) may have changed.")
                                 .arg(name, base::displayText(finding.value)));
        }
        if (source.link == domain::Link::Up)
            continue;
        lines.append(source.gapSinceUs
                         ? tr("%1 wasn't observed then, last at %2 %3: its locks are as last known.")
                               .arg(name, context().times->dateTime(*source.gapSinceUs),
                                    context().times->zoneText(*source.gapSinceUs))
                         : tr("%1 wasn't observed then, nor before.").arg(name));
    }
    return lines.join(QLatin1Char(' '));
}

QString PastView::text() const
{
    QStringList all{m_head->text(), m_unseen->isHidden() ? QString() : m_unseen->text()};
    if (m_stack->currentWidget() == m_page)
        all.append(m_page->text());
    all.removeAll(QString());
    return all.join(QLatin1Char('\n'));
}

void PastView::retranslate()
{
    const words::TimeFormat &times = *context().times;
    // Until the answer arrives, the rows below are of the previous moment.
    const qint64 us = m_stack->currentWidget() == m_split ? m_clock.wallUs() : m_us;
    const QString moment = tr("As of %1 %2").arg(times.dateTime(us), times.zoneText(us));
    m_head->setText(us == m_us ? moment
                               : tr("%1 – reading %2 %3…", "as of a time; another time, zone")
                                     .arg(moment, times.dateTime(m_us), times.zoneText(m_us)));
    m_other->setText(tr("Another time…"));
    m_back->setText(tr("Back to now"));
    for (qsizetype i = 0; i < m_views.size(); ++i)
        m_tabs->setTabText(int(i), m_views.at(i)->title());
    const QString blind = unseen();
    m_unseen->setText(blind);
    m_unseen->setVisible(!blind.isEmpty() && m_stack->currentWidget() == m_split);
    setWindowTitle(moment);
    Q_EMIT titleChanged();
}

void PastView::showDetail()
{
    m_detailAsked = true;
    m_detail->show();
}

void PastView::resizeEvent(QResizeEvent *event)
{
    const bool wide = width() >= kWideEnough;
    m_detailAsked = m_detailAsked && !wide;
    m_detail->setVisible(wide || m_detailAsked);
    View::resizeEvent(event);
}

void PastView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setPen(QPen(context().theme->badge(replica::Badge::Unknown).border, kFrame));
    painter.drawRect(rect().adjusted(kFrame / 2, kFrame / 2, -kFrame / 2, -kFrame / 2));
}

} // namespace lockkeeper::app::views
