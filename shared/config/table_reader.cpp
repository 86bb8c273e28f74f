// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/config/table_reader.h"

#include "shared/base/nearest.h"
#include "shared/base/text.h"

#include <toml++/toml.h>

namespace lockkeeper::config {

using base::displayText;

namespace {

QString fromToml(std::string_view text)
{
    return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

int lineOf(const toml::source_region &region)
{
    return int(region.begin.line);
}

} // namespace

QStringList words(const char *list)
{
    return QString::fromLatin1(list).split(QLatin1Char(' '));
}

QString suggestion(const QString &wanted, const QStringList &known)
{
    const QString nearest = base::nearestName(wanted, known);
    return nearest.isEmpty() ? QStringLiteral("Use one of: %1.").arg(known.join(QLatin1String(", ")))
                             : QStringLiteral("Did you mean \"%1\"?").arg(nearest);
}

TableReader::TableReader(const toml::table &table, QString name, const QStringList &known, Problems &problems)
    : m_table(table), m_name(std::move(name)), m_problems(problems)
{
    for (const auto &[key, node] : table) {
        const QString text = fromToml(key.str());
        if (!known.contains(text)) {
            m_problems.add(lineOf(key.source()),
                           QStringLiteral("%1 has no key \"%2\"").arg(m_name, displayText(text)),
                           suggestion(text, known));
        }
    }
}

const toml::node *TableReader::find(const char *key) const
{
    return m_table.get(key);
}

bool TableReader::has(const char *key) const
{
    return find(key) != nullptr;
}

int TableReader::line() const
{
    return lineOf(m_table.source());
}

int TableReader::line(const char *key) const
{
    for (const auto &[name, node] : m_table) {
        if (name.str() == key)
            return lineOf(name.source());
    }
    return line();
}

QString TableReader::nameOf(const char *key) const
{
    return QStringLiteral("\"%1\" of %2").arg(QLatin1String(key), m_name);
}

void TableReader::problem(const char *key, const QString &cause, const QString &remedy) const
{
    m_problems.add(line(key), cause, remedy);
}

void TableReader::wrongType(const char *key, const QString &wanted) const
{
    problem(key, QStringLiteral("%1 has to be %2").arg(nameOf(key), wanted));
}

QString TableReader::string(const char *key, const QString &otherwise) const
{
    const toml::node *node = find(key);
    if (!node)
        return otherwise;
    const auto *text = node->as_string();
    if (!text) {
        wrongType(key, QStringLiteral("a text in quotes"));
        return otherwise;
    }
    const QString value = fromToml(text->get());
    if (value.contains(QChar(QChar::Null))) {
        wrongType(key, QStringLiteral("a text without NUL"));
        return otherwise;
    }
    return value;
}

qint64 TableReader::integer(const char *key, qint64 otherwise, NumberRange range) const
{
    const toml::node *node = find(key);
    if (!node)
        return otherwise;
    const auto *number = node->as_integer();
    if (!number || number->get() < range.low || number->get() > range.high) {
        wrongType(key, QStringLiteral("a whole number from %1 to %2").arg(range.low).arg(range.high));
        return otherwise;
    }
    return number->get();
}

double TableReader::real(const char *key, double otherwise, double low, double high) const
{
    const toml::node *node = find(key);
    if (!node)
        return otherwise;
    const std::optional<double> number = node->value<double>();
    if (!number || !(*number >= low && *number <= high)) {
        wrongType(key, QStringLiteral("a number from %1 to %2").arg(low).arg(high));
        return otherwise;
    }
    return *number;
}

bool TableReader::boolean(const char *key, bool otherwise) const
{
    const toml::node *node = find(key);
    if (!node)
        return otherwise;
    const auto *value = node->as_boolean();
    if (!value) {
        wrongType(key, QStringLiteral("true or false"));
        return otherwise;
    }
    return value->get();
}

qint64 TableReader::durationUs(const char *key, qint64 otherwise, NumberRange rangeUs) const
{
    const toml::node *node = find(key);
    if (!node)
        return otherwise;
    const auto *text = node->as_string();
    if (!text) {
        wrongType(key, QStringLiteral("a duration in quotes, such as \"30s\""));
        return otherwise;
    }
    const auto parsed = base::parseDuration(fromToml(text->get()));
    if (!parsed) {
        problem(key, QStringLiteral("%1: %2").arg(nameOf(key), parsed.error().cause), parsed.error().remedy);
        return otherwise;
    }
    if (*parsed < rangeUs.low || *parsed > rangeUs.high) {
        wrongType(key, QStringLiteral("from %1 to %2")
                           .arg(base::formatDuration(rangeUs.low), base::formatDuration(rangeUs.high)));
        return otherwise;
    }
    return *parsed;
}

QStringList TableReader::strings(const char *key, const QStringList &otherwise, bool orOne) const
{
    const toml::node *node = find(key);
    if (!node)
        return otherwise;
    if (orOne && node->is_string())
        return {string(key)};
    const toml::array *array = node->as_array();
    QStringList values;
    for (size_t i = 0; array && i < array->size(); ++i) {
        const auto *text = array->get(i)->as_string();
        if (!text) {
            array = nullptr;
            break;
        }
        values.append(fromToml(text->get()));
    }
    if (!array) {
        wrongType(key, orOne ? QStringLiteral("a text in quotes, or a list of them")
                             : QStringLiteral("a list of texts, such as [\"a\", \"b\"]"));
        return otherwise;
    }
    return values;
}

QString TableReader::choice(const char *key, const QStringList &allowed) const
{
    const QString value = string(key, allowed.first());
    if (allowed.contains(value))
        return value;
    problem(key, QStringLiteral("%1 can't be \"%2\"").arg(nameOf(key), displayText(value)),
            suggestion(value, allowed));
    return allowed.first();
}

QList<const toml::table *> TableReader::tables(const char *key) const
{
    const toml::node *node = find(key);
    if (!node)
        return {};
    const toml::array *array = node->as_array();
    QList<const toml::table *> found;
    for (size_t i = 0; array && i < array->size(); ++i) {
        if (const toml::table *table = array->get(i)->as_table())
            found.append(table);
    }
    if (!array || size_t(found.size()) != array->size())
        wrongType(key, QStringLiteral("written as [[%1]] sections").arg(QLatin1String(key)));
    return found;
}

} // namespace lockkeeper::config
