// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/sha256.h"
#include "tests/support/test_program.h"

#include <QCryptographicHash>
#include <QTest>

namespace tst_sha256 {

using namespace lockkeeper;

/** The digest against the standard's own examples, and against Qt's for every length around its blocks. */
class Sha256Test : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void examples_data();
    void examples();
    void lengths();
};

void Sha256Test::examples_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("hex");
    QTest::newRow("nothing") << QByteArray()
                             << QByteArray(
                                    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    QTest::newRow("one block") << QByteArray("abc")
                               << QByteArray(
                                      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    QTest::newRow("two blocks") << QByteArray("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
                                << QByteArray(
                                       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    QTest::newRow("a million") << QByteArray(1'000'000, 'a')
                               << QByteArray(
                                      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

void Sha256Test::examples()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, hex);
    QCOMPARE(base::sha256(bytes).toHex(), hex);
}

void Sha256Test::lengths()
{
    QByteArray bytes;
    for (int length = 0; length <= 400; ++length) {
        const QByteArray expected = QCryptographicHash::hash(bytes, QCryptographicHash::Sha256);
        QCOMPARE(base::sha256(bytes), expected);
        const QByteArray shifted = 'x' + bytes; // not aligned
        QCOMPARE(base::sha256(QByteArrayView(shifted).sliced(1)), expected);
        bytes += char(length * 37 + 11);
    }
}

LOCKKEEPER_TEST(Sha256Test)

} // namespace tst_sha256

#include "tst_sha256.moc"
