// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/discover/store_form.h"

#include "app/presentation/icons.h"
#include "app/presentation/theme.h"
#include "app/views/discover/file_field.h"
#include "app/views/discover/password_field.h"
#include "app/views/discover/tls_fields.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/wrapped_label.h"
#include "shared/base/text.h"
#include "shared/stores/host_list.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>

namespace lockkeeper::app::views {

namespace {

/** How many characters one edit has inserted into `before`. */
qsizetype insertedLength(const QString &before, const QString &now)
{
    const auto first = std::mismatch(before.cbegin(), before.cend(), now.cbegin(), now.cend());
    const auto last = std::mismatch(before.crbegin(), std::make_reverse_iterator(first.first), now.crbegin(),
                                    std::make_reverse_iterator(first.second));
    return std::distance(first.second, last.second.base());
}

} // namespace

StoreForm::StoreForm(QWidget *parent)
    : Translated(parent),
      m_form(new QFormLayout),
      m_kind(new QComboBox),
      m_host(new QLineEdit),
      m_port(new QSpinBox),
      m_group(new QLineEdit),
      m_database(new QLineEdit),
      m_user(new QLineEdit),
      m_password(new PasswordField),
      m_file(new FileField(QStringLiteral("file"))),
      m_lead(new WrappedLabel),
      m_address(new QLineEdit(this)), // before all others, for Tab too
      m_cause(new WrappedLabel),
      m_remedy(new WrappedLabel)
{
    build();
    retranslate();
    showKind();
}

/** A visible form loses the focus while its base class is destroyed: then its lines must call nothing. */
StoreForm::~StoreForm()
{
    m_address->disconnect(this);
}

void StoreForm::buildRows()
{
    const QList<std::pair<QWidget *, const char *>> rows{{m_kind, "kind"},
                                                         {m_host, "host"},
                                                         {m_port, "port"},
                                                         {m_group, "group"},
                                                         {m_database, "database"},
                                                         {m_user, "user"},
                                                         {m_password, "password_row"},
                                                         {m_file, "file_row"}};
    for (const auto &[field, name] : rows) {
        field->setObjectName(QLatin1String(name));
        m_labels.append(new PlainLabel);
        m_labels.last()->setBuddy(field);
        m_form->addRow(m_labels.last(), field);
    }
    m_tls = new TlsFields(m_form, this);
    m_labels.append(new PlainLabel);
    m_labels.last()->setBuddy(m_address);
    m_form->insertRow(0, m_labels.last(), m_address); // an address to paste comes first
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
    m_cause->setSelectable(true);
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
    for (const auto &[name, kind] : {std::pair<const char *, const char *>{"MySQL, MariaDB", "mysql"},
                                     {"PostgreSQL", "postgresql"},
                                     {"Redis, Valkey", "redis"},
                                     {"Redis Sentinel", "redis+sentinel"},
                                     {"Redis Cluster", "redis+cluster"},
                                     {"Redlock", "redlock"},
                                     {"etcd", "etcd"},
                                     {"MongoDB", "mongodb"},
                                     {"ZooKeeper", "zookeeper"},
                                     {"SQLite", "sqlite"}})
        m_kind->addItem(QString::fromLatin1(name), QString::fromLatin1(kind));
    m_host->setText(QStringLiteral("127.0.0.1"));
    m_port->setRange(1, 65535);
    m_port->setButtonSymbols(QAbstractSpinBox::NoButtons);
    m_port->setMaximumWidth(80);
    m_port->setFixedHeight(m_host->sizeHint().height()); // otherwise it is a little higher
    m_address->setObjectName(QStringLiteral("address"));
    m_address->setFont(presentation::codeFont(font()));
    buildRows();
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(16);
    column->addWidget(m_lead);
    column->addLayout(m_form);
    column->addWidget(buildError());
    column->addStretch(1);
    // A password belongs to one server: never send it to another.
    connect(m_kind, &QComboBox::currentIndexChanged, m_password, &PasswordField::forgetTyped);
    connect(m_host, &QLineEdit::textChanged, m_password, &PasswordField::forgetTyped);
    connect(m_port, &QSpinBox::valueChanged, m_password, &PasswordField::forgetTyped);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &StoreForm::showKind);
    connect(m_port, &QSpinBox::valueChanged, this, &StoreForm::onEdited);
    for (QLineEdit *edit : {m_host, m_group, m_database, m_user})
        connect(edit, &QLineEdit::textChanged, this, &StoreForm::onEdited);
    connect(m_password, &PasswordField::changed, this, &StoreForm::onEdited);
    connect(m_file, &FileField::changed, this, &StoreForm::onEdited);
    connect(m_tls, &TlsFields::changed, this, &StoreForm::onEdited);
    connect(m_host, &QLineEdit::textEdited, this, &StoreForm::onPasted);
    connect(m_address, &QLineEdit::textEdited, this, &StoreForm::onAddress);
    connect(m_address, &QLineEdit::textChanged, this, [this] { m_before = m_address->text(); });
    connect(m_address, &QLineEdit::editingFinished, this, [this] {
        if (errorText().isEmpty())
            onEdited(); // shows the address as parsed
    });
}

