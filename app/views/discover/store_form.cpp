// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/discover/store_form.h"

#include "app/presentation/icons.h"
#include "app/presentation/theme.h"
#include "app/views/common/plain_label.h"
#include "app/views/discover/file_field.h"
#include "app/views/discover/password_field.h"
#include "app/views/discover/tls_fields.h"
#include "shared/base/text.h"

#include <QComboBox>
#include <QEvent>
#include <QFormLayout>
#include <QLineEdit>
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
const QString &sqliteKind()
{
    static const QString kind = QStringLiteral("sqlite");
    return kind;
}

int portOf(const QString &kind)
{
    if (kind == redisKind())
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
      m_password(new PasswordField),
      m_file(new FileField(QStringLiteral("file"))),
      m_lead(new PlainLabel),
      m_address(new PlainLabel),
      m_cause(new PlainLabel),
      m_remedy(new PlainLabel)
{
    build();
    retranslate();
    showKind();
}

void StoreForm::buildRows()
{
    const QList<std::pair<QWidget *, const char *>> rows{{m_kind, "kind"},    {m_host, "host"},
                                                         {m_port, "port"},    {m_database, "database"},
                                                         {m_user, "user"},    {m_password, "password_row"},
                                                         {m_file, "file_row"}};
    for (const auto &[field, name] : rows) {
        field->setObjectName(QLatin1String(name));
        m_labels.append(new PlainLabel);
        m_labels.last()->setBuddy(field);
        m_form->addRow(m_labels.last(), field);
    }
    m_tls = new TlsFields(m_form, this);
    m_labels.append(new PlainLabel);
    m_form->addRow(m_labels.last(), m_address);
    m_form->setVerticalSpacing(8);
    m_form->setHorizontalSpacing(12);
    m_form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
}

QWidget *StoreForm::buildError()
{
    m_error = new QWidget;
    auto *icon = new QLabel;
    icon->setPixmap(
        presentation::icon(QStringLiteral("dialog-error")).pixmap(QSize(16, 16), devicePixelRatioF()));
    m_cause->setWordWrap(true);
    m_cause->setSelectable(true);
    m_remedy->setWordWrap(true);
    m_remedy->setMuted(true);
    auto *grid = new QGridLayout(m_error);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setColumnStretch(1, 1);
    grid->addWidget(icon, 0, 0, Qt::AlignTop);
    grid->addWidget(m_cause, 0, 1);
    grid->addWidget(m_remedy, 1, 1);
    m_error->hide();
    return m_error;
}

void StoreForm::build()
{
    m_kind->addItem(QStringLiteral("MySQL, MariaDB"), mysqlKind());
    m_kind->addItem(QStringLiteral("PostgreSQL"), postgresqlKind());
    m_kind->addItem(QStringLiteral("Redis, Valkey"), redisKind());
    m_kind->addItem(QStringLiteral("SQLite"), sqliteKind());
    m_host->setText(QStringLiteral("127.0.0.1"));
    m_host->setPlaceholderText(QStringLiteral("127.0.0.1"));
    m_port->setRange(1, 65535);
    m_port->setValue(kMySqlPort);
    m_port->setButtonSymbols(QAbstractSpinBox::NoButtons);
    m_port->setMaximumWidth(80);
    m_lead->setWordWrap(true);
    m_address->setSelectable(true);
    m_address->setWordWrap(true);
    m_address->setFont(presentation::codeFont(font()));
    buildRows();
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(16);
    column->addWidget(m_lead);
    column->addLayout(m_form);
    column->addWidget(buildError());
    column->addStretch(1);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &StoreForm::showKind);
    connect(m_port, &QSpinBox::valueChanged, this, &StoreForm::onEdited);
    for (QLineEdit *edit : {m_host, m_database, m_user})
        connect(edit, &QLineEdit::textChanged, this, &StoreForm::onEdited);
    connect(m_password, &PasswordField::changed, this, &StoreForm::onEdited);
    connect(m_file, &FileField::changed, this, &StoreForm::onEdited);
    connect(m_tls, &TlsFields::changed, this, &StoreForm::onEdited);
    connect(m_host, &QLineEdit::textEdited, this, &StoreForm::onPasted);
}

/** A whole URL in the first field is what people paste. */
void StoreForm::onPasted(const QString &text)
{
    if (text.contains(QLatin1String("://")))
        setUrl(QUrl(text.trimmed(), QUrl::TolerantMode));
}

void StoreForm::showForeignAddress()
{
    const QString scheme = m_host->text().trimmed().section(QLatin1Char(':'), 0, 0);
    showError(
        tr("Addresses that begin with %1:// aren't looked through here.").arg(base::displayText(scheme)),
        tr("Give the address of one server. What is watched can be changed in the section that comes "
           "out."));
}

