// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/discover/finish_page.h"

#include "app/presentation/icons.h"
#include "app/presentation/theme.h"
#include "app/views/widgets/export_file.h"
#include "app/views/widgets/named.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/wrapped_label.h"
#include "app/words/error_words.h"
#include "shared/base/text.h"

#include <QCheckBox>
#include <QClipboard>
#include <QFileDialog>
#include <QGroupBox>
#include <QGuiApplication>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace lockkeeper::app::views {

FinishPage::FinishPage(QWidget *parent) : Translated(parent)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(16);
    column->addWidget(buildHere());
    column->addWidget(buildSection(), 1);
    retranslate();
    showProgress({});
}

QWidget *FinishPage::buildHere()
{
    m_hereBox = new QGroupBox(this);
    m_hereText = new WrappedLabel;
    m_keep = named("keep", new QCheckBox);
    m_start = named("start", new QPushButton);
    m_bar = new QProgressBar;
    m_bar->setRange(0, 0);
    m_bar->setTextVisible(false);
    m_bar->setFixedWidth(120);
    m_state = new WrappedLabel;
    m_output = new QPlainTextEdit;
    m_output->setReadOnly(true);
    m_output->setTabChangesFocus(true);
    m_output->setFont(presentation::codeFont(font()));
    m_output->setFixedHeight(96);
    m_output->hide();
    auto *row = new QHBoxLayout;
    row->addWidget(m_bar);
    row->addWidget(m_state, 1);
    row->addWidget(m_start);
    auto *column = new QVBoxLayout(m_hereBox);
    column->setContentsMargins(16, 12, 16, 12);
    column->setSpacing(8);
    column->addWidget(m_hereText);
    column->addWidget(m_keep);
    column->addLayout(row);
    column->addWidget(m_output);
    connect(m_start, &QPushButton::clicked, this, &FinishPage::startAsked);
    return m_hereBox;
}

QWidget *FinishPage::buildSection()
{
    m_sectionBox = new QGroupBox(this);
    m_section = new QPlainTextEdit;
    m_section->setReadOnly(true);
    m_section->setTabChangesFocus(true);
    m_section->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_section->setFont(presentation::codeFont(font()));
    m_copy = new QPushButton;
    m_copy->setIcon(presentation::icon(QStringLiteral("edit-copy")));
    m_copy->setAutoDefault(false);
    m_save = new QPushButton;
    m_save->setIcon(presentation::icon(QStringLiteral("document-save-as")));
    m_save->setAutoDefault(false);
    m_saved = new PlainLabel;
    m_saved->setMuted(true);
    auto *row = new QHBoxLayout;
    row->addWidget(m_saved, 1);
    row->addWidget(m_copy);
    row->addWidget(m_save);
    auto *column = new QVBoxLayout(m_sectionBox);
    column->setContentsMargins(16, 12, 16, 12);
    column->setSpacing(8);
    column->addWidget(m_section, 1);
    column->addLayout(row);
    connect(m_copy, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(section());
        m_saved->setText(tr("Copied."));
    });
    connect(m_save, &QPushButton::clicked, this, &FinishPage::saveAs);
    return m_sectionBox;
}

void FinishPage::setSection(const QString &section, const QString &suggestedName, bool keepsPassword,
                            const QString &lookedBy)
{
    m_keepsPassword = keepsPassword;
    m_lookedBy = lookedBy;
    m_section->setPlainText(section);
    m_suggested = suggestedName;
    m_saved->clear();
    showProgress({});
    retranslate();
}

QString FinishPage::section() const
{
    return m_section->toPlainText();
}

bool FinishPage::keeps() const
{
    return m_keep->isChecked();
}

void FinishPage::showProgress(const QString &text)
{
    const bool busy = !text.isEmpty();
    m_state->setText(text);
    m_bar->setVisible(busy);
    m_start->setEnabled(!busy && m_lookedBy.isEmpty());
    m_keep->setEnabled(!busy && m_lookedBy.isEmpty());
    m_output->hide();
}

void FinishPage::showFailure(const QString &why, const QString &output)
{
    showProgress({});
    m_state->setText(why);
    m_output->setPlainText(output.trimmed());
    m_output->setVisible(!output.trimmed().isEmpty());
}

QString FinishPage::failureText() const
{
    return m_state->text() + QLatin1Char('\n') + m_output->toPlainText();
}

void FinishPage::saveAs()
{
    auto *dialog = new QFileDialog(this, tr("Save the section"), {}, tr("Configuration (*.toml)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("toml"));
    dialog->selectFile(m_suggested + QStringLiteral(".toml"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &path) {
        writeFile(path, section().toUtf8(), this, [this, path](const base::Result<void> &result) {
            m_saved->setText(result ? tr("Saved as %1.").arg(base::displayText(path))
                                    : tr("Not saved: %1").arg(words::ErrorWords::line(result.error())));
        });
    });
    dialog->open();
}

void FinishPage::retranslate()
{
    m_hereBox->setTitle(tr("Watch from this console"));
    const QString by = base::displayText(m_lookedBy);
    if (!by.isEmpty())
        m_hereText->setText(
            tr("Unavailable: the agent %1 scanned, from its own machine. This computer may not reach "
               "the same stores.")
                .arg(by));
    else if (m_keepsPassword)
        m_hereText->setText(
            tr("Starts a private agent on this computer, for this user alone, and connects to "
               "it. The password is kept "
               "in a file that only this user can read, never in a configuration."));
    else
        m_hereText->setText(
            tr("Starts a private agent on this computer, for this user alone, and connects to it."));
    m_keep->setText(tr("Keep watching after the console is closed"));
    m_start->setText(tr("Start watching"));
    m_sectionBox->setTitle(by.isEmpty() ? tr("Or give this section to an agent elsewhere")
                                        : tr("Add this section to the agent %1").arg(by));
    m_section->setAccessibleName(tr("Section of the configuration"));
    m_output->setAccessibleName(tr("The agent's message"));
    m_copy->setText(tr("Copy"));
    m_save->setText(tr("Save as…"));
}

} // namespace lockkeeper::app::views
