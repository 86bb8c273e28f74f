// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/sessions/innodb_status.h"

#include "shared/stores/sql/sessions/lock_data.h"
#include "shared/stores/sql/sessions/picture.h"

namespace lockkeeper::stores::sql {

namespace {
QByteArray wordAfter(const QByteArray &line, const char *key)
{
    const qsizetype at = line.indexOf(key);
    if (at < 0)
        return {};
    const qsizetype from = at + qsizetype(qstrlen(key));
    qsizetype to = from;
    while (to < line.size() && line.at(to) != ' ' && line.at(to) != ',')
        ++to;
    return line.sliced(from, to - from);
}

/** "RECORD LOCKS space id 5 page no 4 n bits 320 index lock_key of table `app`.`lk` trx id 24 lock_mode X …"
 */
class StatusReader
{
public:
    StatusReader(InnodbStatus &status, qsizetype most) : m_status(status), m_most(most) {}

    void read(const QByteArray &line)
    {
        if (line.startsWith("---TRANSACTION ")) {
            endRecord();
            m_transaction = wordAfter(line, "---TRANSACTION ");
            m_connection.clear();
            m_inLocks = false;
        } else if (line.startsWith("MariaDB thread id ") || line.startsWith("MySQL thread id ")) {
            m_connection = wordAfter(line, "thread id ");
        } else if (line.startsWith("RECORD LOCKS ")) {
            beginLocks(line);
        } else if (line.startsWith("TABLE LOCK ") || line.startsWith("------")) {
            endRecord();
            m_inLocks = false;
        } else if (m_inLocks && line.startsWith("Record lock, heap no ")) {
            endRecord();
            m_open = m_lock;
            m_hasOpen = true;
            m_open.supremum = line.startsWith("Record lock, heap no 1 ");
        } else if (m_hasOpen && line.startsWith(' ') && line.contains(": len ")) {
            readField(line);
        }
    }

    void endRecord()
    {
        if (m_hasOpen && m_status.locks.size() < m_most)
            m_status.locks.append(m_open);
        else if (m_hasOpen)
            m_status.truncated = true;
        m_hasOpen = false;
    }

private:
    void beginLocks(const QByteArray &line)
    {
        endRecord();
        m_lock = {};
        m_lock.transaction = m_transaction;
        m_lock.connection = m_connection;
        const qsizetype index = line.indexOf(" index ");
        const qsizetype of = line.indexOf(" of table ", index);
        const qsizetype trx = line.indexOf(" trx id ", of);
        m_inLocks = index >= 0 && of > index && trx > of && !line.endsWith(" waiting");
        if (!m_inLocks)
            return;
        m_lock.index = line.sliced(index + 7, of - index - 7);
        if (m_lock.index.startsWith('`') && m_lock.index.endsWith('`') && m_lock.index.size() > 1)
            m_lock.index = m_lock.index.sliced(1, m_lock.index.size() - 2).replace("``", "`");
        m_lock.table = tablePlace(QByteArrayView(line).sliced(of + 10, trx - of - 10));
        m_lock.mode = line.contains(" lock_mode S") || line.contains(" lock mode S") ? Shared : Exclusive;
        if (line.contains(" locks rec but not gap"))
            m_lock.mode |= RecordOnly;
        else if (line.contains(" locks gap before rec"))
            m_lock.mode |= GapOnly;
        if (line.contains(" insert intention"))
            m_lock.mode |= InsertIntention;
    }

    void readField(const QByteArray &line)
    {
        const QByteArray hex = wordAfter(line, "; hex ");
        m_open.fields.append(QByteArray::fromHex(hex.endsWith(';') ? hex.chopped(1) : hex));
        if (m_open.cutAt < 0 && line.contains("(total "))
            m_open.cutAt = int(m_open.fields.size()) - 1;
    }

    InnodbStatus &m_status;
    qsizetype m_most;
    QByteArray m_transaction;
    QByteArray m_connection;
    StatusLock m_lock;
    StatusLock m_open;
    bool m_inLocks = false;
    bool m_hasOpen = false;
};
} // namespace

InnodbStatus parseInnodbStatus(const QByteArray &text, qsizetype most)
{
    InnodbStatus status;
    qsizetype at = text.indexOf("LIST OF TRANSACTIONS FOR EACH SESSION:");
    qsizetype end = text.indexOf("\n--------\nFILE I/O", std::max<qsizetype>(at, 0));
    if (at < 0)
        return status;
    status.truncated = text.contains("... truncated...") || end < 0;
    end = end < 0 ? text.size() : end;
    StatusReader reader(status, most);
    while (at < end) {
        qsizetype next = text.indexOf('\n', at);
        next = next < 0 || next > end ? end : next;
        reader.read(text.sliced(at, next - at));
        at = next + 1;
    }
    reader.endRecord();
    return status;
}

QByteArray fieldText(const QByteArray &stored, KeyPart part)
{
    if (part == KeyPart::Text)
        return stored;
    if (part == KeyPart::Other || stored.isEmpty() || stored.size() > 8)
        return stored; // as lockName() decodes hexadecimal fields
    quint64 number = 0;
    for (const char byte : stored)
        number = number << 8 | uchar(byte);
    const int bits = int(stored.size()) * 8;
    if (part == KeyPart::Unsigned)
        return QByteArray::number(number);
    number ^= quint64(1) << (bits - 1);
    const qint64 value = bits == 64 ? qint64(number) : qint64(number << (64 - bits)) >> (64 - bits);
    return QByteArray::number(value);
}

} // namespace lockkeeper::stores::sql
