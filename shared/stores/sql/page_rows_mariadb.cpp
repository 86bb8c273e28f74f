// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows straight from the client library: Qt's driver first takes a whole answer and then makes a QVariant of
// each value, which costs more than all else that a pass does.
#include "shared/stores/sql/page_rows.h"
#include "shared/stores/sql/sql_errors.h"

#include <QSqlDriver>

#include <algorithm>
#include <dlfcn.h>
#include <mysql.h>

namespace lockkeeper::stores::sql {

namespace {
constexpr unsigned long kFirstRoom = 256; ///< bytes for a value; a longer one makes more

/**
 * True where Qt's driver has the same libmariadb in it as this code: only then its handle means anything
 * here. Asked of the dynamic linker, which knows what the driver's plugin is bound to.
 */
bool sharesLibrary(const QSqlDriver &driver)
{
    Dl_info plugin{};
    if (dladdr(driver.metaObject(), &plugin) == 0 || plugin.dli_fname == nullptr)
        return false;
    void *loaded = dlopen(plugin.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (loaded == nullptr)
        return false;
    const void *theirs = dlsym(loaded, "mysql_stmt_fetch");
    const bool same = theirs != nullptr && theirs == dlsym(RTLD_DEFAULT, "mysql_stmt_fetch");
    dlclose(loaded);
    return same;
}

MYSQL *handleOf(const QSqlDriver *driver)
{
    if (driver == nullptr || !driver->isOpen() || !sharesLibrary(*driver))
        return nullptr;
    const QVariant handle = driver->handle();
    const QByteArrayView type(handle.typeName()); // the compiler's name of it, or its alias
    return type == "MYSQL*" || type == "st_mysql*" ? *static_cast<MYSQL *const *>(handle.constData())
                                                   : nullptr;
}

bool isInteger(enum_field_types type)
{
    return type == MYSQL_TYPE_TINY || type == MYSQL_TYPE_SHORT || type == MYSQL_TYPE_INT24 ||
           type == MYSQL_TYPE_LONG || type == MYSQL_TYPE_LONGLONG || type == MYSQL_TYPE_YEAR;
}

class StreamedRows final : public PageRows
{
public:
    StreamedRows(MYSQL *mysql, MYSQL_STMT *statement, QList<QByteArray> binds)
        : m_mysql(mysql), m_statement(statement), m_binds(std::move(binds))
    {
    }
    ~StreamedRows() override { mysql_stmt_close(m_statement); }

    std::optional<base::Error> run(const Values &values) override;
    Next next() override;
    void finish() override { mysql_stmt_free_result(m_statement); }

private:
    /** Where the library puts a column's value. */
    struct Place
    {
        std::vector<char> room;
        unsigned long size = 0;
        qint64 number = 0;
        my_bool isNull = 0;
        my_bool isCut = 0;
        bool isInteger = false;
    };

    base::Error lastError() const;
    bool bindValues(const Values &values);
    bool bindPlaces();
    bool point();
    bool isCut() const;
    bool readLong();

    MYSQL *m_mysql; ///< the driver's
    MYSQL_STMT *m_statement;
    QList<QByteArray> m_binds;
    std::vector<Place> m_places;
    std::vector<MYSQL_BIND> m_columns;
};

/** What fails while rows come is told of the connection, not of the statement. */
base::Error StreamedRows::lastError() const
{
    if (const unsigned number = mysql_stmt_errno(m_statement); number != 0)
        return errorOf(int(number), QString::fromUtf8(mysql_stmt_error(m_statement)));
    if (const unsigned number = mysql_errno(m_mysql); number != 0)
        return errorOf(int(number), QString::fromUtf8(mysql_error(m_mysql)));
    return {base::ErrorCode::ConnectionLost, QStringLiteral("the rows ended without a word"), {}};
}

bool StreamedRows::bindValues(const Values &values)
{
    struct Given
    {
        QByteArray bytes;
        qint64 number = 0;
        unsigned long size = 0;
    };
    std::vector<Given> given(size_t(m_binds.size()));
    std::vector<MYSQL_BIND> binds(given.size());
    for (size_t i = 0; i < given.size(); ++i) {
        const QVariant value = values.value(m_binds.at(qsizetype(i)));
        MYSQL_BIND &bind = binds[i];
        if (value.isNull()) {
            bind.buffer_type = MYSQL_TYPE_NULL;
        } else if (value.typeId() == QMetaType::QByteArray) {
            given[i].bytes = value.toByteArray();
            given[i].size = static_cast<unsigned long>(given[i].bytes.size());
            bind.buffer_type = MYSQL_TYPE_BLOB;
            bind.buffer = given[i].bytes.data();
            bind.buffer_length = given[i].size;
            bind.length = &given[i].size;
        } else {
            given[i].number = value.toLongLong();
            bind.buffer_type = MYSQL_TYPE_LONGLONG;
            bind.buffer = &given[i].number;
        }
    }
    if (!binds.empty() && mysql_stmt_bind_param(m_statement, binds.data()) != 0)
        return false;
    return mysql_stmt_execute(m_statement) == 0; // reads the values
}

std::optional<base::Error> StreamedRows::run(const Values &values)
{
    if (bindValues(values) && bindPlaces())
        return std::nullopt;
    const base::Error error = lastError();
    finish();
    return error;
}

/** The types may be others than at the last run, if the table was altered. */
bool StreamedRows::bindPlaces()
{
    MYSQL_RES *meta = mysql_stmt_result_metadata(m_statement);
    if (meta == nullptr)
        return false;
    const MYSQL_FIELD *fields = mysql_fetch_fields(meta);
    m_places.resize(mysql_num_fields(meta));
    m_columns.assign(m_places.size(), MYSQL_BIND{});
    m_cells.assign(m_places.size(), RowCell());
    for (size_t i = 0; i < m_places.size(); ++i) {
        m_places[i].isInteger = isInteger(fields[i].type);
        m_columns[i].is_unsigned = (fields[i].flags & UNSIGNED_FLAG) != 0;
        if (!m_places[i].isInteger && m_places[i].room.empty())
            m_places[i].room.resize(kFirstRoom);
    }
    mysql_free_result(meta);
    return point();
}

bool StreamedRows::point()
{
    for (size_t i = 0; i < m_places.size(); ++i) {
        Place &place = m_places[i];
        MYSQL_BIND &bind = m_columns[i];
        bind.is_null = &place.isNull;
        bind.error = &place.isCut;
        bind.length = &place.size;
        bind.buffer_type = place.isInteger ? MYSQL_TYPE_LONGLONG : MYSQL_TYPE_STRING;
        bind.buffer = place.isInteger ? static_cast<void *>(&place.number) : place.room.data();
        bind.buffer_length = place.isInteger ? sizeof place.number : place.room.size();
    }
    return mysql_stmt_bind_result(m_statement, m_columns.data()) == 0;
}

/** By the sizes alone: whether the library reports it is an option of the connection. */
bool StreamedRows::isCut() const
{
    return std::any_of(m_places.begin(), m_places.end(), [](const Place &place) {
        return !place.isNull && !place.isInteger && place.size > place.room.size();
    });
}

/** Reads the values again that the room was too short for. What is bound anew knows this row no more. */
bool StreamedRows::readLong()
{
    for (size_t i = 0; i < m_places.size(); ++i) {
        Place &place = m_places[i];
        if (place.isNull || place.isInteger || place.size <= place.room.size())
            continue;
        place.room.resize(place.size);
        m_columns[i].buffer = place.room.data();
        m_columns[i].buffer_length = place.size;
        if (mysql_stmt_fetch_column(m_statement, &m_columns[i], unsigned(i), 0) != 0)
            return false;
    }
    return point();
}

PageRows::Next StreamedRows::next()
{
    const int fetched = mysql_stmt_fetch(m_statement);
    if (fetched == MYSQL_NO_DATA)
        return Next::End;
    if ((fetched != 0 && fetched != MYSQL_DATA_TRUNCATED) || (isCut() && !readLong())) {
        m_error = lastError();
        return Next::Failed;
    }
    for (size_t i = 0; i < m_places.size(); ++i) {
        const Place &place = m_places[i];
        RowCell &cell = m_cells[i];
        const bool isBytes = !place.isInteger && !place.isNull;
        cell.data = isBytes ? place.room.data() : nullptr;
        cell.size = isBytes ? qsizetype(place.size) : 0;
        cell.number = place.isInteger && !place.isNull ? std::optional(place.number) : std::nullopt;
    }
    return Next::Row;
}
} // namespace

base::Result<std::unique_ptr<PageRows>> openStreamedRows(Connection &connection, const Statement &statement)
{
    MYSQL *mysql = handleOf(connection.driver());
    MYSQL_STMT *made = mysql == nullptr ? nullptr : mysql_stmt_init(mysql);
    if (made == nullptr)
        return nullptr;
    auto rows = std::make_unique<StreamedRows>(mysql, made, statement.binds);
    const int failed =
        mysql_stmt_prepare(made, statement.sql.constData(), static_cast<unsigned long>(statement.sql.size()));
    if (failed != 0)
        return tl::unexpected(
            errorOf(int(mysql_stmt_errno(made)), QString::fromUtf8(mysql_stmt_error(made))));
    if (qsizetype(mysql_stmt_param_count(made)) != statement.binds.size())
        return nullptr;
    return rows;
}

} // namespace lockkeeper::stores::sql
