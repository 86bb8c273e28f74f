// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/table/list_page.h"

#include "app/presentation/icons.h"
#include "app/presentation/theme.h"
#include "app/views/table/ask_export.h"
#include "app/views/table/data_table.h"
#include "app/views/table/keep_splitter.h"
#include "app/views/widgets/banner_area.h"
#include "app/views/widgets/named.h"
#include "app/views/widgets/requests.h"
#include "app/views/widgets/wrapped_label.h"
#include "app/words/error_words.h"
#include "app/words/time_format.h"
#include "shared/base/json_line.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QJsonDocument>
#include <QMenu>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace lockkeeper::app::views {

namespace {
const QByteArray kUnreadRows = QByteArrayLiteral("stale");
} // namespace

ListPage::ListPage(const ConsoleContext &context, DataTable *table, QWidget *parent)
    : Translated(parent),
      m_context(context),
      m_table(table),
      m_rows(new QWidget),
      m_page(new StatePage),
      m_stack(new QStackedWidget),
      m_column(new QVBoxLayout(this)),
      m_side(new QHBoxLayout(m_rows)),
      m_foot(new QHBoxLayout),
      m_note(named("note", new WrappedLabel)),
      m_banners(new BannerArea(context.theme))
{
    m_side->setContentsMargins({});
    m_side->setSpacing(4);
    m_side->addWidget(m_table, 1);
    m_stack->addWidget(m_rows);
    m_stack->addWidget(m_page);
    m_note->setMuted(true);
    m_note->hide();
    m_foot->addWidget(m_note, 1);
    m_column->setContentsMargins({});
    m_column->setSpacing(8);
    m_column->addWidget(m_stack, 1);
    m_column->addLayout(m_foot);
    m_column->addWidget(m_banners);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setFocusProxy(m_table);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table, &QWidget::customContextMenuRequested, this, &ListPage::showMenu);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &ListPage::rowsChanged);
    for (const auto &change : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(m_table->model(), change, this, &ListPage::rowsChanged);
    connect(m_table->model(), &QAbstractItemModel::modelReset, this, &ListPage::rowsChanged);
    connect(context.times, &words::TimeFormat::changed, this, &ListPage::retranslate);
    connect(context.theme, &presentation::Theme::changed, this, &ListPage::retranslate);
}

void ListPage::retranslate()
{
    m_table->rawModel()->reword();
}

void ListPage::setReading(const Act &cancel, const Act &again)
{
    m_cancel = cancel;
    m_again = again;
}

void ListPage::addBeside(QWidget *widget)
{
    m_side->addWidget(widget);
}

void ListPage::addBelow(QWidget *widget)
{
    m_column->insertWidget(m_column->indexOf(m_foot), widget);
}

void ListPage::addToFoot(QWidget *widget)
{
    m_foot->addWidget(widget, 0, Qt::AlignBottom | Qt::AlignRight);
}

void ListPage::setDetail(QWidget *detail, const QByteArray &view, std::pair<int, int> shares, bool stays)
{
    auto *split = new QSplitter(Qt::Vertical);
    m_column->replaceWidget(m_stack, split);
    m_column->setStretchFactor(split, 1);
    split->addWidget(m_stack);
    split->addWidget(detail);
    split->setStretchFactor(0, shares.first);
    split->setStretchFactor(1, shares.second);
    split->setChildrenCollapsible(false);
    m_detail = stays ? nullptr : detail;
    keepSplitter(split, m_context.settings, view);
}

void ListPage::setExport(const QString &fileName,
                         std::function<std::unique_ptr<ExportSource>(records::FileFormat::Syntax)> source)
{
    m_fileName = fileName;
    m_source = std::move(source);
}

void ListPage::showState(const ListReading &reading, const EmptyList &empty)
{
    const bool hasRows = rowCount() > 0;
    m_stack->setCurrentWidget(hasRows ? m_rows : m_page);
    if (m_detail)
        m_detail->setVisible(hasRows);
    showUnread(reading);
    if (hasRows)
        m_loadingWord.clear();
    else
        showMissing(reading, empty);
}

