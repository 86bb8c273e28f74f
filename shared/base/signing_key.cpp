// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/signing_key.h"

#include "shared/base/sha256.h"

#include <openssl/evp.h>
#include <openssl/pem.h>

namespace lockkeeper::base {

namespace {

using KeyPtr = std::shared_ptr<EVP_PKEY>;
using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;
using Context = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;

const unsigned char *raw(const QByteArray &bytes)
{
    return reinterpret_cast<const unsigned char *>(bytes.constData());
}

Result<KeyPtr> ed25519(EVP_PKEY *key, const QString &otherwise)
{
    KeyPtr owned(key, EVP_PKEY_free);
    if (key && EVP_PKEY_get_id(key) == EVP_PKEY_ED25519)
        return owned;
    return failure(ErrorCode::Corrupt, otherwise);
}

/** Prevents OpenSSL's prompt for a password: Lockkeeper's keys aren't encrypted. */
int noPassword(char *, int, int, void *)
{
    return 0;
}

QByteArray written(const Bio &bio)
{
    char *data = nullptr;
    const long size = BIO_get_mem_data(bio.get(), &data);
    return {data, qsizetype(size)};
}

} // namespace

Result<PublicKey> PublicKey::fromPem(const QByteArray &pem)
{
    const Bio in(BIO_new_mem_buf(pem.constData(), int(pem.size())), BIO_free);
    const auto key = ed25519(PEM_read_bio_PUBKEY(in.get(), nullptr, noPassword, nullptr),
                             QStringLiteral("this isn't an Ed25519 public key in PEM"));
    if (!key)
        return tl::unexpected(key.error());
    return PublicKey(*key);
}

QByteArray PublicKey::pem() const
{
    const Bio out(BIO_new(BIO_s_mem()), BIO_free);
    PEM_write_bio_PUBKEY(out.get(), m_key.get());
    return written(out);
}

QByteArray PublicKey::id() const
{
    size_t size = 32;
    QByteArray bytes(qsizetype(size), Qt::Uninitialized);
    EVP_PKEY_get_raw_public_key(m_key.get(), reinterpret_cast<unsigned char *>(bytes.data()), &size);
    return sha256(bytes).first(16);
}

bool PublicKey::verifies(const QByteArray &message, const QByteArray &signature) const
{
    const Context context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    return EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, m_key.get()) == 1 &&
           EVP_DigestVerify(context.get(), raw(signature), size_t(signature.size()), raw(message),
                            size_t(message.size())) == 1;
}

Result<SigningKey> SigningKey::generate()
{
    const auto key = ed25519(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"),
                             QStringLiteral("the cryptography library can't make an Ed25519 key"));
    if (!key)
        return tl::unexpected(key.error());
    return SigningKey(*key);
}

Result<SigningKey> SigningKey::fromPem(const QByteArray &pem)
{
    const Bio in(BIO_new_mem_buf(pem.constData(), int(pem.size())), BIO_free);
    const auto key = ed25519(PEM_read_bio_PrivateKey(in.get(), nullptr, noPassword, nullptr),
                             QStringLiteral("this isn't an unencrypted Ed25519 key in PEM"));
    if (!key)
        return tl::unexpected(key.error());
    return SigningKey(*key);
}

QByteArray SigningKey::pem() const
{
    const Bio out(BIO_new(BIO_s_mem()), BIO_free);
    PEM_write_bio_PrivateKey(out.get(), m_key.get(), nullptr, nullptr, 0, nullptr, nullptr);
    return written(out);
}

Result<QByteArray> SigningKey::sign(const QByteArray &message) const
{
    const Context context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    QByteArray signature(64, Qt::Uninitialized);
    size_t size = size_t(signature.size());
    if (EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, m_key.get()) == 1 &&
        EVP_DigestSign(context.get(), reinterpret_cast<unsigned char *>(signature.data()), &size,
                       raw(message), size_t(message.size())) == 1)
        return signature;
    return failure(ErrorCode::Unsupported, QStringLiteral("the cryptography library can't sign"));
}

} // namespace lockkeeper::base
