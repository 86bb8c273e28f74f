// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/discover/store_form.h"

#include "app/presentation/icons.h"
#include "app/presentation/theme.h"
#include "app/views/common/plain_label.h"
#include "shared/stores/source_spec.h"

#include <QComboBox>
#include <QEvent>
#include <QFileDialog>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSpinBox>
#include <QUrlQuery>
#include <QVBoxLayout>

namespace lockkeeper::app::views {

namespace {

constexpr int kMySqlPort = 3306;
constexpr int kPostgreSqlPort = 5432;
constexpr int kRedisPort = 6379;

const QString &mysqlKind()
{
    static const QString kind = QStringLiteral("mysql");
    return kind;
}
const QString &postgresqlKind()
{
    static const QString kind = QStringLiteral("postgresql");
    return kind;
}
const QString &redisKind()
{
    static const QString kind = QStringLiteral("redis");
    return kind;
}
const QString &redisTlsKind()
{
    static const QString kind = QStringLiteral("rediss");
    return kind;
}
const QString &sqliteKind()
{
    static const QString kind = QStringLiteral("sqlite");
    return kind;
}

bool isRedis(const QString &kind)
{
    return kind == redisKind() || kind == redisTlsKind();
}

int portOf(const QString &kind)
{
    if (isRedis(kind))
        return kRedisPort;
    return kind == postgresqlKind() ? kPostgreSqlPort : kMySqlPort;
}

QString option(const QUrl &url, const char *key)
{
    return QUrlQuery(url).queryItemValue(QLatin1String(key), QUrl::FullyDecoded);
}

/** "sqlite:" aside, a store's URL has its two slashes, also with an empty host. */
QUrl withSlashes(QUrl url)
{
    url.setHost(QString(), QUrl::DecodedMode);
    return QUrl(
        url.toString(QUrl::FullyEncoded)
            .replace(QRegularExpression(QStringLiteral("^([a-z+]+):/(?!/)")), QStringLiteral("\\1:///")));
}

} // namespace

StoreForm::StoreForm(QWidget *parent)
    : QWidget(parent),
      m_form(new QFormLayout),
      m_kind(new QComboBox),
      m_host(new QLineEdit),
      m_port(new QSpinBox),
      m_database(new QLineEdit),
      m_user(new QLineEdit),
      m_password(new QLineEdit),
      m_file(new QLineEdit),
      m_browse(new QPushButton),
      m_lead(new PlainLabel),
      m_address(new PlainLabel),
      m_error(new QWidget),
      m_cause(new PlainLabel),
      m_remedy(new PlainLabel)
{
    build();
    retranslate();
    showKind();
}

QWidget *StoreForm::addRow(QWidget *field, QWidget *whole)
{
    auto *label = new PlainLabel;
    label->setBuddy(field);
    m_labels.append(label);
    m_form->addRow(label, whole ? whole : field);
    return field;
}

void StoreForm::build()
{
    for (const auto &[widget, name] : {std::pair<QWidget *, const char *>{m_kind, "kind"},
                                       {m_host, "host"},
                                       {m_port, "port"},
                                       {m_database, "database"},
                                       {m_user, "user"},
                                       {m_password, "password"},
                                       {m_file, "file"}})
        widget->setObjectName(QLatin1String(name));
    m_kind->addItem(QStringLiteral("MySQL, MariaDB"), mysqlKind());
    m_kind->addItem(QStringLiteral("PostgreSQL"), postgresqlKind());
    m_kind->addItem(QStringLiteral("Redis, Valkey"), redisKind());
    m_kind->addItem(QStringLiteral("Redis, Valkey (TLS)"), redisTlsKind());
    m_kind->addItem(QStringLiteral("SQLite"), sqliteKind());
    m_host->setText(QStringLiteral("127.0.0.1"));
    m_port->setRange(1, 65535);
    m_port->setValue(kMySqlPort);
    m_port->setButtonSymbols(QAbstractSpinBox::NoButtons);
    m_port->setMaximumWidth(80);
    m_password->setEchoMode(QLineEdit::Password);
    m_browse->setAutoDefault(false);
    auto *file = new QWidget;
    auto *fileRow = new QHBoxLayout(file);
    fileRow->setContentsMargins(0, 0, 0, 0);
    fileRow->addWidget(m_file, 1);
    fileRow->addWidget(m_browse);
    m_form->setVerticalSpacing(8);
    m_form->setHorizontalSpacing(12);
    m_form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    addRow(m_kind);
    addRow(m_host);
    addRow(m_port);
    addRow(m_database);
    addRow(m_user);
    addRow(m_password);
    addRow(m_file, file);
    m_lead->setWordWrap(true);
    m_address->setSelectable(true);
    m_address->setWordWrap(true);
    m_address->setFont(presentation::codeFont(font()));
    m_labels.append(new PlainLabel);
    m_form->addRow(m_labels.last(), m_address);
    auto *icon = new QLabel;
    icon->setPixmap(
        presentation::icon(QStringLiteral("dialog-error")).pixmap(QSize(16, 16), devicePixelRatioF()));
    m_cause->setWordWrap(true);
    m_cause->setSelectable(true);
    m_remedy->setWordWrap(true);
    m_remedy->setMuted(true);
    auto *errorGrid = new QGridLayout(m_error);
    errorGrid->setContentsMargins(0, 0, 0, 0);
    errorGrid->setColumnStretch(1, 1);
    errorGrid->addWidget(icon, 0, 0, Qt::AlignTop);
    errorGrid->addWidget(m_cause, 0, 1);
    errorGrid->addWidget(m_remedy, 1, 1);
    m_error->hide();
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(16);
    column->addWidget(m_lead);
    column->addLayout(m_form);
    column->addWidget(m_error);
    column->addStretch(1);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &StoreForm::showKind);
    connect(m_port, &QSpinBox::valueChanged, this, &StoreForm::onEdited);
    for (QLineEdit *edit : {m_host, m_database, m_user, m_password, m_file})
        connect(edit, &QLineEdit::textChanged, this, &StoreForm::onEdited);
    // A whole URL in the first field is what people paste.
    connect(m_host, &QLineEdit::textEdited, this, [this](const QString &text) {
        if (text.contains(QLatin1String("://")))
            setUrl(QUrl(text.trimmed(), QUrl::TolerantMode));
    });
    connect(m_browse, &QPushButton::clicked, this, &StoreForm::browse);
}

