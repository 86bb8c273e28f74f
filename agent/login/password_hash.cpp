// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/login/password_hash.h"

#include <array>
#include <cstring>
#include <sodium.h>

namespace lockkeeper::agent::login {

using base::ErrorCode;
using base::failure;

namespace {
constexpr unsigned long long kPasses = 3;
constexpr size_t kMemory = 64U << 20;
} // namespace

base::Result<QByteArray> hashPassword(const QByteArray &password)
{
    if (password.isEmpty() || password.size() > kLongestPassword)
        return failure(ErrorCode::Usage, QStringLiteral("a password has 1 to 1024 bytes"));
    std::array<char, crypto_pwhash_STRBYTES> text{};
    if (::sodium_init() < 0 ||
        ::crypto_pwhash_str_alg(text.data(), password.constData(), size_t(password.size()), kPasses, kMemory,
                                crypto_pwhash_ALG_ARGON2ID13) != 0)
        return failure(ErrorCode::Unknown, QStringLiteral("the password can't be hashed: out of memory"));
    return QByteArray(text.data());
}

bool verifyPassword(const QByteArray &hash, const QByteArray &password)
{
    return ::sodium_init() >= 0 &&
           ::crypto_pwhash_str_verify(hash.constData(), password.constData(), size_t(password.size())) == 0;
}

bool isPasswordHash(const QByteArray &text)
{
    // -1: not a hash; 0: a hash with these parameters; 1: a hash with other parameters.
    return text.startsWith("$argon2id$") && text.size() < int(crypto_pwhash_STRBYTES) &&
           ::crypto_pwhash_str_needs_rehash(text.constData(), kPasses, kMemory) >= 0;
}

QByteArray decoyHash()
{
    return QByteArrayLiteral("$argon2id$v=19$m=65536,t=3,p=1$AAAAAAAAAAAAAAAAAAAAAA$"
                             "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
}

} // namespace lockkeeper::agent::login