bool StoreForm::isFile() const
{
    return m_kind->currentData().toString() == sqliteKind();
}

bool StoreForm::isSocket() const
{
    return m_host->text().trimmed().startsWith(QLatin1Char('/'));
}

void StoreForm::showKind()
{
    const bool file = isFile();
    for (QWidget *field : std::initializer_list<QWidget *>{m_host, m_port, m_database, m_user, m_password})
        m_form->setRowVisible(field, !file);
    m_form->setRowVisible(m_file, file);
    if (!file)
        m_port->setValue(portOf(m_kind->currentData().toString()));
    m_database->setPlaceholderText(hasKeys() ? QStringLiteral("0") : QString());
    retranslate(); // keys aren't tables
    onEdited();
}

void StoreForm::showTls()
{
    const QString kind = m_kind->currentData().toString();
    m_tls->offer(!isFile() && !isSocket(), kind != mysqlKind(),
                 kind == postgresqlKind() ? QStringLiteral("~/.postgresql/root.crt") : QString());
}

void StoreForm::onEdited()
{
    m_port->setEnabled(!isSocket() || m_kind->currentData().toString() == postgresqlKind());
    showTls();
    m_address->setText(stores::displayAddress(url()));
    showError({}, {});
    if (isForeign())
        showForeignAddress();
    Q_EMIT changed();
}

bool StoreForm::isForeign() const
{
    return !isFile() && m_host->text().contains(QLatin1String("://"));
}

QUrl StoreForm::url() const
{
    QUrl url;
    const QString kind = m_kind->currentData().toString();
    url.setScheme(hasKeys() && m_tls->isOn() ? QStringLiteral("rediss") : kind);
    if (isFile()) {
        url.setPath(m_file->path());
        return url;
    }
    const QString host = m_host->text().trimmed();
    const QString database = m_database->text().trimmed();
    const QString user = m_user->text().trimmed();
    if (!isSocket()) {
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
        url.setScheme(kind + QStringLiteral("+unix"));
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
    return isFile() ? QByteArray() : m_password->typed();
}

QString StoreForm::passwordReference() const
{
    return isFile() ? QString() : m_password->reference();
}

base::Result<stores::SourceSpec> StoreForm::spec() const
{
    stores::SourceSpec spec;
    spec.url = url();
    if (isFile())
        return spec;
    auto secret = m_password->secret();
    if (!secret)
        return tl::unexpected(secret.error());
    spec.password = *std::move(secret);
    spec.tls = tls();
    return spec;
}

QHash<QString, QString> StoreForm::tls() const
{
    return isFile() ? QHash<QString, QString>() : m_tls->settings();
}

bool StoreForm::setUrl(const QUrl &url)
{
    const bool path = url.scheme().endsWith(QLatin1String("+unix"));
    const bool tls = url.scheme() == QLatin1String("rediss");
    const QString kind = path ? url.scheme().chopped(5) : tls ? redisKind() : url.scheme();
    const int index = m_kind->findData(kind);
    if (!url.isValid() || index < 0)
        return false;
    m_kind->setCurrentIndex(index);
    if (kind == sqliteKind()) {
        m_file->setPath(url.path(QUrl::FullyDecoded));
        return true;
    }
    const bool socket = path || (kind == postgresqlKind() && url.host().isEmpty());
    const QString port = socket ? option(url, "port") : QString();
    m_host->setText(path ? url.path(QUrl::FullyDecoded) : socket ? option(url, "host") : url.host());
    m_port->setValue(port.isEmpty() ? url.port(portOf(kind)) : port.toInt());
    m_database->setText(path ? option(url, "db") : url.path(QUrl::FullyDecoded).mid(1));
    m_user->setText(socket ? option(url, "user") : url.userName(QUrl::FullyDecoded));
    if (!url.password().isEmpty())
        m_password->setTyped(url.password(QUrl::FullyDecoded));
    if (kind == redisKind())
        m_tls->setOn(tls);
    return true;
}

bool StoreForm::hasKeys() const
{
    return m_kind->currentData().toString() == redisKind();
}

bool StoreForm::isComplete() const
{
    if (isFile())
        return !m_file->path().isEmpty();
    const bool hasDatabase = hasKeys() || !m_database->text().trimmed().isEmpty();
    return !m_host->text().trimmed().isEmpty() && !isForeign() && hasDatabase && m_password->isComplete();
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
    m_password->setWhat(tr("Password"));
    m_file->setWhat(tr("SQLite file"));
    m_tls->retranslate();
}

void StoreForm::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

} // namespace lockkeeper::app::views