bool StoreForm::isFile() const
{
    return m_kind->currentData().toString() == sqliteKind();
}

void StoreForm::showKind()
{
    const bool file = isFile();
    for (int row = 0; row < m_form->rowCount(); ++row) {
        QLayoutItem *label = m_form->itemAt(row, QFormLayout::LabelRole);
        QLayoutItem *field = m_form->itemAt(row, QFormLayout::FieldRole);
        const bool ofServer = row >= 1 && row <= 5;
        const bool shown = row == 6 ? file : !(ofServer && file);
        label->widget()->setVisible(shown);
        field->widget()->setVisible(shown);
    }
    if (!file)
        m_port->setValue(portOf(m_kind->currentData().toString()));
    m_database->setPlaceholderText(hasKeys() ? QStringLiteral("0") : QString());
    retranslate(); // keys aren't tables
    onEdited();
}

void StoreForm::onEdited()
{
    m_port->setEnabled(!m_host->text().startsWith(QLatin1Char('/')) ||
                       m_kind->currentData().toString() == postgresqlKind());
    m_address->setText(stores::displayAddress(url()));
    showError({}, {});
    Q_EMIT changed();
}

QUrl StoreForm::url() const
{
    QUrl url;
    const QString kind = m_kind->currentData().toString();
    url.setScheme(kind);
    if (isFile()) {
        url.setPath(m_file->text().trimmed());
        return url;
    }
    const QString host = m_host->text().trimmed();
    const QString database = m_database->text().trimmed();
    const QString user = m_user->text().trimmed();
    if (!host.startsWith(QLatin1Char('/'))) {
        url.setHost(host);
        url.setPort(m_port->value());
        if (!user.isEmpty())
            url.setUserName(user);
        url.setPath(QLatin1Char('/') + database);
        return url;
    }
    QUrlQuery query;
    if (kind == postgresqlKind()) {
        url.setPath(QLatin1Char('/') + database);
        query.addQueryItem(QStringLiteral("host"), QString::fromLatin1(QUrl::toPercentEncoding(host, "/")));
        if (m_port->value() != kPostgreSqlPort)
            query.addQueryItem(QStringLiteral("port"), QString::number(m_port->value()));
    } else {
        url.setScheme(isRedis(kind) ? QStringLiteral("redis+unix") : QStringLiteral("mysql+unix"));
        url.setPath(host);
        if (!database.isEmpty())
            query.addQueryItem(QStringLiteral("db"), QString::fromLatin1(QUrl::toPercentEncoding(database)));
    }
    if (!user.isEmpty())
        query.addQueryItem(QStringLiteral("user"), QString::fromLatin1(QUrl::toPercentEncoding(user)));
    url.setQuery(query);
    return withSlashes(url);
}

