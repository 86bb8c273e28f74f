// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/report/report_dialog.h"

#include "app/filter/query_time.h"
#include "app/presentation/theme.h"
#include "app/report/group_questions.h"
#include "app/report/report_html.h"
#include "app/session/agent_group.h"
#include "app/views/report/report_pdf.h"
#include "app/views/table/ask_export.h"
#include "app/views/widgets/field_error.h"
#include "app/views/widgets/named.h"
#include "app/views/widgets/wrapped_label.h"
#include "app/words/lock_text.h"
#include "shared/base/clock.h"

#include <QDesktopServices>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace lockkeeper::app::views {

namespace {
constexpr int kReportWidth = 520;
const QString kTimeFormat = QStringLiteral("yyyy-MM-dd HH:mm:ss");
} // namespace

ReportDialog::ReportDialog(const ConsoleContext &context, const domain::LockKey &key,
                           const timeline::TimeRange &range, QWidget *parent)
    : Translated(parent), m_context(context), m_key(key)
{
    setWindowModality(Qt::WindowModal);
    setFixedWidth(kReportWidth);
    build();
    const qint64 toUs = std::min(range.toUs, context.nowUs());
    m_from->setText(context.times->at(std::min(range.fromUs, toUs)).toString(kTimeFormat));
    m_to->setText(context.times->at(toUs + base::kSecondUs - 1).toString(kTimeFormat)); // not before the end
    retranslate();
}

ReportDialog::~ReportDialog() = default;

void ReportDialog::build()
{
    m_title = named("reportTitle", new WrappedLabel);
    m_title->setFont(presentation::titleFont(font()));
    m_explanation = named("reportExplanation", new WrappedLabel);
    m_fromLabel = new PlainLabel;
    m_toLabel = new PlainLabel;
    m_from = named("reportFrom", new QLineEdit);
    m_to = named("reportTo", new QLineEdit);
    m_fromLabel->setBuddy(m_from);
    m_toLabel->setBuddy(m_to);
    m_fromError = new FieldError(m_context.theme, m_from);
    m_toError = new FieldError(m_context.theme, m_to);
    m_state = named("reportState", new WrappedLabel);
    m_state->setMinimumHeight(2 * m_state->fontMetrics().lineSpacing());
    m_open = named("openReport", new QPushButton);
    m_open->setAutoDefault(false);
    m_close = named("closeReport", new QPushButton);
    m_close->setAutoDefault(false);
    m_save = named("saveReport", new QPushButton);
    m_save->setDefault(true);

    auto *fields = new QGridLayout;
    fields->setVerticalSpacing(16); // an error has room below its field
    fields->addWidget(m_fromLabel, 0, 0);
    fields->addWidget(m_from, 0, 1);
    fields->addWidget(m_toLabel, 1, 0);
    fields->addWidget(m_to, 1, 1);
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(m_open);
    buttons->addStretch(1);
    buttons->addWidget(m_close);
    buttons->addWidget(m_save);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(12);
    column->addWidget(m_title);
    column->addWidget(m_explanation);
    column->addLayout(fields);
    column->addWidget(m_state);
    column->addLayout(buttons);
    for (const auto &[edit, error] : {std::pair(m_from, m_fromError), std::pair(m_to, m_toError)})
        connect(edit, &QLineEdit::textEdited, this, [error = error] { error->tell({}); });
    connect(m_close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_save, &QPushButton::clicked, this, &ReportDialog::read);
    connect(m_open, &QPushButton::clicked, this,
            [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(m_path)); });
}

void ReportDialog::retranslate()
{
    setWindowTitle(tr("Incident report"));
    m_title->setText(tr("Report on %1", "lock").arg(words::LockText::name(m_key)));
    m_explanation->setText(tr("The report is one HTML or PDF file for readers without this program. It names "
                              "the times that were not observed."));
    const QString zone = m_context.times->zoneText(m_context.nowUs());
    m_fromLabel->setText(tr("&From (%1)", "zone").arg(zone));
    m_toLabel->setText(tr("&To (%1)", "zone").arg(zone));
    m_open->setText(tr("&Open"));
    m_close->setText(tr("&Close"));
    m_save->setText(tr("&Save…"));
    showState();
}

void ReportDialog::showState()
{
    if (m_reader)
        m_state->setText(tr("Asking the agent…"));
    else
        m_state->setText(m_path.isEmpty() ? QString() : tr("The report was written to %1").arg(m_path));
    m_save->setEnabled(!m_reader);
    m_open->setEnabled(!m_path.isEmpty());
}

std::optional<qint64> ReportDialog::timeIn(QLineEdit *edit, FieldError *error) const
{
    const auto at =
        filter::parseQueryTime(edit->text().trimmed(), {m_context.nowUs(), m_context.times->timeZone()});
    if (!at)
        error->tell(tr("“%1” isn't a time. Write 21:20, yesterday 21:20, 2026-11-20 21:20 or -15m.")
                        .arg(edit->text()));
    return at;
}

void ReportDialog::read()
{
    const auto fromUs = timeIn(m_from, m_fromError);
    const auto toUs = timeIn(m_to, m_toError);
    if (!fromUs || !toUs || m_reader)
        return;
    if (*fromUs >= *toUs)
        return m_toError->tell(tr("The range ends before it begins."));
    report::IncidentEvidence evidence;
    evidence.key = m_key;
    evidence.range = {*fromUs, std::max(*fromUs + 1, std::min(*toUs, m_context.nowUs()))};
    evidence.agent = m_context.session->agentOf(m_key.source);
    evidence.program = QStringLiteral("lockkeeper " LOCKKEEPER_VERSION);
    evidence.madeUs = m_context.clock->wallUs();
    m_report.reset();
    m_path.clear();
    m_reader = std::make_unique<report::IncidentReader>(
        evidence, report::askThrough(*m_context.session, m_key.source, this));
    connect(m_reader.get(), &report::IncidentReader::finished, this, &ReportDialog::take);
    showState();
    m_reader->start();
}

void ReportDialog::take()
{
    m_report = report::reportOf(m_reader->evidence(), *m_context.times);
    m_reader.release()->deleteLater(); // this is called by it
    showState();
    Q_EMIT reportReady();
    save();
}

QByteArray ReportDialog::bytesFor(const QString &path) const
{
    if (!m_report)
        return {};
    return path.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive) ? reportPdf(*m_report)
                                                                     : report::reportHtml(*m_report);
}

void ReportDialog::save()
{
    const QString day = m_context.times->at(m_context.nowUs()).toString(QStringLiteral("yyyy-MM-dd"));
    exportFile(
        m_context, this, QStringLiteral("lockkeeper-report-%1.html").arg(day),
        {tr("HTML page (*.html)"), tr("PDF document (*.pdf)")},
        [this](const QString &path) { return bytesFor(path); },
        [dialog = QPointer(this)](const QString &path) {
            if (dialog)
                dialog->saved(path);
            return tr("The report was written to %1").arg(path);
        });
}

void ReportDialog::saved(const QString &path)
{
    m_path = path;
    showState();
}

} // namespace lockkeeper::app::views