/** Users paste a whole URL into the host field. */
void StoreForm::onPasted(const QString &text)
{
    if (!text.contains(QLatin1String("://")))
        return;
    const QUrl url = stores::urlOf(text.trimmed());
    setUrl(url.isValid() ? url : QUrl(text.trimmed(), QUrl::TolerantMode));
}

/**
 * Fills the fields from the address. A pasted password moves into its field at once, out of sight. A typed
 * one moves when the address is left: a shortened text would garble the next characters.
 */
void StoreForm::onAddress(const QString &text)
{
    const QUrl url = stores::urlOf(text.trimmed());
    m_typing = url.password().isEmpty() || insertedLength(m_before, text) <= 1;
    const bool known = setUrl(url.isValid() ? url : QUrl(text.trimmed(), QUrl::TolerantMode));
    m_typing = false;
    if (!known && !text.trimmed().isEmpty())
        showError(tr("“%1” isn't the address of a store that can be scanned here.")
                      .arg(base::displayText(text.trimmed())),
                  tr("Write it like mysql://user@host:3306/database or redis://host:6379/0, or fill in the "
                     "fields."));
}

void StoreForm::showForeignAddress()
{
    const QString scheme = m_host->text().trimmed().section(QLatin1Char(':'), 0, 0);
    showError(tr("Addresses that begin with %1:// can't be scanned here.").arg(base::displayText(scheme)),
              tr("Choose the store above, and name its host alone."));
}

StoreAddress StoreForm::address() const
{
    StoreAddress address;
    address.kind = m_kind->currentData().toString();
    address.host = m_host->text().trimmed();
    address.port = m_port->value();
    address.group = m_group->text().trimmed();
    address.database = m_database->text().trimmed();
    address.user = m_user->text().trimmed();
    address.file = m_file->path();
    address.tls = m_tls->isOn();
    address.options = m_options;
    return address;
}

void StoreForm::showKind()
{
    const StoreAddress now = address();
    const bool file = now.isFile();
    for (QWidget *field : std::initializer_list<QWidget *>{m_host, m_user, m_password})
        m_form->setRowVisible(field, !file);
    m_form->setRowVisible(m_port, !file && !now.hasSeveral());
    m_form->setRowVisible(m_group, now.kind == QLatin1String("redis+sentinel") ||
                                       now.kind == QLatin1String("mongodb"));
    m_form->setRowVisible(m_database, now.hasDatabase());
    m_form->setRowVisible(m_file, file);
    m_port->setValue(now.usualPort());
    m_database->setPlaceholderText(now.kind == QLatin1String("zookeeper") ? QStringLiteral("/")
                                   : now.hasKeys()                        ? QStringLiteral("0")
                                                                          : QString());
    m_host->setPlaceholderText(now.hasSeveral()
                                   ? QStringLiteral("10.0.0.1:%1, 10.0.0.2:%1").arg(now.usualPort())
                                   : QStringLiteral("127.0.0.1"));
    retranslate(); // the words for keys and for tables differ
    onEdited();
}

void StoreForm::showTls()
{
    const StoreAddress now = address();
    const bool postgresql = now.kind == QLatin1String("postgresql");
    const bool tls = !now.isFile() && !now.isSocket() && now.kind != QLatin1String("zookeeper");
    m_tls->offer(tls, now.kind != QLatin1String("mysql"),
                 postgresql ? QStringLiteral("~/.postgresql/root.crt") : QString());
}

