// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/audit_model.h"
#include "app/presentation/audit_formatter.h"
#include "app/views/table/rows_view.h"

#include <memory>

class QPushButton;
class QStackedWidget;

namespace lockkeeper::app::views {

class BannerArea;
class DataTable;
class FilterLine;
class PlainLabel;
class StatePage;

/**
 * Lists who broke which lock, when, why and with what outcome; read-only. Shows when the chain was last
 * checked, or names the first row that breaks it. Reads the audit again whenever a release is under way or
 * has happened. GUI thread.
 */
class AuditView : public RowsView
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
    void focusFilter() override;
    void setFilter(const QString &text) override;
    QVariantMap saveState() const override;
    void restoreState(const QVariantMap &state) override;

    models::AuditModel *model() const { return m_model.get(); }

protected:
    /** All audit entries that match the filter. */
    std::unique_ptr<ExportSource> exportSource(records::FileFormat::Syntax kind) const override;

private:
    void build();
    void retranslate() final;
    void showState();
    void showUnchecked();
    /** The chain's signatures in words, as far as they were asked for. */
    QString signatureText() const;
    void showRows();
    void showMenu(const QPoint &at);

    std::unique_ptr<models::AuditModel> m_model;
    presentation::AuditFormatter m_formatter;
    FilterLine *m_filter = nullptr;
    BannerArea *m_banner = nullptr;
    DataTable *m_table = nullptr;
    StatePage *m_page = nullptr;
    QStackedWidget *m_stack = nullptr;
    PlainLabel *m_chain = nullptr;
    PlainLabel *m_signature = nullptr;
    QPushButton *m_verify = nullptr;
    bool m_asked = false;
};

} // namespace lockkeeper::app::views
