// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/signing_key.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_signing_key {

using namespace lockkeeper;
using base::PublicKey;
using base::SigningKey;

class SigningKeyTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void standardsExample();
    void signsAndVerifies();
    void pemComesBack();
    void refusesWhatIsNoKey_data();
    void refusesWhatIsNoKey();
};

/** RFC 8032, 7.1, test 2: one byte. */
void SigningKeyTest::standardsExample()
{
    // RFC 8410's wrapping of the 32 bytes of the secret key.
    const QByteArray der =
        QByteArray::fromHex("302e020100300506032b657004220420"
                            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb");
    const auto key = SigningKey::fromPem("-----BEGIN PRIVATE KEY-----\n" + der.toBase64() +
                                         "\n-----END PRIVATE KEY-----\n");
    QVERIFY(key);
    QCOMPARE(key->sign(QByteArray::fromHex("72"))->toHex(),
             QByteArray("92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"));
}

void SigningKeyTest::signsAndVerifies()
{
    const auto key = SigningKey::generate();
    const auto other = SigningKey::generate();
    QVERIFY(key && other);
    const QByteArray signature = *key->sign("message");
    QVERIFY(key->publicKey().verifies("message", signature));
    QVERIFY(!key->publicKey().verifies("Message", signature));
    QVERIFY(!key->publicKey().verifies("message", {}));
    QByteArray flipped = signature;
    flipped[40] = char(flipped[40] ^ 1);
    QVERIFY(!key->publicKey().verifies("message", flipped));
    QVERIFY(!other->publicKey().verifies("message", signature));
    QVERIFY(key->publicKey().id() != other->publicKey().id());
    QCOMPARE(key->publicKey().id().size(), 16);
}

void SigningKeyTest::pemComesBack()
{
    const auto key = SigningKey::generate();
    const auto again = SigningKey::fromPem(key->pem());
    const auto half = PublicKey::fromPem(key->publicKey().pem());
    QVERIFY(again && half);
    QVERIFY(half->verifies("message", *again->sign("message")));
    QCOMPARE(half->id(), key->publicKey().id());
    QVERIFY(!PublicKey::fromPem(key->pem()));
    QVERIFY(!SigningKey::fromPem(key->publicKey().pem()));
}

void SigningKeyTest::refusesWhatIsNoKey_data()
{
    QTest::addColumn<QByteArray>("pem");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("text") << QByteArray("not a key\n");
    QTest::newRow("of an elliptic curve of another kind")
        << QByteArray("-----BEGIN PUBLIC KEY-----\n"
                      "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt\n"
                      "6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==\n"
                      "-----END PUBLIC KEY-----\n");
}

void SigningKeyTest::refusesWhatIsNoKey()
{
    QFETCH(QByteArray, pem);
    QVERIFY(!PublicKey::fromPem(pem));
    QVERIFY(!SigningKey::fromPem(pem));
}

LOCKKEEPER_TEST(SigningKeyTest)

} // namespace tst_signing_key

#include "tst_signing_key.moc"