void StoreForm::onEdited()
{
    const StoreAddress now = address();
    m_port->setEnabled(!now.isSocket() || now.kind == QLatin1String("postgresql"));
    showTls();
    if (!m_typing)
        m_address->setText(stores::displayAddress(url()));
    showError({}, {});
    if (isForeign())
        showForeignAddress();
    Q_EMIT changed();
}

bool StoreForm::isForeign() const
{
    return !address().isFile() && m_host->text().contains(QLatin1String("://"));
}

QUrl StoreForm::url() const
{
    return address().url();
}

QByteArray StoreForm::password() const
{
    return address().isFile() ? QByteArray() : m_password->typed();
}

QString StoreForm::passwordReference() const
{
    return address().isFile() ? QString() : m_password->reference();
}

base::Result<stores::SourceSpec> StoreForm::spec() const
{
    stores::SourceSpec spec;
    spec.url = url();
    if (address().isFile())
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
    return address().isFile() ? QHash<QString, QString>() : m_tls->settings();
}

bool StoreForm::setUrl(const QUrl &url)
{
    const auto told = StoreAddress::of(url);
    if (!told)
        return false;
    m_kind->setCurrentIndex(m_kind->findData(told->kind));
    m_file->setPath(told->file);
    if (told->isFile())
        return true;
    m_host->setText(told->host);
    m_group->setText(told->group);
    m_options = told->options;
    if (!told->hasSeveral())
        m_port->setValue(told->port);
    m_database->setText(told->database);
    m_user->setText(told->user);
    if (!url.password().isEmpty())
        m_password->setTyped(url.password(QUrl::FullyDecoded));
    if (told->kind == QLatin1String("redis") || told->kind == QLatin1String("etcd"))
        m_tls->setOn(told->tls);
    return true;
}

bool StoreForm::hasKeys() const
{
    return address().hasKeys();
}

bool StoreForm::isComplete() const
{
    const StoreAddress now = address();
    if (now.isFile())
        return !now.file.isEmpty();
    if (now.host.isEmpty() || isForeign() || !m_password->isComplete())
        return false;
    if (now.hasSeveral())
        return now.url().isValid() && (now.kind != QLatin1String("redis+sentinel") || !now.group.isEmpty()) &&
               (now.kind != QLatin1String("mongodb") || !now.database.isEmpty());
    return now.hasKeys() || !now.database.isEmpty();
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
            ? address().kind == QLatin1String("zookeeper")
                  ? tr("Which store keeps the locks? The names of its znodes are read, and none of their "
                       "data. "
                       "Nothing is written to it.")
              : address().kind == QLatin1String("etcd")
                  ? tr("Which store keeps the locks? The names and leases of its keys are read, and none of "
                       "their values. Nothing is written to it.")
                  : tr("Which store keeps the locks? The names of its keys are read, and the values of a few "
                       "of each kind. Nothing is written to it.")
        : address().kind == QLatin1String("mongodb")
            ? tr("Which store keeps the locks? The names and types of the fields of a few documents of each "
                 "collection are read, and of times and numbers the values. Nothing is written to it.")
            : tr("Which store keeps the locks? Its catalogue is read, and a few rows of tables that look "
                 "like "
                 "locks. Nothing is written to it."));
    const QString host = address().hasSeveral() ? tr("Hosts with ports:") : tr("Host or socket:");
    const QString group =
        address().kind == QLatin1String("mongodb") ? tr("Replica set:") : tr("Primary's name:");
    const QString database = address().kind == QLatin1String("zookeeper") ? tr("Chroot:") : tr("Database:");
    const QStringList labels{tr("Store:"),    host,        tr("Port:"),   group, database, tr("User:"),
                             tr("Password:"), tr("File:"), tr("Address:")};
    for (int row = 0; row < m_labels.size(); ++row) {
        m_labels.at(row)->setText(labels.at(row));
        if (QWidget *field = m_labels.at(row)->buddy())
            field->setAccessibleName(labels.at(row).chopped(1));
    }
    m_address->setPlaceholderText(tr("Paste a URL, or fill in the fields"));
    m_password->setWhat(tr("Password"));
    m_file->setWhat(tr("SQLite file"));
    m_tls->retranslate();
}

} // namespace lockkeeper::app::views
