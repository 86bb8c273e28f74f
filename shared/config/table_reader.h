// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/config/problem.h"

#include <QStringList>

#include <optional>

namespace toml {
inline namespace v3 {
class node;
class table;
} // namespace v3
} // namespace toml

namespace lockkeeper::config {

/** Splits a list of keys such as "name url", as written in the source code. */
QStringList words(const char *list);

/** The allowed numbers of a key, limits included. */
struct NumberRange
{
    qint64 low;
    qint64 high;
};

/**
 * Reads the values of one TOML table by type and records problems: a wrong type, a value out of range, an
 * unknown key (with the nearest known one). For a key that is absent or wrong it returns the default.
 */
class TableReader
{
public:
    /** `name` as in the file: "[agent]". `known`: every key that may appear. Reports the others at once. */
    TableReader(const toml::table &table, QString name, const QStringList &known, Problems &problems);

    bool has(const char *key) const;
    QString string(const char *key, const QString &otherwise = {}) const;
    qint64 integer(const char *key, qint64 otherwise, NumberRange range) const;
    double real(const char *key, double otherwise, double low, double high) const;
    bool boolean(const char *key, bool otherwise) const;
    /** Microseconds; written as "30s". */
    qint64 durationUs(const char *key, qint64 otherwise, NumberRange rangeUs) const;
    /** A list of texts; with `orOne` also a single text. */
    QStringList strings(const char *key, const QStringList &otherwise, bool orOne = false) const;
    /** One of `allowed`; for another value records a problem and returns the first of `allowed`. */
    QString choice(const char *key, const QStringList &allowed) const;
    /** The tables of an array of tables; other elements are a problem. */
    QList<const toml::table *> tables(const char *key) const;

    /** The key's line; the table's line if the key is absent. */
    int line(const char *key) const;
    int line() const;
    void problem(const char *key, const QString &cause, const QString &remedy = {}) const;
    /** The beginning of a cause: "key" of [agent]. */
    QString nameOf(const char *key) const;

private:
    const toml::node *find(const char *key) const;
    void wrongType(const char *key, const QString &wanted) const;

    const toml::table &m_table;
    QString m_name;
    Problems &m_problems;
};

/** "Did you mean \"X\"?" with the nearest name in `known`, otherwise "Use one of: …". */
QString suggestion(const QString &wanted, const QStringList &known);

} // namespace lockkeeper::config
