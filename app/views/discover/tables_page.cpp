// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/discover/tables_page.h"

#include "app/discover/candidate_formatter.h"
#include "app/views/discover/time_fields.h"
#include "app/views/table/table_style.h"
#include "app/views/widgets/named.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/wrapped_label.h"
#include "app/words/error_words.h"
#include "shared/base/text.h"

#include <QApplication>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace lockkeeper::app::views {

using app::discover::CandidateFormatter;
using app::discover::CandidatesModel;

namespace {
constexpr int kRowHeight = 24;
constexpr int kWhyHeight = 120;

/** Draws near misses in muted ink, with their names aligned to those that have a check box. */
class CandidateDelegate : public QStyledItemDelegate
{
public:
    CandidateDelegate(const CandidatesModel *model, QObject *parent)
        : QStyledItemDelegate(parent), m_model(model)
    {
    }

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        if (m_model->isProposed(index.row()))
            return;
        option->palette.setColor(QPalette::Text, option->palette.color(QPalette::PlaceholderText));
        if (index.column() == CandidatesModel::TableColumn) {
            const QStyle *style = option->widget ? option->widget->style() : QApplication::style();
            option->features |= QStyleOptionViewItem::HasDecoration;
            option->decorationSize = {style->pixelMetric(QStyle::PM_IndicatorWidth, option, option->widget),
                                      1};
        }
    }

private:
    const CandidatesModel *m_model;
};
} // namespace

TablesPage::TablesPage(QWidget *parent)
    : Translated(parent),
      m_summary(new WrappedLabel),
      m_table(new QTableView),
      m_times(new TimeFields),
      m_whyLabel(new PlainLabel),
      m_why(new QPlainTextEdit)
{
    m_table->setModel(&m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(CandidatesModel::TableColumn, QHeaderView::Stretch);
    m_table->setItemDelegate(new CandidateDelegate(&m_model, m_table));
    TableStyle::applyTo(m_table);
    m_why->setReadOnly(true);
    m_why->setTabChangesFocus(true);
    m_why->setFixedHeight(kWhyHeight);
    m_whyLabel->setBuddy(m_why);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(m_summary);
    column->addWidget(m_table, 1);
    column->addWidget(buildPattern());
    column->addWidget(m_whyLabel);
    column->addWidget(m_why);
    column->addWidget(m_times);
    connect(m_times, &TimeFields::changed, this, &TablesPage::chosenChanged);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &current) { explain(current.row()); });
    connect(&m_model, &CandidatesModel::chosenChanged, this, &TablesPage::chosenChanged);
    retranslate();
}

QWidget *TablesPage::buildPattern()
{
    m_pattern = new QWidget;
    m_match = named("match", new QLineEdit);
    m_scheme = named("scheme", new QComboBox);
    m_add = named("add_pattern", new QPushButton);
    m_add->setAutoDefault(false);
    m_add->setEnabled(false);
    auto *row = new QHBoxLayout(m_pattern);
    row->setContentsMargins({});
    row->setSpacing(8);
    row->addWidget(m_match, 1);
    row->addWidget(m_scheme);
    row->addWidget(m_add);
    m_pattern->hide();
    connect(m_match, &QLineEdit::textChanged, this,
            [this](const QString &text) { m_add->setEnabled(!text.trimmed().isEmpty()); });
    connect(m_add, &QPushButton::clicked, this, &TablesPage::addPattern);
    return m_pattern;
}

void TablesPage::addPattern()
{
    stores::discover::Candidate candidate;
    candidate.match = m_match->text().trimmed().toUtf8();
    candidate.scheme = m_scheme->currentText().toLatin1();
    const auto same = [&candidate](const stores::discover::Candidate &one) {
        return one.match == candidate.match && one.scheme == candidate.scheme;
    };
    const QList<stores::discover::Candidate> already = chosen();
    if (candidate.match.isEmpty() || std::any_of(already.cbegin(), already.cend(), same))
        return;
    m_table->setCurrentIndex(m_model.index(m_model.add(candidate), 0));
    m_match->clear();
}

void TablesPage::setStore(const QString &kind)
{
    m_scheme->clear();
    if (kind == QLatin1String("redlock"))
        m_scheme->addItem(QStringLiteral("redis.redlock"));
    else if (kind.startsWith(QLatin1String("etcd")))
        m_scheme->addItem(QStringLiteral("etcd.lease"));
    else if (kind == QLatin1String("zookeeper"))
        m_scheme->addItem(QStringLiteral("zookeeper.sequence"));
    else
        m_scheme->addItems({QStringLiteral("redis.token"), QStringLiteral("redis.redisson"),
                            QStringLiteral("redis.json"), QStringLiteral("redis.semaphore")});
}

void TablesPage::setDiscovery(const stores::discover::Discovery &discovery)
{
    m_discovery = discovery;
    m_model.setDiscovery(discovery);
    m_times->setVisible(hasCalendars());
    m_pattern->setVisible(hasKeys());
    m_table->setColumnWidth(CandidatesModel::LayoutColumn, 140);
    m_table->setColumnWidth(CandidatesModel::ConfidenceColumn, 120);
    m_table->setColumnWidth(CandidatesModel::RightsColumn, 170);
    if (m_model.rowCount() > 0)
        m_table->setCurrentIndex(m_model.index(0, 0));
    else
        explain(-1);
    retranslate();
}

bool TablesPage::isComplete() const
{
    return !chosen().isEmpty() && (!hasCalendars() || !m_times->zone().isEmpty());
}

QString TablesPage::reasons() const
{
    return m_why->toPlainText();
}

void TablesPage::explain(int row)
{
    const stores::discover::Candidate *candidate = m_model.at(row);
    if (!candidate) {
        m_why->clear();
        return;
    }
    QStringList lines = CandidateFormatter::explain(*candidate);
    if (!m_model.isProposed(row))
        lines.prepend(CandidateFormatter::nearMiss(*candidate, words::ErrorWords::line(candidate->refusal)));
    m_why->setPlainText(lines.join(QLatin1Char('\n')));
}

void TablesPage::retranslate()
{
    const QString none =
        hasKeys() ? tr("No pattern of lock keys was recognised. Name one below.")
                  : tr("No table of locks was recognised. Tables can be mapped by hand in the agent's "
                       "configuration.");
    m_summary->setText(m_discovery.found.isEmpty() && !m_discovery.store.isEmpty()
                           ? CandidateFormatter::summary(m_discovery) + QLatin1Char('\n') + none
                           : CandidateFormatter::summary(m_discovery));
    m_match->setPlaceholderText(m_discovery.store == "zookeeper"
                                    ? tr("Add a pattern of paths, such as /locks/*")
                                    : tr("Add a pattern of key names, such as lock:*"));
    m_match->setAccessibleName(tr("Pattern of key names"));
    m_scheme->setAccessibleName(tr("How these locks work"));
    m_add->setText(tr("&Add"));
    m_whyLabel->setText(tr("Why:"));
    m_table->setAccessibleName(hasKeys() ? tr("Recognised keys") : tr("Recognised tables"));
    m_why->setAccessibleName(tr("Reasons"));
    explain(m_table->currentIndex().row());
}

} // namespace lockkeeper::app::views
