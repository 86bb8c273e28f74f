// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/incident_report.h"
#include "app/views/widgets/console_context.h"
#include "app/views/widgets/translated.h"

#include <QDialog>

#include <memory>

class QLineEdit;
class QPushButton;

namespace lockkeeper::app::report {
class IncidentReader;
}

namespace lockkeeper::app::views {

class FieldError;
class PlainLabel;

/**
 * Writes an incident report about one lock: the user checks the range, the agent is asked, and the report is
 * saved as HTML or PDF, from where it can be opened. Window-modal; the agent's answers never block the GUI
 * thread. Closing it cancels the reading.
 */
class ReportDialog : public Translated<QDialog>
{
    Q_OBJECT

public:
    /** `context` outlives the dialog. Times by the store's clock; the user may change them. */
    ReportDialog(const ConsoleContext &context, const domain::LockKey &key, const timeline::TimeRange &range,
                 QWidget *parent = nullptr);
    ~ReportDialog() override;

    /** The file's bytes once the agent has answered: PDF if `path` ends so, otherwise HTML. */
    QByteArray bytesFor(const QString &path) const;
    bool hasReport() const { return m_report.has_value(); }

Q_SIGNALS:
    /** The agent has answered. */
    void reportReady();

private:
    void build();
    void retranslate() final;
    void read();
    void take();
    void save();
    void saved(const QString &path);
    std::optional<qint64> timeIn(QLineEdit *edit, FieldError *error) const;
    void showState();

    ConsoleContext m_context;
    domain::LockKey m_key;
    std::unique_ptr<report::IncidentReader> m_reader; ///< while the agent is asked
    std::optional<report::IncidentReport> m_report;
    QString m_path; ///< of the written file
    PlainLabel *m_title = nullptr;
    PlainLabel *m_explanation = nullptr;
    PlainLabel *m_fromLabel = nullptr;
    PlainLabel *m_toLabel = nullptr;
    QLineEdit *m_from = nullptr;
    QLineEdit *m_to = nullptr;
    FieldError *m_fromError = nullptr;
    FieldError *m_toError = nullptr;
    PlainLabel *m_state = nullptr;
    QPushButton *m_open = nullptr;
    QPushButton *m_close = nullptr;
    QPushButton *m_save = nullptr;
};

} // namespace lockkeeper::app::views
