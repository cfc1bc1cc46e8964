"""What is encrypted here, the real engine opens, and the other way round."""

from __future__ import annotations

import pytest
from container.encrypted_engine import carry_out

from viewer.container.gdec import Gdec, Version, encrypt
from viewer.container.layer import Secret

pytestmark = pytest.mark.engine

KEY = bytes(range(7, 39))
PASSWORDS = ("hunter2", "päss世", "a password with blanks")
SIZES = (1, 15, 16, 17, 4095, 4096, 4097, 70000)


def plain(size: int) -> bytes:
    return bytes(at * 7 % 251 for at in range(size))


def test_the_engine_opens_with_a_key_what_the_form_wrote() -> None:
    form = Gdec().unwrap(encrypt(Version.ECB, Secret(KEY), b"before"), Secret(KEY)).form
    found = carry_out([("key", KEY, form.wrap(plain(size))) for size in SIZES])
    assert found == [plain(size) for size in SIZES]


@pytest.mark.parametrize("password", PASSWORDS)
def test_the_engine_opens_with_a_password_what_the_form_wrote(password: str) -> None:
    secret = Secret.of_password(password)
    form = Gdec().unwrap(encrypt(Version.ECB, secret, b"before"), secret).form
    found = carry_out([("pass", password.encode(), form.wrap(plain(size))) for size in SIZES])
    assert found == [plain(size) for size in SIZES]


def test_what_the_engine_encrypts_opens() -> None:
    jobs = [("write-key", KEY, plain(size)) for size in SIZES]
    jobs += [("write-pass", password.encode(), plain(33)) for password in PASSWORDS]
    secrets = [Secret(KEY)] * len(SIZES) + [Secret.of_password(password) for password in PASSWORDS]
    for (_, _, data), secret, outside in zip(jobs, secrets, carry_out(jobs), strict=True):
        assert outside is not None
        assert Gdec().unwrap(outside, secret).inside == data
        assert encrypt(Version.ECB, secret, data) == outside


def test_the_engine_refuses_what_we_refuse() -> None:
    whole = encrypt(Version.ECB, Secret(KEY), plain(40))
    files = [whole[:-1], whole[:20], whole[:40] + bytes(1) + whole[41:], whole[:4] + bytes(4) + whole[8:], whole + b"x"]
    for data, found in zip(files, carry_out([("key", KEY, data) for data in files]), strict=True):
        try:
            assert Gdec().unwrap(data, Secret(KEY)).inside == found
        except ValueError:
            assert found is None