QByteArray StoreForm::password() const
{
    return isFile() ? QByteArray() : m_password->text().toUtf8();
}

bool StoreForm::setUrl(const QUrl &url)
{
    const bool path = url.scheme().endsWith(QLatin1String("+unix"));
    const QString kind = path ? url.scheme().chopped(5) : url.scheme();
    const int index = m_kind->findData(kind);
    if (!url.isValid() || index < 0)
        return false;
    m_kind->setCurrentIndex(index);
    if (kind == sqliteKind()) {
        m_file->setText(url.path(QUrl::FullyDecoded));
        return true;
    }
    const bool socket = path || (kind == postgresqlKind() && url.host().isEmpty());
    m_host->setText(path ? url.path(QUrl::FullyDecoded) : socket ? option(url, "host") : url.host());
    m_port->setValue(url.port(portOf(kind)));
    m_database->setText(path ? option(url, "db") : url.path(QUrl::FullyDecoded).mid(1));
    m_user->setText(socket ? option(url, "user") : url.userName(QUrl::FullyDecoded));
    if (!url.password().isEmpty())
        m_password->setText(url.password(QUrl::FullyDecoded));
    return true;
}

bool StoreForm::hasKeys() const
{
    return isRedis(m_kind->currentData().toString());
}

bool StoreForm::isComplete() const
{
    if (isFile())
        return !m_file->text().trimmed().isEmpty();
    const bool hasDatabase = hasKeys() || !m_database->text().trimmed().isEmpty();
    return !m_host->text().trimmed().isEmpty() && hasDatabase;
}

void StoreForm::showError(const QString &cause, const QString &remedy)
{
    m_cause->setText(cause);
    m_remedy->setText(remedy);
    m_remedy->setVisible(!remedy.isEmpty());
    m_error->setVisible(!cause.isEmpty());
}

QString StoreForm::errorText() const
{
    return m_cause->text();
}

void StoreForm::browse()
{
    auto *dialog = new QFileDialog(this, tr("SQLite file"), m_file->text());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, m_file, &QLineEdit::setText);
    dialog->open();
}

void StoreForm::retranslate()
{
    m_lead->setText(
        hasKeys()
            ? tr("Which store keeps the locks? The names of its keys are read, and the values of a few of "
                 "each kind. Nothing is written to it.")
            : tr("Which store keeps the locks? Its catalogue is read, and a few rows of tables that look "
                 "like "
                 "locks. Nothing is written to it."));
    const QStringList labels{tr("Store:"), tr("Host or socket:"), tr("Port:"), tr("Database:"),
                             tr("User:"),  tr("Password:"),       tr("File:"), tr("Address:")};
    for (int row = 0; row < m_labels.size(); ++row) {
        m_labels.at(row)->setText(labels.at(row));
        if (QWidget *field = m_labels.at(row)->buddy())
            field->setAccessibleName(labels.at(row).chopped(1));
    }
    m_host->setPlaceholderText(QStringLiteral("127.0.0.1"));
    m_browse->setText(tr("Choose…"));
}

void StoreForm::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

} // namespace lockkeeper::app::views
