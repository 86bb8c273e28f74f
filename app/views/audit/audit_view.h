// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/audit_model.h"
#include "app/presentation/audit_formatter.h"
#include "app/views/table/export_source.h"
#include "app/views/table/list_view.h"

#include <memory>

class QPushButton;

namespace lockkeeper::app::views {

class PlainLabel;

/**
 * Lists who broke which lock, when, why and with what outcome; read-only. Shows when the chain was last
 * checked, or names the first row that breaks it. Reads the audit again whenever a release is under way or
 * has happened. GUI thread.
 */
class AuditView : public ListView
{
    Q_OBJECT

public:
    explicit AuditView(const ConsoleContext &context, QWidget *parent = nullptr);
    ~AuditView() override;

    QByteArray id() const override { return QByteArrayLiteral("audit"); }
    QString title() const override;
    QString iconName() const override { return QStringLiteral("view-audit"); }
    void activate() override;
    void refresh() override;

    models::AuditModel *model() const { return m_model.get(); }

private:
    void build();
    void connectModel();
    /** All audit entries that match the filter. */
    std::unique_ptr<ExportSource> allEntries(records::FileFormat::Syntax kind) const;
    void retranslate() final;
    void showState();
    void showChain();
    void showUnchecked();
    /** The chain's signatures in words, as far as they were asked for. */
    QString signatureText() const;
    void showRows();
    void fillMenu(QMenu *menu, int row);

    std::unique_ptr<models::AuditModel> m_model;
    presentation::AuditFormatter m_formatter;
    ListPage *m_list = nullptr;
    PlainLabel *m_chain = nullptr;
    PlainLabel *m_signature = nullptr;
    QPushButton *m_verify = nullptr;
    bool m_asked = false;
};

} // namespace lockkeeper::app::views