void ListPage::showMissing(const ListReading &reading, const EmptyList &empty)
{
    const QString progress = reading.progress.isEmpty() ? tr("Reading…") : reading.progress;
    const QString before = std::exchange(m_loadingWord, reading.isLoading ? tr("Cancel") : QString());
    if (reading.isLoading && before == m_loadingWord)
        m_page->setText(progress); // its button stays under the pointer
    else if (reading.isLoading)
        m_page->showLoading(progress,
                            m_cancel ? StatePage::Action{m_loadingWord, m_cancel} : StatePage::Action());
    else if (reading.error.code == base::ErrorCode::Cancelled)
        m_page->showEmpty(tr("Nothing was read"), tr("Reading was cancelled."), {{tr("Try again"), m_again}});
    else if (!reading.error.cause.isEmpty())
        m_page->showError(reading.error, m_again);
    else
        m_page->showEmpty(empty.text, empty.detail, empty.ways);
}

/** Old rows stay, and say that they are old. */
void ListPage::showUnread(const ListReading &reading)
{
    const bool isStale = rowCount() > 0 && !reading.error.cause.isEmpty();
    m_table->setStale(isStale);
    if (!isStale)
        return m_banners->removeBanner(kUnreadRows);
    const QString text = reading.unreadText.isEmpty()
                             ? tr("Not read again: %1").arg(words::ErrorWords::line(reading.error))
                             : reading.unreadText;
    m_banners->showBanner(
        {kUnreadRows, presentation::BannerKind::Warning, text, tr("Try again"), m_again, false});
}

void ListPage::setNote(const QStringList &sentences)
{
    m_note->setText(sentences.join(QLatin1Char('\n')));
    m_note->setVisible(!sentences.isEmpty());
}

void ListPage::showMenu(const QPoint &at)
{
    const int row = m_table->indexAt(at).row();
    if (row < 0)
        return;
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (m_subject)
        addWays(menu, m_subject(row));
    if (m_fill)
        m_fill(menu, row);
    if (!menu->isEmpty())
        menu->addSeparator();
    menu->addAction(presentation::icon(QLatin1String("edit-copy")), tr("&Copy"), m_table,
                    &DataTable::copyTsv);
    menu->addAction(tr("Copy as &JSON"), this, &ListPage::copyJson);
    menu->popup(m_table->viewport()->mapToGlobal(at));
}

void ListPage::addWays(QMenu *menu, const RowSubject &subject)
{
    if (subject.locks.isEmpty())
        return;
    Requests *requests = m_context.requests;
    const domain::LockKey key = subject.locks.first();
    menu->addAction(tr("Show in &Locks"), requests, [requests, key] { Q_EMIT requests->lockAsked(key); });
    menu->addAction(tr("Show in &Timeline"), requests, [requests, subject] {
        if (subject.time)
            Q_EMIT requests->timelineAtAsked(subject.locks, subject.time->fromUs);
        else
            Q_EMIT requests->timelineAsked(subject.locks);
    });
    if (subject.hasHistory)
        menu->addAction(tr("&History of this lock"), requests,
                        [requests, key] { Q_EMIT requests->historyAsked(key); });
    if (subject.time)
        menu->addAction(tr("&Report…"), requests, [requests, key, time = *subject.time] {
            Q_EMIT requests->reportAsked(key, time.fromUs - kReportMarginUs, time.toUs + kReportMarginUs);
        });
}

qint64 ListPage::rowCount() const
{
    return m_table->model()->rowCount();
}

qint64 ListPage::selectedRows() const
{
    return m_table->selectionModel()->selectedRows().size();
}

bool ListPage::copyJson() const
{
    QByteArray lines;
    const QList<int> rows = m_table->selectedRowNumbers();
    for (const int row : rows)
        lines += base::compactJson(QJsonDocument(m_table->rawModel()->record(row))) + '\n';
    if (!lines.isEmpty())
        QGuiApplication::clipboard()->setText(QString::fromUtf8(lines));
    return !lines.isEmpty();
}

bool ListPage::exportRows()
{
    if (rowCount() == 0)
        return false;
    views::exportRows(m_context, this, m_fileName,
                      [this](records::FileFormat::Syntax kind) { return exportSource(kind); });
    return true;
}

std::unique_ptr<ExportSource> ListPage::exportSource(records::FileFormat::Syntax kind) const
{
    return m_source ? m_source(kind) : std::make_unique<ModelSource>(m_table->rawModel(), kind);
}

} // namespace lockkeeper::app::views
