// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QByteArray>

#include <memory>

struct evp_pkey_st;

namespace lockkeeper::base {

/** The public half of an Ed25519 key (RFC 8032). A value; thread-safe. */
class PublicKey
{
public:
    /** Reads PEM ("-----BEGIN PUBLIC KEY-----", RFC 8410), as `openssl pkey -pubout` writes it. */
    static Result<PublicKey> fromPem(const QByteArray &pem);

    QByteArray pem() const;
    /** Identifies the key: the first 16 bytes of the SHA-256 of the raw key. */
    QByteArray id() const;
    bool verifies(const QByteArray &message, const QByteArray &signature) const;

private:
    friend class SigningKey;
    explicit PublicKey(std::shared_ptr<evp_pkey_st> key) : m_key(std::move(key)) {}

    std::shared_ptr<evp_pkey_st> m_key;
};

/** A private Ed25519 key. A value; thread-safe. */
class SigningKey
{
public:
    static Result<SigningKey> generate();
    /** Reads an unencrypted PEM ("-----BEGIN PRIVATE KEY-----"). */
    static Result<SigningKey> fromPem(const QByteArray &pem);

    QByteArray pem() const;
    PublicKey publicKey() const { return PublicKey(m_key); }
    /** Returns a signature of 64 bytes. */
    Result<QByteArray> sign(const QByteArray &message) const;

private:
    explicit SigningKey(std::shared_ptr<evp_pkey_st> key) : m_key(std::move(key)) {}

    std::shared_ptr<evp_pkey_st> m_key;
};

} // namespace lockkeeper::base
